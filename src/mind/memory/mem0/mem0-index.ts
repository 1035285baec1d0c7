import { join } from "node:path";
import { z } from "zod";
import { addressProblem, type Environment } from "../../model/index.ts";
import type { Frozen } from "../../settings.ts";
import { moduleUrl, WorkerClient } from "../../worker-thread.ts";
import type { MemoryIndex, VectorCache } from "../memory-store.ts";
import { sqliteIndex } from "../sqlite/sqlite-index.ts";
import type { Mem0Calls } from "./mem0-worker.ts";
import type { QdrantPlace } from "./qdrant.ts";

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
    missing: (records) => client.ask("missing", records),
    put: (rows) => client.ask("put", rows),
    nearest: async ({ puts, ...query }) => {
      if (puts.length > 0) await client.ask("put", puts);
      return client.ask("nearest", { ...query, puts: [] });
    },
    cutBack: async (counts) => {
      await client.ask("cutBack", counts);
      return new Map();
    },
    // Does nothing: Qdrant confirms a write only after the write is in its log on disk.
    flush: async () => {},
    close: async () => {
      await Promise.all([client.close(), local.index.close()]);
    },
  };
  return { index, cache: local.cache };
};

export const qdrantSettings = z.strictObject({
  url: z
    .string()
    .superRefine((text, context) => {
      const problem = addressProblem(text);
      if (problem !== null) context.addIssue(problem);
    })
    .nullable(),
  api_key_env: z.string().min(1),
  collection: z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/),
});
type QdrantSettings = Frozen<z.infer<typeof qdrantSettings>>;

const ANSWER_MS_MAX = 5_000;

export type ServerCheck = { readonly ok: boolean; readonly detail: string };

export const checkQdrant = async (
  { url, api_key_env, collection }: QdrantSettings,
  env: Environment,
): Promise<ServerCheck> => {
  const address = withPort(url ?? "");
  const key = env[api_key_env] ?? null;
  const [asked] = await Promise.allSettled([
    fetch(`${address}/collections/${encodeURIComponent(collection)}`, {
      headers: key === null ? {} : { "api-key": key },
      // Follows no redirects, because their target must not receive the key.
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    }),
  ]);
  const where = new URL(address).origin;
  if (asked.status === "rejected") {
    const detail = `no server answers at ${where}; start it, or correct memory.qdrant.url`;
    return { ok: false, detail };
  }
  const { status } = asked.value;
  await asked.value.body?.cancel();
  if (status === 200)
    return { ok: true, detail: `${where} answers and has the collection ${collection}` };
  if (status === 404) {
    return { ok: true, detail: `${where} answers; the first memory creates ${collection}` };
  }
  const isKey = status === 401 || status === 403;
  const cause = isKey ? `: the key in ${api_key_env} is ${key === null ? "missing" : "wrong"}` : "";
  return { ok: false, detail: `${where} answers with ${status}${cause}` };
};

const QDRANT_PORT = 6333;

/** Adds Qdrant's default port to a URL without a port, as the Qdrant client does. */
const withPort = (url: string): string => {
  const bare = url.replace(/\/+$/, "");
  return /^https?:\/\/[^/]*:\d+/.test(bare)
    ? bare
    : bare.replace(/^(https?:\/\/[^/]+)/, `$1:${QDRANT_PORT}`);
};
