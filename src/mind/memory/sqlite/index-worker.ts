import { mkdirSync, rmSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { Id } from "../../../kernel/index.ts";
import type { IndexedRecord, MemoryRecord, NearestQuery } from "../memory-store.ts";
import { type Call, errorLine, notify, serve } from "../worker-thread.ts";
import { isDamage } from "./block.ts";
import { IndexFile } from "./index-file.ts";
import { type IndexStart, indexPath, type Packed, packed } from "./index-protocol.ts";

type CachedVector = { readonly key: string; readonly vector: Float32Array };

/** The calls that the index thread answers. */
export type IndexCalls = {
  readonly missing: Call<readonly MemoryRecord[], readonly MemoryRecord[]>;
  readonly put: Call<readonly IndexedRecord[], void>;
  readonly nearest: Call<NearestQuery, Packed>;
  readonly cutBack: Call<ReadonlyMap<Id, number>, ReadonlyMap<string, number>>;
  readonly find: Call<readonly string[], readonly (Float32Array | null)[]>;
  readonly keep: Call<readonly CachedVector[], void>;
  readonly flush: Call<null, void>;
  readonly close: Call<null, void>;
};

const { folder, ...owner }: IndexStart = workerData;
const path = indexPath(folder);
let file: IndexFile | null = null;

const open = (): IndexFile => {
  if (file !== null) return file;
  mkdirSync(folder, { recursive: true });
  const opened = new IndexFile(path, owner);
  file = opened;
  if (opened.misfit === null) return opened;
  recreate(opened.misfit);
  return open();
};

const close = (): void => {
  file?.close();
  file = null;
};

/** The index can be lost: the journal has everything in it. */
const recreate = (reason: string): void => {
  close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  notify(
    `the memory index ${path} cannot be used (${reason}) and is created again; ` +
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

serve<IndexCalls>("in order", {
  missing: (records) => using((index) => index.missing(records)),
  put: (rows) => using((index) => index.put(rows)),
  nearest: (query) =>
    using((index) => {
      index.put(query.puts);
      return packed(index.nearest(query));
    }),
  cutBack: (counts) => using((index) => index.cutBack(counts)),
  find: (keys) => using((index) => index.findVectors(keys)),
  keep: (entries) => using((index) => index.keepVectors(entries)),
  flush: () => using((index) => index.flush()),
  close,
});
