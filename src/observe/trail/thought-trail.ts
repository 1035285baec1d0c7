import type { Json } from "../../kernel/index.ts";
import type { Journal } from "../../world/index.ts";
import { lastEvent } from "./past-events.ts";

/** A question to a language model, as it was asked and answered. */
export type AskedModel = {
  readonly id: number;
  readonly at_ms: number;
  readonly model: string;
  readonly purpose: string;
  readonly system: string;
  readonly prompt: string;
  /** Null where no answer came; then `fault` says why. */
  readonly reply: string | null;
  readonly fault: string | null;
  readonly cost_micros: number;
};

/** Something that the agent remembered when it thought. */
export type Remembered = {
  readonly number: number;
  readonly seq: number;
  readonly at_ms: number;
  readonly text: string;
};

/** How a thought ends: calls of models past such an event are for the next one. */
export const THOUGHT_ENDS = ["thought_completed", "thought_failed", "thought_dropped"] as const;

/** A thought, and what it came of. */
export type ThoughtTrail = {
  readonly seq: number;
  readonly at_ms: number;
  readonly agent: string;
  readonly reasoning: string;
  /** What it decided to do. */
  readonly action: Json;
  readonly cost_micros: number;
  /** The end of the agent's thought before it, whatever came of that; 0: there was none. */
  readonly since_seq: number;
  /** The records of its memory that stood in what it was asked, the newest first. */
  readonly memories: readonly Remembered[];
  /** What language models were asked for it; none for minds that are programs. */
  readonly calls: readonly AskedModel[];
};

/**
 * The decision that an agent carried out with what ends at event `upTo`, without memories and calls
 * (`asked-models.ts` finds them); null: there is none.
 */
export const thoughtBefore = (
  journal: Journal,
  agent: string,
  upTo: number,
): ThoughtTrail | null => {
  const search = { principal: agent, upTo };
  const thought = lastEvent(journal, { ...search, kinds: ["thought_completed"] });
  if (thought === null) return null;
  return {
    seq: thought.seq,
    at_ms: thought.at_ms,
    agent,
    reasoning: thought.reasoning,
    action: thought.action,
    cost_micros: thought.usage.cost_micros,
    since_seq: previousThought(journal, agent, thought.seq),
    memories: [],
    calls: [],
  };
};

/** The end of the last thought that an agent had before one that ended at event `seq`; 0: none. */
const previousThought = (journal: Journal, agent: string, seq: number): number =>
  lastEvent(journal, { principal: agent, upTo: seq - 1, kinds: THOUGHT_ENDS })?.seq ?? 0;
