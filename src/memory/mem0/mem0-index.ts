import { join } from "node:path";
import { moduleUrl, WorkerClient } from "../../channel/index.ts";
import type { MemoryIndex, VectorCache } from "../port/memory-store.ts";
import type { QdrantPlace } from "../qdrant/qdrant-place.ts";
import { sqliteIndex } from "../sqlite/sqlite-index.ts";
import type { Mem0Calls } from "./mem0-worker.ts";

const WARNINGS = /BM25|hybrid|wrong vector size/i;

type Mem0Start = {
  readonly place: QdrantPlace;
  readonly folder: string;
  readonly embedder: string;
};

/**
 * Opens the index that mem0 keeps on a Qdrant server, and a local file that caches vectors. mem0
 * reads environment variables when it loads. So mem0 runs in a thread with other variables: they
 * contain no keys, turn telemetry off, and put mem0's home in `folder`.
 */
export const mem0Index = (
  { place, folder, embedder }: Mem0Start,
  warn: (text: string) => void,
): { readonly index: MemoryIndex; readonly cache: VectorCache } => {
  const local = sqliteIndex({ folder, run: null, embedder }, warn);
  const known = new Set<string>();
  const client = new WorkerClient<Mem0Calls>({
    url: moduleUrl(import.meta.url, "./mem0-worker"),
    name: "mem0",
    workerData: place,
    env: { MEM0_TELEMETRY: "false", MEM0_DIR: join(folder, "mem0") },
    onPrinted: (text) => {
      for (const line of text.split("\n")) {
        if (!WARNINGS.test(line) || known.has(line)) continue;
        known.add(line);
        warn(`mem0: ${line.slice(0, 300)}`);
      }
    },
  });
  const index: MemoryIndex = {
    skipsKnown: false,
    lanes: 1,
    missing: (records) => client.ask("missing", records),
    put: (rows) => client.ask("put", rows),
    nearest: async ({ puts, ...query }) => {
      if (puts.length > 0) await client.ask("put", puts);
      return client.ask("nearest", { ...query, puts: [] });
    },
    cutBack: (counts) => client.ask("cutBack", counts),
    counts: () => client.ask("counts"),
    // Does nothing: Qdrant confirms a write only after the write is in its log on disk.
    flush: async () => {},
    close: async () => {
      await Promise.all([client.close(), local.index.close()]);
    },
  };
  return { index, cache: local.cache };
};
