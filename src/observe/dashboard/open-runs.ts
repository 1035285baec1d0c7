import { join } from "node:path";
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
    if (known !== undefined) return { ok: true, run: this.#keep(known) };
    const folder = this.#shelf.folderOf(id);
    if (folder === null) return { ok: false, problem: "there is no such run", unknown: true };
    const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
    if (!opened.ok) return { ...opened, unknown: false };
    const reader = new RunReader(opened.journal);
    const live = this.#live?.runId() === id ? this.#live : null;
    const feed = new LiveFeed({ runId: id, reader, shelf: this.#shelf, live });
    return { ok: true, run: this.#keep({ id, folder, reader, feed }) };
  }

  close(): void {
    for (const { reader } of this.#runs.values()) reader.close();
    this.#runs.clear();
  }

  #keep(run: OpenRun): OpenRun {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    for (const [id, { feed, reader }] of this.#runs) {
      if (this.#runs.size <= KEPT) break;
      if (id === run.id || feed.isFollowed) continue;
      this.#runs.delete(id);
      reader.close();
    }
    return run;
  }
}
