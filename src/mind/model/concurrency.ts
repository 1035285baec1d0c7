import type { LimitFunction } from "p-limit";
import { cancelled, untilAborted } from "./failure.ts";
import type { Model } from "./model.ts";

/**
 * Lets so many calls through at once as `slots` has room for; the others wait in the order in which
 * they came. One limit may stand before many models.
 */
export const concurrent = (inner: Model, slots: LimitFunction): Model => ({
  ask: (request, signal) => {
    const given = (): ReturnType<typeof cancelled> => cancelled(request.model, 0);
    // A call that is given up answers at once; what it leaves in the queue only passes through.
    const turn = slots(() => (signal.aborted ? given() : inner.ask(request, signal)));
    return untilAborted(turn, signal, given);
  },
});
