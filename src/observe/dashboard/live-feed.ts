import type { Pace } from "../../runner/index.ts";
import type { LiveLink } from "./live-link.ts";
import type { RunReader } from "./run-reader.ts";
import type { RunShelf, RunStatus } from "./run-shelf.ts";

/** What is told whenever it has changed; everything else the page asks for. */
export type Tick = {
  readonly first_seq: number;
  readonly seq: number;
  readonly at_ms: number;
  /** How many agents there are. */
  readonly agents: number;
  readonly status: RunStatus | "unknown";
  /** Null where the run cannot be controlled from here. */
  readonly pace: Pace | null;
};

const LOOK_EVERY_MS = 500;
/** Between two looks at who writes a run, which means reading its file. */
const STATUS_EVERY_MS = 2_000;

/** Somebody who is told of a run. */
export type Follower = {
  readonly tell: (tick: Tick) => Promise<void>;
  readonly end: () => Promise<void>;
};

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
  readonly #unlisten: () => void;
  #status: Tick["status"] = "unknown";
  #isEnding = false;
  #left: (() => void) | null = null;
  #statusAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    const wakeAll = (): void => {
      for (const wake of this.#followers) wake();
    };
    this.#unlisten = parts.live?.onPace(wakeAll) ?? (() => {});
  }

  /** Tells all who follow how it stands at last, and that no more is to come. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#followers.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#left = resolve;
    for (const wake of this.#followers) wake();
    await promise;
  }

  /** No change of pace is heard any more. */
  close(): void {
    this.#unlisten();
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** What is known now, at once: the figures of a long run take a moment more. */
  tick(): Tick {
    const { reader } = this.#parts;
    return {
      first_seq: reader.index.firstSeq,
      seq: reader.now.seq,
      at_ms: reader.now.atMs,
      agents: reader.now.state.agents.size,
      status: this.#statusNow(),
      pace: this.#link()?.pace() ?? null,
    };
  }

  /**
   * Calls `tell` with each state of the run that differs from the last, until `signal` aborts; and
   * `end` where the feed ends before.
   */
  async follow({ tell, end }: Follower, signal: AbortSignal): Promise<void> {
    const sleep = new Sleep();
    const wake = (): void => sleep.end();
    this.#followers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    try {
      let told = "";
      while (!signal.aborted && !this.#isEnding) {
        const tick = this.tick();
        const text = JSON.stringify(tick);
        if (text !== told) await tell(tick);
        told = text;
        if (!signal.aborted && !this.#isEnding) await sleep.begin(LOOK_EVERY_MS);
        await this.#parts.reader.catchUp();
      }
      if (signal.aborted) return;
      this.#statusAtMs = Number.NEGATIVE_INFINITY;
      await tell(this.tick());
      await end();
    } finally {
      this.#followers.delete(wake);
      if (this.#followers.size === 0) this.#left?.();
    }
  }

  /** A run may be looked at before the process that carries it out says that it is this one. */
  #link(): LiveLink | null {
    const { live, runId } = this.#parts;
    return live?.runId() === runId ? live : null;
  }

  #statusNow(): Tick["status"] {
    const { shelf, runId } = this.#parts;
    const link = this.#link();
    if (link !== null && link.pace() !== "over") return "running";
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
