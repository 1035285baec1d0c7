import {
  ACTION_ENDS,
  type Event,
  endsAction,
  offersCompute,
  type State,
  worldRow,
} from "../../kernel/index.ts";
import type { Journal } from "../../world/index.ts";

export const STOP_REASONS = [
  "duration",
  "max_actions",
  "max_cost",
  "idle",
  "review",
  "signal",
  "error",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export type StopRule = (events: readonly Event[], state: State) => StopReason | null;

/** The number of actions of a run, including those before a resume but not those before a fork. */
export const actionsIn = (journal: Journal): number => journal.countOf(ACTION_ENDS);

/** @param maxActions the maximum, including actions already in the journal. Null: no maximum. */
export const stopRuleFor = (maxActions: number | null, journal: Journal): StopRule => {
  let actions = maxActions === null ? 0 : actionsIn(journal);
  return (events, state) => {
    if (maxActions !== null) {
      actions += events.filter(endsAction).length;
      if (actions >= maxActions) return "max_actions";
    }
    return whenIdle(events, state);
  };
};

const QUIETING: ReadonlySet<string> = new Set([
  "agent_state_changed",
  "artifact_scored",
  "auction_resolved",
  "bid_cancelled",
  "schedule_executed",
  "scoring_failed",
]);

/**
 * True if no agent has a next step, nothing is scheduled before the horizon, the mint has no bid to
 * resolve and no winner to score, and no sale of model budget can help a frozen agent.
 */
export const isIdle = (state: State): boolean => {
  const { schedule, physics } = worldRow(state);
  if (schedule.entries.some(({ at_ms }) => at_ms < physics.horizon_ms)) return false;
  if (state.submissions.size > 0) return false;
  const sells = offersCompute(state);
  for (const { due, needs } of state.agents.rows()) {
    if (due !== null || (sells && needs?.lacks === "llm_budget")) return false;
  }
  return true;
};

/** True if the action of an agent waits for a reviewer, however long this takes. */
export const waitsForReviewer = (state: State): boolean => {
  for (const { agent, stage } of state.proposals.rows()) {
    if (stage === "waits" && state.agents.get(agent)?.due === null) return true;
  }
  return false;
};

/** Why a run stops in which no agent has a next step. Null if some agent has one. */
export const idleReason = (state: State): StopReason | null => {
  if (!isIdle(state)) return null;
  return waitsForReviewer(state) ? "review" : "idle";
};

export const whenIdle: StopRule = (events, state) =>
  events.some(({ kind }) => QUIETING.has(kind)) ? idleReason(state) : null;
