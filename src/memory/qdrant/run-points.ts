import { asId, type Id } from "../../kernel/index.ts";
import type { MemoryRecord } from "../port/memory-store.ts";
import { inspectCollection } from "./collection.ts";
import { pointId } from "./qdrant-place.ts";
import { type AskQdrant, unlessAbsent } from "./qdrant-requests.ts";

const ARTIFACTS_PER_REQUEST = 100;
const FACETS_MAX = 100_000;

/** The points of one run in a collection, and the fields of the payload that name them. */
type PointsOfRun = {
  readonly collection: string;
  readonly run: string;
  readonly runField: readonly [name: string, value: string];
  readonly artifactField: string;
};

/** Returns the requests about the points of a run that do not depend on their vectors. */
export const runPoints = (
  { collection: collection_name, run, runField, artifactField }: PointsOfRun,
  ask: AskQdrant,
) => {
  const ofRun = { key: runField[0], match: { value: runField[1] } };
  const idOf = ({ artifact, number }: MemoryRecord): string => pointId(run, artifact, number);
  const deleteAll = (filter: object): Promise<unknown> =>
    unlessAbsent(
      ask((api, init) => api.deletePoints({ collection_name, wait: true, filter }, init)),
    );
  /** The number of points by artifact. Null if the server cannot count (before version 1.12). */
  const countsOrNull = async (): Promise<ReadonlyMap<Id, number> | null> => {
    const facet = { key: artifactField, filter: { must: [ofRun] }, limit: FACETS_MAX, exact: true };
    const asked = ask((api, init) => api.facet({ collection_name, ...facet }, init));
    const found = await unlessAbsent(asked);
    if (found === null) return null;
    return new Map(found.hits.map(({ value, count }) => [asId(String(value)), count]));
  };
  return {
    missing: async (records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]> => {
      const ids = records.map(idOf);
      const wanted = { collection_name, ids, with_payload: false, with_vector: false };
      const found = await unlessAbsent(ask((api, init) => api.getPoints(wanted, init)));
      const present = new Set(found?.map(({ id }) => String(id)));
      return records.filter((each) => !present.has(idOf(each)));
    },
    /** Deletes as in `MemoryIndex`. Resolves with the counts of artifacts without gaps. */
    cutBack: async (counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>> => {
      const named = { key: artifactField, match: { any: [...counts.keys()] } };
      await deleteAll({ must: [ofRun], ...(counts.size === 0 ? {} : { must_not: [named] }) });
      for (const part of chunks([...counts], ARTIFACTS_PER_REQUEST)) {
        const past = part.map(([artifact, count]) => ({
          must: [
            { key: artifactField, match: { value: artifact } },
            { key: "number", range: { gt: count } },
          ],
        }));
        await deleteAll({ must: [ofRun], should: past });
      }
      const held = (counts.size === 0 ? null : await countsOrNull()) ?? new Map<Id, number>();
      return new Map([...held].filter(([artifact, count]) => counts.get(artifact) === count));
    },
    counts: async (): Promise<ReadonlyMap<Id, number>> => {
      const counts = await countsOrNull();
      if (counts !== null) return counts;
      const info = await inspectCollection({ collection: collection_name }, ask);
      if (info === null) return new Map();
      throw new Error("this version of Qdrant cannot count points; version 1.12 and later can");
    },
  };
};

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}
