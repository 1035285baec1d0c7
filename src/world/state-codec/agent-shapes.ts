import {
  type ActionRecord,
  AGENT_CAUSES,
  AGENT_STATES,
  type Agent,
  type Counters,
  type Due,
  type LastResult,
  type MemoryMark,
  REFUSAL_CODES,
  RESOURCES,
  type Sleep,
  type Sleeper,
  WAKING_KINDS,
  type Wake,
} from "../../kernel/index.ts";
import {
  amount,
  either,
  type FieldShapes,
  flag,
  id,
  json,
  list,
  nullable,
  oneOf,
  record,
  text,
} from "./shape.ts";

const deedFields: FieldShapes<ActionRecord> = {
  atMs: amount,
  action: text,
  target: nullable(text),
  method: nullable(text),
  ok: flag,
  code: nullable(oneOf(REFUSAL_CODES)),
  message: text,
};

const deed = record<ActionRecord>(deedFields);
const last = record<LastResult>({ ...deedFields, result: nullable(text), cut: flag });

type WakeBy<Word extends string> = Extract<Wake, { readonly [W in Word]: unknown }>;

const wake = either<Wake>(
  record<WakeBy<"event">>({ event: oneOf(WAKING_KINDS) }),
  record<WakeBy<"scrip_at_least">>({ scrip_at_least: amount }),
  record<WakeBy<"llm_budget_at_least">>({ llm_budget_at_least: amount }),
  record<WakeBy<"resource">>({ resource: oneOf(RESOURCES), available: amount }),
);

export const agent = record<Agent>({
  id,
  order: amount,
  state: oneOf(AGENT_STATES),
  reason: text,
  cause: nullable(oneOf(AGENT_CAUSES)),
  due: nullable(record<Due>({ step: oneOf(["think", "act"]), atMs: amount })),
  pending: json,
  sleep: nullable(record<Sleep>({ for_ms: amount, until: list(wake) })),
  epoch: amount,
  needsMicros: amount,
  delayMs: amount,
  counters: record<Counters>({
    thoughts: amount,
    thoughtsFailed: amount,
    actions: amount,
    succeeded: amount,
    errors: amount,
    spentMicros: amount,
  }),
  actions: list(deed),
  failures: list(deed),
  last: nullable(last),
  memories: record<MemoryMark>({ count: amount, through: amount }),
  mind: json,
});

export const sleeper = record<Sleeper>({ agent: id, until: list(wake), earliestMs: amount });
