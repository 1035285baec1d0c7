import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import type { ReplyDelta } from "../../src/model/port/model.ts";
import { streamingModel } from "../../src/model/sdk/sdk-stream.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Piece = readonly [type: "text" | "reasoning", text: string];

/** Each piece is a block of its own. */
const partsOf = (pieces: readonly Piece[]): readonly LanguageModelV4StreamPart[] => [
  { type: "stream-start", warnings: [] },
  ...pieces.flatMap(([type, text], at): readonly LanguageModelV4StreamPart[] => {
    const id = String(at);
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ];
  }),
  { type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: undefined } },
];

const streamOf = <Part>(parts: readonly Part[]): ReadableStream<Part> =>
  new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

const shownOf = async (pieces: readonly Piece[], secrets: readonly string[] = []) => {
  const shown: ReplyDelta[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "tiny",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("it streams")),
    doStream: () => Promise.resolve({ stream: streamOf(partsOf(pieces)) }),
  };
  const onDelta = (delta: ReplyDelta): void => void shown.push(delta);
  await streamingModel(model, { onDelta, secrets, redact: (text) => text }).doGenerate({
    prompt: [],
  });
  const textIn = (type: Piece[0]): string =>
    shown.map((delta) => (delta.type === type ? delta.text : "")).join("");
  return { shown, text: textIn("text"), reasoning: textIn("reasoning") };
};

it("a key that comes in several blocks is not shown, also with others between", async () => {
  const key = "zk9Qw3erTy7uIoPaSdFgHjKl";
  const { text, reasoning } = await shownOf(
    [
      ["text", `the key ${key.slice(0, 6)}`],
      ["reasoning", `hm ${key.slice(0, 6)}`],
      ["text", key.slice(6, 15)],
      ["reasoning", key.slice(6)],
      ["text", `${key.slice(15)} ends`],
    ],
    [key],
  );
  expect(text).toBe("the key *** ends");
  expect(reasoning).toBe("hm ***");
});

it("a character that comes in two pieces is shown whole", async () => {
  const { shown, text } = await shownOf([
    ["text", "x\ud83d"],
    ["text", "\ude42y"],
  ]);
  expect(text).toBe("x🙂y");
  for (const delta of shown) {
    if (delta.type === "text") expect(delta.text.isWellFormed()).toBe(true);
  }
});
