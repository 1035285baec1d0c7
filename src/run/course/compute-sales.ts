import { type Event, invariant, nextSaleAt, offersCompute } from "../../kernel/index.ts";
import type { Clock, World } from "../../world/index.ts";

/**
 * The order of a sale among all tasks that are due at the same run time. A sale comes after the
 * mint, so that scrip of the mint can buy model budget, and before the agents.
 */
const ORDER = -1;

/**
 * Executes the sale of model budget at the end of each period. Waits while the world sells no model
 * budget, because the schedule of the run can start the sale later. Returns a function to be called
 * after each transaction, which notices changed physics.
 */
export const runComputeSales = (
  world: World,
  clock: Clock,
  signal: AbortSignal,
): ((events: readonly Event[]) => void) => {
  const timer = clock.timer(ORDER);
  const dueMs = (): number =>
    offersCompute(world.state) ? nextSaleAt(world.state) : Number.POSITIVE_INFINITY;
  clock.spawn(async () => {
    for (;;) {
      if ((await timer.until(dueMs(), signal)) === "cancelled") return;
      // The physics may have changed since this task fell asleep, even in this millisecond.
      if (dueMs() > clock.now()) continue;
      const { success } = world.submit({ kind: "sell_compute", at_ms: clock.now() });
      invariant(success, "a sale of model budget must happen when it is due");
    }
  }, ORDER);
  return (events) => {
    if (events.some(({ kind }) => kind === "physics_amended")) timer.poke();
  };
};
