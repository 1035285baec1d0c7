import { cutText } from "../../../kernel/index.ts";
import { type Model, parseModelId, readVectors, VECTORS } from "../../model/index.ts";
import type { Embedder } from "../memory-store.ts";
import { moduleUrl, WorkerClient } from "../worker-thread.ts";
import { hashedEmbedder } from "./hashed.ts";
import type { OfflineCalls } from "./offline-worker.ts";

/** The embedder that `memory.embedder` names. Starts and connects nothing before its first use. */
export const embedderNamed = (name: string, model: Model): Embedder => {
  if (name === "hashed") return hashedEmbedder();
  return name === "offline" ? offlineEmbedder() : providerEmbedder(name, model);
};

/** The cost grows with the text, and a memory begins with what matters. */
const OFFLINE_UNITS_MAX = 320;
/** Small, so that a single text does not wait long for texts of others. */
const REQUEST_TEXTS_MAX = 8;

/**
 * Sentence embeddings by the Universal Sentence Encoder, whose weights come in a package: no
 * network, no key. It runs in a thread of its own.
 */
export const offlineEmbedder = (): Embedder => {
  const client = new WorkerClient<OfflineCalls>({
    url: moduleUrl(import.meta.url, "./offline-worker"),
    name: "embedder",
    workerData: null,
    env: {},
  });
  return {
    name: "offline-use-lite-en-512-1",
    bySpelling: false,
    embed: async (texts) => {
      const cut = texts.map((text) => cutText(text, OFFLINE_UNITS_MAX));
      const requests: Promise<readonly Float32Array[]>[] = [];
      for (let i = 0; i < cut.length; i += REQUEST_TEXTS_MAX) {
        requests.push(client.ask("embed", cut.slice(i, i + REQUEST_TEXTS_MAX)));
      }
      return (await Promise.all(requests)).flat();
    },
    close: () => client.close(),
  };
};

const PROVIDER_UNITS_MAX = 4_000;

/**
 * Embeds by a provider's model; `name` is `provider/model`. The run pays: each call passes the
 * limits and the budget of all model calls, and its cost is recorded.
 */
export const providerEmbedder = (name: string, model: Model): Embedder => {
  const closing = new AbortController();
  const parsed = parseModelId(name);
  const served = parsed.ok ? parsed.id : name;
  return {
    name,
    bySpelling: false,
    embed: async (texts) => {
      // Providers refuse the empty text.
      const values = texts.map((text) => cutText(text, PROVIDER_UNITS_MAX).trim() || "(nothing)");
      const about = { model: name, purpose: "embed", agent: null, system: "", form: VECTORS };
      const prompt = JSON.stringify(values);
      const request = { ...about, prompt, temperature: null, maxTokens: 0 };
      const reply = await model.ask(request, closing.signal);
      if (!reply.ok) throw new Error(`${name}: ${reply.fault}: ${reply.message}`);
      if (reply.servedBy !== served) {
        throw new Error(`vectors of ${reply.servedBy} cannot replace those of ${name}`);
      }
      return readVectors(reply.text);
    },
    close: async () => closing.abort(),
  };
};
