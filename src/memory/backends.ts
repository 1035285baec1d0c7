import { z } from "zod";
import { canEmbed, type Environment, type Frozen, type Model } from "../model/index.ts";
import { artifactMemory } from "./artifact-memory.ts";
import { embedderName, embedderNamed } from "./embedder/embedders.ts";
import { factExtraction, type Inference } from "./fact-extraction.ts";
import { IndexedStore } from "./indexed-store.ts";
import { mem0Index } from "./mem0/mem0-index.ts";
import { type AgentMemory, storeMemory } from "./port/agent-memory.ts";
import type { MemoryIndex, VectorCache } from "./port/memory-store.ts";
import { checkQdrant, type ServerCheck } from "./qdrant/check-qdrant.ts";
import { qdrantIndex } from "./qdrant/qdrant-index.ts";
import { placeOf, type QdrantPlace, qdrantSettings, shownAddress } from "./qdrant/qdrant-place.ts";
import { sqliteIndex } from "./sqlite/sqlite-index.ts";

const ON_SERVER: ReadonlySet<string> = new Set(["qdrant", "mem0"]);

export const memorySettings = z
  .strictObject({
    backend: z.enum(["index", "qdrant", "mem0", "artifact", "none"]),
    /** `offline`, `hashed`, or a provider's model as `provider/model`. */
    embedder: z
      .string()
      .regex(/^(offline|hashed|[^/\s]+\/\S+)$/, "must be offline, hashed or provider/model")
      .refine(canEmbed, "names a provider without embeddings"),
    infer: z.boolean(),
    timeout_s: z.number().min(0.01).max(600),
    artifact_bytes_max: z.int().min(200).max(1_000_000),
    qdrant: qdrantSettings,
  })
  .refine(({ backend, qdrant }) => !ON_SERVER.has(backend) || qdrant.url !== null, {
    path: ["qdrant", "url"],
    message: "the backends qdrant and mem0 need the URL of a Qdrant server",
  });
type MemorySettings = Frozen<z.infer<typeof memorySettings>>;

export type MemoryParts = {
  readonly settings: MemorySettings;
  readonly env: Environment;
  readonly folder: string;
  /** Names the run among all runs that share a server, even if others have the same id. */
  readonly run: { readonly id: string; readonly startedAt: Date };
  /** Extracts facts if `infer` is true, and embeds texts if `embedder` is `provider/model`. */
  readonly model: Model;
  readonly inference: Inference;
  readonly warn: (text: string) => void;
};

/** One way to store memories. `BACKENDS` lists all ways. */
type Backend = {
  readonly embeds: boolean;
  /** Returns null if agents remember nothing. Opens files and connections only on first use. */
  open(parts: MemoryParts): AgentMemory | null;
  /** Present if memories are on a server. */
  readonly check?: (settings: MemorySettings, env: Environment) => Promise<ServerCheck>;
};

const BACKENDS: { readonly [B in MemorySettings["backend"]]: Backend } = {
  index: {
    embeds: true,
    open: (parts) => {
      const { settings, folder, run, warn } = parts;
      // Local searches have no time limit, so that a repeated run gives the same results.
      const patienceMs = embeddingModel(settings) === null ? null : settings.timeout_s * 1_000;
      return indexMemory(parts, patienceMs, (embedder) =>
        sqliteIndex({ folder, run: run.id, embedder }, warn),
      );
    },
  },
  qdrant: {
    embeds: true,
    open: (parts) =>
      serverMemory(parts, (place, embedder) =>
        qdrantIndex({ place, folder: parts.folder, embedder }, parts.warn),
      ),
    check: ({ qdrant, embedder }, env) => checkQdrant(qdrant, env, embedderName(embedder)),
  },
  mem0: {
    embeds: true,
    open: (parts) =>
      serverMemory(parts, (place, embedder) =>
        mem0Index({ place, folder: parts.folder, embedder }, parts.warn),
      ),
    check: ({ qdrant }, env) => checkQdrant(qdrant, env, null),
  },
  artifact: { embeds: false, open: ({ settings }) => artifactMemory(settings.artifact_bytes_max) },
  none: { embeds: false, open: () => null },
};

export const openMemory = (parts: MemoryParts): AgentMemory | null =>
  BACKENDS[parts.settings.backend].open(parts);

export const checkMemoryServer = async (
  settings: MemorySettings,
  env: Environment,
): Promise<ServerCheck | null> => (await BACKENDS[settings.backend].check?.(settings, env)) ?? null;

export const embeddingModel = ({ backend, embedder }: MemorySettings): string | null =>
  BACKENDS[backend].embeds && embedder.includes("/") ? embedder : null;

export const memoryModels = (
  settings: MemorySettings,
  inferenceModel: string,
): readonly string[] => {
  const embedding = embeddingModel(settings);
  const infers = BACKENDS[settings.backend].embeds && settings.infer;
  return [...(infers ? [inferenceModel] : []), ...(embedding === null ? [] : [embedding])];
};

/** Says where on a server memories are. Null if they are not on a server. */
export const memoryServer = ({ backend, qdrant }: MemorySettings): string | null =>
  ON_SERVER.has(backend)
    ? `the collection ${qdrant.collection} at ${shownAddress(qdrant.url ?? "")}`
    : null;

/** Returns settings with a local index instead of a server. */
export const withoutServer = (settings: MemorySettings): MemorySettings =>
  ON_SERVER.has(settings.backend) ? { ...settings, backend: "index" } : settings;

/** Returns the settings for a replay, which needs no server: all that it uses is local. */
export const replaySettings = (settings: MemorySettings): MemorySettings => {
  const local = withoutServer(settings);
  return embeddingModel(local) === null ? local : { ...local, embedder: "hashed" };
};

const serverMemory = (
  parts: MemoryParts,
  open: (place: QdrantPlace, embedder: string) => ReturnType<typeof sqliteIndex>,
): AgentMemory => {
  const { settings, run, env } = parts;
  const key = `${run.id}@${run.startedAt.toISOString()}`;
  const place = placeOf(settings.qdrant, env, key);
  return indexMemory(parts, settings.timeout_s * 1_000, (embedder) => open(place, embedder));
};

const indexMemory = (
  { settings, model, inference, warn }: MemoryParts,
  patienceMs: number | null,
  open: (embedder: string) => { readonly index: MemoryIndex; readonly cache: VectorCache },
): AgentMemory => {
  const embedder = embedderNamed(settings.embedder, model);
  const extract = settings.infer ? factExtraction(model, inference, warn) : null;
  return storeMemory(
    new IndexedStore({ ...open(embedder.name), embedder, extract, patienceMs, warn }),
  );
};
