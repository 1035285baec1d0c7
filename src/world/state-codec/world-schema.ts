import {
  COMPUTE_SALES,
  EVENTS,
  type EventKind,
  type EventSum,
  type Inbox,
  type InboxEvent,
  type Physics,
  PROCEEDS_USES,
  type PublicEvent,
} from "../../kernel/index.ts";
import { auctionResult, quotas, reviewTerms, saleResult } from "./row-schemas.ts";
import { scheduledEntry } from "./schedule-schema.ts";
import {
  amount,
  amounts,
  byName,
  checked,
  type FieldSchemas,
  finite,
  id,
  integer,
  jsonObject,
  list,
  oneOf,
  record,
  text,
} from "./schema.ts";
import type { WrittenWorld } from "./state-codec.ts";

const physics = record<Physics>({
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
    proceeds: oneOf(PROCEEDS_USES),
    ...amounts("newcomer_ms", "test_gas", "tasks_max"),
  }),
  compute: record({
    sale: oneOf(COMPUTE_SALES),
    ...amounts("supply_micros", "period_ms", "lot_micros", "minimum_price", "posted_price"),
    proceeds: oneOf(PROCEEDS_USES),
    standing: record({ lots: amount, limit_price: amount.nullable() }),
  }),
});

const kind = checked<EventKind>(
  (value) => typeof value === "string" && Object.hasOwn(EVENTS, value),
  "a kind of event",
);

const facts: FieldSchemas<PublicEvent> = {
  ...amounts("n", "at_ms"),
  kind,
  principal: id.nullable(),
  target: text.nullable(),
  method: text.nullable(),
  other: text.nullable(),
  amount: finite.nullable(),
  code: text.nullable(),
};
const publicEvent = record<PublicEvent>(facts);
const inboxEvent = record<InboxEvent>({ ...facts, text: text.optional() });

const words = (length: number) =>
  list(integer).refine((items) => items.length === length, `has another length than ${length}`);

export const worldRowSchema = record<
  Omit<WrittenWorld, "secret"> & { readonly secret: readonly number[] }
>({
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

export const inboxSchema = record<Inbox>({
  agent: id,
  ...amounts("received", "seen"),
  recent: list(inboxEvent),
  sums: list(record<EventSum>({ kind, target: text.nullable(), count: amount, amount: finite })),
});
