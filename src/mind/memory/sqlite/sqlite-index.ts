import { existsSync } from "node:fs";
import { asId } from "../../../kernel/index.ts";
import type { MemoryIndex, VectorCache } from "../memory-store.ts";
import { errorLine, moduleUrl, WorkerClient } from "../worker-thread.ts";
import { type IndexStart, indexPath, unpacked } from "./index-protocol.ts";
import type { IndexCalls } from "./index-worker.ts";

/**
 * The index in `<folder>/memory.db`, which also caches the embedder's vectors. A thread of its own
 * works on the file.
 */
export const sqliteIndex = (
  start: IndexStart,
  warn: (text: string) => void,
): { readonly index: MemoryIndex; readonly cache: VectorCache } => {
  let isLossTold = false;
  const client = new WorkerClient<IndexCalls>({
    url: moduleUrl(import.meta.url, "./index-worker"),
    name: "memory",
    workerData: start,
    env: {},
    onNote: warn,
    onLost: (error) => {
      if (isLossTold) return;
      isLossTold = true;
      warn(
        `the memory thread died (${errorLine(error)}) and is started again; memories it had not ` +
          "written return when the run is restored; this warning is not repeated",
      );
    },
  });
  return {
    index: {
      skipsKnown: true,
      missing: (records) => client.ask("missing", records),
      put: (rows) => client.ask("put", rows),
      nearest: async (query) => unpacked(query.agent, await client.ask("nearest", query)),
      // Without a file there is nothing to cut, and no thread to start.
      cutBack: async (counts) => {
        if (!client.started && !existsSync(indexPath(start.folder))) return new Map();
        const held = await client.ask("cutBack", counts);
        return new Map([...held].map(([id, count]) => [asId(id), count]));
      },
      flush: async () => {
        if (client.started) await client.ask("flush", null);
      },
      close: async () => {
        if (client.started) await Promise.allSettled([client.ask("close", null)]);
        await client.close();
      },
    },
    cache: {
      find: (keys) => client.ask("find", keys),
      keep: (entries) => client.ask("keep", entries),
    },
  };
};
