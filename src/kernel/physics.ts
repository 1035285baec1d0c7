/**
 * Every bound of a world, with its unit, in one place. It is part of the first event of a journal,
 * so that a replay needs no configuration. Keys are those of `config.yaml`.
 */
export type Physics = {
  readonly seed: number;
  /** When the run is to end, in ms of run time; agents may know it. */
  readonly horizon_ms: number;
  readonly resources: ResourcePhysics;
  readonly access: AccessPhysics;
  readonly sandbox: SandboxPhysics;
  readonly artifacts: ArtifactPhysics;
  readonly agents: AgentPhysics;
  readonly genesis: GenesisPhysics;
  readonly mint: MintPhysics;
};

/** What renews itself: each amount may be used once in every rolling window. */
export const RESOURCES = [
  "actions",
  "llm_calls",
  "llm_tokens",
  "cpu_gas",
  "bytes_written",
] as const;
export type Resource = (typeof RESOURCES)[number];
export type Quotas = { readonly [R in Resource]: number };

export type ResourcePhysics = {
  readonly window_ms: number;
  readonly windows: Quotas;
  readonly disk_bytes: number;
  readonly llm_budget_micros: number;
  /** An agent whose window is empty waits until it frees (`block`), or gives up a turn (`skip`). */
  readonly on_exhausted: "block" | "skip";
};

export type AccessPhysics = {
  readonly default: string;
  /** What a missing contract means: `owner_only`, or the id of a built-in contract. */
  readonly default_on_missing: string;
  readonly depth_max: number;
};

export type GasTable = {
  readonly call: number;
  readonly per_kb_code: number;
  readonly per_kb_input: number;
  readonly syscall: number;
  readonly tick: number;
  readonly per_kb_native: number;
};

export type SandboxPhysics = {
  readonly gas_max: number;
  readonly memory_bytes: number;
  readonly stack_bytes: number;
  readonly invoke_depth_max: number;
  readonly result_bytes_max: number;
  readonly state_bytes_max: number;
  readonly log_bytes_max: number;
  readonly syscalls_max: number;
  readonly wall_fuse_ms: number;
  readonly gas_table: GasTable;
};

export type ArtifactPhysics = {
  readonly type_chars_max: number;
  readonly interface_bytes_max: number;
  readonly metadata_bytes_max: number;
  readonly depends_on_max: number;
  readonly depends_depth_max: number;
  readonly owner_chain_max: number;
  readonly json_depth_max: number;
  readonly args_bytes_max: number;
};

export type AgentPhysics = {
  readonly principals_max: number;
  /** How many artifacts with standing one principal may open, itself or through programs. */
  readonly standing_max: number;
  /** What a parent must at least carve out for a child. */
  readonly spawn_minimum: { readonly actions: number; readonly disk_bytes: number };
  readonly min_delay_ms: number;
  readonly max_delay_ms: number;
  readonly max_consecutive_errors: number;
  /** How long a paused agent rests before it tries again; null leaves it to the operator. */
  readonly resume_after_ms: number | null;
  /** The longest an agent may ask to sleep. */
  readonly sleep_max_ms: number;
  /** How long a frozen agent can be rescued; null: forever. */
  readonly bankrupt_after_ms: number | null;
  readonly failure_history_max: number;
  readonly action_history_max: number;
  /** How much of a result an agent remembers until its next thought. */
  readonly result_kept_chars: number;
};

export type GenesisPhysics = {
  readonly enabled: readonly string[];
  /** Scrip burned by each call, by artifact and method; what is not named is free. */
  readonly costs: { readonly [artifact: string]: { readonly [method: string]: number } };
  readonly event_log_max: number;
  /** Disk of each artifact of the standard library. */
  readonly disk_bytes: number;
};

/** Bidding opens at first + k·period, lasts the bidding window, and is resolved at its end. */
export type MintPhysics = {
  readonly first_auction_ms: number;
  readonly period_ms: number;
  readonly bidding_window_ms: number;
  readonly slots: number;
  readonly minimum_bid: number;
  /** Scrip minted = floor(score / mint_ratio). */
  readonly mint_ratio: number;
  readonly proceeds: "redistribute" | "burn";
  /** How long a spawned agent waits until it shares in the proceeds. */
  readonly newcomer_ms: number;
  /** Gas that each test of a task may use; the solver is charged all of it. */
  readonly test_gas: number;
  /** Tasks that may be open at once. */
  readonly tasks_max: number;
};
