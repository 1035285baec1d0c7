import type { Event, State } from "../kernel/index.ts";

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

/** `done`: how many there had been before. */
export const afterActions = (max: number, done: number): StopRule => {
  let actions = done;
  return (events) => {
    for (const { kind } of events) {
      if (kind === "action_completed" || kind === "action_refused") actions += 1;
    }
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
 * Over when nothing will ever happen again: everybody is stopped, frozen or paused for good, and
 * the mint has ended the auction of every bid and scored every winner.
 */
export const whenIdle = (): StopRule => (events, state) => {
  if (!events.some(({ kind }) => QUIETING.has(kind))) return null;
  if (state.submissions.size > 0) return null;
  for (const agent of state.agents.rows()) if (agent.due !== null) return null;
  return "idle";
};

export const firstOf =
  (rules: readonly StopRule[]): StopRule =>
  (events, state) => {
    for (const rule of rules) {
      const reason = rule(events, state);
      if (reason !== null) return reason;
    }
    return null;
  };
