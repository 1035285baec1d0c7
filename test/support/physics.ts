import { asId, type Physics, type Quotas } from "../../src/kernel/index.ts";

/** The moment at which most tests happen, ms of run time. */
export const NOW = 1_000;

export const QUOTAS: Quotas = {
  actions: 1_000,
  llm_calls: 100,
  llm_tokens: 10_000,
  cpu_gas: 10_000_000,
  bytes_written: 100_000,
};

/** A world small enough to meet its bounds. */
export const PHYSICS: Physics = {
  seed: 7,
  horizon_ms: 600_000,
  resources: {
    window_ms: 60_000,
    windows: QUOTAS,
    disk_bytes: 10_000,
    llm_budget_micros: 1_000,
    on_exhausted: "block",
  },
  access: { default: "genesis_contract_freeware", default_on_missing: "owner_only", depth_max: 3 },
  sandbox: {
    gas_max: 200_000,
    memory_bytes: 8_388_608,
    stack_bytes: 262_144,
    invoke_depth_max: 5,
    result_bytes_max: 65_536,
    state_bytes_max: 4_096,
    log_bytes_max: 512,
    syscalls_max: 64,
    // So long that a busy machine does not make it blow.
    wall_timeout_ms: 10_000,
    gas_table: {
      call: 100,
      per_kb_code: 10,
      per_kb_input: 10,
      syscall: 50,
      tick: 500,
      per_kb_native: 20,
    },
  },
  artifacts: {
    type_chars_max: 16,
    interface_bytes_max: 2_000,
    metadata_bytes_max: 200,
    depends_on_max: 4,
    depends_depth_max: 3,
    owner_chain_max: 3,
    json_depth_max: 32,
    args_bytes_max: 5_000,
  },
  agents: {
    principals_max: 20,
    standing_max: 20,
    spawn_minimum: { actions: 2, disk_bytes: 100 },
    min_delay_ms: 100,
    max_delay_ms: 1_600,
    max_consecutive_errors: 3,
    resume_after_ms: 5_000,
    sleep_max_ms: 10_000,
    bankrupt_after_ms: 20_000,
    failure_history_max: 3,
    action_history_max: 4,
    result_kept_chars: 200,
    inbox_events_max: 6,
    review: "off",
    review_default: "wait",
    review_timeout_ms: 5_000,
  },
  messages: {
    text_chars_max: 200,
    unread_max: 4,
    unread_per_sender_max: 2,
    sent_per_window_max: 5,
    kept_max: 3,
    hops_max: 3,
  },
  genesis: {
    enabled: ["ledger", "rights_registry", "mint", "compute", "event_log", "store", "messenger"],
    costs: {},
    event_log_max: 50,
    disk_bytes: 5_000,
  },
  mint: {
    first_auction_ms: 1_000,
    period_ms: 10_000,
    bidding_window_ms: 5_000,
    slots: 1,
    minimum_bid: 1,
    mint_ratio: 10,
    proceeds: "redistribute",
    newcomer_ms: 30_000,
    test_gas: 1_000,
    tasks_max: 5,
  },
  compute: {
    sale: "auction",
    // No supply: most tests are about a world that sells no model budget.
    supply_micros: 0,
    period_ms: 5_000,
    lot_micros: 100,
    minimum_price: 2,
    posted_price: 3,
    proceeds: "redistribute",
    standing: { lots: 0, limit_price: null },
  },
};

type Part = Exclude<keyof Physics, "seed" | "horizon_ms">;
type Change = { readonly [P in Part]?: Partial<Physics[P]> };

/** The small physics with some bounds replaced. */
export const physicsWith = (change: Change): Physics => ({
  ...PHYSICS,
  resources: { ...PHYSICS.resources, ...change.resources },
  access: { ...PHYSICS.access, ...change.access },
  sandbox: { ...PHYSICS.sandbox, ...change.sandbox },
  artifacts: { ...PHYSICS.artifacts, ...change.artifacts },
  agents: { ...PHYSICS.agents, ...change.agents },
  messages: { ...PHYSICS.messages, ...change.messages },
  genesis: { ...PHYSICS.genesis, ...change.genesis },
  mint: { ...PHYSICS.mint, ...change.mint },
  compute: { ...PHYSICS.compute, ...change.compute },
});

export const LEDGER = asId("genesis_ledger");
export const RIGHTS = asId("genesis_rights_registry");
export const MINT = asId("genesis_mint");
export const STORE = asId("genesis_store");
