import { join } from "node:path";
import type { MemoryIndex } from "../memory-index.ts";
import { besides, WorkerLink } from "../worker-link.ts";
import type { Mem0Calls } from "./mem0-worker.ts";
import type { QdrantPlace } from "./qdrant-place.ts";

/** What mem0 prints that a user must know, and cannot see otherwise. */
const WORTH_TELLING = /BM25|hybrid|wrong vector size/i;

/**
 * The index that mem0 keeps at a Qdrant server. mem0 runs in a thread of its own, because it reads
 * the environment when it is loaded: there it finds its telemetry switched off and no keys of
 * others, and writes what it calls its home below `folder`. What it prints stays in the thread.
 */
export const mem0Index = (
  place: QdrantPlace,
  folder: string,
  warn: (text: string) => void,
): MemoryIndex => {
  const told = new Set<string>();
  const link = new WorkerLink<Mem0Calls>({
    url: new URL(besides(import.meta.url, "./mem0-worker"), import.meta.url),
    name: "mem0",
    workerData: place,
    env: { MEM0_TELEMETRY: "false", MEM0_DIR: join(folder, "mem0") },
    onNote: warn,
    // What was put is at the server.
    onLost: () => {},
    onPrinted: (text) => {
      for (const line of text.split("\n")) {
        if (!WORTH_TELLING.test(line) || told.has(line)) continue;
        told.add(line);
        warn(`mem0: ${line.slice(0, 300)}`);
      }
    },
  });
  return {
    knowsItsOwn: false,
    missing: (records) => link.ask("missing", records),
    put: (rows) => link.ask("put", rows),
    nearest: async ({ puts, ...query }) => {
      if (puts.length > 0) await link.ask("put", puts);
      return link.ask("nearest", { ...query, puts: [] });
    },
    cutBack: async (counts) => {
      await link.ask("cutBack", counts);
      return new Map();
    },
    // Qdrant answers a write when it is in its log on disk.
    flush: async () => {},
    close: () => link.close(),
  };
};
