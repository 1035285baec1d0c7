import { refuse } from "../command.ts";
import { decideSpawn } from "../family/spawn.ts";
import { ENDOWMENT_NAMES } from "../family/spawn-plan.ts";
import { isObject, type Json, type JsonObject } from "../primitives/json.ts";
import { RESOURCES } from "../setup/physics.ts";
import { ID_SCHEMA, type NativeMethod, takes } from "./native.ts";

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

export const SPAWN_METHOD: Omit<NativeMethod, "name"> = {
  description:
    "Creates an agent with its own loop. You give it the attached scrip and the budget, disk and " +
    "window quotas in options. By default its config is a copy of yours, and you own it. " +
    "It needs cpu_gas to act, and enough for the cost of its mind to think.",
  input_schema: takes(
    { id: ID_SCHEMA, config: { type: ["object", "string"] }, options: OPTIONS },
    [],
  ),
  examples: [
    {
      args: [
        "my_child",
        { mind: "policy/explorer" },
        {
          llm_budget_micros: 100000,
          llm_tokens: 8000,
          disk_bytes: 20000,
          actions: 20,
          cpu_gas: 100000,
        },
      ],
      result: {
        id: "my_child",
        owner: "alice",
        memory_artifact_id: "my_child_memory",
        scrip: 25,
        llm_budget_micros: 100000,
        quotas: {
          actions: 20,
          llm_calls: 0,
          llm_tokens: 8000,
          cpu_gas: 100000,
          bytes_written: 0,
          disk: 20000,
        },
        starts_at_ms: 100100,
      },
    },
  ],
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
