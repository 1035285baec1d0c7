import { type Filter, fieldsIn, type Payload, passes } from "./filter.ts";
import type { Call, PointBody, QueryBody } from "./requests.ts";

export type Point = PointBody;

type Scored = { readonly id: string | number; readonly payload: Payload; readonly score: number };

/** A result, or the status and problem of a refused request. */
export type Answer =
  | { readonly status: 200; readonly result: unknown }
  | { readonly status: number; readonly problem: string };

export const ok = (result: unknown): Answer => ({ status: 200, result });
export const refused = (problem: string): Answer => ({ status: 400, problem });

export const UPDATED = { operation_id: 1, status: "completed" };
const UNNAMED = "";

type Creation = Extract<Call, { name: "PUT " }>["body"];

/**
 * One collection, as strict as a server in strict mode: each filter needs an index, and each vector
 * its name and length. Searches compare by cosine; a slot for keywords counts common words. Of
 * equally near points, any can be first: here, it is the one that was written first.
 */
export class Collection {
  readonly points = new Map<string | number, Point>();
  readonly indexes = new Map<string, unknown>();
  readonly #created: Creation;
  readonly #sizes: ReadonlyMap<string, number>;

  constructor(created: Creation) {
    const { vectors } = created;
    this.#created = created;
    this.#sizes =
      "distance" in vectors && typeof vectors.size === "number"
        ? new Map([[UNNAMED, vectors.size]])
        : new Map(Object.entries(vectors).map(([name, { size }]) => [name, size]));
  }

  answer(call: Call): Answer {
    switch (call.name) {
      case "GET ":
        return ok(this.#described());
      case "PUT ":
        return { status: 409, problem: "Wrong input: Collection already exists!" };
      case "PUT /index":
        this.indexes.set(call.body.field_name, call.body.field_schema);
        return ok(UPDATED);
      case "PUT /points":
        return this.#upsert(call.body.points);
      case "POST /points":
        return ok(call.body.ids.flatMap((id) => this.points.get(id) ?? []));
      case "POST /points/search": {
        const { vector, ...body } = call.body;
        return this.#found({ query: vector, ...body });
      }
      case "POST /points/query": {
        const found = this.#found(call.body);
        return "problem" in found ? found : ok({ points: found.result });
      }
      case "POST /points/query/batch": {
        const found = call.body.searches.map((each) => this.#found(each));
        const problem = found.find((each) => "problem" in each);
        return problem ?? ok(found.map((each) => ({ points: "result" in each && each.result })));
      }
      case "POST /points/delete":
        return this.#filtered(call.body.filter, (points) => {
          for (const { id } of points) this.points.delete(id);
          return UPDATED;
        });
      case "POST /facet":
        return this.#facet(call.body);
    }
  }

  #described(): object {
    const { vectors, sparse_vectors, hnsw_config } = this.#created;
    const payload_schema = Object.fromEntries(
      [...this.indexes.keys()].map((field) => [field, { data_type: "keyword", points: 0 }]),
    );
    const params = { vectors, ...(sparse_vectors === undefined ? {} : { sparse_vectors }) };
    return { status: "green", config: { params, hnsw_config }, payload_schema };
  }

  #upsert(points: readonly Point[]): Answer {
    for (const { vector } of points) {
      const named = Array.isArray(vector) ? { [UNNAMED]: vector } : vector;
      for (const [name, value] of Object.entries(named)) {
        const problem = Array.isArray(value) ? this.#misfit(name, value) : this.#noSlot(name);
        if (problem !== null) return refused(problem);
      }
    }
    for (const point of points) this.points.set(point.id, point);
    return ok(UPDATED);
  }

  #misfit(name: string, { length }: readonly number[]): string | null {
    const size = this.#sizes.get(name);
    if (size === undefined) return `Wrong input: Not existing vector name error: ${name}`;
    return length === size
      ? null
      : `Wrong input: Vector dimension error: expected dim: ${size}, got ${length}`;
  }

  #noSlot(name: string): string | null {
    const slots = this.#created.sparse_vectors ?? {};
    return name in slots ? null : `Wrong input: Not existing vector name error: ${name}`;
  }

  #found({ query, using = UNNAMED, filter = {}, limit }: QueryBody): Answer {
    const problem = Array.isArray(query) ? this.#misfit(using, query) : this.#noSlot(using);
    if (problem !== null) return refused(problem);
    return this.#filtered(filter, (points) => {
      const scored = points.map((point): Scored => {
        const { id, payload } = point;
        const score = Array.isArray(query)
          ? cosine(query, vectorOf(point, using))
          : commonWords(query.text, String(payload.data));
        return { id, payload, score };
      });
      const hits = Array.isArray(query) ? scored : scored.filter(({ score }) => score > 0);
      return hits.sort((a, b) => b.score - a.score).slice(0, limit);
    });
  }

  #facet({ key, filter, limit }: Extract<Call, { name: "POST /facet" }>["body"]): Answer {
    if (!this.indexes.has(key)) return refused(unindexed(key));
    return this.#filtered(filter, (points) => {
      const groups = Map.groupBy(points, ({ payload }) => payload[key]);
      const hits = [...groups].map(([value, { length }]) => ({ value, count: length }));
      return { hits: hits.slice(0, limit) };
    });
  }

  #filtered(filter: Filter, use: (points: readonly Point[]) => unknown): Answer {
    const missing = fieldsIn(filter).find((field) => !this.indexes.has(field));
    if (missing !== undefined) return refused(unindexed(missing));
    return ok(use([...this.points.values()].filter(({ payload }) => passes(payload, filter))));
  }
}

const unindexed = (field: string): string =>
  `Bad request: Index required but not found for "${field}"`;

const vectorOf = ({ vector }: Point, name: string): readonly number[] => {
  const found = Array.isArray(vector) ? vector : vector[name];
  return Array.isArray(found) ? found : [];
};

/** Stands in for BM25: how many of the query's words are in the text. */
const commonWords = (query: string, text: string): number => {
  const words = query.toLowerCase().split(/\W+/);
  return words.filter((word) => word !== "" && text.toLowerCase().includes(word)).length;
};

const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, each, i) => sum + each * (y[i] ?? 0), 0);
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
};
