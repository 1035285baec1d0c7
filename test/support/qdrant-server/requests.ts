import type { Schemas } from "@qdrant/js-client-rest";
import { z } from "zod";
import type { Filter } from "./filter.ts";

const id = z.union([z.uuid(), z.int().min(0)]);
const numbers = z.array(z.number()).min(1);
const scalar = z.union([z.string(), z.int(), z.boolean()]);
const bound = z.number().exactOptional();

const match = z.union([
  z.strictObject({ value: scalar }),
  z.strictObject({ any: z.array(z.string()) }),
]);
const range = z.strictObject({ gt: bound, gte: bound, lt: bound, lte: bound });

const filter: z.ZodType<Filter> = z.lazy(() =>
  z.strictObject({
    must: z.array(condition).exactOptional(),
    must_not: z.array(condition).exactOptional(),
    should: z.array(condition).exactOptional(),
  }),
);
const condition = z.union([
  z.strictObject({ key: z.string(), match }),
  z.strictObject({ key: z.string(), range }),
  filter,
]);

const vectorParams = z.strictObject({ size: z.int().min(1), distance: z.literal("Cosine") });

const createCollection = z.strictObject({
  vectors: z.union([vectorParams, z.record(z.string(), vectorParams)]),
  sparse_vectors: z
    .record(z.string(), z.strictObject({ modifier: z.literal("idf") }))
    .exactOptional(),
  hnsw_config: z.strictObject({ m: z.int().min(0) }).exactOptional(),
}) satisfies z.ZodType<Schemas["CreateCollection"]>;

const createIndex = z.strictObject({
  field_name: z.string().min(1),
  field_schema: z.union([
    z.enum(["keyword", "integer"]),
    z.strictObject({ type: z.literal("keyword"), is_tenant: z.boolean() }),
  ]),
}) satisfies z.ZodType<Schemas["CreateFieldIndex"]>;

const document = z.strictObject({ text: z.string(), model: z.string() });

const upsert = z.strictObject({
  points: z.array(
    z.strictObject({
      id,
      vector: z.union([numbers, z.record(z.string(), z.union([numbers, document]))]),
      payload: z.record(z.string(), z.unknown()),
    }),
  ),
}) satisfies z.ZodType<Schemas["PointsList"]>;

const shown = {
  with_payload: z.boolean().exactOptional(),
  with_vector: z.boolean().exactOptional(),
};

const getPoints = z.strictObject({ ids: z.array(id), ...shown }) satisfies z.ZodType<
  Schemas["PointRequest"]
>;

const deletePoints = z.strictObject({ filter }) satisfies z.ZodType<Schemas["FilterSelector"]>;

const found = {
  filter: filter.exactOptional(),
  limit: z.int().min(1),
  offset: z.int().min(0).exactOptional(),
  params: z.strictObject({ exact: z.boolean() }).exactOptional(),
  ...shown,
};

const search = z.strictObject({ vector: numbers, ...found }) satisfies z.ZodType<
  Schemas["SearchRequest"]
>;

const query = z.strictObject({
  query: z.union([numbers, document]),
  using: z.string().exactOptional(),
  ...found,
}) satisfies z.ZodType<Schemas["QueryRequest"]>;

const queryBatch = z.strictObject({ searches: z.array(query).min(1) }) satisfies z.ZodType<
  Schemas["QueryRequestBatch"]
>;

const facet = z.strictObject({
  key: z.string(),
  filter,
  limit: z.int().min(1),
  exact: z.boolean(),
}) satisfies z.ZodType<Schemas["FacetRequest"]>;

export type PointBody = z.infer<typeof upsert>["points"][number];
export type QueryBody = z.infer<typeof query>;

const none = z.undefined();

/** The calls that the server knows, with the form of their bodies. */
const CALLS = {
  "GET ": none,
  "PUT ": createCollection,
  "PUT /index": createIndex,
  "PUT /points": upsert,
  "POST /points": getPoints,
  "POST /points/delete": deletePoints,
  "POST /points/search": search,
  "POST /points/query": query,
  "POST /points/query/batch": queryBatch,
  "POST /facet": facet,
} as const;

type CallName = keyof typeof CALLS;

/** A call and its body. */
export type Call = {
  [Name in CallName]: { readonly name: Name; readonly body: z.infer<(typeof CALLS)[Name]> };
}[CallName];

const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name);

/** The call in a request to a collection, or the problem of its form. */
export const readCall = (name: string, body: unknown): Call | { readonly problem: string } => {
  if (!isCall(name)) return { problem: `no such call: ${name}` };
  if (!isWellFormed(body)) return { problem: "Format error in JSON body: lone surrogate" };
  const read = CALLS[name].safeParse(body);
  if (!read.success)
    return { problem: `Format error in JSON body: ${z.prettifyError(read.error)}` };
  return { name, body: read.data } as Call;
};

/** The parameters of an address, which must be known and have valid values. */
export const parameterProblem = (parameters: URLSearchParams): string | null => {
  const wrong = [...parameters].find(
    ([name, value]) => name !== "wait" || !["true", "false"].includes(value),
  );
  return wrong === undefined ? null : `unknown parameter ${wrong.join("=")}`;
};

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
};
