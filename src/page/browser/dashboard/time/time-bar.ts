import "./time.css";
import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import type { RunMark } from "../../../routes/index.ts";
import { momentText } from "../../parts/text.ts";
import { typedPeriod } from "../address.ts";
import { MarkKeys } from "./mark-keys.ts";
import { MarkTrack } from "./mark-track.ts";
import type { MomentParts } from "./moment.ts";
import { openPeriod, PeriodLine, showWholeRun, usePeriod } from "./period.ts";
import { type Scrubber, useScrubber } from "./scrubber.ts";
import { Transport } from "./transport.ts";

/** The scrubber of a run, linear in run time, with its landmarks, and what plays the run. */
export const TimeBar = (parts: MomentParts) => {
  const { address, tick } = parts;
  const bar = useRef<HTMLDivElement>(null);
  const scrubber = useScrubber(parts, bar);
  const { atMs, seq, isPast, marks, jump, jumpToTime, slide } = scrubber;
  const [pointed, point] = useState<RunMark | null>(null);
  const markNow = isPast ? (marks.shown.find((mark) => mark.seq === seq) ?? null) : null;
  const span = { fromMs: tick.first_ms, toMs: tick.at_ms };
  const period = usePeriod(address, span);
  const openTyped = async (text: string): Promise<string | null> => {
    const typed = typedPeriod(text);
    switch (typed.kind) {
      case "period":
        return openPeriod(typed.period, { text, address, span });
      case "moment":
        return await scrubber.openTyped(text);
      case "invalid":
        return typed.problem;
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && period !== null) showWholeRun(address);
    else steer(event, scrubber);
  };
  return html`
    <div class=${`time-bar ${isPast ? "is-past" : ""}`} role="group" aria-label="Moment"
      ref=${bar} onKeyDown=${onKey}>
      <div class="track">
        <${MarkTrack} marks=${marks.shown} span=${span} period=${period} point=${point}
          open=${(place: RunMark | number) =>
            typeof place === "number" ? jumpToTime(place) : jump(place.seq)} />
        <input
          type="range" class="moment-slider" aria-label="Moment of the run"
          aria-valuetext=${`${momentText(atMs)}, event ${seq}`}
          min=${span.fromMs} max=${span.toMs} step="1" value=${Math.round(atMs)}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            slide(Number(currentTarget.value))}
        />
      </div>
      <div class="transport">
        <${Transport} scrubber=${scrubber} tick=${tick} openTyped=${openTyped} />
        <${MarkKeys} marks=${marks.all} hidden=${marks.hidden} toggle=${marks.toggle}
          shown=${pointed ?? markNow} />
        <${PeriodLine} address=${address} period=${period} />
      </div>
    </div>
  `;
};

const steer = (event: KeyboardEvent, { seq, toMark, jump, toggle }: Scrubber): void => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isSlider = event.target instanceof HTMLInputElement && event.target.type === "range";
  const isField = event.target instanceof HTMLInputElement && !isSlider;
  const { key } = event;
  if (isField) return;
  if (key === "[") toMark(-1);
  else if (key === "]") toMark(1);
  else if (isSlider && key === "ArrowLeft") jump(seq - 1);
  else if (isSlider && key === "ArrowRight") jump(seq + 1);
  else if (isSlider && key === " ") toggle();
  else return;
  event.preventDefault();
};
