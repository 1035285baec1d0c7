import { decideDelete } from "../action/delete.ts";
import { type ActionDecision, writeEvent } from "../action/events.ts";
import { accessRefusal } from "../action/write.ts";
import type { Artifact } from "../artifact/artifact.ts";
import { find, findOwned } from "../artifact/tables.ts";
import { accept, answered, type Decision, refuse } from "../core/decision.ts";
import { asId, ID_RULE, type Id, parseId } from "../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { isAmountOrZero } from "../core/money.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import {
  countArtifacts,
  QUERY_LIMIT_MAX,
  queryAgents,
  queryArtifacts,
  queryPrincipals,
  recordOf,
  type SearchTables,
} from "../search/query.ts";
import {
  EXAMPLES_AT_MS,
  type Example,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  type NativeMethod,
  type NativeMethods,
  named,
  takes,
  textArg,
} from "./native.ts";

const SHOWN_ONE = {
  id: "my_tool",
  type: "program",
  owner: "alice",
  executable: true,
  price: 5,
  read_price: 0,
  description: "Doubles a number.",
  methods: ["run"],
  version: 1,
  created_at: EXAMPLES_AT_MS,
  calls: 1,
  calls_by_others: 1,
  failures: 0,
  revenue: 5,
  balance: null,
  family: "alice",
};
const SHOWN: Json = [SHOWN_ONE];
const SHOWN_CHEAP: Json = [
  {
    ...SHOWN_ONE,
    id: "carols_tool",
    owner: "carol",
    price: 1,
    description: "Halves a number.",
    calls: 0,
    calls_by_others: 0,
    revenue: 0,
    family: "carol",
  },
];
const SHOWN_AGENT: Json = {
  id: "carol",
  type: "agent",
  owner: "carol",
  executable: false,
  price: 0,
  read_price: 0,
  description: "",
  methods: [],
  version: 1,
  created_at: 1_000,
  calls: 0,
  calls_by_others: 0,
  failures: 0,
  revenue: 0,
  balance: 100,
  family: "carol",
};

const limit = { type: "integer", minimum: 1, maximum: QUERY_LIMIT_MAX };

/** Makes a read-only method that uses its arguments as the filter of a query. */
const lookup = (
  {
    example,
    more = [],
    ...about
  }: Pick<NativeMethod, "description" | "input_schema"> & {
    readonly example: readonly Json[];
    readonly more?: readonly Example[];
  },
  filter: (args: readonly Json[]) => JsonObject,
): NativeMethods[string] => ({
  ...about,
  examples: () => [{ args: example, result: SHOWN }, ...more],
  decide: (state, { args }) => queryArtifacts(state, filter(args)),
});

const ifGiven = (key: string, value: Json | undefined): JsonObject =>
  value === undefined || value === null ? {} : { [key]: value };

const found = (state: SearchTables, arg: Json | undefined): Decision<Artifact> => {
  const id = parseId(arg);
  return id === null ? refuse("invalid_argument", ID_RULE) : find(state, id);
};

const get = (state: SearchTables, { args }: NativeCall): ActionDecision =>
  answered(found(state, args[0]), (artifact) => recordOf(state, artifact));

const getInterface = (state: SearchTables, { args }: NativeCall): ActionDecision =>
  answered(found(state, args[0]), ({ id, methods, interface: declared }) => {
    return { id, methods, interface: declared };
  });

/**
 * Sets terms that only the owner can set, regardless of the access contract. Checks, in this order:
 * existence, ownership, amounts, the access lock, the access contract.
 */
const decideSetTerms = (
  state: SearchTables,
  by: Subject,
  id: Id,
  terms: { readonly price?: number; readonly read_price?: number; readonly access?: Id },
): ActionDecision => {
  const found = findOwned(state, by.actor, id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  for (const term of ["price", "read_price"] as const) {
    if (terms[term] === undefined || isAmountOrZero(terms[term])) continue;
    return refuse("invalid_argument", `${term} must be a whole number of scrip, 0 or more`);
  }
  if (terms.access !== undefined && artifact.accessLocked) {
    return refuse("not_authorized", `the access of ${artifact.id} is locked permanently`);
  }
  const unknown = terms.access === undefined ? null : accessRefusal(state, terms.access);
  if (unknown !== null) return unknown;
  const event = writeEvent(artifact, stamp(by), by.actor, terms);
  return accept([event], { artifact: artifact.id, ...terms });
};

const setPrice = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const [id, price, readPrice] = args;
  const terms = {
    ...(typeof price === "number" ? { price } : {}),
    ...(typeof readPrice === "number" ? { read_price: readPrice } : {}),
  };
  return decideSetTerms(state, by, asId(textArg(id)), terms);
};

const setAccess = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const access = parseId(args[1]);
  if (access === null) return refuse("invalid_argument", ID_RULE);
  return decideSetTerms(state, by, asId(textArg(args[0])), { access });
};

const count = (state: SearchTables, { args }: NativeCall): ActionDecision =>
  countArtifacts(state, isObject(args[0]) ? args[0] : {});

const artifactArg = { artifact: ID_SCHEMA };
const priceArg = { type: "integer", minimum: 0 };

export const STORE: NativeArtifact = {
  id: "genesis_store",
  description:
    "The catalogue of all artifacts. Find artifacts, see their prices and access, change your own.",
  methods: named({
    list: lookup(
      {
        description:
          "Artifacts, newest first; filter: owner, type, text, metadata; sort: newest, popular " +
          `or price; at most ${QUERY_LIMIT_MAX}.`,
        input_schema: takes({ filter: { type: "object" } }, []),
        example: [{ type: "program", sort: "popular", limit: 1 }],
        more: [
          { type: "program", sort: "price", limit: 1 },
          { type: "program", owner: "carol" },
          { metadata: { topic: "math" } },
          { text: "halves" },
        ].map((filter) => ({ args: [filter], result: SHOWN_CHEAP })),
      },
      (args) => (isObject(args[0]) ? args[0] : {}),
    ),
    get: {
      description: "The public facts of an artifact: price, access, use, revenue.",
      input_schema: takes(artifactArg),
      examples: () => [{ args: ["my_tool"], result: SHOWN_ONE }],
      decide: get,
    },
    search: lookup(
      {
        description: "Artifacts whose id, type or description contains all the words.",
        input_schema: takes({ words: { type: "string", maxLength: 200 }, limit }, ["words"]),
        example: ["a number", 1],
      },
      (args) => ({ text: args[0] ?? "", ...ifGiven("limit", args[1]) }),
    ),
    list_by_type: lookup(
      {
        description: "Artifacts of a type, newest first.",
        input_schema: takes({ type: { type: "string" }, limit }, ["type"]),
        example: ["program", 1],
      },
      (args) => ({ type: args[0] ?? "", ...ifGiven("limit", args[1]) }),
    ),
    list_by_owner: lookup(
      {
        description: "The artifacts of an owner, newest first.",
        input_schema: takes({ owner: ID_SCHEMA, limit }, ["owner"]),
        example: ["alice", 1],
      },
      (args) => ({ owner: args[0] ?? "", ...ifGiven("limit", args[1]) }),
    ),
    list_agents: {
      description: "All agents, newest first.",
      input_schema: takes({ limit }, []),
      examples: () => [{ args: [1], result: [SHOWN_AGENT] }],
      decide: (state, { args }) => queryAgents(state, ifGiven("limit", args[0])),
    },
    list_principals: {
      description: "All principals: those with an account.",
      input_schema: takes({ limit: { type: "integer", minimum: 1, maximum: 1000 } }, []),
      examples: () => [
        {
          args: [1],
          result: [{ id: "alice", scrip: 105, agent: true, family: "alice", state: "running" }],
        },
      ],
      decide: (state, { args }) => queryPrincipals(state, ifGiven("limit", args[0])),
    },
    count: {
      description:
        "The number of live artifacts. The filter may have owner, type, text and metadata.",
      input_schema: takes({ filter: { type: "object" } }, []),
      examples: () => [{ args: [{ owner: "alice" }], result: { count: 3 } }],
      decide: count,
    },
    get_interface: {
      description: "How to call an artifact: its methods, their arguments and examples.",
      input_schema: takes(artifactArg),
      examples: () => [
        {
          args: ["my_tool"],
          result: {
            id: "my_tool",
            methods: ["run"],
            interface: { description: "Doubles a number.", methods: [] },
          },
        },
      ],
      decide: getInterface,
    },
    delete: {
      description: "Deletes an artifact permanently and frees its bytes; the id cannot be reused.",
      input_schema: takes(artifactArg),
      examples: () => [{ args: ["my_tool"], result: { artifact: "my_tool", freed_bytes: 87 } }],
      writes: true,
      decide: (state, { args, ...call }) =>
        decideDelete(state, { ...call, artifact: asId(textArg(args[0])) }),
    },
    set_price: {
      description: "Sets the prices to call and to read your artifact.",
      input_schema: takes({ ...artifactArg, price: priceArg, read_price: priceArg }, [
        "artifact",
        "price",
      ]),
      examples: () => [
        { args: ["my_tool", 7], result: { artifact: "my_tool", price: 7 } },
        { args: ["my_tool", 6, 2], result: { artifact: "my_tool", price: 6, read_price: 2 } },
      ],
      writes: true,
      decide: setPrice,
    },
    set_access: {
      description: "Sets the access contract of your artifact.",
      input_schema: takes({ ...artifactArg, access: ID_SCHEMA }),
      examples: () => [
        {
          args: ["my_tool", "genesis_contract_private"],
          result: { artifact: "my_tool", access: "genesis_contract_private" },
        },
      ],
      writes: true,
      decide: setAccess,
    },
  }),
};
