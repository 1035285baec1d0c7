import * as is from "./shape.ts";

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

export const perResource = <T>(make: (resource: Resource) => T): PerResource<T> => ({
  actions: make("actions"),
  llm_calls: make("llm_calls"),
  llm_tokens: make("llm_tokens"),
  cpu_gas: make("cpu_gas"),
  bytes_written: make("bytes_written"),
});

export const QUOTAS = is.record(perResource(() => is.amount));
export type Quotas = is.Of<typeof QUOTAS>;

const GAS_TABLE = is.record({
  call: is.amount,
  per_kb_code: is.amount,
  per_kb_input: is.amount,
  syscall: is.amount,
  tick: is.amount,
  per_kb_native: is.amount,
});
export type GasTable = is.Of<typeof GAS_TABLE>;

const SANDBOX = is.record({
  gas_max: is.amount,
  memory_bytes: is.amount,
  stack_bytes: is.amount,
  invoke_depth_max: is.amount,
  result_bytes_max: is.amount,
  state_bytes_max: is.amount,
  log_bytes_max: is.amount,
  syscalls_max: is.amount,
  wall_timeout_ms: is.amount,
  gas_table: GAS_TABLE,
});
export type SandboxPhysics = is.Of<typeof SANDBOX>;

const ARTIFACTS = is.record({
  type_chars_max: is.amount,
  interface_bytes_max: is.amount,
  metadata_bytes_max: is.amount,
  depends_on_max: is.amount,
  depends_depth_max: is.amount,
  owner_chain_max: is.amount,
  json_depth_max: is.amount,
  args_bytes_max: is.amount,
});
export type ArtifactPhysics = is.Of<typeof ARTIFACTS>;

/** The limits of mailboxes. A message that does not fit is refused to its sender. */
const MESSAGES = is.record({
  /** The maximum length of a message of a principal, in UTF-16 units. */
  text_chars_max: is.amount,
  /** The maximum number of unread messages in one mailbox. */
  unread_max: is.amount,
  /** The maximum number of unread messages of one family in one mailbox. */
  unread_per_sender_max: is.amount,
  /** How many messages a principal may send in one window of `resources.window_ms`. */
  sent_per_window_max: is.amount,
  /** How many read and how many sent messages a mailbox keeps. */
  kept_max: is.amount,
  /** How many times a message can be handed on. */
  hops_max: is.amount,
});
export type MessagesPhysics = is.Of<typeof MESSAGES>;

/** What happens to the prices that agents pay to the world. `docs/economy.md` has the rules. */
export const PROCEEDS_USES = ["redistribute", "burn"] as const;
export type ProceedsUse = (typeof PROCEEDS_USES)[number];

/** Auction k opens at first_auction_ms + k · period_ms. It is resolved after its bidding window. */
const MINT = is.record({
  first_auction_ms: is.amount,
  period_ms: is.amount,
  bidding_window_ms: is.amount,
  slots: is.amount,
  minimum_bid: is.amount,
  /** A score mints floor(score / mint_ratio) scrip. */
  mint_ratio: is.finite,
  proceeds: is.oneOf(PROCEEDS_USES),
  /** A spawned agent younger than this does not entitle its family to a share of the proceeds. */
  newcomer_ms: is.amount,
  /** The gas limit of each test of a task. The solver pays the full limit for every test. */
  test_gas: is.amount,
  /** The maximum number of open tasks that agents posted, all agents together. */
  tasks_max: is.amount,
});
export type MintPhysics = is.Of<typeof MINT>;

/** How the world sells model budget. `src/kernel/compute/supply.ts` has the rules. */
export const COMPUTE_SALES = ["auction", "posted", "equal", "none"] as const;
export type ComputeSale = (typeof COMPUTE_SALES)[number];

/** The terms of a standing order. `limit_price` null: as much per lot as the free scrip allows. */
export const STANDING_TERMS = is.record({ lots: is.amount, limit_price: is.nullable(is.amount) });
export type StandingTerms = is.Of<typeof STANDING_TERMS>;

const COMPUTE = is.record({
  sale: is.oneOf(COMPUTE_SALES),
  /** The model budget that each sale offers. */
  supply_micros: is.amount,
  period_ms: is.amount,
  /** The unit sold. Prices are in whole scrip per lot. */
  lot_micros: is.amount,
  /** The lowest price of an auction. */
  minimum_price: is.amount,
  posted_price: is.amount,
  proceeds: is.oneOf(PROCEEDS_USES),
  /** The standing order of each agent that has set none. */
  standing: STANDING_TERMS,
});
export type ComputePhysics = is.Of<typeof COMPUTE>;

/** The names of an action. A name that is absent or `*` stands for any. */
const ACTION_PATTERN = is.record({
  action: is.optional(is.text),
  artifact: is.optional(is.text),
  method: is.optional(is.text),
});
export type ActionPattern = is.Of<typeof ACTION_PATTERN>;

/**
 * Which actions of an agent wait for a reviewer. A noop never does.
 * `actions`: all that can change or cost something. `spending_above`: those that can cost more
 * scrip. `match`: those with the names of a pattern.
 */
export const REVIEW_RULE = is.either("a known rule", [
  is.oneOf(["off", "actions"]),
  is.record({ spending_above: is.amount }),
  is.record({ match: is.list(ACTION_PATTERN) }),
]);
export type ReviewRule = is.Of<typeof REVIEW_RULE>;

/** What happens without an answer: the action waits, or is accepted or refused after a time. */
export const REVIEW_DEFAULTS = ["wait", "accept", "refuse"] as const;
export type ReviewDefault = (typeof REVIEW_DEFAULTS)[number];

const REVIEW_TERMS = { review: REVIEW_RULE, review_default: is.oneOf(REVIEW_DEFAULTS) };
export type ReviewTerms = is.RecordOf<typeof REVIEW_TERMS>;

/** All limits of a world. The first event holds them, so a replay needs no configuration. */
export const PHYSICS = is.record({
  seed: is.amount,
  /** The planned end of the run, in ms of run time. Agents can see this time. */
  horizon_ms: is.amount,
  resources: is.record({
    window_ms: is.amount,
    windows: QUOTAS,
    disk_bytes: is.amount,
    llm_budget_micros: is.amount,
    /** If a quota is used up, agents wait until they can act (`block`) or skip a turn (`skip`). */
    on_exhausted: is.oneOf(["block", "skip"]),
  }),
  access: is.record({
    default: is.text,
    /** The rule for a missing access contract: `owner_only`, or the id of a built-in contract. */
    default_on_missing: is.text,
    depth_max: is.amount,
  }),
  sandbox: SANDBOX,
  artifacts: ARTIFACTS,
  agents: is.record({
    ...REVIEW_TERMS,
    principals_max: is.amount,
    /** The maximum number of accounts that one family may open for its programs. */
    standing_max: is.amount,
    spawn_minimum: is.record({ actions: is.amount, disk_bytes: is.amount }),
    min_delay_ms: is.amount,
    max_delay_ms: is.amount,
    max_consecutive_errors: is.amount,
    /** How long a paused agent waits before it resumes. Null if only the operator resumes it. */
    resume_after_ms: is.nullable(is.amount),
    sleep_max_ms: is.amount,
    /** How long a frozen agent waits for budget before it is bankrupt. Null: forever. */
    bankrupt_after_ms: is.nullable(is.amount),
    failure_history_max: is.amount,
    action_history_max: is.amount,
    /** The maximum number of characters that an agent keeps and sees of its last result. */
    result_kept_chars: is.amount,
    /** How long an action waits on the wall clock, unless its default is to wait. */
    review_timeout_ms: is.amount,
    /** The maximum number of events in an agent's inbox, and of the groups that sum up the rest. */
    inbox_events_max: is.amount,
  }),
  messages: MESSAGES,
  genesis: is.record({
    enabled: is.list(is.text),
    /** The scrip that a call burns, by artifact and method. Other methods burn no scrip. */
    costs: is.byName(is.byName(is.amount)),
    event_log_max: is.amount,
    /** Disk quota of each artifact of the standard library, in bytes. */
    disk_bytes: is.amount,
  }),
  mint: MINT,
  compute: COMPUTE,
});
export type Physics = is.Of<typeof PHYSICS>;

/** How deep calls can be nested, with the access contracts that the innermost of them asks. */
export const callDepthMax = ({ sandbox, access }: Physics): number =>
  sandbox.invoke_depth_max + access.depth_max;
