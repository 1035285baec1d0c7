import type { Dice } from "../../../src/mind/policy/dice.ts";
import type { Row } from "../../support/auditor.ts";
import { openingOf } from "./journals.ts";

/**
 * Kinds of event at which a loop or the mint keeper is between two steps: one thing is done, and
 * what belongs to it is not.
 */
const TURNS: readonly string[] = [
  "action_completed",
  "action_refused",
  "thought_completed",
  "thought_failed",
  "memory_recorded",
  "memory_kept",
  "agent_frozen",
  "agent_slept",
  "agent_woken",
  "agent_state_changed",
  "agent_rate_limited",
  "agent_created",
  "auction_resolved",
  "artifact_scored",
  "task_posted",
  "checkpoint_saved",
  "warning_raised",
  "alarm_raised",
];

/** Those that are about what is written already, at the same moment and by another write. */
const SEAMS: readonly string[] = ["memory_recorded", "memory_kept", "artifact_scored"];

/**
 * The places, from 0, of all events of one kind, in which a course of a world takes a turn. Rare
 * kinds are drawn as often as frequent ones, and seams more often still: what a cut undoes there is
 * not done again by the next thought.
 */
export const turnsIn = (rows: readonly Row[], dice: Dice): readonly number[] => {
  const opening = openingOf(rows);
  const places = rows.flatMap(({ kind }, n) => (n >= opening && TURNS.includes(kind) ? [n] : []));
  const kinds = [...new Set(places.map((n) => rows[n]?.kind ?? ""))];
  const seams = kinds.filter((kind) => SEAMS.includes(kind));
  const drawn = dice.choose(seams.length > 0 && dice.chance(0.5) ? seams : kinds);
  return places.filter((n) => rows[n]?.kind === drawn);
};
