import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { momentText } from "../../../../text/index.ts";
import type { RunMark, Tick } from "../../../routes/index.ts";
import { sharedTime } from "../../charts/index.ts";
import { type Address, go } from "../core/address.ts";
import { ask, type EventRow, isWaiting, useAnswer } from "../core/api.ts";
import { nextMark, useMarks } from "./mark-track.ts";

export type Scrubber = ReturnType<typeof useScrubber>;

type Bar = RefObject<HTMLElement | null>;

/** The moment of the page, what moves it, and the marks on the way. `bar` has the slider. */
export const useScrubber = (parts: MomentParts, bar: Bar) => {
  const { tick, path } = parts;
  const { shownMs, seq, isPast, hold, openTime, openEvent, openTyped } = useShownMoment(parts);
  const playing = usePlaying({
    endMs: tick.at_ms,
    move: (ms) => {
      moveHead(bar, ms);
      sharedTime.show(ms);
    },
    open: (ms) => void openTime(ms),
  });
  const { isPlaying, play, stop, seek } = playing;
  const atMs = playing.headMs ?? shownMs;
  const marks = useMarks(path, tick);
  // The head moves between renders, so the last render does not know what the page shows.
  useLayoutEffect(() => moveHead(bar, atMs));
  useEffect(() => {
    if (isPlaying) return;
    sharedTime.show(isPast ? shownMs : null);
    moveHead(bar, shownMs);
  }, [shownMs, isPast, isPlaying]);
  const jump = (to: number | null): void => {
    stop();
    openEvent(to);
  };
  const jumpToTime = (ms: number): void => {
    stop();
    void openTime(ms);
  };
  useEffect(() => {
    sharedTime.choose = (ms) => {
      jumpToTime(ms);
      return () => jump(isPast ? seq : null);
    };
  });
  useEffect(() => forgetTime, []);
  const markIn = (direction: 1 | -1): RunMark | null => nextMark(marks.shown, seq, direction);
  return {
    atMs,
    seq,
    isPast,
    marks,
    playing,
    jump,
    jumpToTime,
    openTyped: (text: string): Promise<string | null> => {
      stop();
      return openTyped(text);
    },
    hasMark: (direction: 1 | -1): boolean => markIn(direction) !== null,
    toMark: (direction: 1 | -1): void => {
      const mark = markIn(direction);
      if (mark !== null) jump(mark.seq);
    },
    toggle: (): void => (isPlaying ? stop() : play(isPast ? shownMs : tick.first_ms)),
    slide: (ms: number): void => {
      seek(ms);
      if (isPlaying) return;
      hold(ms);
      sharedTime.show(ms);
    },
  };
};

const moveHead = ({ current: bar }: Bar, ms: number): void => {
  const slider = bar?.querySelector<HTMLInputElement>(".moment-slider");
  const time = bar?.querySelector(".moment-time")?.firstChild;
  if (slider) slider.value = String(ms);
  if (time) time.nodeValue = momentText(ms);
};

/** The charts of another page or run show its present. */
const forgetTime = (): void => {
  sharedTime.choose = null;
  sharedTime.show(null);
};

/** How long the slider must stay still before the page shows the selected moment. */
const SETTLE_MS = 120;

export type MomentParts = { readonly address: Address; readonly tick: Tick; readonly path: string };

type Place = Pick<EventRow, "seq" | "at_ms">;

/** The moment of the page, and the ways to open another one. */
const useShownMoment = ({ address, tick, path }: MomentParts) => {
  const [held, setHeld] = useState<number | null>(null);
  /** The last event that was found for a time, so that the page need not ask for its time. */
  const [found, setFound] = useState<Place | null>(null);
  const timer = useRef(0);
  const asked = useRef(0);
  const current = useRef(address);
  current.current = address;
  const { at } = address;
  const isKnown = at === null || found?.seq === at;
  const { value: event } = useAnswer<EventRow>(isKnown ? null : `${path}/events/${at}`);
  const place = found?.seq === at ? found : event?.seq === at ? event : null;
  const openEvent = (seq: number | null): void => {
    asked.current += 1;
    clearTimeout(timer.current);
    setHeld(null);
    const to = seq === null || seq >= tick.seq ? null : Math.max(tick.first_seq, seq);
    go({ ...current.current, at: to }, "replace");
  };
  /** Opens the place of a moment such as `300s`. Returns why not, or null. */
  const openTyped = async (text: string): Promise<string | null> => {
    asked.current += 1;
    const own = asked.current;
    const { value, problem } = await ask<Place>(`${path}/moment?at=${encodeURIComponent(text)}`);
    // Another moment was asked for in the meantime.
    if (own !== asked.current) return null;
    if (value === null) return problem;
    setFound(value);
    openEvent(value.seq);
    return null;
  };
  const openTime = async (ms: number): Promise<void> => {
    if (ms >= tick.at_ms) openEvent(null);
    else await openTyped(`${Math.max(tick.first_ms, Math.round(ms))}ms`);
  };
  const hold = (ms: number): void => {
    setHeld(ms);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void openTime(ms), SETTLE_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const lastMs = useRef(tick.at_ms);
  lastMs.current = held ?? (at === null ? tick.at_ms : (place?.at_ms ?? lastMs.current));
  return {
    openEvent,
    openTyped,
    openTime,
    hold,
    shownMs: lastMs.current,
    seq: at ?? tick.seq,
    isPast: at !== null || held !== null,
  };
};

/** Seconds of run time for each second. */
export const SPEEDS = [1, 10, 60] as const;

/** The least time between two moments of the page. Slow answers make it longer. */
const STEP_MS = 250;
/** A longer frame does not count in full: the page was hidden. */
const FRAME_MS_MAX = 250;

type PlayingParts = {
  readonly endMs: number;
  /** Moves the head, up to 60 times a second. */
  readonly move: (atMs: number) => void;
  /** Opens a moment in the page. Called when the last one has its answers. */
  readonly open: (atMs: number) => void;
};

/** Plays a run. `headMs` is where the head is while it plays, else null. */
const usePlaying = (given: PlayingParts) => {
  const [speed, setSpeed] = useState<number>(SPEEDS[1]);
  const [isPlaying, setPlaying] = useState(false);
  const head = useRef(0);
  const parts = useRef(given);
  parts.current = given;
  useEffect(() => {
    if (!isPlaying) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let lastMs = performance.now();
    let openedMs = Number.NEGATIVE_INFINITY;
    let frame = requestAnimationFrame(function step(nowMs) {
      const { endMs, move, open } = parts.current;
      const passedMs = Math.min(FRAME_MS_MAX, Math.max(0, nowMs - lastMs));
      lastMs = nowMs;
      head.current = Math.min(endMs, head.current + passedMs * speed);
      const isDue = nowMs - openedMs >= STEP_MS && !isWaiting();
      // With reduced motion, the head moves only together with the page.
      if (isDue || !isCalm) move(head.current);
      if (isDue || head.current >= endMs) {
        openedMs = nowMs;
        open(head.current);
      }
      if (head.current >= endMs) setPlaying(false);
      else frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);
  return {
    isPlaying,
    speed,
    setSpeed,
    headMs: isPlaying ? head.current : null,
    play: (fromMs: number): void => {
      head.current = fromMs;
      setPlaying(true);
    },
    stop: (): void => setPlaying(false),
    /** Continues from another moment. */
    seek: (atMs: number): void => {
      head.current = atMs;
    },
  };
};
