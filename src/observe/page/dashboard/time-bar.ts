import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Tick } from "../../dashboard/index.ts";
import { type Address, go } from "./address.ts";
import { useAnswer } from "./ask.ts";
import type { EventRow } from "./event-pages.ts";
import { numberText, timeText } from "./words.ts";

type TimeBarParts = { readonly address: Address; readonly tick: Tick; readonly path: string };

/** So long a hand may rest on the slider before the moment under it is asked for. */
const REST_MS = 120;

/** The run time of the event that is shown; null: that of the last. */
export const useAtMs = (path: string, at: number | null): number | null => {
  const { value } = useAnswer<EventRow>(at === null ? null : `${path}/events/${at}`);
  return at !== null && value?.seq === at ? value.at_ms : null;
};

/** Moves the whole page to any event of the past, and back to now. */
export const TimeBar = ({ address, tick, path }: TimeBarParts) => {
  const [held, setHeld] = useState<number | null>(null);
  const timer = useRef(0);
  const atMs = useAtMs(path, address.at);
  const seq = held ?? address.at ?? tick.seq;
  const show = (next: number | null): void => {
    setHeld(null);
    const at = next === null || next >= tick.seq ? null : Math.max(tick.first_seq, next);
    go({ ...address, at }, "replace");
  };
  const slide = (next: number): void => {
    setHeld(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => show(next), REST_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isPast = address.at !== null;
  const time = isPast
    ? atMs === null
      ? "…"
      : timeText(atMs / 1_000)
    : timeText(tick.at_ms / 1_000);
  return html`
    <div class=${`time-bar ${isPast ? "is-past" : ""}`} role="group" aria-label="Moment">
      <button type="button" aria-label="One event back" onClick=${() => show(seq - 1)}>‹</button>
      <input
        type="range" aria-label="Moment of the run" aria-valuetext=${`event ${seq}, ${time}`}
        min=${tick.first_seq} max=${tick.seq} step="1" value=${seq}
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
          slide(Number(currentTarget.value))}
      />
      <button type="button" aria-label="One event on" disabled=${!isPast}
        onClick=${() => show(seq + 1)}>›</button>
      <output class="moment">
        <strong class="moment-time">${time}</strong>
        <span class="moment-seq">event ${numberText(seq)}</span>
      </output>
      <button type="button" class="now" disabled=${!isPast && held === null}
        onClick=${() => show(null)}>Now</button>
    </div>
  `;
};
