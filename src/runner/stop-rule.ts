import { ACTION_ENDS, type Event, endsAction, type State } from "../kernel/index.ts";
import type { Journal } from "../world/index.ts";

export const STOP_REASONS = [
  "duration",
  "max_actions",
  "max_cost",
  "idle",
  "signal",
  "error",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Looks at each transaction and says when the run is over. */
export type StopRule = (events: readonly Event[], state: State) => StopReason | null;

/** The actions of a run up to now, in all its parts; what it goes on from had its own. */
export const actionsIn = (journal: Journal): number => journal.countOf(ACTION_ENDS);

/** Of a run with this journal. `maxActions` null: as many as there will be. */
export const stopRuleFor = (maxActions: number | null, journal: Journal): StopRule =>
  firstOf([...(maxActions === null ? [] : [afterActions(maxActions, journal)]), whenIdle()]);

/** Those count that there had been before. */
const afterActions = (max: number, journal: Journal): StopRule => {
  let actions = actionsIn(journal);
  return (events) => {
    actions += events.filter(endsAction).length;
    return actions >= max ? "max_actions" : null;
  };
};

/** Kinds of event after which there may be nothing more to wait for. */
const QUIETING: ReadonlySet<string> = new Set([
  "agent_bankrupt",
  "agent_frozen",
  "agent_state_changed",
  "artifact_scored",
  "auction_resolved",
  "bid_cancelled",
  "scoring_failed",
  "action_refused",
  "thought_failed",
]);

/**
 * Whether nothing will ever happen again: everybody is stopped, frozen or paused for good, and the
 * mint has ended the auction of every bid and scored every winner.
 */
export const isIdle = (state: State): boolean => {
  if (state.submissions.size > 0) return false;
  for (const agent of state.agents.rows()) if (agent.due !== null) return false;
  return true;
};

/** Over when nothing will ever happen again. */
export const whenIdle = (): StopRule => (events, state) =>
  events.some(({ kind }) => QUIETING.has(kind)) && isIdle(state) ? "idle" : null;

const firstOf =
  (rules: readonly StopRule[]): StopRule =>
  (events, state) => {
    for (const rule of rules) {
      const reason = rule(events, state);
      if (reason !== null) return reason;
    }
    return null;
  };
