import { usd } from "../units.ts";
import { cancelled, failed, final } from "./failure.ts";
import type { Model } from "./model.ts";
import type { Pricing } from "./pricing.ts";
import { worstCase } from "./usage.ts";
import { WaitingLine } from "./waiting-line.ts";

/**
 * What all calls of a run may cost together. A call reserves the most that it can cost before it is
 * made, so that no sum of calls on their way passes the limit. Who does not fit waits while others
 * are on their way, for they may cost less than they reserved; then there is no more for it.
 */
export class Budget {
  readonly #limitMicros: number;
  #spentMicros: number;
  #reservedMicros = 0;
  readonly #line = new WaitingLine<"reserved" | "over">(() => this.#advance());

  /** `spentMicros`: what of it is gone already. */
  constructor(limitMicros: number, spentMicros: number) {
    this.#limitMicros = limitMicros;
    this.#spentMicros = spentMicros;
  }

  get spentMicros(): number {
    return this.#spentMicros;
  }

  get limitMicros(): number {
    return this.#limitMicros;
  }

  reserve(micros: number, signal: AbortSignal): Promise<"reserved" | "over" | "left"> {
    return this.#line.enter(micros, signal);
  }

  /** A call that had reserved `micros` has cost `spentMicros`. */
  settle(micros: number, spentMicros: number): void {
    this.#reservedMicros -= micros;
    this.#spentMicros += spentMicros;
    this.#advance();
  }

  #advance(): void {
    for (let micros = this.#line.first; micros !== null; micros = this.#line.first) {
      const fits = this.#spentMicros + this.#reservedMicros + micros <= this.#limitMicros;
      if (!fits && this.#reservedMicros > 0) return;
      if (fits) this.#reservedMicros += micros;
      this.#line.answerFirst(fits ? "reserved" : "over");
    }
  }
}

/** Makes no call that could take the run past its budget. */
export const budgeted = (inner: Model, budget: Budget, pricing: Pricing): Model => ({
  ask: async (request, signal) => {
    const micros = pricing.priceBound(request.model, worstCase(request));
    const verdict = await budget.reserve(micros, signal);
    if (verdict === "left") return cancelled(request.model, 0);
    if (verdict === "over") {
      const spent = `${usd(budget.spentMicros)} of ${usd(budget.limitMicros)} are spent`;
      const wanted = `this call may cost ${usd(micros)}`;
      const message = `the run's model budget is used up: ${spent}, ${wanted}`;
      return failed(request.model, final("over_budget", message));
    }
    const reply = await inner.ask(request, signal);
    budget.settle(micros, pricing.costMicros(reply.servedBy, reply.usage));
    return reply;
  },
});
