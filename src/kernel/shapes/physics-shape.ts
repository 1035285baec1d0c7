import type {
  AccessPhysics,
  AgentPhysics,
  ArtifactPhysics,
  GasTable,
  GenesisPhysics,
  MintPhysics,
  Physics,
  ResourcePhysics,
  SandboxPhysics,
} from "../physics.ts";
import { quotas } from "./books-shapes.ts";
import { amount, byName, finite, list, nullable, oneOf, record, text } from "./shape.ts";

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
  wall_fuse_ms: amount,
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
