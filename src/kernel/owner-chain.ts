import { type Refused, refuse } from "./decision.ts";
import type { Id } from "./ids.ts";
import { physicsOf, type State } from "./state.ts";

/**
 * Why something cannot belong to `owner`: the chain of owners above it would be too long, with so
 * many links `below` it, or would lead back to `artifact` itself, which may own itself directly but
 * through nobody else.
 */
export const chainProblem = (
  state: State,
  owner: Id,
  { artifact = null, below = 0 }: { readonly artifact?: Id | null; readonly below?: number } = {},
): Refused | null => {
  const { owner_chain_max } = physicsOf(state).artifacts;
  let link = owner;
  for (let length = 1 + below; ; length++) {
    if (length > owner_chain_max) {
      return refuse("invalid_argument", `the chain of owners would pass ${owner_chain_max} links`);
    }
    const next = state.artifacts.get(link)?.owner ?? link;
    if (next === link) return null;
    if (next === artifact) {
      return refuse("invalid_argument", `${owner} belongs to ${artifact} in the end`);
    }
    link = next;
  }
};
