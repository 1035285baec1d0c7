import { appendRunEvent, type Clock, type Journal, JournalFailure } from "../../world/index.ts";

/** Returns the message of a journal failure. Rethrows any other error, because it is a bug. */
export const failureIn = (error: unknown): string => {
  if (error instanceof JournalFailure) return error.message;
  throw error;
};

/** Returns the result of `work`, or the message of a journal failure that `work` throws. */
export const unlessFailed = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    return failureIn(error);
  }
};

/** The same for work that takes time. */
export const untilFailed = async <T>(work: () => Promise<T>): Promise<T | string> => {
  try {
    return await work();
  } catch (error) {
    return failureIn(error);
  }
};

/** Returns a function that writes each warning text once to the journal and never throws. */
export const warningsIn = (journal: Journal, clock: Clock): ((text: string) => void) => {
  const added = new Set<string>();
  return (text) => {
    if (added.has(text) || journal.failure() !== null) return;
    added.add(text);
    const note = { atMs: clock.now(), kind: "warning_raised", body: { text } } as const;
    unlessFailed(() => appendRunEvent(journal, note));
  };
};
