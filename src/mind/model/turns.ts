import type { Fetch } from "./language-model.ts";
import type { Model } from "./model.ts";

/**
 * Resolves when it is the caller's turn on the one thread (see `Clock.turn`). Answers that arrive
 * together, or a commit that many have waited for, would otherwise be dealt with to the last one
 * before anybody else goes on; and agents once in step would stay so for good, all of them waiting
 * and then all of them working.
 */
export type Turn = () => Promise<void>;

/** Waits for a turn before each question. */
export const askingInTurn = (inner: Model, turn: Turn): Model => ({
  ask: async (request, signal) => {
    await turn();
    return inner.ask(request, signal);
  },
});

/** Waits for a turn before each answer is read. */
export const readingInTurn =
  (fetch: Fetch, turn: Turn): Fetch =>
  async (...request) => {
    const response = await fetch(...request);
    await turn();
    return response;
  };
