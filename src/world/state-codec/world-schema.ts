import { EVENT_KINDS, type EventKind, type Physics, type PublicEvent } from "../../kernel/index.ts";
import { auctionResult, quotas } from "./row-schemas.ts";
import {
  amount,
  byName,
  checked,
  finite,
  id,
  integer,
  list,
  oneOf,
  record,
  text,
} from "./schema.ts";
import type { WrittenWorld } from "./state-codec.ts";

const physics = record<Physics>({
  seed: amount,
  horizon_ms: amount,
  resources: record({
    window_ms: amount,
    windows: quotas,
    disk_bytes: amount,
    llm_budget_micros: amount,
    on_exhausted: oneOf(["block", "skip"]),
  }),
  access: record({
    default: text,
    default_on_missing: text,
    depth_max: amount,
  }),
  sandbox: record({
    gas_max: amount,
    memory_bytes: amount,
    stack_bytes: amount,
    invoke_depth_max: amount,
    result_bytes_max: amount,
    state_bytes_max: amount,
    log_bytes_max: amount,
    syscalls_max: amount,
    wall_timeout_ms: amount,
    gas_table: record({
      call: amount,
      per_kb_code: amount,
      per_kb_input: amount,
      syscall: amount,
      tick: amount,
      per_kb_native: amount,
    }),
  }),
  artifacts: record({
    type_chars_max: amount,
    interface_bytes_max: amount,
    metadata_bytes_max: amount,
    depends_on_max: amount,
    depends_depth_max: amount,
    owner_chain_max: amount,
    json_depth_max: amount,
    args_bytes_max: amount,
  }),
  agents: record({
    principals_max: amount,
    standing_max: amount,
    spawn_minimum: record({ actions: amount, disk_bytes: amount }),
    min_delay_ms: amount,
    max_delay_ms: amount,
    max_consecutive_errors: amount,
    resume_after_ms: amount.nullable(),
    sleep_max_ms: amount,
    bankrupt_after_ms: amount.nullable(),
    failure_history_max: amount,
    action_history_max: amount,
    result_kept_chars: amount,
  }),
  genesis: record({
    enabled: list(text),
    costs: byName(byName(amount)),
    event_log_max: amount,
    disk_bytes: amount,
  }),
  mint: record({
    first_auction_ms: amount,
    period_ms: amount,
    bidding_window_ms: amount,
    slots: amount,
    minimum_bid: amount,
    mint_ratio: finite,
    proceeds: oneOf(["redistribute", "burn"]),
    newcomer_ms: amount,
    test_gas: amount,
    tasks_max: amount,
  }),
});

const kind = checked<EventKind>(
  (value) => typeof value === "string" && Object.hasOwn(EVENT_KINDS, value),
  "a kind of event",
);

const publicEvent = record<PublicEvent>({
  n: amount,
  at_ms: amount,
  kind,
  principal: id.nullable(),
  target: text.nullable(),
  other: text.nullable(),
  amount: finite.nullable(),
  code: text.nullable(),
});

/** A list of integers with a fixed length. */
const words = (length: number) =>
  list(integer).refine((items) => items.length === length, `has another length than ${length}`);

export const worldRowSchema = record<
  Omit<WrittenWorld, "secret"> & { readonly secret: readonly number[] }
>({
  physics,
  now: amount,
  supply: record({ endowed: amount, minted: amount, burned: amount }),
  prng: words(4),
  secret: words(2),
  publicLog: list(publicEvent),
  publicEvents: amount,
  artifactsMade: amount,
  codesWritten: amount,
  holdsMade: amount,
  agentsMade: amount,
  auctions: amount,
  auctionResults: list(auctionResult),
  bidsMade: amount,
  tasksMade: amount,
  tasksOffered: list(text),
});
