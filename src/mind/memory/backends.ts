import { z } from "zod";
import { must } from "../../kernel/index.ts";
import type { Environment, Model } from "../model/index.ts";
import type { Frozen } from "../settings.ts";
import { type AgentMemory, storeMemory } from "./agent-memory.ts";
import { artifactMemory } from "./artifact-memory.ts";
import { embedderNamed } from "./embedder/embedders.ts";
import { factExtraction, type Inference } from "./fact-extraction.ts";
import { IndexedStore } from "./indexed-store.ts";
import { checkQdrant, mem0Index, qdrantSettings, type ServerCheck } from "./mem0/mem0-index.ts";
import type { MemoryIndex, VectorCache } from "./memory-store.ts";
import { sqliteIndex } from "./sqlite/sqlite-index.ts";

export const memorySettings = z
  .strictObject({
    backend: z.enum(["index", "mem0", "artifact", "none"]),
    /** `offline`, `hashed`, or a provider's model as `provider/model`. */
    embedder: z
      .string()
      .regex(/^(offline|hashed|[^/\s]+\/\S+)$/, "must be offline, hashed or provider/model")
      .refine((name) => !name.startsWith("anthropic/"), "names a provider without embeddings"),
    infer: z.boolean(),
    timeout_s: z.number().min(0.01).max(600),
    artifact_bytes_max: z.int().min(200).max(1_000_000),
    qdrant: qdrantSettings,
  })
  .refine(({ backend, qdrant }) => backend !== "mem0" || qdrant.url !== null, {
    path: ["qdrant", "url"],
    message: "backend: mem0 needs the URL of a Qdrant server",
  });
export type MemorySettings = Frozen<z.infer<typeof memorySettings>>;

export type MemoryParts = {
  readonly settings: MemorySettings;
  readonly env: Environment;
  readonly folder: string;
  /** The id of the run. Several runs can share a server. */
  readonly run: string;
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
        sqliteIndex({ folder, run, embedder }, warn),
      );
    },
  },
  mem0: {
    embeds: true,
    open: (parts) => {
      const { settings, folder, run, env, warn } = parts;
      const { url, api_key_env, collection } = settings.qdrant;
      const apiKey = env[api_key_env] ?? null;
      const place = { url: must(url, "memorySettings requires a URL"), apiKey, collection, run };
      return indexMemory(parts, settings.timeout_s * 1_000, (embedder) =>
        mem0Index({ place, folder, embedder }, warn),
      );
    },
    check: ({ qdrant }, env) => checkQdrant(qdrant, env),
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

/** Returns the settings for a replay: `hashed` replaces an embedder of a provider. */
export const replaySettings = (settings: MemorySettings): MemorySettings =>
  embeddingModel(settings) === null ? settings : { ...settings, embedder: "hashed" };

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
