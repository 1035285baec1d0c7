import { BUILT_IN } from "../access/access.ts";
import type { Action } from "../action/action.ts";
import { isNative, nativeSpending, nativeWrites } from "../genesis/natives.ts";
import { principalSubject } from "../invocation/subject.ts";
import { priceOf } from "../ledger/payment.ts";
import type { Id } from "../primitives/ids.ts";
import { liveArtifact, publicBalance, type State, worldRow } from "../state.ts";

/**
 * The most scrip that an action can cost an agent. The sum of:
 *
 * - what it pays for the access: `max_price`, or without it the present price. A custom access
 *   contract can ask for any price, so without `max_price` this is all scrip of the agent
 * - the fee of a genesis method
 * - the attached scrip
 * - what a genesis method moves or lets others take: a transfer, a bid or an order for model
 *   budget, a grant (its `max_per_window`)
 *
 * Does not count what a program charges under an earlier grant. Returns a whole number.
 */
export const mostSpent = (state: State, agent: Id, action: Action): number => {
  const all = publicBalance(state, agent);
  const sum = spendingOf(state, agent, action);
  return Math.min(sum === Number.POSITIVE_INFINITY ? all : sum, Number.MAX_SAFE_INTEGER);
};

/** True if an action only looks: it changes nothing, and it cannot cost scrip. */
export const isPureRead = (state: State, agent: Id, action: Action): boolean => {
  switch (action.kind) {
    case "noop":
      return true;
    case "write_artifact":
      return false;
    case "read_artifact":
      return spendingOf(state, agent, { ...action, max_price: null }) === 0;
    case "invoke_artifact":
      return (
        isNative(action.artifact_id) &&
        !nativeWrites(action) &&
        spendingOf(state, agent, action) === 0
      );
  }
};

/** The cost of an action, or infinity if it has no limit. */
const spendingOf = (state: State, agent: Id, action: Action): number => {
  switch (action.kind) {
    case "noop":
      return 0;
    case "read_artifact": {
      const { artifact_id, max_price } = action;
      return accessCost(state, artifact_id, { agent, reason: "read_price", max_price });
    }
    case "write_artifact": {
      const { artifact_id, max_price = null } = action.request;
      return accessCost(state, artifact_id, { agent, reason: null, max_price });
    }
    case "invoke_artifact": {
      const { artifact_id, attach, max_price } = action;
      if (isNative(artifact_id)) return nativeSpending(state, action) + attach.scrip;
      return accessCost(state, artifact_id, { agent, reason: "price", max_price }) + attach.scrip;
    }
  }
};

type Access = {
  readonly agent: Id;
  /** Null for a write, which has no price. */
  readonly reason: "price" | "read_price" | null;
  readonly max_price: number | null;
};

const accessCost = (state: State, id: Id, { agent, reason, max_price }: Access): number => {
  const artifact = liveArtifact(state, id);
  if (artifact === undefined) return 0;
  if (max_price !== null) return max_price;
  if (!BUILT_IN.has(artifact.access)) return Number.POSITIVE_INFINITY;
  if (reason === null) return 0;
  const by = principalSubject(agent, worldRow(state).now);
  return priceOf(state, by, { artifact, reason }).amount;
};
