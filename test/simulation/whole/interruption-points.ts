import type { Dice } from "../../../src/kernel/core/dice.ts";
import type { Row } from "../../support/auditor.ts";
import { lastOpeningEvent } from "./journals.ts";

/**
 * Kinds of events after which a loop or the mint has more to do: one step is committed, and a
 * later step that belongs to it is not.
 */
const STEP_KINDS: readonly string[] = [
  ...["action_completed", "action_refused", "thought_completed", "thought_failed"],
  ...["memory_recorded", "memory_written", "agent_frozen", "agent_bankrupt"],
  ...["agent_state_changed", "agent_rate_limited", "agent_created", "auction_resolved"],
  ...["artifact_scored", "task_posted", "checkpoint_saved", "warning_raised", "alarm_raised"],
];

/** Events that another write adds at the same moment as the events they refer to. */
const FOLLOW_UP_KINDS: readonly string[] = ["memory_recorded", "memory_written", "artifact_scored"];

/**
 * Returns the indexes of all events of one random kind after which a run can be interrupted. Each
 * kind is equally likely, whether it is rare or frequent. Follow-ups are more likely, because the
 * next thought does not repeat a follow-up that an interruption undoes.
 */
export const interruptionPoints = (rows: readonly Row[], dice: Dice): readonly number[] => {
  const opening = lastOpeningEvent(rows);
  const points = rows.flatMap(({ kind }, n) =>
    n >= opening && STEP_KINDS.includes(kind) ? [n] : [],
  );
  const kinds = [...new Set(points.map((n) => rows[n]?.kind ?? ""))];
  const followUps = kinds.filter((kind) => FOLLOW_UP_KINDS.includes(kind));
  const drawn = dice.choose(followUps.length > 0 && dice.chance(0.5) ? followUps : kinds);
  return points.filter((n) => rows[n]?.kind === drawn);
};
