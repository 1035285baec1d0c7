import type { Fetch } from "./language-model.ts";

/**
 * Resolves when it is the caller's turn on the one thread (see `Clock.turn`). Answers that arrive
 * together would otherwise be dealt with to the last one before anybody else goes on; and agents
 * once in step would stay so for good, all of them waiting and then all of them working.
 */
export type Turn = () => Promise<void>;

/**
 * Waits for a turn before each answer is read. A question never waits for one: its thought would
 * stand behind all that have come due meanwhile, so that those who came together would leave
 * together, closer than they came, and answers would come in ever denser crowds.
 */
export const readingInTurn =
  (fetch: Fetch, turn: Turn): Fetch =>
  async (...request) => {
    const response = await fetch(...request);
    await turn();
    return response;
  };
