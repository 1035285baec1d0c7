import { mkdirSync, rmSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { Id } from "../../../kernel/index.ts";
import type { IndexedRecord, NearestQuery } from "../memory-index.ts";
import type { MemoryRecord } from "../memory-store.ts";
import type { Call } from "../worker-link.ts";
import { problemOf, serve, tell } from "../worker-serve.ts";
import { isDamage } from "./damaged-index.ts";
import { type IndexFacts, IndexFile } from "./index-file.ts";
import { indexPath } from "./index-path.ts";
import { type Packed, packed } from "./packed.ts";

export type IndexStart = IndexFacts & { readonly folder: string };

type ShelfEntry = { readonly key: string; readonly vector: Float32Array };

export type IndexCalls = {
  readonly missing: Call<readonly MemoryRecord[], readonly MemoryRecord[]>;
  readonly put: Call<readonly IndexedRecord[], void>;
  readonly nearest: Call<NearestQuery, Packed>;
  readonly cutBack: Call<ReadonlyMap<Id, number>, ReadonlyMap<string, number>>;
  readonly find: Call<readonly string[], readonly (Float32Array | null)[]>;
  readonly keep: Call<readonly ShelfEntry[], void>;
  readonly flush: Call<null, void>;
  readonly close: Call<null, void>;
};

const { folder, ...facts }: IndexStart = workerData;
const path = indexPath(folder);
let file: IndexFile | null = null;

const open = (): IndexFile => {
  if (file !== null) return file;
  mkdirSync(folder, { recursive: true });
  const opened = new IndexFile(path, facts);
  file = opened;
  if (opened.misfit === null) return opened;
  startAnew(opened.misfit);
  return open();
};

const shut = (): void => {
  file?.close();
  file = null;
};

/** The index can be lost: the journal has all that is in it. */
const startAnew = (reason: string): void => {
  shut();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  tell(
    `the memory index ${path} cannot be used (${reason}) and is begun anew; ` +
      "what was remembered before comes back when the run is restored",
  );
};

const using = <Given>(ask: (file: IndexFile) => Given): Given => {
  try {
    return ask(open());
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    startAnew(problemOf(thrown));
    return ask(open());
  }
};

serve<IndexCalls>("in turn", {
  missing: (records) => using((index) => index.missing(records)),
  put: (rows) => using((index) => index.put(rows)),
  nearest: (query) =>
    using((index) => {
      index.put(query.puts);
      return packed(index.nearest(query));
    }),
  cutBack: (counts) => using((index) => index.cutBack(counts)),
  find: (keys) => using((index) => index.shelved(keys)),
  keep: (entries) => using((index) => index.shelve(entries)),
  flush: () => using((index) => index.flush()),
  close: shut,
});
