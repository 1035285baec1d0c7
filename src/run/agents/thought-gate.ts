import {
  type CommandOf,
  type Id,
  type Need,
  physicsOf,
  type State,
  scarceResource,
  VIEW_BOUNDS,
  viewOf,
  windowLeft,
} from "../../kernel/index.ts";
import type { Mind, ThoughtPrice } from "../../mind/index.ts";

type Moment = { readonly id: Id; readonly mind: Mind; readonly now: number };

/**
 * Returns the command that lets an agent wait or freezes it, or null if the agent can pay for a
 * thought that starts now and for the action after it.
 */
export const hindrance = (
  state: State,
  moment: Moment,
): CommandOf<"freeze_agent" | "limit_agent"> | null => {
  const { id, mind, now } = moment;
  const price = priceNow(state, moment);
  const lack = lackOf(state, moment, price);
  const about = { at_ms: now, agent: id };
  const terms = mind.exactPrice === null ? {} : { terms: mind.exactPrice.terms };
  if (lack !== null) {
    const { resource, amount } = lack;
    const limit = { ...about, kind: "limit_agent", resource, amount } as const;
    return resource === "llm_tokens" ? { ...limit, ...terms } : limit;
  }
  if (price.micros <= budgetOf(state, id)) return null;
  return { ...about, kind: "freeze_agent", needs_micros: price.micros, ...terms };
};

/** True if a frozen agent can continue because its thoughts or actions cost less than before. */
export const isCheaperNow = (state: State, { lacks, terms }: Need, moment: Moment): boolean => {
  // Under the same terms, only the view has changed. A resumed run must not look at it again.
  if (terms !== null && terms === moment.mind.exactPrice?.terms) return false;
  const price = priceNow(state, moment);
  if (lacks === "llm_budget") return price.micros <= budgetOf(state, moment.id);
  return lackOf(state, moment, price)?.waitMs !== null;
};

const budgetOf = (state: State, id: Id): number => state.accounts.get(id)?.llmBudgetMicros ?? 0;

/** The price of a thought that starts now. Builds a view only if the agent is short. */
const priceNow = (state: State, { id, mind, now }: Moment): ThoughtPrice => {
  const { price, exactPrice } = mind;
  if (exactPrice === null) return price;
  const { available } = windowLeft(state, id, "llm_tokens", now);
  if (price.micros <= budgetOf(state, id) && price.tokens <= available) return price;
  const view = viewOf(state, id, { now, bounds: VIEW_BOUNDS });
  return exactPrice.sufficient?.(view) ?? exactPrice.of(view);
};

/** Returns a window that has too little for a thought and the action after it, or null. */
const lackOf = (state: State, { id, now }: Moment, price: ThoughtPrice) => {
  const { call: cpu_gas } = physicsOf(state).sandbox.gas_table;
  const amounts = { actions: 1, llm_calls: price.calls, llm_tokens: price.tokens, cpu_gas };
  return scarceResource(state, id, { now, amounts });
};
