import { isObject, type Json, type JsonObject, type View } from "../kernel/index.ts";

/** The actions that may cost scrip, each with the price that an offering asks for it. */
const PRICES = [
  ["invoke_artifact", "price"],
  ["read_artifact", "read_price"],
] as const;

type Shown = Pick<View, "market" | "owned">;

/**
 * An action with the price that its agent was told: where it leaves out `max_price`, that is what
 * the view showed for its artifact. What the view did not show stays as it is.
 */
export const withToldPrice = (action: Json, view: Shown): Json => {
  if (!isObject(action)) return action;
  const named = action.kind ?? action.action_type;
  for (const [kind, price] of PRICES) {
    // Both ways of writing an action: the fields stand beside its kind, or below it.
    if (named === kind) return priced(action, price, view);
    const fields = action[kind];
    if (isObject(fields)) return { ...action, [kind]: priced(fields, price, view) };
  }
  return action;
};

const priced = (fields: JsonObject, price: "price" | "read_price", view: Shown): JsonObject => {
  if ((fields.max_price ?? null) !== null) return fields;
  const shown = (offering: Shown["market"][number]): boolean => offering.id === fields.artifact_id;
  const told = view.market.find(shown) ?? view.owned.find(shown);
  return told === undefined ? fields : { ...fields, max_price: told[price] };
};
