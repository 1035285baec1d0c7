import { accept } from "../core/decision.ts";
import { asId } from "../core/ids.ts";
import { isObject, type Json } from "../core/json.ts";
import { EVENTS_LIMIT_MAX, invokersOf, queryEvents } from "../search/query.ts";
import { EXAMPLES_AT_MS, ID_SCHEMA, type NativeArtifact, named, takes } from "./native.ts";

const SHOWN: Json = {
  n: 50,
  at_ms: EXAMPLES_AT_MS,
  kind: "artifact_invoked",
  principal: "bob",
  target: "my_tool",
  method: "run",
  other: "bob",
  amount: 5,
  code: null,
};

export const EVENT_LOG: NativeArtifact = {
  id: "genesis_event_log",
  description: "Public events, and who called which artifact.",
  methods: named({
    read: {
      description: `Public events, oldest first: after a number, or the last ${EVENTS_LIMIT_MAX}.`,
      input_schema: takes(
        {
          filter: {
            type: "object",
            properties: {
              after: { type: "integer", minimum: 0 },
              limit: { type: "integer", minimum: 1, maximum: EVENTS_LIMIT_MAX },
              kind: { type: "string" },
              principal: ID_SCHEMA,
            },
            additionalProperties: false,
          },
        },
        [],
      ),
      examples: () => [
        { args: [{ kind: "artifact_invoked", limit: 1 }], result: { events: [SHOWN], last: 50 } },
        {
          args: [{ principal: "alice", kind: "artifact_invoked" }],
          result: { events: [], last: 50 },
        },
        { args: [{ after: 9_999 }], result: { events: [], last: 50 } },
      ],
      decide: (state, { args }) => queryEvents(state, isObject(args[0]) ? args[0] : {}),
    },
    get_invokers: {
      description:
        "The callers of an artifact other than its owner, with their calls and payments.",
      input_schema: takes({ artifact: ID_SCHEMA }),
      examples: () => [{ args: ["my_tool"], result: [{ principal: "bob", calls: 2, paid: 10 }] }],
      decide: (state, { args }) => accept([], invokersOf(state, asId(String(args[0])))),
    },
  }),
};
