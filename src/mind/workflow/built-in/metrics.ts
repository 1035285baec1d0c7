import type { Json } from "../../../kernel/index.ts";
import { deedsIn, type KnownDeed } from "./deeds.ts";

/** So many failures of one kind in a row are a loop. */
const LOOP_FAILURES = 3;
const PIVOT_RATE = 0.3;
const CREATE_BALANCE = 10;
const EXPLORE_ARTIFACTS = 3;

/** The share of actions that succeeded, in hundredths; 1 where there was none: nothing failed. */
export const successRate = (deeds: readonly Pick<KnownDeed, "ok">[]): number =>
  deeds.length === 0
    ? 1
    : Math.round((deeds.filter(({ ok }) => ok).length / deeds.length) * 100) / 100;

/** Whether the last three actions all failed and were of one kind. */
export const isStuck = (deeds: readonly KnownDeed[]): boolean => {
  const last = deeds.slice(-LOOP_FAILURES);
  const kinds = new Set(last.map(({ action }) => action));
  return last.length === LOOP_FAILURES && kinds.size === 1 && last.every(({ ok }) => !ok);
};

type Variables = { readonly [name: string]: Json };

/** `compute_metrics`: how it goes, from the actions that are still known. */
export const metricsOf = (variables: Variables) => {
  const { recent_actions, balance, my_artifacts } = variables;
  const deeds = deedsIn(recent_actions);
  const success_rate = successRate(deeds);
  const stuck_in_loop = isStuck(deeds);
  return {
    success_rate,
    stuck_in_loop,
    should_pivot: success_rate < PIVOT_RATE || stuck_in_loop,
    can_create: typeof balance === "number" && balance >= CREATE_BALANCE,
    should_explore: !Array.isArray(my_artifacts) || my_artifacts.length < EXPLORE_ARTIFACTS,
  };
};
