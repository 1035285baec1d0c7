import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  checkMemoryServer,
  embeddingModel,
  type MemoryParts,
  type MemoryStore,
  memoryModels,
  memorySettings,
  openMemory,
  replaySettings,
} from "../../src/memory/index.ts";
import type { Model } from "../../src/model/port/model.ts";
import { writtenVectors } from "../../src/model/port/vectors.ts";
import { answer, scripted } from "../model/requests.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { failOnWarning, memoriesOf, recalled, startedQdrant, textsOf } from "./memories.ts";

const SHIPPED = {
  backend: "index",
  embedder: "hashed",
  infer: false,
  timeout_s: 10,
  artifact_bytes_max: 8_000,
  qdrant: { url: null, api_key_env: "QDRANT_API_KEY", collection: "catallaxy" },
};

const settingsWith = (changed: object = {}) => memorySettings.parse({ ...SHIPPED, ...changed });

const storeFor = (changed: object, parts: Partial<MemoryParts> = {}): MemoryStore | null => {
  const memory = openMemory({
    settings: settingsWith(changed),
    env: {},
    folder: temporaryFolder(),
    run: { id: "a-run", startedAt: new Date(0) },
    model: { ask: ({ model }) => expect.fail(`asked for ${model}`) },
    inference: { model: "test/model", reasoning: null },
    warn: failOnWarning,
    ...parts,
  });
  onTestFinished(() => memory?.store?.close());
  return memory?.store ?? null;
};

const TEXTS = ["sold grain", "bought an oracle"];
const QUERY = { artifact: "alice", query: "sold grain", limit: 1 };

const remembers = async (store: MemoryStore | null): Promise<void> => {
  store?.add(memoriesOf("alice", TEXTS));
  expect(store && textsOf(await recalled(store, QUERY))).toEqual(["sold grain"]);
};

describe("the memory that the settings name", () => {
  it.each(["artifact", "none"])("has no index with the backend %s", (backend) => {
    expect(storeFor({ backend })).toBeNull();
  });

  it("is a file in the run's folder, created at its first use", async () => {
    const folder = temporaryFolder();
    const store = storeFor({}, { folder });
    expect(existsSync(join(folder, "memory.db"))).toBe(false);
    await remembers(store);
    expect(existsSync(join(folder, "memory.db"))).toBe(true);
  });

  it("is on a server, with its key and collection", async () => {
    const server = await startedQdrant();
    const qdrant = { ...SHIPPED.qdrant, url: server.url, collection: "mine" };
    await remembers(storeFor({ backend: "mem0", qdrant }, { env: { QDRANT_API_KEY: "key" } }));
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
      return answer({ text, servedBy: embedder });
    };
    await remembers(storeFor({ embedder }, { model: { ask } }));
    expect(new Set(asked)).toEqual(new Set(TEXTS));
  });

  it("keeps facts if a model extracts them", async () => {
    const model = scripted(() => answer({ text: '{"facts":["Grain sells."]}' }));
    const store = storeFor({ infer: true }, { model });
    store?.add(memoriesOf("alice", TEXTS));
    expect(store && textsOf(await recalled(store, QUERY))).toEqual(["Grain sells."]);
  });
});

describe("the models that memory asks", () => {
  const ASKING = { embedder: "openai/small", infer: true };
  it.each([
    ["index", ["test/model", "openai/small"], "hashed"],
    ["artifact", [], "openai/small"],
    ["none", [], "openai/small"],
  ])("with the backend %s are %j, and a replay embeds by %s", (backend, models, replayed) => {
    const settings = settingsWith({ ...ASKING, backend });
    expect(memoryModels(settings, "test/model")).toEqual(models);
    expect(embeddingModel(settings)).toBe(models[1] ?? null);
    expect(replaySettings(settings).embedder).toBe(replayed);
  });

  it("are an empty list if all is local, and a replay changes nothing", async () => {
    expect(memoryModels(settingsWith(), "test/model")).toEqual([]);
    expect(replaySettings(settingsWith())).toEqual(settingsWith());
    expect(await checkMemoryServer(settingsWith(), {})).toBeNull();
  });
});

describe("the settings of memory", () => {
  const problemOf = (changed: object): string => {
    const read = memorySettings.safeParse({ ...SHIPPED, ...changed });
    return read.success ? "" : (read.error.issues[0]?.path.join(".") ?? "");
  };

  const at = (url: string) => ({ qdrant: { ...SHIPPED.qdrant, url } });
  it.each([
    ["qdrant.url", { backend: "mem0" }],
    ["qdrant.url", at("ftp://host")],
    ["", at("http://localhost:6333")],
    ["", { embedder: "offline" }],
    ["embedder", { embedder: "anthropic/some-model" }],
    ["", { embedder: "openai/text-embedding-3-small" }],
    ["embedder", { embedder: "sentences" }],
  ])("have the problem %j with %j", (problem, changed) => {
    expect(problemOf(changed)).toBe(problem);
  });
});
