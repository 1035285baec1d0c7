import { describeAction, type Json } from "../../kernel/index.ts";
import { deedsIn } from "./built-in/deeds.ts";
import type { Variables } from "./variables.ts";

/**
 * An agent that should pivot must not do again what failed last: the same kind of action on the
 * same target by the same method. What it would do again in words, or null where it does not.
 */
export const repeatedFailure = (action: Json, variables: Variables): string | null => {
  if (variables.should_pivot !== true) return null;
  const last = deedsIn(variables.failures).at(-1);
  if (last === undefined) return null;
  const { action: kind, target, method } = describeAction(action);
  if (kind !== last.action || target !== last.target || method !== last.method) return null;
  return [kind, target, method].filter((part) => part !== null).join(" ");
};
