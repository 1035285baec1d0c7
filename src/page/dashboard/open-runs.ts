import { statSync } from "node:fs";
import { turnStatus } from "../../coding-agents/index.ts";
import { errorMessage } from "../../kernel/index.ts";
import { runPaths, runSettings } from "../../run/index.ts";
import { Journal, readingProblem } from "../../world/index.ts";
import {
  type RunOpened,
  RunReader,
  type RunStore,
  type RunSummary,
  runSummary,
  type ServedRun,
} from "../routes/index.ts";
import { LiveFeed, type LiveLink } from "./live-feed.ts";

/** More than a comparison opens at once. */
const OPEN_MAX = 8;

type CachedRun = ServedRun & {
  readonly folder: string;
  readonly fileId: string;
  readonly feed: LiveFeed;
};

/** Caches open runs. Above `OPEN_MAX`, closes the least recently used runs without followers. */
export class OpenRuns {
  readonly #store: RunStore;
  readonly #live: LiveLink | null;
  readonly #runs = new Map<string, CachedRun>();

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
    const feed = new LiveFeed({ runId: id, reader, store: this.#store, live: this.#live });
    const run: CachedRun = {
      id,
      folder,
      fileId,
      reader,
      feed,
      tick: () => feed.tick(),
      settings: () => runSettings(folder),
      turnOf: (agent) => turnStatus(folder, agent),
    };
    return { ok: true, run: this.#keep(run) };
  }

  async end(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ feed }) => feed.end()));
  }

  close(): void {
    for (const run of this.#runs.values()) this.#close(run);
  }

  #close({ id, feed, reader }: CachedRun): void {
    this.#runs.delete(id);
    feed.close();
    reader.close();
  }

  #keep(run: CachedRun): CachedRun {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    for (const other of this.#runs.values()) {
      if (this.#runs.size <= OPEN_MAX) break;
      if (other !== run && !other.feed.isFollowed) this.#close(other);
    }
    return run;
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
