import type { LimitFunction } from "p-limit";
import { cancelled, untilAborted } from "./failure.ts";
import type { Model, ModelReply } from "./model.ts";
import { guessedUsage } from "./usage.ts";

/**
 * Lets so many calls through at once as `slots` has room for; the others wait in the order in which
 * they came. One limit may stand before many models.
 */
export const concurrent = (inner: Model, slots: LimitFunction): Model => ({
  ask: (request, signal) => {
    let isSent = false;
    const given = (): ModelReply => {
      const reply = cancelled(request.model, 0);
      return isSent ? { ...reply, usage: guessedUsage(request, 0) } : reply;
    };
    // A call that is given up answers at once; what it leaves in the queue only passes through.
    const turn = slots(() => {
      if (signal.aborted) return given();
      isSent = true;
      return inner.ask(request, signal);
    });
    return untilAborted(turn, signal, given);
  },
});
