import { cancelled, faultOf, type Model, modelFailure } from "../port/model.ts";
import { usd } from "../port/units.ts";
import { worstCase } from "../port/usage.ts";
import type { Pricing } from "../providers/pricing.ts";
import { Queue } from "./queue.ts";

/**
 * Limits the cost of all calls of a run. Each call first reserves its maximum cost, so concurrent
 * calls cannot exceed the limit. A call that does not fit waits until other calls end, because they
 * may cost less than they reserved. If no other call is in progress, the call gets `over`.
 */
export class Budget {
  readonly limitMicros: number;
  #spentMicros: number;
  #reservedMicros = 0;
  readonly #queue = new Queue<"reserved" | "over">(() => this.#advance());

  constructor(limitMicros: number, spentMicros: number) {
    this.limitMicros = limitMicros;
    this.#spentMicros = spentMicros;
  }

  get spentMicros(): number {
    return this.#spentMicros;
  }

  reserve(micros: number, signal: AbortSignal): Promise<"reserved" | "over" | "left"> {
    return this.#queue.enter(micros, signal);
  }

  settle(micros: number, spentMicros: number): void {
    this.#reservedMicros -= micros;
    this.spend(spentMicros);
  }

  /** Counts a cost that was not reserved. It can exceed the limit. */
  spend(micros: number): void {
    this.#spentMicros = Math.min(this.#spentMicros + micros, Number.MAX_SAFE_INTEGER);
    this.#advance();
  }

  #advance(): void {
    for (let micros = this.#queue.first; micros !== null; micros = this.#queue.first) {
      const fits = this.#spentMicros + this.#reservedMicros + micros <= this.limitMicros;
      if (!fits && this.#reservedMicros > 0) return;
      if (fits) this.#reservedMicros += micros;
      this.#queue.answerFirst(fits ? "reserved" : "over");
    }
  }
}

export const budgeted = (inner: Model, budget: Budget, pricing: Pricing): Model => ({
  ask: async (request, signal) => {
    const micros = pricing.priceBound(request.model, worstCase(request));
    const verdict = await budget.reserve(micros, signal);
    if (verdict === "left") return cancelled(request.model);
    if (verdict === "over") {
      return modelFailure(request.model, faultOf("over_budget", refusalOf(budget, micros)));
    }
    const reply = await inner.ask(request, signal);
    budget.settle(micros, pricing.costMicros(reply.servedBy, reply.usage));
    return reply;
  },
});

const refusalOf = ({ spentMicros, limitMicros }: Budget, micros: number): string => {
  const spent = `${usd(spentMicros)} of ${usd(limitMicros)} are spent`;
  const wanted = `and this call may cost ${usd(micros)}`;
  return spentMicros >= limitMicros
    ? `the run's model budget is used up: ${spent}, ${wanted}`
    : `the rest of the run's model budget is too small for this call: ${spent}, ${wanted}`;
};
