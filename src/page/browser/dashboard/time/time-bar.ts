import "./time.css";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { clockText, momentText, numberText, type Period } from "../../../../text/index.ts";
import type { RunMark, Tick } from "../../../routes/index.ts";
import { isSameRange, isShowable, RANGE_MS_MIN, sharedTime } from "../../charts/index.ts";
import { Button } from "../../parts/parts.ts";
import {
  type Address,
  fieldsOfPeriod,
  go,
  periodIn,
  periodOf,
  typedPeriod,
} from "../core/address.ts";
import { Link } from "../core/view.ts";
import { MarkKeys, MarkTrack } from "./mark-track.ts";
import { type MomentParts, type Scrubber, SPEEDS, useScrubber } from "./scrubber.ts";

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

type TransportParts = MomentFieldParts & { readonly scrubber: Scrubber; readonly tick: Tick };

/** The buttons that move and play the moment, the moment, and a field for a moment or period. */
const Transport = ({ scrubber, tick, openTyped }: TransportParts) => {
  const { atMs, seq, isPast, playing, jump, toMark, hasMark, toggle } = scrubber;
  const { isPlaying, speed, setSpeed } = playing;
  return html`
    <div class="steps">
      <${Icon} name="Previous mark" shape="M3 3v10M13 3l-7 5 7 5z" isOff=${!hasMark(-1)}
        onClick=${() => toMark(-1)} />
      <${Icon} name="Previous event" shape="M10 3l-5 5 5 5" isOff=${false}
        onClick=${() => jump(seq - 1)} />
      <${Icon} name=${isPlaying ? "Stop playing" : "Play"} isOff=${false} onClick=${toggle}
        shape=${isPlaying ? "M5 3v10M11 3v10" : "M5 3l8 5-8 5z"} />
      <${Icon} name="Next event" shape="M6 3l5 5-5 5" isOff=${!isPast}
        onClick=${() => jump(seq + 1)} />
      <${Icon} name="Next mark" shape="M13 3v10M3 3l7 5-7 5z" isOff=${!hasMark(1)}
        onClick=${() => toMark(1)} />
    </div>
    <div class="speeds" role="group" aria-label="Speed">
      ${SPEEDS.map(
        (each) => html`<button type="button" key=${each} aria-pressed=${speed === each}
          onClick=${() => setSpeed(each)}>${each}×</button>`,
      )}
    </div>
    <output class="moment">
      <span><strong class="moment-time">${momentText(atMs)}</strong>
        <span class="moment-end"> / ${clockText(tick.at_ms)}</span></span>
      <span class="moment-seq">event ${numberText(seq)}</span>
    </output>
    <${Button} isOff=${!isPast && !isPlaying} onClick=${() => jump(null)}>Now<//>
    <${MomentField} openTyped=${openTyped} />
  `;
};

type IconParts = {
  readonly name: string;
  readonly shape: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
};

const Icon = ({ name, shape, isOff, onClick }: IconParts) => html`
  <${Button} class="icon" aria-label=${name} title=${name} isOff=${isOff} onClick=${onClick}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=${shape} /></svg>
  <//>
`;

type MomentFieldParts = {
  /** Opens a typed moment or period. Returns why not, or null. */
  readonly openTyped: (text: string) => Promise<string | null>;
};

/** A field for a moment such as `2:30`, `300s` or `event:500`, or a period such as `2:00-2:30`. */
const MomentField = ({ openTyped }: MomentFieldParts) => {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const asked = text.trim();
    if (asked === "") return;
    void openTyped(asked).then((found) => {
      setProblem(found);
      if (found === null) setText("");
    });
  };
  return html`
    <form class="moment-field" onSubmit=${submit}>
      <input type="text" aria-label="Go to a moment or period"
        placeholder="2:30, 2:00-2:30"
        autocomplete="off" spellcheck=${false} value=${text}
        aria-invalid=${problem !== null}
        aria-describedby=${problem === null ? undefined : "moment-problem"}
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
          setText(currentTarget.value);
          setProblem(null);
        }} />
      ${
        problem !== null &&
        html`<span id="moment-problem" class="moment-problem" role="alert">${problem}</span>`
      }
    </form>
  `;
};

/**
 * The period in the address of the page, which is the range of all charts. A range that a person
 * chooses in a chart goes into the address.
 */
const usePeriod = (address: Address, span: Period): Period | null => {
  const period = periodIn(address.filter ?? {}, span);
  const range = period !== null && isShowable(period) ? period : null;
  const shown = useRef({ address, range });
  shown.current = { address, range };
  useLayoutEffect(() => sharedTime.zoom(range), [range?.fromMs, range?.toMs]);
  useEffect(() => {
    const end = sharedTime.follow(() => {
      const chosen = sharedTime.now.range;
      if (isSameRange(chosen, shown.current.range)) return;
      go(withPeriod(shown.current.address, chosen), "replace");
    });
    return () => {
      end();
      sharedTime.zoom(null);
    };
  }, []);
  return period;
};

const withPeriod = (address: Address, range: Period | null): Address => ({
  ...address,
  filter: { ...address.filter, ...fieldsOfPeriod(range) },
});

const TOO_SHORT = `a period ends at least ${RANGE_MS_MIN / 1_000} s after its start`;

/** Makes the page show a period that a person typed as `text`. Returns why not, or null. */
const openPeriod = (
  { fromMs, toMs }: Period,
  { text, address, span }: { text: string; address: Address; span: Period },
): string | null => {
  const cut = { fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) };
  // If only its end is in the run, a period is not too short but outside.
  if (isShowable({ fromMs, toMs }) && !isShowable(cut)) {
    return `${text}: this run covers ${momentText(span.fromMs)} to ${momentText(span.toMs)}`;
  }
  if (!isShowable(cut)) return `${text}: ${TOO_SHORT}`;
  go(withPeriod(address, cut), "replace");
  return null;
};

/** Makes the page show the whole run. */
const showWholeRun = (address: Address): void => go(withPeriod(address, null), "replace");

type LineParts = { readonly address: Address; readonly period: Period | null };

/** The period, and the ways from it. The line is there without a period, so that nothing moves. */
const PeriodLine = ({ address, period }: LineParts) => {
  const to = (view: string): Address => {
    return { ...address, view, item: null, filter: periodOf(address) };
  };
  return html`
    <div class="period" role="group" aria-label="Period">
      <span role="status">${periodText(period)}</span>
      ${
        period !== null &&
        html`<${Link} to=${to("events")}>Events<//> <${Link} to=${to("moments")}>Moments<//>`
      }
      <${Button} isOff=${period === null} onClick=${() => showWholeRun(address)}>Whole run<//>
      ${
        period === null &&
        html`<span class="note">drag over a chart, or type a period such as 2:00-2:30</span>`
      }
    </div>
  `;
};

const periodText = (period: Period | null): string =>
  period === null
    ? "Period: the whole run"
    : `Period ${momentText(period.fromMs)} to ${momentText(period.toMs)}`;
