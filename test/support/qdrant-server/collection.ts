import { type Filter, type Payload, passes } from "./filter.ts";

export type Point = {
  readonly id: string;
  readonly vector: number[] | { readonly [name: string]: unknown };
  readonly payload: Payload;
};

export type Scored = { readonly id: string; readonly payload: Payload; readonly score: number };

/** One collection: points by id, searched by cosine, and by words where it has a keyword slot. */
export class Collection {
  readonly size: number;
  readonly sparse: object | null;
  readonly points = new Map<string, Point>();
  readonly indexes = new Set<string>();

  constructor(size: number, sparse: object | null) {
    this.size = size;
    this.sparse = sparse;
  }

  upsert(points: readonly Point[]): string | null {
    for (const point of points) {
      const { length } = denseOf(point);
      if (length !== this.size) return `expected dim: ${this.size}, got ${length}`;
    }
    for (const point of points) this.points.set(point.id, point);
    return null;
  }

  nearest(vector: readonly number[], limit: number, filter: Filter | null): readonly Scored[] {
    return this.#ranked(limit, filter, (point) => cosine(vector, denseOf(point)));
  }

  /** Stands in for BM25: how many of the query's words are in the text. */
  byWords(query: string, limit: number, filter: Filter | null): readonly Scored[] {
    const words = query.toLowerCase().split(/\W+/);
    const score = ({ payload }: Point): number => {
      const text = String(payload.data).toLowerCase();
      return words.filter((word) => word !== "" && text.includes(word)).length;
    };
    return this.#ranked(limit, filter, score).filter(({ score: points }) => points > 0);
  }

  matching(filter: Filter | null): readonly Point[] {
    return [...this.points.values()].filter(({ payload }) => passes(payload, filter));
  }

  #ranked(limit: number, filter: Filter | null, score: (point: Point) => number): Scored[] {
    return this.matching(filter)
      .map((point) => ({ id: point.id, payload: point.payload, score: score(point) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
}

/** The unnamed vector stands alone or under the empty name. */
const denseOf = ({ vector }: Point): readonly number[] => {
  const dense = Array.isArray(vector) ? vector : vector[""];
  return Array.isArray(dense) ? dense : [];
};

const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, each, i) => sum + each * (y[i] ?? 0), 0);
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
};
