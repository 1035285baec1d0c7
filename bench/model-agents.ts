import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Persona } from "../src/run/index.ts";
import { benchRun } from "./bench-run.ts";
import { mockProvider, STUCK } from "./mock-provider.ts";

export type ModelAgents = {
  readonly agents: number;
  /** How long the mock model takes for each answer; 0: it answers at once. */
  readonly latencyMs: number;
  readonly runS: number;
  /** Until then nothing is counted: all begin at once, and code is not compiled yet. */
  readonly warmUpS: number;
  /** What the agents are and what their model says, instead of plain agents that do nothing. */
  readonly kind?: AgentKind;
};

export type AgentKind = {
  /** The configuration of each agent, as in its artifact. */
  readonly content: { readonly [setting: string]: unknown };
  readonly sets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
};

export type ModelAgentsCost = {
  readonly thoughtsPerS: number;
  /** Of CPU for a thought: of the main thread, and of all threads together. */
  readonly mainMicros: number;
  readonly allMicros: number;
  readonly rssKbEach: number;
  /** What is alive after garbage is collected, all agents in flight; NaN without --expose-gc. */
  readonly liveKbEach: number;
};

export const MODEL_SETS = [
  "resources.windows.actions=1000000",
  "resources.windows.llm_calls=1000000",
  "resources.windows.llm_tokens=1000000000",
  "llm.max_concurrency=10000",
  "llm.providers.google.requests_per_minute=null",
  "llm.providers.google.tokens_per_minute=null",
  "memory.embedder=hashed",
  "spawn.principals_max=10000",
  "budget.max_api_cost_usd=1000000",
  "mint.tasks=[]",
];

/** Agents on language models, the first of whom is never answered where there is a latency. */
export const modelAgents = async (about: ModelAgents): Promise<ModelAgentsCost> => {
  const { agents, latencyMs, runS, warmUpS, kind } = about;
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const rssBefore = process.memoryUsage().rss;
  const liveBefore = liveBytes();
  const launch = benchRun({
    out,
    sets: [`run.duration_s=${runS}`, ...MODEL_SETS, ...(kind?.sets ?? [])],
    personas: modelPersonas(agents, {
      folder: mkdtempSync(join(out, "persona-")),
      first: STUCK,
      content: kind?.content ?? PLAIN,
    }),
    order: {
      env: { GOOGLE_GENERATIVE_AI_API_KEY: "none" },
      fetch: kind?.fetch ?? mockProvider(latencyMs),
    },
  });
  let [thoughts, isSteady] = [0, false];
  launch.runner.follow((rows) => {
    if (isSteady) for (const { kind } of rows) if (kind === "thought_completed") thoughts += 1;
  });
  const running = launch.run();
  await delay(warmUpS * 1_000);
  isSteady = true;
  const [startedAt, main, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
  await delay((runS - warmUpS) * 1_000 - END_MS);
  isSteady = false;
  const lastedS = (performance.now() - startedAt) / 1_000;
  const mainMicros = microsOf(process.threadCpuUsage(main));
  const allMicros = microsOf(process.cpuUsage(all));
  const rssBytes = process.memoryUsage().rss - rssBefore;
  const live = liveBytes() - liveBefore;
  await running;
  rmSync(out, { recursive: true, force: true });
  return {
    thoughtsPerS: thoughts / lastedS,
    mainMicros: mainMicros / thoughts,
    allMicros: allMicros / thoughts,
    rssKbEach: rssBytes / agents / 1e3,
    liveKbEach: live / agents / 1e3,
  };
};

/** Between what is counted and the end of the run. */
const END_MS = 500;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const microsOf = ({ user, system }: NodeJS.CpuUsage): number => user + system;

const liveBytes = (): number => {
  if (globalThis.gc === undefined) return Number.NaN;
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const PLAIN: AgentKind["content"] = { mind: "llm", system_prompt: "You trade." };

type Personas = {
  readonly folder: string;
  /** The id of the first agent. */
  readonly first?: string;
  readonly content?: AgentKind["content"];
};

export const modelPersonas = (
  count: number,
  { folder, first = "agent_0", content = PLAIN }: Personas,
): readonly Persona[] =>
  Array.from({ length: count }, (_, n) => {
    const id = n === 0 ? first : `agent_${n}`;
    return {
      id,
      enabled: true,
      mind: String(content.mind),
      population: id,
      modules: [],
      terms: { group: null, values: {} },
      compute: null,
      python: null,
      model: null,
      startingScrip: null,
      description: null,
      content: JSON.stringify(content),
      workspace: null,
      folder,
      place: { file: "", line: 1, column: 1 },
      warnings: [],
    };
  });
