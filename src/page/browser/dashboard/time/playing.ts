import { useEffect, useRef, useState } from "preact/hooks";
import { isWaiting } from "../api.ts";

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
export const usePlaying = (given: PlayingParts) => {
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
    ...{ isPlaying, speed, setSpeed },
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
