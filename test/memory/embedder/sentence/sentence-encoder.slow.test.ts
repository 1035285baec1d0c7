import { createHash } from "node:crypto";
import type { EmbeddingsModel } from "@energetic-ai/embeddings";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { exponential } from "../../../../src/memory/embedder/sentence/exponential.ts";
import { readModel } from "../../../../src/memory/embedder/sentence/model-files.ts";
import { sentenceEncoder } from "../../../../src/memory/embedder/sentence/sentence-encoder.ts";
import { tokenizerOf } from "../../../../src/memory/embedder/sentence/tokenizer.ts";
import { dot } from "../../../../src/memory/port/vector.ts";
import { tensorflowEncoder } from "../../../support/tensorflow-encoder.ts";
import { otherMemories, TOPICS } from "../../topics.ts";

const TEXTS = [
  ...TOPICS.flatMap(({ question, memories }) => [question, ...memories.slice(0, 3)]),
  ...otherMemories(10),
  "go",
  "日本語 and ﬁne ½ emoji 😀😀",
  "agent_0157_multiples_8, ".repeat(40),
];

/** The same model, run by TensorFlow.js. */
let reference: EmbeddingsModel;
const expected: Float32Array[] = [];
beforeAll(async () => {
  reference = await tensorflowEncoder();
  for (const text of TEXTS) expected.push(Float32Array.from(await reference.embed(text)));
});

const encode = sentenceEncoder();

describe("the sentence encoder", () => {
  it("gives the vectors of TensorFlow.js, within 0.001", () => {
    const vectors = TEXTS.map(encode);
    for (const [i, vector] of vectors.entries()) {
      const differences = vector.map((number, at) => Math.abs(number - (expected[i]?.[at] ?? 9)));
      expect(Math.max(...differences), TEXTS[i]).toBeLessThan(1e-3);
      for (const [j, other] of vectors.entries()) {
        const similarity = dot(expected[i] ?? vector, expected[j] ?? other);
        expect(Math.abs(dot(vector, other) - similarity), TEXTS[i]).toBeLessThan(1e-3);
      }
    }
  });

  it("gives equal bits whatever it encoded before", () => {
    const first = TEXTS.map(encode);
    expect([...TEXTS].reverse().map(encode).reverse()).toEqual(first);
    expect(TEXTS.map(sentenceEncoder())).toEqual(first);
  });

  it("gives the same bits on every machine", () => {
    const digest = createHash("sha256");
    for (const text of TEXTS) digest.update(encode(text));
    expect(digest.digest("hex")).toBe(
      "f98eec2e0b09397c2d8def76433603053702b94814de9ba709fbbc86027ef99a",
    );
  });

  it("gives a vector of length 1 for any text", () => {
    for (const text of ["", " \n", "\u0000", "\ud800", "\u{10ffff}".repeat(400), ...TEXTS]) {
      const vector = encode(text);
      expect(dot(vector, vector), text).toBeCloseTo(1, 5);
    }
  });
});

it("the tokenizer gives the tokens of the library", () => {
  const { vocabulary } = readModel();
  const tokenize = tokenizerOf(vocabulary);
  const check = (text: string): void => {
    expect(tokenize(text)).toEqual(reference.tokenizer.encode(text));
  };
  for (const text of TEXTS) check(text);
  const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: "binary" }));
  fc.assert(fc.property(text, check));
});

it("the exponential has a relative error below 2e-7", () => {
  for (let x = 0; x > -60; x -= 0.0137) {
    expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(2e-7);
  }
  expect(exponential(-1e9)).toBe(0);
});
