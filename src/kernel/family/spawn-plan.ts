import { nameRefusal } from "../agent/new-agent.ts";
import { accept, type Decision, refuse } from "../command.ts";
import type { QuotaName } from "../ledger/account.ts";
import { AMOUNT_RULE, isAmountOrZero } from "../primitives/amount.ts";
import { ID_RULE, type Id, parseId } from "../primitives/ids.ts";
import {
  canonical,
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
} from "../primitives/json.ts";
import { perResource, RESOURCES, type Resource } from "../setup/physics.ts";
import { physicsOf, type State } from "../state.ts";

export type SpawnPlan = {
  readonly id: Id;
  /** Configuration as JSON text, or null to copy the parent's configuration. */
  readonly config: string | null;
  readonly scrip: number;
  readonly micros: number;
  readonly quotas: { readonly [Q in QuotaName]: number };
  readonly ownsItself: boolean;
};

export const ENDOWMENT_NAMES = ["llm_budget_micros", "disk_bytes", ...RESOURCES] as const;
const FIELDS: readonly string[] = ["id", "config", "scrip", ...ENDOWMENT_NAMES, "quotas", "owner"];
const SHAPE =
  `a child has ${FIELDS.join(", ")}, as in {"id": "kid", "config": {"mind": "policy/worker"}, ` +
  '"scrip": 20, "disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}';

/**
 * Parses a request. Checks, in this order: the fields, the id, the amounts, the owner, the config.
 * The request has each window quota as a field or in the object `quotas`, not in both. Actions and
 * disk default to the required minimum. Other amounts default to 0.
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
    return refuse("invalid_argument", 'owner must be "self" or "parent"; the default is "parent"');
  }
  const config = configText(state, fields.config ?? null);
  if (config.kind !== "accepted") return config;
  const given = (name: string): number => sums.answer[name] ?? 0;
  return accept([], {
    id: id.answer,
    config: config.answer,
    scrip: given("scrip"),
    micros: given("llm_budget_micros"),
    quotas: { ...perResource(given), disk: given("disk_bytes") },
    ownsItself: owner === "self",
  });
};

type QuotasAsked = { readonly [R in Resource]?: Json };

const quotasIn = (fields: JsonObject): Decision<QuotasAsked> => {
  const nested = fields.quotas ?? {};
  if (!isObject(nested)) return refuse("invalid_argument", `quotas must be an object; ${SHAPE}`);
  const unknown =
    Object.keys(fields).find((key) => !FIELDS.includes(key)) ??
    Object.keys(nested).find((key) => !RESOURCES.some((name) => name === key));
  if (unknown !== undefined) return refuse("invalid_argument", `"${unknown}" is unknown; ${SHAPE}`);
  const twice = RESOURCES.find((name) => name in nested && name in fields);
  if (twice !== undefined) {
    return refuse("invalid_argument", `${twice} is in quotas and at the top level; keep one`);
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
      return refuse("invalid_argument", `${name} must be 0 or an amount: ${AMOUNT_RULE}`);
    }
    sums[name] = sum;
  }
  return accept([], sums);
};

const NAMES_MAX = 1_000;

const idOf = (state: State, parent: Id, given: Json): Decision<Id> => {
  if (given !== null) {
    const id = parseId(given);
    return id === null ? refuse("invalid_argument", `id: ${ID_RULE}`) : accept([], id);
  }
  for (let n = 1; n <= NAMES_MAX; n++) {
    const id = parseId(`${parent}_child_${n}`);
    if (id !== null && nameRefusal(state, id) === null) return accept([], id);
  }
  const message = `all default names for a child of ${parent} are taken; give an id`;
  return refuse("missing_argument", message);
};

const configText = (state: State, given: Json): Decision<string | null> => {
  if (given === null || typeof given === "string") return accept([], given);
  if (!isObject(given)) {
    return refuse("invalid_argument", "config must be an object, or its JSON text");
  }
  const problem = jsonProblem(given, physicsOf(state).artifacts.json_depth_max);
  return problem === null
    ? accept([], canonical(given))
    : refuse("invalid_argument", `config is not plain data: ${problem}`);
};
