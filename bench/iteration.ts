/**
 * One whole iteration of an agent on a language model that answers at once: percept, prompt, recall
 * by spelling over the index, request and reply, parse, submit and journal.
 */
import { createGoogle } from "@ai-sdk/google";
import { generateText, Output } from "ai";
import { REPLY_FORMS } from "../src/mind/index.ts";
import type { Figure } from "./figure.ts";
import { mockProvider } from "./mock-provider.ts";
import { modelAgents } from "./model-agents.ts";

const AGENTS = 1_000;
const BARE_CALLS = 5_000;

/** What the SDK alone takes of the main thread for a call of the like. */
const bareMicros = async (): Promise<number> => {
  const google = createGoogle({ apiKey: "none", fetch: mockProvider(0) });
  const model = google("gemini-3-flash-preview");
  const output = Output.object({ schema: REPLY_FORMS.simple.rich });
  const ask = () =>
    generateText({ model, system: "s".repeat(5_000), prompt: "p".repeat(3_000), output });
  for (let call = 0; call < BARE_CALLS / 5; call++) await ask();
  const before = process.threadCpuUsage();
  for (let call = 0; call < BARE_CALLS; call++) await ask();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / BARE_CALLS;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const bare = await bareMicros();
  const about = { agents: AGENTS, latencyMs: 0, runS: 16, warmUpS: 5 };
  const { mainMicros, allMicros, thoughtsPerS } = await modelAgents(about);
  return [
    {
      name: "main thread",
      value: mainMicros,
      unit: "us",
      bar: 500,
      limit: { name: "generateText alone", value: bare },
    },
    { name: "all threads", value: allMicros, unit: "us", bar: null, limit: null },
    {
      name: "iterations a second",
      value: thoughtsPerS,
      unit: "1/s",
      bar: 2_000,
      limit: { name: "generateText alone", value: 1e6 / bare },
    },
  ];
};
