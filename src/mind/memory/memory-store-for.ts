import { z } from "zod";
import { addressProblem } from "../address.ts";
import type { Frozen } from "../frozen.ts";
import type { Model } from "../model/index.ts";
import { type Distil, distilBy } from "./distil.ts";
import { embeddedStore } from "./embedded-store.ts";
import { hashedEmbedder } from "./embedder/hashed.ts";
import { offlineEmbedder } from "./embedder/offline.ts";
import { providerEmbedder } from "./embedder/provider.ts";
import { mem0Store } from "./mem0-store.ts";
import type { Embedder, MemoryStore } from "./memory-store.ts";

export const MEMORY_BACKENDS = ["mem0", "artifact", "none"] as const;

/** The part `memory` of the configuration. */
export const memorySettings = z
  .strictObject({
    backend: z.enum(MEMORY_BACKENDS),
    vector_store: z.enum(["embedded", "qdrant"]),
    /** `offline`, `hashed`, or a provider's model as `provider/model`. */
    embedder: z
      .string()
      .regex(/^(offline|hashed|[^/\s]+\/\S+)$/, "must be offline, hashed or provider/model")
      .refine((name) => !name.startsWith("anthropic/"), "names a provider that embeds no texts"),
    /** Lets a language model reduce each record to facts: one call for each action. */
    infer: z.boolean(),
    /** How long an agent waits for its memories, where they come from a server. */
    timeout_s: z.number().min(0.01).max(600),
    /** Of a memory artifact; the oldest records make room. */
    artifact_bytes_max: z.int().min(200).max(1_000_000),
    qdrant: z.strictObject({
      url: z
        .string()
        .superRefine((text, context) => {
          const wrong = addressProblem(text);
          if (wrong !== null) context.addIssue(wrong);
        })
        .nullable(),
      api_key_env: z.string().min(1),
      collection: z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/),
    }),
  })
  .refine((memory) => !usesQdrant(memory) || memory.qdrant.url !== null, {
    path: ["qdrant", "url"],
    message: "vector_store: qdrant needs the URL of a server",
  });
export type MemorySettings = Frozen<z.infer<typeof memorySettings>>;

const usesQdrant = (memory: { readonly backend: string; readonly vector_store: string }): boolean =>
  memory.backend === "mem0" && memory.vector_store === "qdrant";

export type MemoryParts = {
  readonly settings: MemorySettings;
  /** The run's own folder. */
  readonly folder: string;
  /** Names the run for ever, also where others keep their memories in the same place. */
  readonly run: string;
  /** What the variable `qdrant.api_key_env` holds; null where it is not set. */
  readonly qdrantApiKey: string | null;
  /** The model that reduces records to facts; needed where `infer` is set. */
  readonly inference: { readonly model: Model; readonly name: string } | null;
  /** What is asked for vectors by an embedder `provider/model`, and never otherwise. */
  readonly embeddings: Model;
  /** Hears of trouble, one line each. */
  readonly warn: (text: string) => void;
};

/**
 * The store that the settings ask for; null where agents keep their memories in artifacts or
 * remember nothing. Nothing is opened, started or connected to before its first use.
 */
export const memoryStoreFor = (parts: MemoryParts): MemoryStore | null => {
  const { settings, folder, run, qdrantApiKey, warn } = parts;
  if (settings.backend !== "mem0") return null;
  const over = new AbortController();
  const embedder = embedderFor(parts, over);
  const caches = settings.embedder !== "hashed";
  const distil = distilFor(parts, over.signal);
  const common = { folder, embedder, caches, distil, warn, patienceMs: patienceOf(settings) };
  const { url, collection } = settings.qdrant;
  if (!usesQdrant(settings) || url === null) return embeddedStore({ ...common, run });
  return mem0Store({ ...common, place: { url, apiKey: qdrantApiKey, collection, run } });
};

/** What works on this machine always answers, and is waited for: else no run would be repeated. */
const patienceOf = (settings: MemorySettings): number | null =>
  settings.embedder.includes("/") || usesQdrant(settings) ? settings.timeout_s * 1_000 : null;

/** The embedder is closed with the store: then what is still asked for is given up. */
const embedderFor = ({ settings, embeddings }: MemoryParts, over: AbortController): Embedder => {
  const { embedder: name } = settings;
  const embedder =
    name === "hashed"
      ? hashedEmbedder()
      : name === "offline"
        ? offlineEmbedder()
        : providerEmbedder(name, embeddings);
  const close = (): Promise<void> => {
    over.abort();
    return embedder.close();
  };
  return { ...embedder, close };
};

const distilFor = (
  { settings, inference, warn }: MemoryParts,
  over: AbortSignal,
): Distil | null => {
  if (!settings.infer) return null;
  if (inference === null) warn("memory.infer has no model to ask; memories are kept as they are");
  return inference === null ? null : distilBy({ ...inference, warn, over });
};
