import type { MarketListing } from "../../kernel/index.ts";
import { call, hasGenesis } from "../core/policy.ts";
import { type Duty, type DutyMove, type DutySituation, lookUp } from "./duty.ts";

/** One call of a pump sells model budget for this many thoughts. */
const FILL_THOUGHTS = 40;
const LOW_THOUGHTS = 40;

const thoughtsAhead = ({ view }: DutySituation): number => {
  const rate = view.agent.counters.thoughts / Math.max(1, view.now);
  return Math.ceil(rate * (view.horizonMs - view.now));
};

export const refuel: Duty = (here) => {
  const { view, memory, thoughtMicros } = here;
  if (thoughtMicros === 0) return null;
  const thoughts = view.account.llmBudgetMicros / thoughtMicros;
  if (view.now < memory.dryUntilMs) return null;
  if (thoughts > LOW_THOUGHTS || thoughts > thoughtsAhead(here)) return null;
  const pump = [...memory.pumps]
    .sort((a, b) => a.price - b.price)
    .find(({ price }) => price <= view.account.scrip);
  if (pump === undefined) return lookUp("fuel", 15_000)(here);
  return {
    action: call(pump.id, [], { max_price: pump.price }),
    why: `${Math.floor(thoughts)} thoughts are left; ${pump.id} sells more for ${pump.price}`,
    memory: { ...memory, refuelling: true },
  };
};

const GIFT_THOUGHTS = 10;

/** Gives model budget to `to`. Returns null if the giver would keep less than the gift. */
export const giveBudget = (
  { view, memory, thoughtMicros }: DutySituation,
  to: string,
  why: string,
): DutyMove | null => {
  const micros = GIFT_THOUGHTS * thoughtMicros;
  if (view.account.llmBudgetMicros < 2 * micros) return null;
  return { action: call("genesis_ledger.transfer_budget", [to, micros]), why, memory };
};

const pumpCode = (micros: number): string => `const MICROS = ${micros};

/** Sends model budget to the caller, who has paid the price. */
function run() {
  const sent = kernel.invoke("genesis_ledger", "transfer_budget", [origin, MICROS]);
  if (!sent.success) kernel.fail("sold_out", "not enough model budget left: " + sent.error.message);
  return { micros: MICROS };
}
`;

export const isPump = ({ type }: MarketListing): boolean => type === "fuel";

/** Writes a program that sells model budget. Later refills the program from the agent's budget. */
export const runPump =
  (price: number): Duty =>
  (here) => {
    const { view, memory, thoughtMicros } = here;
    const fill = FILL_THOUGHTS * thoughtMicros;
    const pump = view.owned.find(isPump);
    const own = Math.max(FILL_THOUGHTS, thoughtsAhead(here)) * thoughtMicros;
    if (!hasGenesis(view, "genesis_ledger")) return null;
    if (thoughtMicros === 0 || view.account.llmBudgetMicros < own + 2 * fill) return null;
    if (pump === undefined) {
      const description = `Sells model budget: ${fill} micro-dollars for each call.`;
      const input_schema = { type: "object", properties: {} };
      const methods = [{ name: "run", description, input_schema }];
      return {
        action: {
          write_artifact: {
            artifact_id: `${view.id}_fuel_${Math.floor(view.now / 1_000)}`,
            artifact_type: "fuel",
            content: description,
            code: pumpCode(fill),
            price,
            has_standing: true,
            interface: { description, methods },
          },
        },
        why: "agents who run out of model budget will pay for more",
        memory,
      };
    }
    const sold = pump.calls_by_others * fill;
    if (memory.filled - sold >= fill) return null;
    const micros = 2 * fill;
    return {
      action: call("genesis_ledger.transfer_budget", [pump.id, micros]),
      why: `${pump.id} has sold out`,
      memory: { ...memory, filled: memory.filled + micros },
    };
  };
