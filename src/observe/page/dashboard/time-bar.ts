import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Tick } from "../../routes/index.ts";
import { Button } from "../parts/parts.ts";
import { numberText, timeText } from "../parts/text.ts";
import { type Address, go } from "./address.ts";
import { type EventRow, useAnswer } from "./api.ts";

type TimeBarParts = { readonly address: Address; readonly tick: Tick; readonly path: string };

/** How long the slider must stay still before the page shows the selected moment. */
const SETTLE_MS = 120;

export const TimeBar = ({ address, tick, path }: TimeBarParts) => {
  const [held, setHeld] = useState<number | null>(null);
  const timer = useRef(0);
  const { at } = address;
  const { value: event } = useAnswer<EventRow>(at === null ? null : `${path}/events/${at}`);
  const seq = held ?? at ?? tick.seq;
  const show = (next: number | null): void => {
    setHeld(null);
    const to = next === null || next >= tick.seq ? null : Math.max(tick.first_seq, next);
    go({ ...address, at: to }, "replace");
  };
  const slide = (next: number): void => {
    setHeld(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => show(next), SETTLE_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isPast = at !== null;
  const atMs = !isPast ? tick.at_ms : event?.seq === at ? event.at_ms : null;
  const time = atMs === null ? "…" : timeText(atMs);
  return html`
    <div class=${`time-bar ${isPast ? "is-past" : ""}`} role="group" aria-label="Moment">
      <button type="button" aria-label="Previous event" onClick=${() => show(seq - 1)}>‹</button>
      <input
        type="range" aria-label="Moment of the run" aria-valuetext=${`event ${seq}, ${time}`}
        min=${tick.first_seq} max=${tick.seq} step="1" value=${seq}
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
          slide(Number(currentTarget.value))}
      />
      <${Button} aria-label="Next event" isOff=${!isPast} onClick=${() => show(seq + 1)}>›<//>
      <output class="moment">
        <strong class="moment-time">${time}</strong>
        <span class="moment-seq">event ${numberText(seq)}</span>
      </output>
      <${Button} isOff=${!isPast && held === null} onClick=${() => show(null)}>Now<//>
    </div>
  `;
};
