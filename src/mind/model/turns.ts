import { cancelled, untilAborted } from "./failure.ts";
import type { Model } from "./model.ts";
import { VECTORS } from "./vectors.ts";

/** What calls need of a run's clock (see `Clock`). */
export type Pacing = {
  /** Whether the run is paused. */
  readonly held: boolean;
  /** Resolves when it is the caller's turn on the one thread, and not while the run is paused. */
  turn(): Promise<void>;
};

/**
 * Waits for a turn before whoever has asked hears the answer, by when it is recorded and its time
 * and cost are known. Answers that arrive together would otherwise be dealt with to the last one
 * before anybody else goes on; and agents once in step would stay so for good, all of them waiting
 * and then all of them working. While the run is paused nobody hears anything.
 *
 * A question never waits for a turn: its thought would stand behind all that have come due
 * meanwhile, so that those who came together would leave together, closer than they came, and
 * answers would come in ever denser crowds. Vectors do not, since a search waits for them that has
 * little patience.
 */
export const answeringInTurn = (inner: Model, clock: Pacing): Model => ({
  ask: async (request, signal) => {
    const reply = await inner.ask(request, signal);
    if (request.form === VECTORS) return reply;
    const heard = clock.turn().then(() => reply);
    return untilAborted(heard, signal, () => ({
      ...cancelled(reply.servedBy, reply.latencyMs),
      usage: reply.usage,
    }));
  },
});

/** Lets no question leave while the run is paused. */
export const leavingUnlessPaused = (inner: Model, clock: Pacing): Model => ({
  ask: (request, signal) => {
    if (!clock.held || request.form === VECTORS) return inner.ask(request, signal);
    const asked = clock.turn().then(() => inner.ask(request, signal));
    return untilAborted(asked, signal, () => cancelled(request.model, 0));
  },
});
