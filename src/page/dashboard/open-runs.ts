import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { turnStatus } from "../../coding-agents/index.ts";
import { errorMessage } from "../../kernel/index.ts";
import {
  type OperatorCommand,
  type OperatorOutcome,
  type Pace,
  runPaths,
  runSettings,
} from "../../run/index.ts";
import { Journal, readingProblem } from "../../world/index.ts";
import {
  type RunOpened,
  RunReader,
  type RunStore,
  type RunSummary,
  runSummary,
  type ServedRun,
  type Tick,
  tickOf,
} from "../routes/index.ts";

/** The connection to a run that this process executes. */
export type LiveLink = {
  /** Returns the id of the run, or null before the run has started. */
  readonly runId: () => string | null;
  readonly pace: () => Pace;
  /** Calls `listener` on each change of pace. Returns a function that removes the listener. */
  readonly onPace: (listener: (pace: Pace) => void) => () => void;
  readonly execute: (order: OperatorCommand) => Promise<OperatorOutcome>;
};

/** More than a comparison opens at once. */
const OPEN_MAX = 8;
/** A page that follows a run asks for its tick more often. */
const FOLLOWS_MS = 3_000;
/** How long pages may take to ask for their last tick. */
const LAST_TICKS_MS = 1_500;
/** The minimum time between two reads of the status. Each read opens a file of the run. */
const STATUS_EVERY_MS = 2_000;
type CachedRun = ServedRun & {
  readonly folder: string;
  readonly fileId: string;
  readonly status: RunStatusNow;
};

/** Caches open runs. Above `OPEN_MAX`, closes the least recently used runs that no page follows. */
export class OpenRuns {
  readonly #store: RunStore;
  readonly #live: LiveLink | null;
  readonly #runs = new Map<string, CachedRun>();
  #isEnding = false;

  constructor(store: RunStore, live: LiveLink | null) {
    this.#store = store;
    this.#live = live;
  }

  open(id: string): RunOpened<CachedRun> {
    const known = this.#runs.get(id);
    if (known !== undefined && fileIdIn(known.folder) === known.fileId) {
      return { ok: true, run: this.#keep(known) };
    }
    if (known !== undefined) this.#close(known);
    const folder = this.#store.folderOf(id);
    const fileId = folder === null ? null : fileIdIn(folder);
    if (folder === null || fileId === null) {
      return { ok: false, problem: "this run does not exist", unknown: true };
    }
    const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
    if (!opened.ok) return { ...opened, unknown: false };
    const read = RunReader.open(opened.journal);
    if (!read.ok) return { ...read, unknown: false };
    const { value: reader } = read;
    const status = new RunStatusNow(id, this.#store, this.#live);
    const run: CachedRun = {
      id,
      folder,
      fileId,
      reader,
      status,
      tick: (page) => tickOf(reader, status.now(page, this.#isEnding)),
      settings: () => runSettings(folder),
      turnOf: (agent) => turnStatus(folder, agent),
    };
    return { ok: true, run: this.#keep(run) };
  }

  /** Waits until all pages that follow runs know that this server ends, but not for long. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const untilMs = performance.now() + LAST_TICKS_MS;
    const isFollowed = (): boolean =>
      [...this.#runs.values()].some(({ status }) => status.isFollowed);
    while (isFollowed() && performance.now() < untilMs) await setTimeout(20);
  }

  close(): void {
    for (const run of this.#runs.values()) this.#close(run);
  }

  #close({ id, status, reader }: CachedRun): void {
    this.#runs.delete(id);
    status.close();
    reader.close();
  }

  #keep(run: CachedRun): CachedRun {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    for (const other of this.#runs.values()) {
      if (this.#runs.size <= OPEN_MAX) break;
      if (other !== run && !other.status.isFollowed) this.#close(other);
    }
    return run;
  }
}

/** What a page follows of a run besides its journal. */
class RunStatusNow {
  readonly #runId: string;
  readonly #store: RunStore;
  readonly #live: LiveLink | null;
  readonly close: () => void;
  #status: Tick["status"] = "unknown";
  #statusAtMs = Number.NEGATIVE_INFINITY;
  /** When each page that follows the run last asked. */
  readonly #pages = new Map<string, number>();
  #isStepping = false;
  #steps = 0;

  constructor(runId: string, store: RunStore, live: LiveLink | null) {
    this.#runId = runId;
    this.#store = store;
    this.#live = live;
    this.close = live?.onPace((pace) => this.#paceChanged(pace)) ?? (() => {});
  }

  get isFollowed(): boolean {
    const sinceMs = performance.now() - FOLLOWS_MS;
    return [...this.#pages.values()].some((askedMs) => askedMs > sinceMs);
  }

  /** `page` is the page that asks, if it follows the run. `isOver`: this is its last tick. */
  now(page: string | null, isOver: boolean): Pick<Tick, "status" | "pace" | "steps" | "is_over"> {
    const nowMs = performance.now();
    if (page !== null && isOver) this.#pages.delete(page);
    else if (page !== null) this.#pages.set(page, nowMs);
    const { status, pace } = this.#statusAt(nowMs, isOver);
    return { status, pace, steps: this.#steps, is_over: isOver };
  }

  #statusAt(nowMs: number, isFresh: boolean): Pick<Tick, "status" | "pace"> {
    // The run may start after it was opened.
    const pace = this.#live?.runId() === this.#runId ? this.#live.pace() : null;
    if (pace !== null && pace !== "over") return { status: "running", pace };
    if (isFresh || nowMs - this.#statusAtMs >= STATUS_EVERY_MS) {
      this.#statusAtMs = nowMs;
      this.#status = this.#store.statusOf(this.#runId);
    }
    return { status: this.#status, pace };
  }

  /** Counts the steps, because a step can end before a tick shows its beginning. */
  #paceChanged(pace: Pace): void {
    if (this.#isStepping && pace === "paused") this.#steps += 1;
    this.#isStepping = pace === "stepping";
  }
}

/** Returns an identifier of the journal file. A new run with the same name has another file. */
const fileIdIn = (folder: string): string | null => {
  const found = statSync(runPaths(folder).journal, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

type Summarised =
  | { readonly ok: true; readonly summary: RunSummary }
  | { readonly ok: false; readonly problem: string };

type Kept = { readonly head: string; readonly summary: RunSummary };

const KEPT_MAX = 2_000;

/**
 * The figures of runs for their list. Measures one run at a time, only when a page asks for it, and
 * again only if the run has new events.
 */
export class RunSummaries {
  readonly #store: RunStore;
  readonly #kept = new Map<string, Kept>();
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(store: RunStore) {
    this.#store = store;
  }

  of(run: string): Promise<Summarised> {
    const next = this.#last.then(() => this.#measured(run));
    this.#last = next;
    return next;
  }

  /** Measures no run any more. */
  close(): void {
    this.#isClosed = true;
  }

  async #measured(run: string): Promise<Summarised> {
    const folder = this.#isClosed ? null : this.#store.folderOf(run);
    if (folder === null) return { ok: false, problem: "this run does not exist" };
    const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
    if (!opened.ok) return opened;
    const { journal } = opened;
    try {
      const head = journal.head().hash;
      const known = this.#kept.get(run);
      const summary = known?.head === head ? known.summary : await runSummary(journal);
      this.#keep(run, { head, summary });
      return { ok: true, summary };
    } catch (error) {
      return { ok: false, problem: readingProblem(error, [journal]) ?? errorMessage(error) };
    } finally {
      journal.close();
    }
  }

  #keep(run: string, kept: Kept): void {
    this.#kept.delete(run);
    this.#kept.set(run, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }
}
