import { appendRunEvent, type Clock, type Journal, JournalFailure } from "../../world/index.ts";

/** The message of a journal failure. Rethrows any other error, which is a bug. */
export const failureIn = (error: unknown): string => {
  if (error instanceof JournalFailure) return error.message;
  throw error;
};

/** The result of `work`, or the message of the journal failure that it threw. */
export const unlessFailed = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    return failureIn(error);
  }
};

/** Writes warnings to the journal, each text only once. */
export class Warnings {
  readonly #journal: Journal;
  readonly #clock: Pick<Clock, "now">;
  readonly #added = new Set<string>();

  constructor(journal: Journal, clock: Pick<Clock, "now">) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * Never throws. If the journal fails here, the next transaction fails too and reports it.
   */
  add(text: string): void {
    if (this.#added.has(text) || this.#journal.failure() !== null) return;
    this.#added.add(text);
    const note = { atMs: this.#clock.now(), kind: "warning_raised", body: { text } } as const;
    unlessFailed(() => appendRunEvent(this.#journal, note));
  }
}
