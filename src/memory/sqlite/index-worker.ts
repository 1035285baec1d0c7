import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { workerData } from "node:worker_threads";
import { errorLine, notify, serve } from "../../channel/index.ts";
import type { Id } from "../../kernel/index.ts";
import type {
  CachedVector,
  IndexedRecord,
  MemoryRecord,
  NearestQuery,
} from "../port/memory-store.ts";
import { isDamage } from "./block.ts";
import { IndexFile, type IndexOwner } from "./index-file.ts";

export type IndexStart = IndexOwner & { readonly path: string };

const { path, ...owner }: IndexStart = workerData;
let file: IndexFile | null = null;

const open = (): IndexFile => {
  if (file !== null) return file;
  mkdirSync(dirname(path), { recursive: true });
  file = new IndexFile(path, owner);
  if (file.misfit === null) return file;
  recreate(file.misfit);
  return open();
};

/** Counts without creating the index again, because reading must not delete anything. */
const counts = (): ReadonlyMap<Id, number> => {
  if (file === null) {
    const found = new IndexFile(path, owner);
    if (found.misfit === null) file = found;
    else found.close();
  }
  return file === null ? new Map() : file.counts();
};

const close = (): void => {
  file?.close();
  file = null;
};

/** Deletes the index. The next call creates a new index. The journal still has all memories. */
const recreate = (reason: string): void => {
  close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  notify(
    `the memory index ${path} cannot be used (${reason}), so a new one replaces it; ` +
      "earlier memories return when the run is restored",
  );
};

const using = <Given>(ask: (file: IndexFile) => Given): Given => {
  try {
    return ask(open());
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    recreate(errorLine(thrown));
    return ask(open());
  }
};

const answers = {
  missing: (records: readonly MemoryRecord[]) => using((index) => index.missing(records)),
  put: (rows: readonly IndexedRecord[]) => using((index) => index.put(rows)),
  nearest: (query: NearestQuery) =>
    using((index) => {
      index.put(query.puts);
      return index.nearest(query);
    }),
  cutBack: (counts: ReadonlyMap<Id, number>) => using((index) => index.cutBack(counts)),
  counts,
  find: (keys: readonly string[]) => using((index) => index.findVectors(keys)),
  keep: (entries: readonly CachedVector[]) => using((index) => index.keepVectors(entries)),
  flush: () => (file === null ? null : using((index) => index.flush())),
  close,
};
export type IndexCalls = typeof answers;

serve("in order", answers);
