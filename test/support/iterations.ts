import {
  type ActionOutcome,
  asId,
  type Command,
  type CommandOf,
  type Event,
  type Refusal,
} from "../../src/kernel/index.ts";
import { type Actor, by } from "./commands.ts";
import { NOW } from "./physics.ts";

/** One call of a model that cost nothing. */
export const FREE = {
  calls: 1,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  api_cost_micros: 0,
};

/** A refusal for tests in which the reason does not matter. */
export const NO: Refusal = { code: "not_found", message: "no", retriable: false };

export type Thought = Extract<Command, { kind: "complete_thought" }>;
type FailedThought = Extract<Command, { kind: "fail_thought" }>;

/** An agent decides to do nothing, and acts after 250 ms. */
export const thinks = (who: string, more: Partial<Thought> = {}): Thought => ({
  kind: "complete_thought",
  at_ms: NOW,
  agent: asId(who),
  action: { noop: {} },
  reasoning: "why not",
  mind: { to: { turn: 1 } },
  usage: FREE,
  think_ms: 250,
  sleep: null,
  epoch: 0,
  ...more,
});

export const fails = (who: string, more: Partial<FailedThought> = {}): FailedThought => ({
  kind: "fail_thought",
  at_ms: NOW,
  agent: asId(who),
  reason: "llm_error",
  message: "overloaded",
  usage: FREE,
  epoch: 0,
  ...more,
});

/** An action ends, successfully by default. */
export const ends = (who: Actor, more: Partial<ActionOutcome> = {}): CommandOf<"end_action"> => ({
  kind: "end_action",
  by: by(who),
  ended: {
    action: "noop",
    target: null,
    method: null,
    refusal: null,
    message: "done",
    result: null,
    scrip: 0,
    gas: 0,
    bytes: 0,
    ...more,
  },
});

export const actionCompleted = (
  who: string,
  more: Partial<Extract<Event, { kind: "action_completed" }>> = {},
): Event => ({
  kind: "action_completed",
  at_ms: NOW,
  principal: asId(who),
  action: "noop",
  target: null,
  method: null,
  message: "done",
  charged: { scrip: 0, gas: 0, bytes: 0 },
  result: null,
  cut: false,
  next_at_ms: null,
  ...more,
});

type StateChange = Extract<Command, { kind: "change_agent_state" }>;

export const changesState = (
  who: string,
  to: StateChange["to"],
  due_at_ms: number | null = null,
): StateChange => ({
  kind: "change_agent_state",
  at_ms: NOW,
  agent: asId(who),
  to,
  reason: "told to",
  due_at_ms,
});

export const freezes = (who: string, needs_micros: number): CommandOf<"freeze_agent"> => ({
  kind: "freeze_agent",
  at_ms: NOW,
  agent: asId(who),
  needs_micros,
});
