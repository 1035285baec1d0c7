import { cancelled } from "./failure.ts";
import type { Model } from "./model.ts";

/**
 * Resolves when all that anybody could be told of by now is on disk; false where it never will be,
 * because the journal has failed. Never rejects.
 */
export type Durable = () => Promise<boolean>;

/**
 * Lets a prompt leave the process only when what it tells is on disk (decision 0012): after a crash
 * nobody has been asked, for money, about what never was. What a request tells is known when it is
 * thought of, which may be some time before it is put: then that moment counts.
 */
export const outputCommit = (inner: Model, durable: Durable): Model => ({
  ask: async (request, signal) => {
    const isDurable = await (request.durable ?? durable());
    return isDurable ? inner.ask(request, signal) : cancelled(request.model, 0);
  },
});
