import { z } from "zod";
import {
  BUILT_IN_MEANING,
  COMPUTE_SALES,
  genesisName,
  NATIVES,
  PROCEEDS_USES,
} from "../../kernel/index.ts";
import { memorySettings, workingMemorySettings } from "../../memory/index.ts";
import { agentDefaults, promptSettings, ragSettings } from "../../mind/index.ts";
import { type Frozen, llmSettings } from "../../model/index.ts";
import { LIBRARY_NAMES } from "../../world/index.ts";
import { plainJson } from "./plain-json.ts";
import { reviewDefault, reviewRule } from "./review-schema.ts";
import { mechanismsSchema, scheduleSchema } from "./schedule-schema.ts";

const whole = (min: number, max?: number) =>
  max === undefined ? z.int().min(min) : z.int().min(min).max(max);

const SECONDS_MAX = 1_000_000_000;
/** A duration in seconds. The minimum is 1 ms, because the world counts time in milliseconds. */
const seconds = z.number().min(0.001).max(SECONDS_MAX);

const KIB = 1_024;
const MIB = 1_024 * KIB;

const contracts = [...BUILT_IN_MEANING.keys()].map(String);

const windows = z.strictObject({
  actions: whole(0),
  llm_calls: whole(0),
  llm_tokens: whole(0),
  cpu_gas: whole(0),
  bytes_written: whole(0),
});

const resources = z.strictObject({
  stock: z.strictObject({ llm_budget_usd: z.number().min(0).max(100_000), disk_bytes: whole(0) }),
  window_s: seconds,
  windows,
  on_exhausted: z.enum(["block", "skip"]),
});

const artifacts = z.strictObject({
  type_chars_max: whole(1, KIB),
  interface_bytes_max: whole(0, MIB),
  metadata_bytes_max: whole(0, MIB),
  depends_on_max: whole(0, 1_000),
  depends_depth_max: whole(1, 100),
  owner_chain_max: whole(1, 100),
  json_depth_max: whole(1, 200),
  args_bytes_max: whole(2, MIB),
});

/** The schema of the sandbox limits. The engine supports exactly these ranges. */
const sandbox = z.strictObject({
  gas_max: whole(1),
  memory_bytes: whole(512 * KIB, KIB * MIB),
  stack_bytes: whole(32 * KIB, 4 * MIB),
  invoke_depth_max: whole(0, 50),
  result_bytes_max: whole(2, MIB),
  state_bytes_max: whole(2, MIB),
  log_bytes_max: whole(0, MIB),
  syscalls_max: whole(0, 1_000_000),
  wall_timeout_ms: whole(1, 60_000),
  gas_table: z.strictObject({
    call: whole(0),
    per_kb_code: whole(0),
    per_kb_input: whole(0),
    syscall: whole(0),
    tick: whole(0),
    per_kb_native: whole(0),
  }),
});

const genesisNames = [...NATIVES.map(({ id }) => genesisName(id)), ...LIBRARY_NAMES];

/** The fees in scrip, by genesis artifact and method. A method that is not listed is free. */
const costs = z.strictObject(
  Object.fromEntries(
    NATIVES.map(({ id, methods }) => {
      const prices = methods.map(({ name }) => [name, whole(0).exactOptional()] as const);
      return [id, z.strictObject(Object.fromEntries(prices)).exactOptional()] as const;
    }),
  ),
);

/** The contracts that call `genesis_store.set_access` to lock artifacts. */
const KEEPERS: readonly string[] = ["escrow", "debt_contract"];

const genesis = z
  .strictObject({
    enabled: z.array(z.enum(genesisNames)),
    costs,
    event_log_max: whole(1, 1_000_000),
    disk_bytes: whole(0, 1_000_000_000_000),
  })
  .refine(
    ({ enabled }) => enabled.includes("store") || !enabled.some(isKeeper),
    "must also have store, because escrow and debt_contract need it",
  )
  .refine(({ enabled, costs: { genesis_store: store } }) => {
    return !enabled.some(isKeeper) || (store?.set_access ?? 0) === 0;
  }, "must leave genesis_store.set_access free for escrow and debt_contract");

const isKeeper = (name: string): boolean => KEEPERS.includes(name);

const loop = z
  .strictObject({
    min_delay_s: seconds,
    max_delay_s: seconds,
    max_consecutive_errors: whole(1),
    resume_after_s: seconds.nullable(),
    sleep_max_s: seconds,
    bankrupt_after_s: seconds.nullable(),
  })
  .refine(
    (given) => given.min_delay_s <= given.max_delay_s,
    "must not have min_delay_s above max_delay_s",
  );

const test = z.strictObject({ args: z.array(plainJson), result: plainJson });

/** A task for which the world pays minted scrip. The kernel checks the limits of a task. */
const task = z.strictObject({
  id: z.string(),
  description: z.string(),
  reward: z.number(),
  /** The run time at which the task opens. */
  from_s: z.number().min(0).max(SECONDS_MAX).default(0),
  public_tests: z.array(test),
  hidden_tests: z.array(test),
});

const mint = z
  .strictObject({
    first_auction_s: seconds,
    period_s: seconds,
    bidding_window_s: seconds,
    slots: whole(0, 1_000),
    minimum_bid: whole(1),
    mint_ratio: z.number().min(0.001).max(1_000_000),
    proceeds: z.enum(PROCEEDS_USES),
    scorer: z.enum(["usage", "llm"]),
    newcomer_s: seconds,
    test_gas: whole(1),
    tasks_max: whole(0, 10_000),
    tasks: z.array(task),
  })
  .refine((given) => given.bidding_window_s <= given.period_s, {
    error: "must not have bidding_window_s above period_s",
  });

/** The terms of a standing order for model budget. */
export const standingTerms = z.strictObject({
  lots: whole(0, 1_000_000),
  limit_price: whole(0, 1_000_000_000).nullable(),
});

const compute = z
  .strictObject({
    sale: z.enum(COMPUTE_SALES),
    period_s: seconds,
    supply_micros_per_period: whole(0, 1_000_000_000_000),
    lot_micros: whole(1, 1_000_000_000_000),
    minimum_price: whole(1, 1_000_000_000),
    posted_price: whole(1, 1_000_000_000),
    proceeds: z.enum(PROCEEDS_USES),
    standing: standingTerms,
  })
  .refine(
    ({ supply_micros_per_period: supply, lot_micros: lot }) => supply === 0 || supply >= lot,
    { error: "must not have lot_micros above supply_micros_per_period" },
  );

const thinkMs = z
  .tuple([whole(0, SECONDS_MAX), whole(0, SECONDS_MAX)])
  .refine(([least, most]) => least <= most, { error: "must be [min, max] with min first" });

const share = z.number().min(0).max(1);

const path = z.string().min(1);
const folders = z.union([path, z.array(path).min(1)]);

const health = z.strictObject({
  every_s: seconds,
  window_s: seconds,
  actions_min: whole(1),
  identical_share: share,
  passive_share: share,
  repeats: whole(2),
  growth_share: z.number().min(0),
});

/** The schema of `config.yaml`. No key is optional, because the shipped file sets every key. */
export const configSchema = z.strictObject({
  run: z.strictObject({
    duration_s: seconds,
    seed: whole(0),
    clock: z.enum(["auto", "wall", "virtual"]),
    max_actions: whole(1).nullable(),
  }),
  agents: z.strictObject({
    dir: folders,
    only: z.array(z.string()),
    defaults: agentDefaults.extend({
      review: reviewRule,
      review_default: reviewDefault,
      review_timeout_s: seconds,
    }),
  }),
  scrip: z.strictObject({ starting_amount: whole(0) }),
  resources,
  access: z.strictObject({
    default: z.enum(contracts),
    default_on_missing: z.enum(["owner_only", ...contracts]),
    max_depth: whole(1, 50),
  }),
  artifacts,
  sandbox,
  spawn: z.strictObject({
    principals_max: whole(1, 1_000_000),
    standing_max: whole(0, 1_000_000),
    minimum: z.strictObject({ actions: whole(0), disk_bytes: whole(0) }),
  }),
  messages: z.strictObject({
    text_chars_max: whole(1, 100_000),
    unread_max: whole(1, 1_000),
    unread_per_sender_max: whole(1, 1_000),
    sent_per_window_max: whole(1, 1_000),
    kept_max: whole(1, 1_000),
    hops_max: whole(0, 100),
  }),
  genesis,
  mint,
  compute,
  mechanisms: mechanismsSchema,
  schedule: scheduleSchema,
  agent: z.strictObject({
    loop,
    prompt: promptSettings,
    rag: ragSettings,
    working_memory: workingMemorySettings,
    failure_history_max: whole(0, 1_000),
    action_history_max: whole(0, 1_000),
    result_kept_chars: whole(0, MIB),
    inbox_events_max: whole(0, 1_000),
  }),
  memory: memorySettings,
  llm: llmSettings,
  tools: z.strictObject({ python: z.boolean() }),
  policy: z.strictObject({
    thought_micros: whole(0),
    thought_tokens: whole(0),
    library: path.nullable(),
  }),
  virtual: z.strictObject({
    think_ms: z.strictObject({
      policy: thinkMs,
      script: whole(0, SECONDS_MAX),
      llm: z.union([z.literal("recorded"), thinkMs]),
    }),
  }),
  budget: z.strictObject({ max_api_cost_usd: z.number().min(0).max(1_000_000_000) }),
  journal: z.strictObject({ sync: z.enum(["full", "normal"]), group_ms: whole(0, 1_000) }),
  checkpoint: z.strictObject({
    every_s: seconds.nullable(),
    on_end: z.boolean(),
    dir: z.string().min(1),
  }),
  dashboard: z.strictObject({
    host: z.string().min(1).max(253),
    port: whole(0, 65_535),
    open: z.boolean(),
  }),
  health,
  checks: z.strictObject({ invariants_every: whole(1) }),
  timeouts: z.strictObject({ shutdown_s: seconds, module_s: seconds }),
});

export type Config = Frozen<z.infer<typeof configSchema>>;
