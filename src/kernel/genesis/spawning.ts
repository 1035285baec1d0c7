import { isObject, type Json, type JsonObject } from "../json.ts";
import { RESOURCES } from "../physics.ts";
import { decideSpawn } from "../spawn.ts";
import { ID_SCHEMA, type NativeMethod, takes } from "./native.ts";

const COUNT_SCHEMA: JsonObject = { type: "integer", minimum: 0 };
const STOCKS = ["llm_budget_micros", "disk_bytes"] as const;

const OPTIONS: JsonObject = {
  type: "object",
  properties: {
    ...Object.fromEntries([...STOCKS, ...RESOURCES].map((name) => [name, COUNT_SCHEMA])),
    owner: { type: "string", enum: ["self", "parent"] },
  },
  additionalProperties: false,
};

/** The method's arguments as the fields of a child, in which window quotas lie together. */
const fieldsOf = ([id = null, config = null, options]: readonly Json[], scrip: number) => {
  const {
    owner = null,
    llm_budget_micros = 0,
    disk_bytes = null,
    ...quotas
  } = isObject(options) ? options : {};
  return { id, config, scrip, owner, llm_budget_micros, disk_bytes, quotas };
};

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
  decide: (state, { by, args, scrip, fees, agent_check }) =>
    decideSpawn(state, {
      by,
      fields: fieldsOf(args, scrip),
      fees,
      ...(agent_check === undefined ? {} : { agent_check }),
    }),
};
