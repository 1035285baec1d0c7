import { workerData } from "node:worker_threads";
import type { Id } from "../../../kernel/index.ts";
import type { IndexedRecord, NearestQuery } from "../memory-index.ts";
import type { MemoryRecord, Recalled } from "../memory-store.ts";
import type { Call } from "../worker-link.ts";
import { serve } from "../worker-serve.ts";
import { openMem0 } from "./mem0-memory.ts";
import type { QdrantPlace } from "./qdrant-place.ts";
import { qdrantPoints } from "./qdrant-points.ts";

export type Mem0Calls = {
  readonly missing: Call<readonly MemoryRecord[], readonly MemoryRecord[]>;
  readonly put: Call<readonly IndexedRecord[], void>;
  readonly nearest: Call<NearestQuery, readonly Recalled[]>;
  readonly cutBack: Call<ReadonlyMap<Id, number>, void>;
};

const { fetch } = globalThis;
/** The client sends the server's key with each request, also to where a redirect would lead. */
globalThis.fetch = (address, init) => fetch(address, { ...init, redirect: "error" });

const place: QdrantPlace = workerData;
const points = qdrantPoints(place);
const memory = openMem0(place, points.client);

serve<Mem0Calls>("at once", {
  missing: points.missing,
  put: memory.put,
  nearest: memory.nearest,
  cutBack: points.cutBack,
});
