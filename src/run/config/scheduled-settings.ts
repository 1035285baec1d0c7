import { isObject, type Json, type JsonObject, type Result } from "../../kernel/index.ts";
import {
  dotted,
  type Finding,
  findingsOf,
  type KeyPath,
  notAMap,
  valueAt,
} from "../../mind/index.ts";
import { parseTimeMs } from "../../world/index.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { type Layer, leavesOf, merged, treeOf } from "./layer.ts";
import { isPlain } from "./plain-json.ts";

/**
 * The settings that can change in a running world, each with all keys below it. They are part of
 * the world's physics, so that the journal records a change.
 */
const CHANGEABLE: readonly string[] = [
  "resources.window_s",
  "resources.on_exhausted",
  "access.default",
  "access.default_on_missing",
  "artifacts",
  "spawn",
  "genesis.costs",
  "genesis.event_log_max",
  "mint.slots",
  "mint.minimum_bid",
  "mint.mint_ratio",
  "mint.proceeds",
  "mint.newcomer_s",
  "mint.test_gas",
  "mint.tasks_max",
  "compute",
  "agent.loop",
  "agent.failure_history_max",
  "agent.action_history_max",
  "agent.result_kept_chars",
  "agent.inbox_events_max",
  "agents.defaults.review",
  "agents.defaults.review_default",
  "agents.defaults.review_timeout_s",
];

const AT_JOINING =
  "an agent gets it when it joins the world; mint or take changes what agents have";
const AUCTION_TIMES = "the times of all auctions follow from it";
const AT_CREATION = "the world is created with it";
const ENGINE = "the engine of the programs starts with it";

/** Why settings cannot change in a running world. Other settings are read when a run starts. */
const REASONS: readonly (readonly [key: string, reason: string])[] = [
  ["scrip.starting_amount", AT_JOINING],
  ["resources.stock", AT_JOINING],
  ["resources.windows", AT_JOINING],
  ["genesis.enabled", AT_CREATION],
  ["genesis.disk_bytes", AT_CREATION],
  ["mint.first_auction_s", AUCTION_TIMES],
  ["mint.period_s", AUCTION_TIMES],
  ["mint.bidding_window_s", AUCTION_TIMES],
  ["mint.tasks", "each task opens at its own from_s"],
  ["sandbox", ENGINE],
  ["access.max_depth", ENGINE],
  ["artifacts.json_depth_max", ENGINE],
];

const isUnder = (key: string, above: string): boolean =>
  key === above || key.startsWith(`${above}.`);

/** Why a setting cannot change in a running world, or null if it can. */
const whyFixed = (key: string): string | null => {
  const reason = REASONS.find(([above]) => isUnder(key, above))?.[1];
  if (reason !== undefined) return reason;
  return CHANGEABLE.some((above) => isUnder(key, above)) ? null : "it is read when a run starts";
};

const layerOf = (value: unknown): Layer => ({
  origin: "",
  value,
  placeOf: () => ({ file: "", line: null, column: null }),
});

/** Values of the configuration by dotted key. */
type Settings = { readonly [key: string]: unknown };

const treesOf = (settings: Settings): readonly Layer[] =>
  Object.entries(settings).map(([key, value]) => layerOf(treeOf(key, value)));

/** Returns the settings with one entry for each value that is not a map, by dotted key. */
export const flatSettings = (settings: Settings): JsonObject => {
  const { value } = merged([layerOf({}), ...treesOf(settings)]);
  const flat = leavesOf(value).flatMap((path): readonly (readonly [string, Json])[] => {
    const leaf = valueAt(value, path);
    return isPlain(leaf) ? [[dotted(path), leaf]] : [];
  });
  return Object.fromEntries(flat);
};

/** Returns the configuration with other settings, given by dotted key. */
export const withSettings = (
  config: Config,
  settings: Settings,
): Result<{ readonly config: Config }> => {
  const { value, findings } = changed(config, settings);
  const [first] = findings;
  return first === undefined ? { ok: true, config: value } : { ok: false, problem: first.message };
};

const changed = (config: Config, settings: Settings) => {
  const { schedule } = config;
  // No entry can set the schedule. Checking it again for each entry would take quadratic time.
  const checked = { ...config, schedule: [] };
  const { value, misplaced } = merged([layerOf(checked), ...treesOf(settings)]);
  const result = configSchema.safeParse(value);
  const wrong = result.success ? [] : findingsOf(result.error, { schema: configSchema, value });
  const findings: readonly Finding[] = [...misplaced.map(notAMap), ...wrong];
  const isValid = result.success && findings.length === 0;
  return { value: isValid ? { ...result.data, schedule } : config, findings };
};

/** A wrong setting of one entry. `path` ends with the entry's key, and `message` names no entry. */
type ScheduleFinding = Finding & {
  /** The path of the settings of the entry, such as `schedule[2].set`. */
  readonly entry: KeyPath;
};

/** Finds wrong settings in a schedule. Each entry changes the settings that earlier ones left. */
export const scheduleFindings = (config: Config): readonly ScheduleFinding[] => {
  let now = config;
  return config.schedule
    .map(({ at, set }, index) => ({ atMs: parseTimeMs(at) ?? 0, set, index }))
    .toSorted((a, b) => a.atMs - b.atMs)
    .flatMap(({ set, index }) => {
      if (set === undefined) return [];
      const entry = ["schedule", index, "set"];
      const unusable = [...fixedIn(now, set), ...emptyIn(now, set)];
      const { value, findings } = unusable.length > 0 ? unchanged(now) : changed(now, set);
      now = value;
      const located = findings.map((finding) => within(set, finding));
      return [...unusable, ...located].map((finding) => ({
        ...finding,
        path: [...entry, ...finding.path],
        entry,
      }));
    });
};

const unchanged = (value: Config) => ({ value, findings: [] });

/** The finding of a setting, at the key of the entry that sets it. */
const within = (set: Settings, { kind, path: at, message, hint }: Finding): Finding => {
  const wrong = dotted(at);
  const key = Object.keys(set).find((each) => isUnder(wrong, each) || isUnder(each, wrong));
  return { kind, path: key === undefined ? [] : [key], at: "key", message, hint };
};

/** Finds maps without keys in the place of sections. They would change nothing. */
export const emptyIn = (config: Config, set: Settings): readonly Finding[] =>
  Object.entries(set).flatMap(([key, value]) =>
    leavesOf(treeOf(key, value)).flatMap((leaf) => {
      const inForce = valueAt(config, leaf);
      const given = valueAt(treeOf(key, value), leaf);
      if (!isObject(inForce) || !(given === null || isObject(given))) return [];
      const [first = []] = leavesOf(inForce);
      // Without keys in force, the given map restates the setting.
      if (first.length === 0) return [];
      const example = dotted([...leaf, ...first]);
      const message = `\`${dotted(leaf)}\` has no keys, so it would change nothing`;
      const hint = `name a setting, such as ${example}`;
      return [{ kind: "wrong", path: [key], at: "key", message, hint }];
    }),
  );

/** Finds settings of the configuration that cannot change in a running world. */
const fixedIn = (config: Config, set: Settings): readonly Finding[] =>
  Object.entries(set).flatMap(([key, value]) => {
    const known = leavesOf(treeOf(key, value)).filter(
      (leaf) => valueAt(config, leaf) !== undefined,
    );
    const fixed = known.map(dotted).find((leaf) => whyFixed(leaf) !== null);
    if (fixed === undefined) return [];
    const message = `\`${fixed}\` cannot change in a running world`;
    return [
      {
        kind: "wrong",
        path: [key],
        at: "key",
        message: `${message}: ${whyFixed(fixed)}`,
        hint: "docs/changing-a-run.md lists the settings that can",
      },
    ];
  });
