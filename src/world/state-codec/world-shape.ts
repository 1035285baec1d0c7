import {
  type AccessPhysics,
  type AgentPhysics,
  type ArtifactPhysics,
  EVENT_KINDS,
  type EventKind,
  type GasTable,
  type GenesisPhysics,
  type MintPhysics,
  type Physics,
  type PublicEvent,
  type ResourcePhysics,
  type SandboxPhysics,
  type Supply,
  type WorldRow,
} from "../../kernel/index.ts";
import { quotas } from "./books-shapes.ts";
import { auctionResult } from "./mint-shapes.ts";
import {
  amount,
  byName,
  finite,
  id,
  integer,
  leaf,
  list,
  listOf,
  nullable,
  oneOf,
  record,
  text,
} from "./shape.ts";

const resources = record<ResourcePhysics>({
  window_ms: amount,
  windows: quotas,
  disk_bytes: amount,
  llm_budget_micros: amount,
  on_exhausted: oneOf(["block", "skip"]),
});

const access = record<AccessPhysics>({
  default: text,
  default_on_missing: text,
  depth_max: amount,
});

const sandbox = record<SandboxPhysics>({
  gas_max: amount,
  memory_bytes: amount,
  stack_bytes: amount,
  invoke_depth_max: amount,
  result_bytes_max: amount,
  state_bytes_max: amount,
  log_bytes_max: amount,
  syscalls_max: amount,
  wall_timeout_ms: amount,
  gas_table: record<GasTable>({
    call: amount,
    per_kb_code: amount,
    per_kb_input: amount,
    syscall: amount,
    tick: amount,
    per_kb_native: amount,
  }),
});

const artifacts = record<ArtifactPhysics>({
  type_chars_max: amount,
  interface_bytes_max: amount,
  metadata_bytes_max: amount,
  depends_on_max: amount,
  depends_depth_max: amount,
  owner_chain_max: amount,
  json_depth_max: amount,
  args_bytes_max: amount,
});

const agents = record<AgentPhysics>({
  principals_max: amount,
  standing_max: amount,
  spawn_minimum: record<AgentPhysics["spawn_minimum"]>({ actions: amount, disk_bytes: amount }),
  min_delay_ms: amount,
  max_delay_ms: amount,
  max_consecutive_errors: amount,
  resume_after_ms: nullable(amount),
  sleep_max_ms: amount,
  bankrupt_after_ms: nullable(amount),
  failure_history_max: amount,
  action_history_max: amount,
  result_kept_chars: amount,
});

const genesis = record<GenesisPhysics>({
  enabled: list(text),
  costs: byName(byName(amount)),
  event_log_max: amount,
  disk_bytes: amount,
});

const mint = record<MintPhysics>({
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
});

export const physics = record<Physics>({
  seed: amount,
  horizon_ms: amount,
  resources,
  access,
  sandbox,
  artifacts,
  agents,
  genesis,
  mint,
});

const kind = leaf<EventKind>(
  (value) => typeof value === "string" && Object.hasOwn(EVENT_KINDS, value),
  "kind of event",
);

const publicEvent = record<PublicEvent>({
  n: amount,
  at_ms: amount,
  kind,
  principal: nullable(id),
  target: nullable(text),
  other: nullable(text),
  amount: nullable(finite),
  code: nullable(text),
});

/** As it is written down: its public log as a plain list, and its secret as a list of two words. */
type WrittenWhole = Omit<WorldRow, "publicLog" | "secret"> & {
  readonly publicLog: readonly PublicEvent[];
  readonly secret: readonly number[];
};

const WORDS_OF_PRNG = 4;
const WORDS_OF_SECRET = 2;

export const worldRow = record<WrittenWhole>({
  physics,
  now: amount,
  supply: record<Supply>({ endowed: amount, minted: amount, burned: amount }),
  prng: listOf(WORDS_OF_PRNG, integer),
  secret: listOf(WORDS_OF_SECRET, integer),
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
