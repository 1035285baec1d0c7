import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  type MemoryParts,
  type MemoryStore,
  memorySettings,
  memoryStoreFor,
} from "../../../src/mind/memory/index.ts";
import { type Model, NO_TOKENS } from "../../../src/mind/model/model.ts";
import { writtenVectors } from "../../../src/mind/model/vectors.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";
import { memoriesOf, newFolder, recalled, textsOf } from "./memories.ts";

const SHIPPED = {
  backend: "mem0",
  vector_store: "embedded",
  embedder: "hashed",
  infer: false,
  timeout_s: 10,
  artifact_bytes_max: 8_000,
  qdrant: { url: null, api_key_env: "QDRANT_API_KEY", collection: "catallaxy" },
};

const storeFor = (changed: object, parts: Partial<MemoryParts> = {}): MemoryStore | null => {
  const store = memoryStoreFor({
    settings: memorySettings.parse({ ...SHIPPED, ...changed }),
    folder: newFolder(),
    run: "a run",
    qdrantApiKey: null,
    inference: null,
    embeddings: { ask: ({ model }) => expect.fail(`asked for ${model}`) },
    warn: (text) => expect.fail(text),
    ...parts,
  });
  onTestFinished(() => store?.close());
  return store;
};

const TEXTS = ["sold grain", "bought an oracle"];
const QUERY = { agent: "alice", query: "sold grain", limit: 1 };

const remembers = async (store: MemoryStore | null): Promise<void> => {
  store?.add(memoriesOf("alice", TEXTS));
  expect(store && textsOf(await recalled(store, QUERY))).toEqual(["sold grain"]);
};

describe("the memory that the settings ask for", () => {
  it.each(["artifact", "none"])("is no store with the backend %s", (backend) => {
    expect(storeFor({ backend })).toBeNull();
    expect(storeFor({ backend, vector_store: "qdrant" })).toBeNull();
  });

  it("is a file in the run's folder, made at its first use", async () => {
    const folder = newFolder();
    const store = storeFor({}, { folder });
    expect(existsSync(join(folder, "memory.db"))).toBe(false);
    await remembers(store);
    expect(existsSync(join(folder, "memory.db"))).toBe(true);
  });

  it("is a server's, with its key and collection", async () => {
    const server = await new QdrantServer().start();
    onTestFinished(() => server.stop());
    const qdrant = { ...SHIPPED.qdrant, url: server.url, collection: "mine" };
    await remembers(storeFor({ vector_store: "qdrant", qdrant }, { qdrantApiKey: "key" }));
    expect(server.points("mine")).toHaveLength(2);
    expect(server.seen.every(({ apiKey }) => apiKey === "key")).toBe(true);
  });

  it("embeds by the model that is named", async () => {
    const asked: string[] = [];
    const embedder = "openai/text-embedding-3-small";
    const ask: Model["ask"] = async ({ model, form, prompt }) => {
      expect([model, form?.name]).toEqual([embedder, "vectors"]);
      const texts = z.array(z.string()).parse(JSON.parse(prompt));
      asked.push(...texts);
      const text = writtenVectors(texts.map(({ length }) => [length, 1])) ?? "";
      return { ok: true, text, servedBy: embedder, usage: NO_TOKENS, latencyMs: 1 };
    };
    const store = storeFor({ embedder }, { embeddings: { ask } });
    await remembers(store);
    expect(new Set(asked)).toEqual(new Set(TEXTS));
  });

  it("lets a model take the facts out, and goes without where there is none", async () => {
    const ask = async () => ({
      ok: true as const,
      text: '{"facts":["Grain sells."]}',
      servedBy: "test/model",
      usage: NO_TOKENS,
      latencyMs: 1,
    });
    const store = storeFor({ infer: true }, { inference: { model: { ask }, name: "test/model" } });
    store?.add(memoriesOf("alice", TEXTS));
    expect(store && textsOf(await recalled(store, QUERY))).toEqual(["Grain sells."]);
    const warnings: string[] = [];
    await remembers(storeFor({ infer: true }, { warn: (text) => void warnings.push(text) }));
    expect(warnings).toHaveLength(1);
  });
});

describe("the settings of memory", () => {
  const problemOf = (changed: object): string => {
    const read = memorySettings.safeParse({ ...SHIPPED, ...changed });
    return read.success ? "" : (read.error.issues[0]?.path.join(".") ?? "");
  };

  it("want a URL for a server, if one is used", () => {
    expect(problemOf({ vector_store: "qdrant" })).toBe("qdrant.url");
    expect(problemOf({ vector_store: "qdrant", backend: "none" })).toBe("");
    expect(problemOf({ qdrant: { ...SHIPPED.qdrant, url: "ftp://host" } })).toBe("qdrant.url");
    expect(problemOf({ qdrant: { ...SHIPPED.qdrant, url: "http://localhost:6333" } })).toBe("");
  });

  it("want an embedder that there can be", () => {
    expect(problemOf({ embedder: "offline" })).toBe("");
    expect(problemOf({ embedder: "anthropic/some-model" })).toBe("embedder");
    expect(problemOf({ embedder: "openai/text-embedding-3-small" })).toBe("");
    expect(problemOf({ embedder: "sentences" })).toBe("embedder");
  });
});
