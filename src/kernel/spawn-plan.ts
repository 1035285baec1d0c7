import type { QuotaName } from "./account.ts";
import { AMOUNT_RULE, isAmountOrZero } from "./amount.ts";
import { nameProblem } from "./birth.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import { ID_RULE, type Id, parseId } from "./ids.ts";
import { canonical, isObject, type Json, type JsonObject, jsonProblem } from "./json.ts";
import { RESOURCES, type Resource } from "./physics.ts";
import { physicsOf, type State } from "./state.ts";

/** A child as its parent wants it: what it is called, what it is given, and whose it is. */
export type SpawnPlan = {
  readonly id: Id;
  /** Its configuration as JSON text; null: a copy of its parent's. */
  readonly config: string | null;
  readonly scrip: number;
  readonly micros: number;
  readonly quotas: { readonly [Q in QuotaName]: number };
  readonly ownsItself: boolean;
};

/** What can be given to a child beside its name, its configuration and its scrip. */
export const GIFT_NAMES = ["llm_budget_micros", "disk_bytes", ...RESOURCES] as const;
const FIELDS: readonly string[] = ["id", "config", "scrip", ...GIFT_NAMES, "quotas", "owner"];
const SHAPE =
  `a child takes ${FIELDS.join(", ")}, as in {"id": "kid", "config": {"mind": "policy/worker"}, ` +
  '"scrip": 20, "disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}';

/**
 * Reads what a parent asks for: known fields → id → whole numbers → owner → config is plain data.
 * Window quotas stand beside the other fields or together in `quotas`, each of them once. What is
 * not named is nothing, but for the actions and the disk that no child can do without: of these it
 * is the least.
 */
export const planSpawn = (state: State, parent: Id, fields: JsonObject): Decision<SpawnPlan> => {
  const read = quotasIn(fields);
  if (read.kind !== "accepted") return read;
  const quotas = read.answer;
  const id = idOf(state, parent, fields.id ?? null);
  if (id.kind !== "accepted") return id;
  const { spawn_minimum: least } = physicsOf(state).agents;
  const sums = sumsOf({
    scrip: fields.scrip,
    llm_budget_micros: fields.llm_budget_micros,
    ...quotas,
    actions: quotas.actions ?? least.actions,
    disk_bytes: fields.disk_bytes ?? least.disk_bytes,
  });
  if (sums.kind !== "accepted") return sums;
  const owner = fields.owner ?? "parent";
  if (owner !== "parent" && owner !== "self") {
    return refuse("invalid_argument", 'owner is "self", or left out: a child is its parent\'s');
  }
  const config = configText(state, fields.config ?? null);
  if (config.kind !== "accepted") return config;
  const given = (name: Resource | "scrip" | "llm_budget_micros" | "disk_bytes"): number =>
    sums.answer[name] ?? 0;
  return accept([], {
    id: id.answer,
    config: config.answer,
    scrip: given("scrip"),
    micros: given("llm_budget_micros"),
    quotas: {
      actions: given("actions"),
      llm_calls: given("llm_calls"),
      llm_tokens: given("llm_tokens"),
      cpu_gas: given("cpu_gas"),
      bytes_written: given("bytes_written"),
      disk: given("disk_bytes"),
    },
    ownsItself: owner === "self",
  });
};

type QuotasAsked = { readonly [R in Resource]?: Json };

/** The window quotas that are asked for, wherever they stand. */
const quotasIn = (fields: JsonObject): Decision<QuotasAsked> => {
  const nested = fields.quotas ?? {};
  if (!isObject(nested)) return refuse("invalid_argument", `quotas is an object; ${SHAPE}`);
  const unknown =
    Object.keys(fields).find((key) => !FIELDS.includes(key)) ??
    Object.keys(nested).find((key) => !RESOURCES.some((name) => name === key));
  if (unknown !== undefined) return refuse("invalid_argument", `"${unknown}" is unknown; ${SHAPE}`);
  const twice = RESOURCES.find((name) => name in nested && name in fields);
  if (twice !== undefined) {
    return refuse("invalid_argument", `${twice} is given twice, beside quotas and in it; keep one`);
  }
  const asked = RESOURCES.flatMap((name) => {
    const value = nested[name] ?? fields[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return accept([], Object.fromEntries(asked));
};

type Sums = { readonly [name: string]: number };

const sumsOf = (given: { readonly [name: string]: Json | undefined }): Decision<Sums> => {
  const sums: Record<string, number> = {};
  for (const [name, value] of Object.entries(given)) {
    const sum = value ?? 0;
    if (!isAmountOrZero(sum)) {
      return refuse("invalid_argument", `${name} is no amount, nor 0: ${AMOUNT_RULE}`);
    }
    sums[name] = sum;
  }
  return accept([], sums);
};

/** How many names are tried for a child that was given none. */
const NAMES_MAX = 1_000;

const idOf = (state: State, parent: Id, given: Json): Decision<Id> => {
  if (given !== null) {
    const id = parseId(given);
    return id === null ? refuse("invalid_argument", `id: ${ID_RULE}`) : accept([], id);
  }
  for (let n = 1; n <= NAMES_MAX; n++) {
    const id = parseId(`${parent}_child_${n}`);
    if (id !== null && nameProblem(state, id) === null) return accept([], id);
  }
  return refuse(
    "missing_argument",
    `there is no name left for a child of ${parent}; give it an id`,
  );
};

const configText = (state: State, given: Json): Decision<string | null> => {
  if (given === null || typeof given === "string") return accept([], given);
  if (!isObject(given)) {
    return refuse("invalid_argument", "config is an object, or JSON text of one");
  }
  const problem = jsonProblem(given, physicsOf(state).artifacts.json_depth_max);
  return problem === null
    ? accept([], canonical(given))
    : refuse("invalid_argument", `config is not plain data: ${problem}`);
};
