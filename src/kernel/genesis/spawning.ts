import { refuse } from "../command.ts";
import { decideSpawn } from "../family/spawn.ts";
import { ENDOWMENT_NAMES } from "../family/spawn-plan.ts";
import { isObject, type Json, type JsonObject } from "../primitives/json.ts";
import { RESOURCES } from "../setup/physics.ts";
import { EXAMPLES_AT_MS, ID_SCHEMA, type NativeMethod, takes } from "./native.ts";

const COUNT_SCHEMA: JsonObject = { type: "integer", minimum: 0 };

const counts = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, COUNT_SCHEMA]));

const OPTION_SCHEMAS: JsonObject = {
  ...counts(ENDOWMENT_NAMES),
  quotas: { type: "object", properties: counts(RESOURCES) },
  owner: { type: "string", enum: ["self", "parent"] },
};

/** Allows all keys. The method itself refuses unknown keys and shows an example. */
const OPTIONS: JsonObject = { type: "object", properties: OPTION_SCHEMAS };

const SHAPE =
  `the options are ${Object.keys(OPTION_SCHEMAS).join(", ")}, as in ["kid", ` +
  '{"mind": "policy/worker"}, ' +
  '{"disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}]; attach the scrip';

const optionsOf = ([_id, _config, options]: readonly Json[]): JsonObject =>
  isObject(options) ? options : {};

const NOTHING = { llm_calls: 0, llm_tokens: 0, cpu_gas: 0, bytes_written: 0 };

export const SPAWN_METHOD: Omit<NativeMethod, "name"> = {
  description:
    "Creates an agent with its own loop. You give it the attached scrip and the budget, disk and " +
    "window quotas in options. By default its config is a copy of yours, and you own it. " +
    "It needs cpu_gas to act, and enough for the cost of its mind to think.",
  input_schema: takes(
    { id: ID_SCHEMA, config: { type: ["object", "string"] }, options: OPTIONS },
    [],
  ),
  examples: (physics) => {
    const { disk_bytes, actions } = physics.agents.spawn_minimum;
    const least = { actions, ...NOTHING, disk: disk_bytes };
    const disk = Math.max(20_000, disk_bytes);
    const more = { actions: Math.max(20, actions), llm_tokens: 8_000, cpu_gas: 100_000 };
    const writing = { llm_calls: 5, bytes_written: 4_000 };
    const budget = { llm_budget_micros: 100_000 };
    const options = { ...budget, ...more, ...writing, disk_bytes: disk };
    const gets = { scrip: 25, ...budget, quotas: { ...least, ...more, ...writing, disk } };
    const starts_at_ms = EXAMPLES_AT_MS + physics.agents.min_delay_ms;
    const child = (id: string, owner: string, means: JsonObject): Json => {
      return { id, owner, memory_artifact_id: `${id}_memory`, ...means, starts_at_ms };
    };
    const poor = { scrip: 0, llm_budget_micros: 0 };
    const freed = { quotas: { cpu_gas: 1_000 }, owner: "self" };
    const mind = { mind: "policy/explorer" };
    return [
      { args: ["my_child", mind, options], result: child("my_child", "alice", gets) },
      {
        args: ["my_heir", mind, freed],
        result: child("my_heir", "my_heir", { ...poor, quotas: { ...least, cpu_gas: 1_000 } }),
      },
      { args: [], result: child("bob_child_1", "bob", { ...poor, quotas: least }) },
    ];
  },
  writes: true,
  takesScrip: true,
  decide: (state, { by, args, scrip, fees, agent_check }) => {
    const options = optionsOf(args);
    const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTION_SCHEMAS, name));
    if (unknown !== undefined) {
      return refuse("interface_mismatch", `"${unknown}" is not an option; ${SHAPE}`);
    }
    const [id = null, config = null] = args;
    const fields = { ...options, id, config, scrip };
    return decideSpawn(state, {
      by,
      fields,
      fees,
      ...(agent_check === undefined ? {} : { agent_check }),
    });
  },
};
