import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Persona } from "../src/runner/index.ts";
import { benchRun } from "./bench-run.ts";

/** How long the mock model takes for each answer, ms, and how long agents rest between thoughts. */
const LATENCY_MS = 1_000;
const REST_MS = 100;
const RUN_S = 40;
/**
 * Until then it is not counted: all begin at once and go in step, so that everybody waits for
 * everybody, until their waits have spread them over the time that a thought takes.
 */
const WARM_UP_MS = 10_000;

const reply = JSON.stringify({
  candidates: [
    {
      content: {
        role: "model",
        parts: [{ text: '{"thought_process":"nothing to do","action":{"noop":{}}}' }],
      },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 20, totalTokenCount: 920 },
});

/** Answers as a model would, after its latency; the agent named `stuck` is never answered. */
const mock: typeof globalThis.fetch = (_url, init) =>
  new Promise((resolve, reject) => {
    const hangs = typeof init?.body === "string" && init.body.includes("name is agent_stuck");
    const answer = (): void => {
      resolve(new Response(reply, { headers: { "content-type": "application/json" } }));
    };
    const timer = hangs ? null : setTimeout(answer, LATENCY_MS);
    init?.signal?.addEventListener("abort", () => {
      if (timer !== null) clearTimeout(timer);
      reject(init.signal?.reason);
    });
  });

const personas = (count: number, folder: string): readonly Persona[] =>
  Array.from({ length: count }, (_, n) => {
    const id = n === 0 ? "agent_stuck" : `agent_${n}`;
    return {
      id,
      enabled: true,
      mind: "llm",
      model: null,
      startingScrip: null,
      description: null,
      content: JSON.stringify({ mind: "llm", system_prompt: "You trade." }),
      folder,
      place: { file: "", line: 1, column: 1 },
      warnings: [],
    };
  });

const SETS = [
  `run.duration_s=${RUN_S}`,
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

const run = async (count: number): Promise<void> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const before = process.memoryUsage().rss;
  const launch = benchRun({
    out,
    sets: SETS,
    personas: personas(count, mkdtempSync(join(out, "persona-"))),
    order: { env: { GOOGLE_GENERATIVE_AI_API_KEY: "none" }, fetch: mock },
  });
  const { runner } = launch;
  let thoughts = 0;
  let steady = 0;
  runner.follow((rows) => {
    for (const { kind, atMs } of rows) {
      if (kind !== "thought_completed") continue;
      thoughts += 1;
      if (atMs >= WARM_UP_MS) steady += 1;
    }
  });
  const cpu = process.cpuUsage();
  const own = process.threadCpuUsage();
  await launch.run();
  const used = process.cpuUsage(cpu);
  const ownUsed = process.threadCpuUsage(own);
  const idealPerS = ((count - 1) * 1_000) / (LATENCY_MS + REST_MS);
  const perS = (steady * 1_000) / (RUN_S * 1_000 - WARM_UP_MS);
  const rssMb = (process.memoryUsage().rss - before) / 1e6;
  const share = ((100 * perS) / idealPerS).toFixed(0);
  const msEach = ({ user, system }: NodeJS.CpuUsage): string =>
    ((user + system) / thoughts / 1e3).toFixed(2);
  console.log(
    `${count} agents: ${perS.toFixed(0)} thoughts/s, ${share} % of the latency-bound ` +
      `${idealPerS.toFixed(0)}; ${((rssMb * 1e3) / count).toFixed(0)} kB each; ` +
      `${msEach(used)} ms of CPU a thought, ${msEach(ownUsed)} of them in the main thread`,
  );
  rmSync(out, { recursive: true, force: true });
};

console.log(`agents on a mock model of ${LATENCY_MS} ms latency, one of which is never answered`);
for (const count of [100, 1_000]) await run(count);
