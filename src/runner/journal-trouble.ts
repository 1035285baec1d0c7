import { JournalFailure } from "../world/index.ts";

/** What a journal failed with; whatever else was thrown is a bug. */
export const failureIn = (error: unknown): string => {
  if (error instanceof JournalFailure) return error.message;
  throw error;
};

/** The failure in place of what is not done because of it. */
export const unlessFailed = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    return failureIn(error);
  }
};
