import { invariant, nextSaleAt, offersCompute } from "../../kernel/index.ts";
import type { Clock, World } from "../../world/index.ts";

/**
 * The order of a sale among all tasks that are due at the same run time. A sale comes after the
 * mint, so that scrip of the mint can buy model budget, and before the agents.
 */
const ORDER = -1;

export type ComputeSchedulerParts = {
  readonly world: World;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Executes the sale of model budget at the end of each period. Does nothing in a world that sells
 * no model budget.
 */
export class ComputeScheduler {
  readonly #parts: ComputeSchedulerParts;

  constructor(parts: ComputeSchedulerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { world, clock } = this.#parts;
    if (offersCompute(world.state)) clock.spawn(() => this.#sell(), ORDER);
  }

  async #sell(): Promise<void> {
    const { world, clock, signal } = this.#parts;
    for (;;) {
      const wake = await clock.until(nextSaleAt(world.state), ORDER, signal);
      if (wake === "cancelled") return;
      const { success } = world.submit({ kind: "sell_compute", at_ms: clock.now() });
      invariant(success, "a sale of model budget must happen when it is due");
    }
  }
}
