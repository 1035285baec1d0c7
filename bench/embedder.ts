/** The offline embedder: one text at a time, many texts in all its threads, and its memory. */
import { offlineEmbedder } from "../src/memory/embedder/embedders.ts";
import { sentenceEncoder } from "../src/memory/embedder/sentence/sentence-encoder.ts";
import { tensorflowEncoder } from "../test/support/tensorflow-encoder.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const ROUNDS = 60;
const TEXTS = 300;

/** Texts of 6, 26 and 68 tokens: a note, a memory, and a query of the shipped settings. */
const SAMPLES: { readonly [name: string]: (n: number) => string } = {
  "a note of 7 tokens": (n) => `paid ${10 + (n % 80)} scrip to bob`,
  "a memory of 23 tokens": (n) =>
    `adder_${n % 9}: called adder_${n % 9} of agent_0${100 + n}, result ${n % 7} (it succeeded)`,
  "a query of 68 tokens": (n) =>
    `I have ${100 + n} scrip. My artifacts: agent_0157_multiples_8. Last action: write_artifact ` +
    `agent_0157_multiples_8 succeeded: wrote agent_0157_multiples_8, ${500 + n} bytes. ` +
    "What should I do?",
};

const BARS_MS: { readonly [name: string]: number } = {
  "a note of 7 tokens": 3,
  "a memory of 23 tokens": 8,
  "a query of 68 tokens": 16,
};

const millisEach = async (embed: (n: number) => unknown): Promise<number> => {
  const figures: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const startedAt = performance.now();
    await embed(n);
    figures.push(performance.now() - startedAt);
  }
  return median(figures);
};

/** One text at a time, against the same model in TensorFlow.js. */
const oneByOne = async (): Promise<readonly Figure[]> => {
  const encode = sentenceEncoder();
  const library = await tensorflowEncoder();
  const figures: Figure[] = [];
  for (const [name, sample] of Object.entries(SAMPLES)) {
    await millisEach((n) => encode(sample(n)));
    await millisEach((n) => library.embed(sample(n)));
    const value = await millisEach((n) => encode(sample(n)));
    const limit = await millisEach((n) => library.embed(sample(n)));
    figures.push({
      name,
      value,
      unit: "ms",
      bar: BARS_MS[name] ?? null,
      limit: { name: "TensorFlow.js", value: limit },
    });
  }
  return figures;
};

/** Many texts at once, as from a large population. */
const allThreads = async (): Promise<readonly Figure[]> => {
  const before = process.memoryUsage.rss();
  const embedder = offlineEmbedder();
  await embedder.embed(["first"]);
  const oneThread = process.memoryUsage.rss() - before;
  const texts = (first: number): readonly string[] =>
    Array.from({ length: TEXTS }, (_, n) => SAMPLES["a query of 68 tokens"]?.(first + n) ?? "");
  await embedder.embed(texts(0));
  const startedAt = performance.now();
  await embedder.embed(texts(TEXTS));
  const perS = TEXTS / ((performance.now() - startedAt) / 1_000);
  await embedder.close();
  return [
    { name: "queries, all threads", value: perS, unit: "1/s", bar: null, limit: null },
    { name: "memory of a thread", value: oneThread / 1e6, unit: "MB", bar: 150, limit: null },
  ];
};

export const figures = async (): Promise<readonly Figure[]> => [
  ...(await allThreads()),
  ...(await oneByOne()),
];
