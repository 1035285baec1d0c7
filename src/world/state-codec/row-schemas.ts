import type { z } from "zod";
import {
  type Account,
  type ActionRecord,
  AGENT_CAUSES,
  AGENT_STATES,
  type Agent,
  type Artifact,
  type ArtifactUsage,
  type AuctionResult,
  type CodeHistory,
  type Customer,
  type Due,
  type Flow,
  type Hold,
  type InterfaceMethod,
  type LastResult,
  type Purpose,
  type Quotas,
  REFUSAL_CODES,
  RESOURCES,
  type Score,
  type Sleeper,
  type Submission,
  type Task,
  type TransferOffer,
  WAKING_KINDS,
  type Wake,
  type WrittenWindow,
} from "../../kernel/index.ts";
import {
  amount,
  byName,
  either,
  type FieldSchemas,
  finite,
  flag,
  holdId,
  id,
  json,
  jsonObject,
  list,
  oneOf,
  record,
  text,
} from "./schema.ts";
import type { WrittenGrant, WrittenUsage } from "./state-codec.ts";

const eachResource = <T>(schema: z.ZodType<T>): z.ZodType<{ readonly [R in keyof Quotas]: T }> =>
  record({
    actions: schema,
    llm_calls: schema,
    llm_tokens: schema,
    cpu_gas: schema,
    bytes_written: schema,
  });

export const quotas = eachResource(amount);

export const account = record<Account>({
  id,
  scrip: amount,
  held: amount,
  llmBudgetMicros: amount,
  diskUsed: amount,
  diskQuota: amount,
  quotas,
  owned: amount,
  parent: id.nullable(),
});

const rollingWindow = record<WrittenWindow>({
  entries: list(record({ at: amount, amount })),
  total: amount,
});

export const usage: z.ZodType<WrittenUsage> = eachResource(rollingWindow);

const purpose = either<Purpose>("a known purpose", [
  record({ kind: oneOf(["purse"]), artifact: id }),
  record({ kind: oneOf(["bid"]), submission: text }),
  record({ kind: oneOf(["task"]), task: text }),
]);

export const hold = record<Hold>({ id: holdId, owner: id, amount, purpose });

export const grant = record<WrittenGrant>({
  grantor: id,
  contract: id,
  maxPerCall: amount,
  maxPerWindow: amount,
  used: rollingWindow,
});

/** A sum of payments, which may exceed a safe integer if money goes back and forth. */
export const flow = record<Flow>({ from: id, to: id, amount: finite });

const example = record({ args: list(json), result: json });

const method = record<InterfaceMethod>({
  name: text,
  description: text,
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  examples: list(example).optional(),
});

export const artifact = record<Artifact>({
  id,
  ordinal: amount,
  type: text,
  content: text,
  code: text.nullable(),
  codePrint: text,
  codeOrdinal: amount,
  methods: list(text),
  version: amount,
  owner: id,
  createdBy: id,
  createdAt: amount,
  updatedAt: amount,
  access: id,
  accessBy: id.nullable(),
  accessLocked: flag,
  price: amount,
  readPrice: amount,
  interface: record({ description: text, methods: list(method) }).nullable(),
  hasStanding: flag,
  canExecute: flag,
  memoryArtifactId: id.nullable(),
  state: text,
  dependsOn: list(id),
  metadata: jsonObject,
  deleted: record({ at: amount, by: id }).nullable(),
  sizeBytes: amount,
});

export const trade = record<ArtifactUsage>({
  calls: amount,
  callsByOthers: amount,
  failures: amount,
  reads: amount,
  revenue: finite,
  lastCalledAt: amount,
});

export const customer = record<Customer>({
  artifact: id,
  principal: id,
  calls: amount,
  paid: finite,
  paidTo: byName(finite),
});

export const history = record<CodeHistory>({
  artifact: id,
  sold: flag,
  past: list(record({ print: text, ordinal: amount, sold: flag })),
});

export const offer = record<TransferOffer>({ artifact: id, from: id, to: id });

const actionFields: FieldSchemas<ActionRecord> = {
  atMs: amount,
  action: text,
  target: text.nullable(),
  method: text.nullable(),
  ok: flag,
  code: oneOf(REFUSAL_CODES).nullable(),
  message: text,
};

const action = record<ActionRecord>(actionFields);
const last = record<LastResult>({ ...actionFields, result: text.nullable(), cut: flag });

const wake = either<Wake>("a known condition", [
  record({ event: oneOf(WAKING_KINDS) }),
  record({ scrip_at_least: amount }),
  record({ llm_budget_at_least: amount }),
  record({ resource: oneOf(RESOURCES), available: amount }),
]);

export const agent = record<Agent>({
  id,
  order: amount,
  state: oneOf(AGENT_STATES),
  reason: text,
  cause: oneOf(AGENT_CAUSES).nullable(),
  due: record<Due>({ step: oneOf(["think", "act"]), atMs: amount }).nullable(),
  pending: json,
  sleep: record({ for_ms: amount, until: list(wake) }).nullable(),
  epoch: amount,
  needsMicros: amount,
  delayMs: amount,
  counters: record({
    thoughts: amount,
    thoughtsFailed: amount,
    actions: amount,
    succeeded: amount,
    errors: amount,
    spentMicros: amount,
  }),
  actions: list(action),
  failures: list(action),
  last: last.nullable(),
  memories: record({ count: amount, through: amount }),
  mind: json,
});

export const sleeper = record<Sleeper>({ agent: id, until: list(wake), earliestMs: amount });

export const submission = record<Submission>({
  id: text,
  artifact: id,
  bidder: id,
  amount,
  hold: holdId,
  auction: amount,
  version: amount,
  stage: oneOf(["bid", "won"]),
  price: amount,
});

export const score = record<Score>({
  artifact: id,
  submission: text,
  bidder: id,
  auction: amount,
  atMs: amount,
  price: amount,
  score: finite,
  minted: amount,
  reason: text,
  memo: json,
});

const tests = list(example);

export const task = record<Task>({
  id: text,
  poster: id.nullable(),
  reward: amount,
  hold: holdId.nullable(),
  description: text,
  publicTests: tests,
  hiddenTests: tests,
  postedAt: amount,
});

export const auctionResult = record<AuctionResult>({
  auction: amount,
  atMs: amount,
  price: amount,
  bids: amount,
  won: list(record({ id: text, artifact: id, bidder: id })),
});
