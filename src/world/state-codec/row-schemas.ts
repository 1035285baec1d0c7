import { z } from "zod";
import * as kernel from "../../kernel/index.ts";
import {
  amount,
  amounts,
  byName,
  checked,
  either,
  type FieldSchemas,
  finite,
  flag,
  holdId,
  id,
  integer,
  json,
  jsonObject,
  list,
  oneOf,
  record,
  text,
} from "./schema.ts";
import type { WrittenGrant, WrittenUsage, WrittenWorld } from "./state-codec.ts";

const eachResource = <T>(schema: z.ZodType<T>): z.ZodType<kernel.PerResource<T>> =>
  record(kernel.perResource(() => schema));

const quotas = eachResource(amount);

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

const reviewTerms = { review: reviewRule, review_default: reviewDefault };

const ownReviewTerms = { review: reviewRule.nullable(), review_default: reviewDefault.nullable() };

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

const saleResult = record<kernel.SaleResult>({
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

const auctionResult = record<kernel.AuctionResult>({
  ...amounts("auction", "atMs", "price", "bids"),
  won: list(record({ id: text, artifact: id, bidder: id })),
});

const recipients = either<kernel.Recipients>("ids or all", [z.literal("all"), list(id)]);

const given = amounts("scrip", "llm_budget_micros");

/** The fields that an entry of the schedule can set. */
const INSTALLED = new Map<string, z.ZodType<unknown>>([
  ["type", text],
  ["content", text],
  ["code", text],
  ["price", amount],
  ["read_price", amount],
  ["interface", json],
  ["has_standing", z.literal(true)],
]);

const isInstalled = ([name, value]: readonly [string, unknown]): boolean =>
  INSTALLED.get(name)?.safeParse(value).success === true;

const fields = checked<kernel.InstalledFields>(
  (value) => kernel.isObject(value) && Object.entries(value).every(isInstalled),
  "the fields of an artifact",
);

const scheduledAgent = record<kernel.ScheduledAgent>({
  id,
  content: text,
  workspace: text.exactOptional(),
  group: text.nullable(),
  contacts: list(id).exactOptional(),
  values: byName(amount),
  scrip: amount,
  standing: record({ lots: amount, limit_price: amount.nullable() }).nullable(),
  review: record(ownReviewTerms).exactOptional(),
  starts_after_ms: amount,
});

const change = either<kernel.ScheduledChange>("a known change", [
  record({ kind: oneOf(["set"]), settings: jsonObject }),
  record({ kind: oneOf(["mint"]), to: recipients, ...given }),
  record({ kind: oneOf(["take"]), from: recipients, ...given }),
  record({ kind: oneOf(["install"]), id, owner: id.nullable(), fields }),
  record({ kind: oneOf(["pause", "resume", "remove"]), agent: id }),
  record({ kind: oneOf(["add"]), agent: scheduledAgent }),
]);

const scheduledEntry = record<kernel.ScheduledEntry>({ at_ms: amount, change });

const physics = record<kernel.Physics>({
  ...amounts("seed", "horizon_ms"),
  resources: record({
    window_ms: amount,
    windows: quotas,
    ...amounts("disk_bytes", "llm_budget_micros"),
    on_exhausted: oneOf(["block", "skip"]),
  }),
  access: record({ default: text, default_on_missing: text, depth_max: amount }),
  sandbox: record({
    ...amounts("gas_max", "memory_bytes", "stack_bytes", "invoke_depth_max"),
    ...amounts("result_bytes_max", "state_bytes_max", "log_bytes_max"),
    ...amounts("syscalls_max", "wall_timeout_ms"),
    gas_table: record({
      ...amounts("call", "per_kb_code", "per_kb_input", "syscall", "tick", "per_kb_native"),
    }),
  }),
  artifacts: record({
    ...amounts("type_chars_max", "interface_bytes_max", "metadata_bytes_max"),
    ...amounts("depends_on_max", "depends_depth_max", "owner_chain_max"),
    ...amounts("json_depth_max", "args_bytes_max"),
  }),
  agents: record({
    ...amounts("principals_max", "standing_max"),
    spawn_minimum: record(amounts("actions", "disk_bytes")),
    ...amounts("min_delay_ms", "max_delay_ms", "max_consecutive_errors"),
    resume_after_ms: amount.nullable(),
    sleep_max_ms: amount,
    bankrupt_after_ms: amount.nullable(),
    ...amounts(
      "failure_history_max",
      "action_history_max",
      "result_kept_chars",
      "inbox_events_max",
    ),
    ...reviewTerms,
    review_timeout_ms: amount,
  }),
  messages: record({
    ...amounts("text_chars_max", "unread_max", "unread_per_sender_max", "sent_per_window_max"),
    ...amounts("kept_max", "hops_max"),
  }),
  genesis: record({
    enabled: list(text),
    costs: byName(byName(amount)),
    ...amounts("event_log_max", "disk_bytes"),
  }),
  mint: record({
    ...amounts("first_auction_ms", "period_ms", "bidding_window_ms", "slots", "minimum_bid"),
    mint_ratio: finite,
    proceeds: oneOf(kernel.PROCEEDS_USES),
    ...amounts("newcomer_ms", "test_gas", "tasks_max"),
  }),
  compute: record({
    sale: oneOf(kernel.COMPUTE_SALES),
    ...amounts("supply_micros", "period_ms", "lot_micros", "minimum_price", "posted_price"),
    proceeds: oneOf(kernel.PROCEEDS_USES),
    standing: record({ lots: amount, limit_price: amount.nullable() }),
  }),
});

const kind = checked<kernel.EventKind>(
  (value) => typeof value === "string" && Object.hasOwn(kernel.EVENTS, value),
  "a kind of event",
);

const facts: FieldSchemas<kernel.PublicEvent> = {
  ...amounts("n", "at_ms"),
  kind,
  principal: id.nullable(),
  target: text.nullable(),
  method: text.nullable(),
  other: text.nullable(),
  amount: finite.nullable(),
  code: text.nullable(),
};
const publicEvent = record<kernel.PublicEvent>(facts);
const inboxEvent = record<kernel.InboxEvent>({ ...facts, text: text.optional() });

const words = (length: number) =>
  list(integer).refine((items) => items.length === length, `has another length than ${length}`);

export const world = record<Omit<WrittenWorld, "secret"> & { readonly secret: readonly number[] }>({
  physics,
  now: amount,
  supply: record(amounts("endowed", "minted", "burned")),
  undistributed: amount,
  budget: record(amounts("endowed", "issued", "spent")),
  prng: words(4),
  secret: words(2),
  publicLog: list(publicEvent),
  ...amounts(
    "publicEvents",
    "artifactsMade",
    "codesWritten",
    "holdsMade",
    "agentsMade",
    "messagesMade",
    "proposalsMade",
    "auctions",
  ),
  auctionResults: list(auctionResult),
  ...amounts("bidsMade", "tasksMade"),
  tasksOffered: list(text),
  compute: record({ ...amounts("sales", "lastSaleMs", "sold"), results: list(saleResult) }),
  schedule: record({ entries: list(scheduledEntry), settings: jsonObject }),
});

export const inbox = record<kernel.Inbox>({
  agent: id,
  ...amounts("received", "seen"),
  recent: list(inboxEvent),
  sums: list(
    record<kernel.EventSum>({ kind, target: text.nullable(), count: amount, amount: finite }),
  ),
});
