import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  CachedEmbedder,
  offlineEmbedder,
  providerEmbedder,
} from "../../../src/memory/embedder/embedders.ts";
import { hashedEmbedder } from "../../../src/memory/embedder/hashed.ts";
import type { Embedder, VectorCache } from "../../../src/memory/port/memory-store.ts";
import { dot } from "../../../src/memory/port/vector.ts";
import { writtenVectors } from "../../../src/model/port/vectors.ts";
import { answer } from "../../model/requests.ts";
import { sdkAt, served } from "../../model/sdk-bench.ts";
import { faults } from "../../support/model-server/faults.ts";
import type { Script } from "../../support/model-server/model-server.ts";

const TEXTS = [
  "Agent alice performed write_artifact: a price oracle for grain and other goods of the market",
  "Agent bob performed noop: rested",
  "paid five scrip",
  "",
  "The loan of 40 scrip was due at 300 s and could not be charged, so the collateral went away.",
  "日本語",
  "x".repeat(5_000),
];

const vectorOf = async (embedder: Embedder, text: string): Promise<Float32Array> => {
  const [vector] = await embedder.embed([text]);
  return vector ?? expect.fail("no vector");
};

const offline = offlineEmbedder();
afterAll(() => offline.close());

describe.each([
  ["hashed", hashedEmbedder()],
  ["offline", offline],
])("the %s embedder", (_, embedder) => {
  it("gives a text exactly the same vector, alone and with other texts", async () => {
    const alone: Float32Array[] = [];
    for (const text of TEXTS) alone.push(await vectorOf(embedder, text));
    expect(await embedder.embed(TEXTS)).toEqual(alone);
    const backwards = await embedder.embed([...TEXTS, "another text between", ...TEXTS].reverse());
    expect(backwards.slice(0, TEXTS.length).reverse()).toEqual(alone);
    expect(backwards.slice(-TEXTS.length).reverse()).toEqual(alone);
  });

  it("gives vectors of length 1 and of equal dimension", async () => {
    for (const vector of await embedder.embed(TEXTS)) {
      expect(vector).toHaveLength(512);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("gives no vectors for no texts", async () => {
    expect(await embedder.embed([])).toEqual([]);
  });
});

it("the hashed embedder finds the same words in another order, and parts of words", async () => {
  const similarity = async (a: string, b: string): Promise<number> =>
    dot(await vectorOf(hashedEmbedder(), a), await vectorOf(hashedEmbedder(), b));
  const same = await similarity("sold the grain oracle", "the oracle of grain was sold");
  const similar = await similarity("sold the grain oracle", "selling oracles");
  const other = await similarity("sold the grain oracle", "auction window closed");
  expect(same).toBeGreaterThan(0.6);
  expect(similar).toBeGreaterThan(other + 0.1);
  expect(Math.abs(other)).toBeLessThan(0.2);
});

it("the offline embedder rejects once it is closed", async () => {
  const closed = offlineEmbedder();
  await closed.close();
  await expect(closed.embed(["late"])).rejects.toThrow("closed");
});

describe("a provider's embedder", () => {
  const at = async (script: Script) => {
    const server = await served(script);
    const model = sdkAt({ provider: "openai-compatible", server });
    return { server, embedder: providerEmbedder("openai-compatible/tiny", model) };
  };

  it("requests all texts at once, without blank ones", async () => {
    const vectors = [4, 9].map((x) => [x, x / 8]);
    const { server, embedder } = await at(() => ({ vectors }));
    const embedded = await embedder.embed(["four", " "]);
    expect(embedded).toEqual(vectors.map((row) => Float32Array.from(row)));
    expect(server.calls).toMatchObject([{ texts: ["four", "(nothing)"], model: "tiny" }]);
  });

  it.each([
    ["refuses", faults.serverError(), "openai-compatible/tiny: provider_error: HTTP 500"],
    ["sends too few vectors", { vectors: [[1]] }, "bad_reply"],
    ["sends vectors of different lengths", { vectors: [[1], [1, 2]] }, "bad_reply"],
    ["sends too large numbers", { vectors: [[1e300], [1]] }, "bad_reply"],
    ["sends empty vectors", { vectors: [[], []] }, "bad_reply"],
  ])("rejects when the provider %s", async (_what, answer, problem) => {
    const { embedder } = await at(({ n }) => {
      const isShort = "vectors" in answer && answer.vectors.length === 1;
      return isShort ? { raw: JSON.stringify({ data: [{ embedding: [n] }] }) } : answer;
    });
    await expect(embedder.embed(["a", "b"])).rejects.toThrow(problem);
  });

  it("cancels requests when it is closed", async () => {
    const { server, embedder } = await at(() => faults.hang());
    const request = embedder.embed(["a"]);
    await server.arrived(1);
    await embedder.close();
    await expect(request).rejects.toThrow("cancelled");
  });

  it("rejects vectors of another model", async () => {
    const text = writtenVectors([[1, 2]]) ?? "";
    const ask = async () => answer({ text, servedBy: "openai/other" });
    const embedded = providerEmbedder("openai-compatible/tiny", { ask }).embed(["a"]);
    const problem = "vectors of openai/other cannot replace those of openai-compatible/tiny";
    await expect(embedded).rejects.toThrow(problem);
  });
});

describe("a cached embedder", () => {
  const kept = new Map<string, Float32Array>();
  const working: VectorCache = {
    find: async (keys) => keys.map((key) => kept.get(key) ?? null),
    keep: async (entries) => {
      for (const { key, vector } of entries) kept.set(key, vector);
    },
  };
  const full = async () => expect.fail("the disk is full");
  beforeEach(() => kept.clear());

  const bench = (cache = working, textsMax = 100) => {
    const asked: string[] = [];
    const inner: Embedder = {
      name: "lengths",
      bySpelling: false,
      embed: async (texts) => {
        asked.push(...texts);
        if (texts.includes("fail once") && asked.length === 1) throw new Error("not now");
        return texts.map((text) => Float32Array.of(text.length));
      },
      close: async () => {},
    };
    return { embedder: new CachedEmbedder(inner, cache, textsMax), asked };
  };

  it("embeds a text once, also within a call and during another call", async () => {
    const { embedder, asked } = bench();
    const both = [embedder.embed(["one", "three", "one"]), embedder.embed(["three"])];
    const [three, five] = [Float32Array.of(3), Float32Array.of(5)];
    expect(await Promise.all(both)).toEqual([[three, five, three], [five]]);
    await embedder.embed(["one", "seven"]);
    expect(asked).toEqual(["one", "three", "seven"]);
  });

  it("finds evicted vectors in the cache", async () => {
    const { embedder, asked } = bench(working, 2);
    const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    const vectors = texts.map((text) => Float32Array.of(text.length));
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(asked).toEqual(texts);
  });

  it("works if the cache fails", async () => {
    const { embedder, asked } = bench({ find: full, keep: full });
    expect(await embedder.embed(["one"])).toEqual([Float32Array.of(3)]);
    expect(await embedder.embed(["one"])).toEqual([Float32Array.of(3)]);
    expect(asked).toEqual(["one"]);
  });

  it("retries texts that failed", async () => {
    const { embedder } = bench();
    await expect(embedder.embed(["fail once"])).rejects.toThrow("not now");
    expect(await embedder.embed(["fail once"])).toEqual([Float32Array.of(9)]);
  });
});
