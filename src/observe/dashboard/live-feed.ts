import type { Pace } from "../../runner/index.ts";
import type { LiveLink } from "./live-link.ts";
import type { RunReader } from "./run-reader.ts";
import type { RunShelf, ShelvedRun } from "./run-shelf.ts";

/** What is told whenever it has changed; everything else the page asks for. */
export type Tick = {
  readonly first_seq: number;
  readonly seq: number;
  readonly from_ms: number;
  readonly at_ms: number;
  readonly status: ShelvedRun["status"] | "unknown";
  /** Null where the run cannot be controlled from here. */
  readonly pace: Pace | null;
};

const LOOK_EVERY_MS = 500;
/** Between two looks at who writes a run, which means reading its file. */
const STATUS_EVERY_MS = 2_000;

export type FeedParts = {
  readonly runId: string;
  readonly reader: RunReader;
  readonly shelf: RunShelf;
  readonly live: LiveLink | null;
};

/** Follows one run for the pages that look at it, and says when there is something new. */
export class LiveFeed {
  readonly #parts: FeedParts;
  readonly #followers = new Set<() => void>();
  #status: Tick["status"] = "unknown";
  #statusAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    parts.live?.onPace(() => {
      for (const wake of this.#followers) wake();
    });
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** What is known now, at once: the figures of a long run take a moment more. */
  tick(): Tick {
    const { reader, live } = this.#parts;
    return {
      first_seq: reader.index.firstSeq,
      seq: reader.now.seq,
      from_ms: reader.base.at_ms,
      at_ms: reader.now.atMs,
      status: this.#statusNow(),
      pace: live === null ? null : live.pace(),
    };
  }

  /** Calls `tell` with each state of the run that differs from the last, until `signal` aborts. */
  async follow(tell: (tick: Tick) => Promise<void>, signal: AbortSignal): Promise<void> {
    const sleep = new Sleep();
    const wake = (): void => sleep.end();
    this.#followers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    let told = "";
    while (!signal.aborted) {
      const tick = this.tick();
      const text = JSON.stringify(tick);
      if (text !== told) await tell(tick);
      told = text;
      if (!signal.aborted) await sleep.begin(LOOK_EVERY_MS);
      await this.#parts.reader.catchUp();
    }
    this.#followers.delete(wake);
  }

  #statusNow(): Tick["status"] {
    const { live, shelf, runId } = this.#parts;
    if (live !== null) return live.pace() === "over" ? "finished" : "running";
    const now = performance.now();
    if (now - this.#statusAtMs < STATUS_EVERY_MS) return this.#status;
    this.#statusAtMs = now;
    this.#status = shelf.statusOf(runId);
    return this.#status;
  }
}

/** A wait that can be ended early. */
class Sleep {
  #end: (() => void) | null = null;

  begin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#end?.();
  }
}
