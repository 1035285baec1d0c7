import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embedMany, generateText } from "ai";
import { afterEach, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";

const open: ModelServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

const served = async (script: Script): Promise<ModelServer> => {
  const server = await startModelServer(script);
  open.push(server);
  return server;
};

it("speaks OpenAI's chat completions", async () => {
  const server = await served(({ prompt }) => ({ text: `you said ${prompt}` }));
  const openai = createOpenAI({ baseURL: server.baseUrl("openai"), apiKey: "k" });
  const { text, usage } = await generateText({ model: openai.chat("gpt"), prompt: "hi" });
  expect(text).toBe("you said hi");
  expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 10 });
  expect(server.calls).toMatchObject([{ path: "/openai/v1/chat/completions", key: "k", n: 1 }]);
});

it("makes vectors that are fixed for a text, or those of the script", async () => {
  const server = await served(({ texts }) =>
    texts?.length === 1 ? { vectors: [[1, 2, 3]] } : undefined,
  );
  const provider = createOpenAICompatible({
    name: "test",
    baseURL: server.baseUrl("openai-compatible"),
  });
  const model = provider.embeddingModel("embed");
  const { embeddings, usage } = await embedMany({ model, values: ["bread", "iron", "bread"] });
  expect(embeddings[0]).toEqual(embeddings[2]);
  expect(embeddings[0]).not.toEqual(embeddings[1]);
  expect(usage.tokens).toBe(30);
  expect((await embedMany({ model, values: ["x"] })).embeddings).toEqual([[1, 2, 3]]);
});

it("closes while a call still waits for an answer", async () => {
  const server = await served(() => ({ broken: "hang" }));
  const call = fetch(`${server.baseUrl("openai")}/responses`, { method: "POST", body: "{}" });
  await server.arrived(1);
  await server.close();
  await expect(call).rejects.toThrow();
});

it("does not know other addresses", async () => {
  const server = await served(() => undefined);
  const response = await fetch(`${server.url}/v2/chat`, { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
  expect(server.calls).toEqual([]);
});
