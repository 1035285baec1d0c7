import { QdrantClient } from "@qdrant/js-client-rest";
import type { Id } from "../../../kernel/index.ts";
import type { MemoryRecord } from "../memory-store.ts";
import { pointId, type QdrantPlace, runKey } from "./qdrant-place.ts";

const REQUEST_MS_MAX = 10_000;
const IDS_PER_REQUEST = 256;
const AGENTS_PER_REQUEST = 100;

type QdrantPoints = {
  readonly client: QdrantClient;
  missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]>;
  cutBack(counts: ReadonlyMap<Id, number>): Promise<void>;
};

/** What is asked of Qdrant past mem0, which knows neither of these questions. */
export const qdrantPoints = (place: QdrantPlace): QdrantPoints => {
  const { collection, run } = place;
  const client = connect(place);
  const ofRun = { key: "run_id", match: { value: runKey(run) } };
  const ofAgent = (agent: Id) => ({ key: "user_id", match: { value: agent } });

  const held = async (records: readonly MemoryRecord[]): Promise<ReadonlySet<string>> => {
    const ids = records.map(({ agent, number }) => pointId(run, agent, number));
    const asked = client.retrieve(collection, { ids, with_payload: false, with_vector: false });
    const present = await unlessAbsent(asked);
    return new Set(present?.map(({ id }) => String(id)));
  };

  return {
    client,
    missing: async (records) => {
      const missing: MemoryRecord[] = [];
      for (const part of parts(records, IDS_PER_REQUEST)) {
        const ids = await held(part);
        missing.push(...part.filter((each) => !ids.has(pointId(run, each.agent, each.number))));
      }
      return missing;
    },
    cutBack: async (counts) => {
      const named = [...counts.keys()].map(ofAgent);
      const others = { must: [ofRun], must_not: named };
      await unlessAbsent(client.delete(collection, { wait: true, filter: others }));
      for (const part of parts([...counts], AGENTS_PER_REQUEST)) {
        const past = part.map(([agent, count]) => ({
          must: [ofAgent(agent), { key: "number", range: { gt: count } }],
        }));
        const filter = { must: [ofRun], should: past };
        await unlessAbsent(client.delete(collection, { wait: true, filter }));
      }
    },
  };
};

/** The client takes a path of the URL by another name, and would drop it silently. */
const connect = ({ url, apiKey }: QdrantPlace): QdrantClient => {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, "");
  return new QdrantClient({
    url: origin,
    ...(prefix === "" ? {} : { prefix }),
    ...(apiKey === null ? {} : { apiKey }),
    timeout: REQUEST_MS_MAX,
    // It would ask the server's version at once, and print.
    checkCompatibility: false,
  });
};

/** Null where the collection does not exist: the first memory makes it. */
const unlessAbsent = async <Given>(asked: Promise<Given>): Promise<Given | null> => {
  const [outcome] = await Promise.allSettled([asked]);
  if (outcome.status === "fulfilled") return outcome.value;
  const reason: unknown = outcome.reason;
  if (reason instanceof Error && "status" in reason && reason.status === 404) return null;
  throw reason;
};

function* parts<Item>(items: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += most) yield items.slice(i, i + most);
}
