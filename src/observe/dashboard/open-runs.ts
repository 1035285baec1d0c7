import { statSync } from "node:fs";
import { runPaths } from "../../runner/index.ts";
import { Journal } from "../../world/index.ts";
import { LiveFeed } from "./live-feed.ts";
import type { LiveLink } from "./live-link.ts";
import { RunReader } from "./run-reader.ts";
import type { RunShelf } from "./run-shelf.ts";

const KEPT = 4;

export type RunOpened =
  | { readonly ok: true; readonly run: OpenRun }
  | { readonly ok: false; readonly problem: string; readonly unknown: boolean };

/** A run that somebody looks at. */
export type OpenRun = {
  readonly id: string;
  readonly folder: string;
  /** Which file its journal is. */
  readonly mark: string;
  readonly reader: RunReader;
  readonly feed: LiveFeed;
};

/** The runs that somebody looks at; of those that nobody follows only the newest stay open. */
export class OpenRuns {
  readonly #shelf: RunShelf;
  readonly #live: LiveLink | null;
  readonly #runs = new Map<string, OpenRun>();

  constructor(shelf: RunShelf, live: LiveLink | null) {
    this.#shelf = shelf;
    this.#live = live;
  }

  open(id: string): RunOpened {
    const known = this.#runs.get(id);
    if (known !== undefined && fileMark(known.folder) === known.mark) {
      return { ok: true, run: this.#keep(known) };
    }
    if (known !== undefined) this.#give(known);
    const folder = this.#shelf.folderOf(id);
    const mark = folder === null ? null : fileMark(folder);
    if (folder === null || mark === null) {
      return { ok: false, problem: "there is no such run", unknown: true };
    }
    const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
    if (!opened.ok) return { ...opened, unknown: false };
    const reader = new RunReader(opened.journal);
    const feed = new LiveFeed({ runId: id, reader, shelf: this.#shelf, live: this.#live });
    return { ok: true, run: this.#keep({ id, folder, mark, reader, feed }) };
  }

  /** Tells all who look on that no more is to come. */
  async end(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ feed }) => feed.end()));
  }

  close(): void {
    for (const run of this.#runs.values()) this.#give(run);
  }

  #give({ id, feed, reader }: OpenRun): void {
    this.#runs.delete(id);
    feed.close();
    reader.close();
  }

  #keep(run: OpenRun): OpenRun {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    for (const other of this.#runs.values()) {
      if (this.#runs.size <= KEPT) break;
      if (other !== run && !other.feed.isFollowed) this.#give(other);
    }
    return run;
  }
}

/** Which file the journal is: a run can be deleted, and another be made under its name. */
const fileMark = (folder: string): string | null => {
  const found = statSync(runPaths(folder).journal, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};
