import { useLayoutEffect, useState } from "preact/hooks";
import type { Period } from "../../../text/index.ts";

/** What all charts of a page show together, in ms of run time. */
type Shared = {
  /** The moment under the mouse or under the cursor of the keyboard. */
  readonly cursorMs: number | null;
  /** The part of the run that the charts show. Null: the whole run. */
  readonly range: Period | null;
  /** The past moment that the page shows. Null: the present. */
  readonly momentMs: number | null;
};

/** The shortest range. Samples are further apart. */
export const RANGE_MS_MIN = 200;

/** False if a range is too short to show. */
export const isShowable = ({ fromMs, toMs }: Period): boolean => toMs - fromMs >= RANGE_MS_MIN;

export const isSameRange = (one: Period | null, other: Period | null): boolean =>
  one?.fromMs === other?.fromMs && one?.toMs === other?.toMs;

/** The precision of a range that a person chooses in a chart, which is that of its texts. */
const STEP_MS = 100;

export const roundedRange = ({ fromMs, toMs }: Period): Period => ({
  fromMs: Math.round(fromMs / STEP_MS) * STEP_MS,
  toMs: Math.round(toMs / STEP_MS) * STEP_MS,
});

/** One cursor, one range and one moment for all charts of a page. Tells of changes once a frame. */
class SharedTime {
  /**
   * Opens a moment in the page, and returns a function that opens the moment before it again. Null
   * if the page cannot show past moments.
   */
  choose: ((atMs: number) => () => void) | null = null;
  #now: Shared = { cursorMs: null, range: null, momentMs: null };
  readonly #listeners = new Set<() => void>();
  #frame = 0;

  get now(): Shared {
    return this.#now;
  }

  point(cursorMs: number | null): void {
    this.#set({ cursorMs });
  }

  /** Shows only a range, or the whole run. Ignores a range that is too short to show. */
  zoom(range: Period | null): void {
    if (range !== null && !isShowable(range)) return;
    if (!isSameRange(range, this.#now.range)) this.#set({ range });
  }

  show(momentMs: number | null): void {
    this.#set({ momentMs });
  }

  /** Returns a function that ends the calls of `listener`. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(change: Partial<Shared>): void {
    const next = { ...this.#now, ...change };
    if (Object.entries(next).every(([key, value]) => this.#now[key as keyof Shared] === value)) {
      return;
    }
    this.#now = next;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      for (const listener of this.#listeners) listener();
    });
  }
}

export const sharedTime = new SharedTime();

export const useSharedTime = (): Shared => {
  const [now, setNow] = useState(sharedTime.now);
  useLayoutEffect(() => {
    setNow(sharedTime.now);
    return sharedTime.follow(() => setNow(sharedTime.now));
  }, []);
  return now;
};
