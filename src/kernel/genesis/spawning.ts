import { refuse } from "../decision.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { RESOURCES } from "../physics.ts";
import { decideSpawn } from "../spawn.ts";
import { GIFT_NAMES } from "../spawn-plan.ts";
import { ID_SCHEMA, type NativeMethod, takes } from "./native.ts";

const COUNT_SCHEMA: JsonObject = { type: "integer", minimum: 0 };

const counts = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, COUNT_SCHEMA]));

const OPTION_SCHEMAS: JsonObject = {
  ...counts(GIFT_NAMES),
  quotas: { type: "object", properties: counts(RESOURCES) },
  owner: { type: "string", enum: ["self", "parent"] },
};

/** Other keys are refused by the method itself, which can show what is right. */
const OPTIONS: JsonObject = { type: "object", properties: OPTION_SCHEMAS };

const SHAPE =
  `they are ${Object.keys(OPTION_SCHEMAS).join(", ")}, as in ["kid", {"mind": "policy/worker"}, ` +
  '{"disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}]; scrip is attached';

const optionsOf = ([_id, _config, options]: readonly Json[]): JsonObject =>
  isObject(options) ? options : {};

export const SPAWN_METHOD: NativeMethod = {
  name: "spawn_principal",
  description:
    "Makes an agent with a loop of its own, from your scrip (attached) and the budget, disk and " +
    "window quotas you name. Without a config it is a copy of you; without owner it is yours. " +
    "It acts only with cpu_gas, and thinks only with what its mind costs.",
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
      result: { id: "my_child", owner: "alice", memory_artifact_id: "my_child_memory", scrip: 25 },
    },
  ],
  writes: true,
  takesScrip: true,
  decide: (state, { by, args, scrip, fees, agent_check }) => {
    const options = optionsOf(args);
    const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTION_SCHEMAS, name));
    if (unknown !== undefined) {
      return refuse("interface_mismatch", `"${unknown}" is none of the options; ${SHAPE}`);
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
