/** What all charts of a page show together, in ms of run time. */
type Shared = {
  /** The moment under the mouse or under the cursor of the keyboard. */
  readonly cursorMs: number | null;
  /** The part of the run that the charts show. Null: the whole run. */
  readonly range: TimeRange | null;
  /** The past moment that the page shows. Null: the present. */
  readonly momentMs: number | null;
};

export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** `tell` gets the names of all that has changed since its last call. */
type Listener = (changed: ReadonlySet<keyof Shared>) => void;

/** The shortest range. Samples are further apart. */
export const RANGE_MS_MIN = 200;

/** False if a range is too short to show. */
export const isShowable = ({ fromMs, toMs }: TimeRange): boolean => toMs - fromMs >= RANGE_MS_MIN;

export const isSameRange = (one: TimeRange | null, other: TimeRange | null): boolean =>
  one?.fromMs === other?.fromMs && one?.toMs === other?.toMs;

/** The precision of a range that a person chooses in a chart, which is that of its texts. */
const STEP_MS = 100;

export const roundedRange = ({ fromMs, toMs }: TimeRange): TimeRange => ({
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
  readonly #listeners = new Set<Listener>();
  readonly #changed = new Set<keyof Shared>();
  #frame = 0;

  get now(): Shared {
    return this.#now;
  }

  point(cursorMs: number | null): void {
    this.#set("cursorMs", cursorMs);
  }

  /** Shows only a range, or the whole run. Ignores a range that is too short to show. */
  zoom(range: TimeRange | null): void {
    if (range !== null && !isShowable(range)) return;
    if (!isSameRange(range, this.#now.range)) this.#set("range", range);
  }

  show(momentMs: number | null): void {
    this.#set("momentMs", momentMs);
  }

  /** Returns a function that ends the calls of `listener`. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set<Key extends keyof Shared>(key: Key, value: Shared[Key]): void {
    if (this.#now[key] === value) return;
    this.#now = { ...this.#now, [key]: value };
    this.#changed.add(key);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const changed = new Set(this.#changed);
      this.#changed.clear();
      for (const listener of this.#listeners) listener(changed);
    });
  }
}

export const sharedTime = new SharedTime();
