import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorLine, moduleUrl, WorkerClient } from "../../channel/index.ts";
import type { MemoryIndex, VectorCache } from "../port/memory-store.ts";
import type { IndexOwner } from "./index-file.ts";
import type { IndexCalls, IndexStart } from "./index-worker.ts";

export const indexPath = (folder: string): string => join(folder, "memory.db");

/** Opens the index in a worker thread. `<folder>/memory.db` holds the index and cached vectors. */
export const sqliteIndex = (
  { folder, ...owner }: IndexOwner & { readonly folder: string },
  warn: (text: string) => void,
): { readonly index: MemoryIndex; readonly cache: VectorCache } => {
  const path = indexPath(folder);
  const workerData: IndexStart = { path, ...owner };
  let isLossReported = false;
  const client = new WorkerClient<IndexCalls>({
    url: moduleUrl(import.meta.url, "./index-worker"),
    name: "memory",
    workerData,
    env: {},
    onNote: warn,
    onLost: (error) => {
      if (isLossReported) return;
      isLossReported = true;
      warn(
        `the memory thread died (${errorLine(error)}) and is started again; memories it had not ` +
          "written return when the run is restored; this warning is not repeated",
      );
    },
  });
  return {
    index: {
      skipsKnown: true,
      // One thread uses the file.
      lanes: 1,
      missing: (records) => client.ask("missing", records),
      put: (rows) => client.ask("put", rows),
      nearest: (query) => client.ask("nearest", query),
      // If the file does not exist, there is nothing to cut back and no need for the thread.
      cutBack: async (counts) =>
        client.started || existsSync(path) ? client.ask("cutBack", counts) : new Map(),
      counts: async () => (client.started || existsSync(path) ? client.ask("counts") : new Map()),
      flush: async () => {
        if (client.started) await client.ask("flush");
      },
      close: async () => {
        if (client.started) {
          await client.ask("close").catch(() => {
            // The thread has ended already, and has told so.
          });
        }
        await client.close();
      },
    },
    cache: {
      find: (keys) => client.ask("find", keys),
      keep: (entries) => client.ask("keep", entries),
    },
  };
};
