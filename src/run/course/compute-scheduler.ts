import { type Event, invariant, nextSaleAt, offersCompute } from "../../kernel/index.ts";
import type { Clock, Timer, World } from "../../world/index.ts";

/**
 * The order of a sale among all tasks that are due at the same run time. A sale comes after the
 * mint, so that scrip of the mint can buy model budget, and before the agents.
 */
const ORDER = -1;

type ComputeSchedulerParts = {
  readonly world: World;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Executes the sale of model budget at the end of each period. Waits while the world sells no model
 * budget, because the schedule of the run can start the sale later.
 */
export class ComputeScheduler {
  readonly #parts: ComputeSchedulerParts;
  readonly #timer: Timer;

  constructor(parts: ComputeSchedulerParts) {
    this.#parts = parts;
    this.#timer = parts.clock.timer(ORDER);
  }

  start(): void {
    this.#parts.clock.spawn(() => this.#sell(), ORDER);
  }

  /** Notices changed physics. */
  onEvents(events: readonly Event[]): void {
    if (events.some(({ kind }) => kind === "physics_amended")) this.#timer.poke();
  }

  async #sell(): Promise<void> {
    const { world, clock, signal } = this.#parts;
    for (;;) {
      if ((await this.#timer.until(this.#dueMs(), signal)) === "cancelled") return;
      // The physics may have changed since this task fell asleep, even in this millisecond.
      if (this.#dueMs() > clock.now()) continue;
      const { success } = world.submit({ kind: "sell_compute", at_ms: clock.now() });
      invariant(success, "a sale of model budget must happen when it is due");
    }
  }

  /** The run time of the next sale. Infinite if the world sells no model budget. */
  #dueMs(): number {
    const { state } = this.#parts.world;
    return offersCompute(state) ? nextSaleAt(state) : Number.POSITIVE_INFINITY;
  }
}
