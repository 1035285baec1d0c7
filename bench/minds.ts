/**
 * Runs whose agents think on the thread of the run, on threads and on workers of a queue. Each
 * thought has several model calls of the mock model, so the minds take most of the time.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineVersion } from "../src/queue/index.ts";
import { loadPersonas, type MindsPlace, type Persona } from "../src/runner/index.ts";
import { benchRun } from "./bench-run.ts";
import type { Figure } from "./figure.ts";
import { connected, startRedis } from "./redis.ts";

const AGENTS = 100;
const STEPS = 8;
const SETS = [
  "run.duration_s=30",
  "run.clock=virtual",
  "llm.default_model=mock",
  "memory.embedder=hashed",
  `spawn.principals_max=${2 * AGENTS}`,
  "resources.windows.llm_calls=1000000",
  "resources.windows.llm_tokens=1000000000",
];

const step = (name: string): string => `    - { name: ${name}, type: llm, prompt: "What next?" }\n`;
const TEMPLATE = `id: agent
count: ${AGENTS}
mind: llm
workflow:
  max_model_calls: ${2 * STEPS}
  steps:
${Array.from({ length: STEPS }, (_, n) => step(`step_${n}`)).join("")}`;

const dir = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));

const personasOf = (): readonly Persona[] => {
  const folder = join(dir, "personas", "agent");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent.yaml"), TEMPLATE);
  const loaded = loadPersonas({ dirs: [join(dir, "personas")], seed: 1, only: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.personas;
};

const PERSONAS = personasOf();

/** Thoughts and seconds of a run, from the first thought on. */
const timed = async (minds: MindsPlace | null) => {
  const out = mkdtempSync(join(dir, "run-"));
  const launch = benchRun({ out, sets: SETS, personas: PERSONAS, order: { env: {}, minds } });
  let [thoughts, startedAt] = [0, 0];
  launch.runner.follow((rows) => {
    for (const { kind } of rows) {
      if (kind !== "thought_completed") continue;
      if (thoughts === 0) startedAt = performance.now();
      thoughts += 1;
    }
  });
  const { problem } = await launch.run();
  if (problem !== null) throw new Error(problem);
  return { thoughts, wallS: (performance.now() - startedAt) / 1_000 };
};

const perS = ({ thoughts, wallS }: Awaited<ReturnType<typeof timed>>): number => thoughts / wallS;

const onQueue = async () => {
  const redis = await startRedis(dir);
  const main = join(import.meta.dirname, "../src/cli/main.ts");
  const worker = spawn(process.execPath, [main, "worker", "--on", redis.url], { stdio: "ignore" });
  const connection = await connected(redis.url);
  const { tag } = engineVersion();
  const result = await timed({ kind: "queue", connection, tag, name: "bench" });
  worker.kill();
  redis.stop();
  return result;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const own = await timed(null);
  const one = await timed({ kind: "threads", max: 1 });
  const two = await timed({ kind: "threads", max: 2 });
  const queued = await onQueue();
  rmSync(dir, { recursive: true, force: true });
  const overheadMs = (1_000 * (queued.wallS - own.wallS)) / own.thoughts;
  const rate = (name: string, value: number, limit: Figure["limit"]): Figure => {
    return { name, value, unit: "1/s", bar: null, limit };
  };
  const ofOne = { name: "one thread", value: perS(one) };
  const ofOwn = { name: "the thread of the run", value: perS(own) };
  return [
    rate("thoughts in the thread of the run", perS(own), null),
    rate("thoughts on one thread", perS(one), ofOwn),
    rate("thoughts on two threads", perS(two), ofOne),
    rate("thoughts on workers of a queue", perS(queued), ofOwn),
    {
      name: "what the queue adds to a thought",
      value: overheadMs,
      unit: "ms",
      bar: 3,
      limit: null,
    },
  ];
};
