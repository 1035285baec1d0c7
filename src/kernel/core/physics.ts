/** All limits of a world. The first event holds them, so a replay needs no configuration. */
export type Physics = {
  readonly seed: number;
  /** The planned end of the run, in ms of run time. Agents can see this time. */
  readonly horizon_ms: number;
  readonly resources: {
    readonly window_ms: number;
    readonly windows: Quotas;
    readonly disk_bytes: number;
    readonly llm_budget_micros: number;
    /** If a quota is used up, agents wait until they can act (`block`) or skip a turn (`skip`). */
    readonly on_exhausted: "block" | "skip";
  };
  readonly access: {
    readonly default: string;
    /** The rule for a missing access contract: `owner_only`, or the id of a built-in contract. */
    readonly default_on_missing: string;
    readonly depth_max: number;
  };
  readonly sandbox: SandboxPhysics;
  readonly artifacts: ArtifactPhysics;
  readonly agents: ReviewTerms & {
    readonly principals_max: number;
    /** The maximum number of accounts that one family may open for its programs. */
    readonly standing_max: number;
    readonly spawn_minimum: { readonly actions: number; readonly disk_bytes: number };
    readonly min_delay_ms: number;
    readonly max_delay_ms: number;
    readonly max_consecutive_errors: number;
    /** How long a paused agent waits before it resumes. Null if only the operator resumes it. */
    readonly resume_after_ms: number | null;
    readonly sleep_max_ms: number;
    /** How long a frozen agent waits for budget before it is bankrupt. Null: forever. */
    readonly bankrupt_after_ms: number | null;
    readonly failure_history_max: number;
    readonly action_history_max: number;
    /** The maximum number of characters that an agent keeps and sees of its last result. */
    readonly result_kept_chars: number;
    /** How long an action waits on the wall clock, unless its default is to wait. */
    readonly review_timeout_ms: number;
    /** The maximum number of events in an agent's inbox, and of the groups that sum up the rest. */
    readonly inbox_events_max: number;
  };
  readonly messages: MessagesPhysics;
  readonly genesis: {
    readonly enabled: readonly string[];
    /** The scrip that a call burns, by artifact and method. Other methods burn no scrip. */
    readonly costs: { readonly [artifact: string]: { readonly [method: string]: number } };
    readonly event_log_max: number;
    /** Disk quota of each artifact of the standard library, in bytes. */
    readonly disk_bytes: number;
  };
  readonly mint: MintPhysics;
  readonly compute: ComputePhysics;
};

/** The limits of mailboxes. A message that does not fit is refused to its sender. */
export type MessagesPhysics = {
  /** The maximum length of a message of a principal, in UTF-16 units. */
  readonly text_chars_max: number;
  /** The maximum number of unread messages in one mailbox. */
  readonly unread_max: number;
  /** The maximum number of unread messages of one family in one mailbox. */
  readonly unread_per_sender_max: number;
  /** How many messages a principal may send in one window of `resources.window_ms`. */
  readonly sent_per_window_max: number;
  /** How many read and how many sent messages a mailbox keeps. */
  readonly kept_max: number;
  /** How many times a message can be handed on. */
  readonly hops_max: number;
};

/** Renewable resources. The use of a resource in a rolling window cannot exceed its quota. */
export const RESOURCES = [
  "actions",
  "llm_calls",
  "llm_tokens",
  "cpu_gas",
  "bytes_written",
] as const;
export type Resource = (typeof RESOURCES)[number];
export type PerResource<T> = { readonly [R in Resource]: T };
export type Quotas = PerResource<number>;

export const perResource = <T>(make: (resource: Resource) => T): PerResource<T> => ({
  actions: make("actions"),
  llm_calls: make("llm_calls"),
  llm_tokens: make("llm_tokens"),
  cpu_gas: make("cpu_gas"),
  bytes_written: make("bytes_written"),
});

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
  readonly wall_timeout_ms: number;
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

/** What happens to the prices that agents pay to the world. `docs/economy.md` has the rules. */
export const PROCEEDS_USES = ["redistribute", "burn"] as const;
export type ProceedsUse = (typeof PROCEEDS_USES)[number];

/** Auction k opens at first_auction_ms + k · period_ms. It is resolved after its bidding window. */
export type MintPhysics = {
  readonly first_auction_ms: number;
  readonly period_ms: number;
  readonly bidding_window_ms: number;
  readonly slots: number;
  readonly minimum_bid: number;
  /** A score mints floor(score / mint_ratio) scrip. */
  readonly mint_ratio: number;
  readonly proceeds: ProceedsUse;
  /** A spawned agent younger than this does not entitle its family to a share of the proceeds. */
  readonly newcomer_ms: number;
  /** The gas limit of each test of a task. The solver pays the full limit for every test. */
  readonly test_gas: number;
  /** The maximum number of open tasks that agents posted, all agents together. */
  readonly tasks_max: number;
};

/** How the world sells model budget. `src/kernel/compute/supply.ts` has the rules. */
export const COMPUTE_SALES = ["auction", "posted", "equal", "none"] as const;
export type ComputeSale = (typeof COMPUTE_SALES)[number];

/** The terms of a standing order. `limit_price` null: as much per lot as the free scrip allows. */
export type StandingTerms = { readonly lots: number; readonly limit_price: number | null };

export type ComputePhysics = {
  readonly sale: ComputeSale;
  /** The model budget that each sale offers. */
  readonly supply_micros: number;
  readonly period_ms: number;
  /** The unit sold. Prices are in whole scrip per lot. */
  readonly lot_micros: number;
  /** The lowest price of an auction. */
  readonly minimum_price: number;
  readonly posted_price: number;
  readonly proceeds: ProceedsUse;
  /** The standing order of each agent that has set none. */
  readonly standing: StandingTerms;
};

/** The names of an action. A name that is absent or `*` stands for any. */
export type ActionPattern = {
  readonly action?: string;
  readonly artifact?: string;
  readonly method?: string;
};

/**
 * Which actions of an agent wait for a reviewer. A noop never does.
 * `actions`: all that can change or cost something. `spending_above`: those that can cost more
 * scrip. `match`: those with the names of a pattern.
 */
export type ReviewRule =
  | "off"
  | "actions"
  | { readonly spending_above: number }
  | { readonly match: readonly ActionPattern[] };

/** What happens without an answer: the action waits, or is accepted or refused after a time. */
export const REVIEW_DEFAULTS = ["wait", "accept", "refuse"] as const;
export type ReviewDefault = (typeof REVIEW_DEFAULTS)[number];

export type ReviewTerms = { readonly review: ReviewRule; readonly review_default: ReviewDefault };
