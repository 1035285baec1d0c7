import { MockEmbeddingModelV4 } from "ai/test";
import { afterAll, describe, expect, it } from "vitest";
import { CachedEmbedder, type VectorShelf } from "../../../../src/mind/memory/embedder/cached.ts";
import { dot, hashedEmbedder } from "../../../../src/mind/memory/embedder/hashed.ts";
import { offlineEmbedder } from "../../../../src/mind/memory/embedder/offline.ts";
import { providerEmbedder } from "../../../../src/mind/memory/embedder/provider.ts";
import type { Embedder } from "../../../../src/mind/memory/memory-store.ts";

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
  return vector ?? expect.fail("no vector came");
};

const offline = offlineEmbedder();
afterAll(() => offline.close());

describe.each([
  ["hashed", hashedEmbedder()],
  ["offline", offline],
])("the %s embedder", (_, embedder) => {
  it("gives a text the same vector to the last bit, whatever it is embedded with", async () => {
    const alone: Float32Array[] = [];
    for (const text of TEXTS) alone.push(await vectorOf(embedder, text));
    expect(await embedder.embed(TEXTS)).toEqual(alone);
    const mixed = [...TEXTS, "something else that stands between", ...TEXTS].reverse();
    const backwards = await embedder.embed(mixed);
    expect(backwards.slice(0, TEXTS.length).reverse()).toEqual(alone);
    expect(backwards.slice(-TEXTS.length).reverse()).toEqual(alone);
  });

  it("gives vectors of length 1, all as long as each other", async () => {
    for (const vector of await embedder.embed(TEXTS)) {
      expect(vector).toHaveLength(512);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("embeds nothing when there is nothing", async () => {
    expect(await embedder.embed([])).toEqual([]);
  });
});

describe("the hashed embedder", () => {
  it("finds the same words in another order, and pieces of words", async () => {
    const likeness = async (a: string, b: string): Promise<number> =>
      dot(await vectorOf(hashedEmbedder(), a), await vectorOf(hashedEmbedder(), b));
    const same = await likeness("sold the grain oracle", "the oracle of grain was sold");
    const akin = await likeness("sold the grain oracle", "selling oracles");
    const other = await likeness("sold the grain oracle", "auction window closed");
    expect(same).toBeGreaterThan(0.6);
    expect(akin).toBeGreaterThan(other + 0.1);
    expect(Math.abs(other)).toBeLessThan(0.2);
  });
});

describe("the offline embedder", () => {
  it("starts no thread before the first text, and rejects once it is closed", async () => {
    const closed = offlineEmbedder();
    await closed.close();
    await expect(closed.embed(["late"])).rejects.toThrow("closed");
  });
});

describe("a provider's embedder", () => {
  const answering = (values: string[][]): Embedder => {
    const model = new MockEmbeddingModelV4({
      maxEmbeddingsPerCall: 100,
      doEmbed: async ({ values: asked }) => {
        values.push(asked);
        return { embeddings: asked.map((text) => [text.length, 1]), warnings: [] };
      },
    });
    return providerEmbedder("test/model", async () => model);
  };

  it("asks for all texts at once, none of them blank", async () => {
    const asked: string[][] = [];
    const embedder = answering(asked);
    expect(await embedder.embed(["four", " "])).toEqual([
      Float32Array.of(4, 1),
      Float32Array.of(9, 1),
    ]);
    expect(asked).toEqual([["four", "(nothing)"]]);
  });

  it("rejects when the provider refuses", async () => {
    const model = new MockEmbeddingModelV4({
      doEmbed: async () => Promise.reject(new Error("no such model")),
    });
    await expect(providerEmbedder("test/model", async () => model).embed(["a"])).rejects.toThrow(
      "no such",
    );
  });
});

describe("the cache before an embedder", () => {
  type Bench = { embedder: Embedder; asked: string[]; shelf: VectorShelf };
  const bench = (settings: { fails?: boolean; textsMax?: number } = {}): Bench => {
    const asked: string[] = [];
    const kept = new Map<string, Float32Array>();
    const trouble = new Error("the disk is full");
    const shelf: VectorShelf = {
      find: async (keys) => {
        if (settings.fails) throw trouble;
        return keys.map((key) => kept.get(key) ?? null);
      },
      keep: async (entries) => {
        if (settings.fails) throw trouble;
        for (const { key, vector } of entries) kept.set(key, vector);
      },
    };
    const inner: Embedder = {
      name: "lengths",
      embed: async (texts) => {
        asked.push(...texts);
        if (texts.includes("fail once") && asked.length === 1) throw new Error("not now");
        return texts.map((text) => Float32Array.of(text.length));
      },
      close: async () => {},
    };
    return { embedder: new CachedEmbedder(inner, shelf, settings.textsMax ?? 100), asked, shelf };
  };

  it("asks once for a text, also within a call and while the answer is on its way", async () => {
    const { embedder, asked } = bench();
    const both = [embedder.embed(["one", "three", "one"]), embedder.embed(["three"])];
    expect(await Promise.all(both)).toEqual([
      [Float32Array.of(3), Float32Array.of(5), Float32Array.of(3)],
      [Float32Array.of(5)],
    ]);
    await embedder.embed(["one", "seven"]);
    expect(asked).toEqual(["one", "three", "seven"]);
  });

  it("asks the shelf for what it has let go", async () => {
    const { embedder, asked } = bench({ textsMax: 2 });
    const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    const vectors = texts.map((text) => Float32Array.of(text.length));
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(asked).toEqual(texts);
  });

  it("goes without a shelf that fails", async () => {
    const { embedder, asked } = bench({ fails: true });
    expect(await embedder.embed(["one"])).toEqual([Float32Array.of(3)]);
    expect(await embedder.embed(["one"])).toEqual([Float32Array.of(3)]);
    expect(asked).toEqual(["one"]);
  });

  it("asks again for what could not be embedded", async () => {
    const { embedder } = bench();
    await expect(embedder.embed(["fail once"])).rejects.toThrow("not now");
    expect(await embedder.embed(["fail once"])).toEqual([Float32Array.of(9)]);
  });
});
