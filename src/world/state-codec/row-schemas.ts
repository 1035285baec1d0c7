import type { z } from "zod";
import * as kernel from "../../kernel/index.ts";
import {
  amount,
  amounts,
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

const eachResource = <T>(schema: z.ZodType<T>): z.ZodType<kernel.PerResource<T>> =>
  record(kernel.perResource(() => schema));

export const quotas = eachResource(amount);

export const account = record<kernel.Account>({
  id,
  ...amounts("scrip", "held", "llmBudgetMicros", "diskUsed", "diskQuota"),
  quotas,
  owned: amount,
  parent: id.nullable(),
});

const rollingWindow = record<kernel.WrittenWindow>({
  entries: list(record({ at: amount, amount })),
  total: amount,
});

export const usage: z.ZodType<WrittenUsage> = eachResource(rollingWindow);

const purpose = either<kernel.Purpose>("a known purpose", [
  record({ kind: oneOf(["purse"]), artifact: id }),
  record({ kind: oneOf(["bid"]), submission: text }),
  record({ kind: oneOf(["task"]), task: text }),
  record({ kind: oneOf(["compute_bid"]), bidder: id }),
]);

export const hold = record<kernel.Hold>({ id: holdId, owner: id, amount, purpose });

export const grant = record<WrittenGrant>({
  grantor: id,
  contract: id,
  ...amounts("maxPerCall", "maxPerWindow"),
  used: rollingWindow,
});

/** A sum of payments. If money goes back and forth, the sum may exceed a safe integer. */
export const flow = record<kernel.Flow>({ from: id, to: id, amount: finite });

const example = record({ args: list(json), result: json });

const method = record<kernel.InterfaceMethod>({
  name: text,
  description: text,
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  examples: list(example).optional(),
});

export const artifact = record<kernel.Artifact>({
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
  ...amounts("createdAt", "updatedAt"),
  access: id,
  accessBy: id.nullable(),
  accessLocked: flag,
  ...amounts("price", "readPrice"),
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

export const trade = record<kernel.ArtifactUsage>({
  ...amounts("calls", "callsByOthers", "failures", "reads"),
  revenue: finite,
  lastCalledAt: amount,
});

export const customer = record<kernel.Customer>({
  artifact: id,
  principal: id,
  calls: amount,
  paid: finite,
  paidTo: byName(finite),
});

export const history = record<kernel.CodeHistory>({
  artifact: id,
  sold: flag,
  past: list(record({ print: text, ordinal: amount, sold: flag })),
});

export const offer = record<kernel.TransferOffer>({ artifact: id, from: id, to: id });

const actionFields: FieldSchemas<kernel.ActionRecord> = {
  atMs: amount,
  action: text,
  target: text.nullable(),
  method: text.nullable(),
  ok: flag,
  code: oneOf(kernel.REFUSAL_CODES).nullable(),
  message: text,
};

const action = record<kernel.ActionRecord>(actionFields);
const last = record<kernel.LastResult>({
  ...actionFields,
  result: text.nullable(),
  cut: flag,
  isFeedback: flag,
});

const wake = either<kernel.Wake>("a known condition", [
  record({ event: oneOf(kernel.WAKING_KINDS) }),
  record({ scrip_at_least: amount }),
  record({ llm_budget_at_least: amount }),
  record({ resource: oneOf(kernel.RESOURCES), available: amount }),
]);

const sleep = record<kernel.Sleep>({ for_ms: amount, until: list(wake) });

export const agent = record<kernel.Agent>({
  id,
  order: amount,
  group: text.nullable(),
  contacts: list(id).nullable(),
  values: byName(amount),
  state: oneOf(kernel.AGENT_STATES),
  reason: text,
  cause: oneOf(kernel.AGENT_CAUSES).nullable(),
  due: record<kernel.Due>({ step: oneOf(kernel.STEPS), atMs: amount }).nullable(),
  thinking: record(amounts("sinceMs", "epoch")).nullable(),
  pending: json,
  reasoning: text,
  sleep: sleep.nullable(),
  needs: record<kernel.Need>({
    lacks: oneOf(kernel.LACKS),
    amount,
    terms: amount.nullable(),
    sinceMs: amount,
  }).nullable(),
  waitsFor: oneOf(kernel.RESOURCES).nullable(),
  ...amounts("epoch", "delayMs"),
  counters: record({
    ...amounts("thoughts", "thoughtsFailed", "actions", "succeeded", "errors", "spentMicros"),
  }),
  actions: list(action),
  failures: list(action),
  last: last.nullable(),
  remembered: amount,
  mind: json,
});

const message = record<kernel.Message>({
  ...amounts("number", "atMs", "thread", "scrip"),
  from: id,
  to: id,
  text,
  replyTo: amount.nullable(),
  forwards: amount.nullable(),
  path: list(id),
  reset: oneOf(kernel.RESETS).nullable(),
});

export const mailbox = record<kernel.Mailbox>({
  owner: id,
  unread: list(message),
  read: list(message),
  sent: list(message),
  sentAtMs: list(amount),
  blocked: list(id),
});

const pattern = record<kernel.ActionPattern>({
  action: text.exactOptional(),
  artifact: text.exactOptional(),
  method: text.exactOptional(),
});

const reviewRule = either<kernel.ReviewRule>("a known rule", [
  oneOf<"off" | "actions">(["off", "actions"]),
  record({ spending_above: amount }),
  record({ match: list(pattern) }),
]);

const reviewDefault = oneOf(kernel.REVIEW_DEFAULTS);

export const reviewTerms = { review: reviewRule, review_default: reviewDefault };

export const ownReviewTerms = {
  review: reviewRule.nullable(),
  review_default: reviewDefault.nullable(),
};

export const reviewed = record<kernel.ReviewedAgent>({ agent: id, ...ownReviewTerms });

export const proposal = record<kernel.Proposal>({
  agent: id,
  ...amounts("number", "atMs", "cost"),
  action: json,
  reasoning: text,
  sleep: sleep.nullable(),
  stage: oneOf(kernel.PROPOSAL_STAGES),
});

export const sleeper = record<kernel.Sleeper>({ agent: id, until: list(wake), earliestMs: amount });

export const computeBid = record<kernel.ComputeBid>({
  bidder: id,
  ...amounts("lots", "limitPrice"),
  hold: holdId,
});

export const standingOrder = record<kernel.StandingOrder>({
  principal: id,
  lots: amount,
  limitPrice: amount.nullable(),
});

export const saleResult = record<kernel.SaleResult>({
  ...amounts("sale", "atMs", "offered", "asked", "sold"),
  price: amount.nullable(),
});

export const submission = record<kernel.Submission>({
  id: text,
  artifact: id,
  bidder: id,
  amount,
  hold: holdId,
  ...amounts("auction", "version"),
  stage: oneOf(["bid", "won"]),
  price: amount,
});

export const score = record<kernel.Score>({
  artifact: id,
  submission: text,
  bidder: id,
  ...amounts("auction", "atMs", "price"),
  score: finite,
  minted: amount,
  reason: text,
  memo: json,
});

const tests = list(example);

export const task = record<kernel.Task>({
  id: text,
  poster: id.nullable(),
  reward: amount,
  hold: holdId.nullable(),
  description: text,
  publicTests: tests,
  hiddenTests: tests,
  postedAt: amount,
});

export const auctionResult = record<kernel.AuctionResult>({
  ...amounts("auction", "atMs", "price", "bids"),
  won: list(record({ id: text, artifact: id, bidder: id })),
});
