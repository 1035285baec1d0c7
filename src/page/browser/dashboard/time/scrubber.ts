import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { RunMark } from "../../../routes/index.ts";
import { sharedTime } from "../../charts/index.ts";
import { momentText } from "../../parts/text.ts";
import { useMarks } from "./mark-keys.ts";
import { nextMark } from "./marks.ts";
import { type MomentParts, useShownMoment } from "./moment.ts";
import { usePlaying } from "./playing.ts";

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
    if (!isPlaying) sharedTime.show(isPast ? shownMs : null);
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
    ...{ atMs, seq, isPast, marks, playing, jump, jumpToTime },
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
