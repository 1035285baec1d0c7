import { type Clock, type Journal, noteRun } from "../world/index.ts";
import { unlessFailed } from "./journal-trouble.ts";

/** Notes about trouble that stops nobody, each told once. */
export class Warnings {
  readonly #journal: Journal;
  readonly #clock: Pick<Clock, "now">;
  readonly #told = new Set<string>();

  constructor(journal: Journal, clock: Pick<Clock, "now">) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Whoever warns waits for nothing: a journal that fails by it says so to the next who writes. */
  tell(text: string): void {
    if (this.#told.has(text) || this.#journal.failure() !== null) return;
    this.#told.add(text);
    const note = { atMs: this.#clock.now(), kind: "warning_raised", body: { text } } as const;
    unlessFailed(() => noteRun(this.#journal, note));
  }
}
