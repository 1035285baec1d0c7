import { existsSync } from "node:fs";
import { asId } from "../../../kernel/index.ts";
import type { VectorShelf } from "../embedder/cached.ts";
import type { MemoryIndex } from "../memory-index.ts";
import { besides, WorkerLink } from "../worker-link.ts";
import { problemOf } from "../worker-serve.ts";
import { indexPath } from "./index-path.ts";
import type { IndexCalls, IndexStart } from "./index-worker.ts";
import { unpacked } from "./packed.ts";

/**
 * The index in `<folder>/memory.db`, worked on by a thread of its own. The same file is the shelf
 * of the embedder's vectors.
 */
export const embeddedIndex = (
  start: IndexStart,
  warn: (text: string) => void,
): { readonly index: MemoryIndex; readonly shelf: VectorShelf } => {
  let isLossTold = false;
  const link = new WorkerLink<IndexCalls>({
    url: new URL(besides(import.meta.url, "./index-worker"), import.meta.url),
    name: "memory",
    workerData: start,
    env: {},
    onNote: warn,
    onLost: (error) => {
      if (isLossTold) return;
      isLossTold = true;
      warn(
        `the memory thread has died (${problemOf(error)}) and is started again; memories that it ` +
          "had not written yet come back when the run is restored; this is not told again",
      );
    },
    onPrinted: () => {},
  });
  return {
    index: {
      knowsItsOwn: true,
      missing: (records) => link.ask("missing", records),
      put: (rows) => link.ask("put", rows),
      nearest: async (query) => unpacked(query.agent, await link.ask("nearest", query)),
      // Of a run that has remembered nothing there is nothing to forget, and no thread to start.
      cutBack: async (counts) => {
        if (!link.started && !existsSync(indexPath(start.folder))) return new Map();
        const held = await link.ask("cutBack", counts);
        return new Map([...held].map(([id, count]) => [asId(id), count]));
      },
      flush: async () => {
        if (link.started) await link.ask("flush", null);
      },
      close: async () => {
        if (link.started) await Promise.allSettled([link.ask("close", null)]);
        await link.close();
      },
    },
    shelf: {
      find: (keys) => link.ask("find", keys),
      keep: (entries) => link.ask("keep", entries),
    },
  };
};
