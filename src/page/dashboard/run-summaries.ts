import { errorMessage } from "../../kernel/index.ts";
import { runPaths } from "../../run/index.ts";
import { Journal, readingProblem } from "../../world/index.ts";
import { type RunStore, type RunSummary, runSummary } from "../routes/index.ts";

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
