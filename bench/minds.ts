/**
 * Runs whose agents think on the thread of the run, on threads and on workers of a queue, with the
 * mock model: thoughts of one call, of eight calls, and of one call with much work of the mind.
 * CPU is counted, because it depends less on what else the machine does than time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineVersion } from "../src/queue/index.ts";
import { loadPersonas, type MindsPlace, type Persona } from "../src/runner/index.ts";
import { benchRun } from "./bench-run.ts";
import type { Figure } from "./figure.ts";
import { useOf } from "./process-use.ts";
import { connected, redisUse, startRedis } from "./redis.ts";

const AGENTS = 100;
const STEPS = 8;
/** An expression that takes some ms. The run, too, evaluates what comes before the first call. */
const WORK = "'ab '.repeat(40000).split(' ').join('-').length";

const asking = (name: string): string =>
  `    - { name: ${name}, type: llm, prompt: "What next?" }\n`;
const working = (step: number): string =>
  `    - { name: work_${step}, type: code, expression: "${WORK}" }\n`;
const workflow = (calls: number, steps: string): string =>
  `workflow:\n  max_model_calls: ${2 * calls}\n  steps:\n${steps}`;

const KINDS = {
  "one call": { mind: "system_prompt: You trade.\n", runS: 60 },
  "eight calls": {
    mind: workflow(STEPS, Array.from({ length: STEPS }, (_, n) => asking(`step_${n}`)).join("")),
    runS: 30,
  },
  "much work": { mind: workflow(1, asking("ask") + [1, 2, 3, 4].map(working).join("")), runS: 20 },
} as const;
type Kind = keyof typeof KINDS;

const SETS = [
  "run.clock=virtual",
  "llm.default_model=mock",
  "memory.embedder=hashed",
  `spawn.principals_max=${2 * AGENTS}`,
  "resources.windows.llm_calls=1000000",
  "resources.windows.llm_tokens=1000000000",
  "sandbox.gas_max=10000000",
  "sandbox.memory_bytes=67108864",
];

const dir = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));

const personasOf = (kind: Kind): readonly Persona[] => {
  const all = join(dir, kind);
  mkdirSync(join(all, "agent"), { recursive: true });
  const template = `id: agent\ncount: ${AGENTS}\nmind: llm\n${KINDS[kind].mind}`;
  writeFileSync(join(all, "agent", "agent.yaml"), template);
  const loaded = loadPersonas({ dirs: [all], seed: 1, only: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.personas;
};

/** From the first thought of a run on. */
type Cost = {
  readonly thoughts: number;
  readonly wallS: number;
  /** The CPU of the thread of the run. */
  readonly mainS: number;
  /** The CPU of the process of the run. */
  readonly cpuS: number;
};

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

const timed = async (kind: Kind, minds: MindsPlace | null, begin = () => {}): Promise<Cost> => {
  const out = mkdtempSync(join(dir, "run-"));
  const sets = [...SETS, `run.duration_s=${KINDS[kind].runS}`];
  const launch = benchRun({ out, sets, personas: personasOf(kind), order: { env: {}, minds } });
  let [thoughts, startedAt] = [0, 0];
  let [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
  launch.runner.follow((rows) => {
    for (const row of rows) {
      if (row.kind !== "thought_completed") continue;
      if (thoughts === 0) {
        [startedAt, main, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
        begin();
      }
      thoughts += 1;
    }
  });
  const { problem } = await launch.run();
  if (problem !== null) throw new Error(problem);
  return {
    thoughts,
    wallS: (performance.now() - startedAt) / 1_000,
    mainS: secondsOf(process.threadCpuUsage(main)),
    cpuS: secondsOf(process.cpuUsage(all)),
  };
};

type Queued = Cost & { readonly elsewhereS: number; readonly bytes: number };

const onQueue = async (kind: Kind, url: string): Promise<Queued> => {
  const main = join(import.meta.dirname, "../src/cli/main.ts");
  const worker = spawn(process.execPath, [main, "worker", "--on", url], { stdio: "ignore" });
  const connection = await connected(url);
  const { tag } = engineVersion();
  const used = async () => {
    const { cpuS, bytes } = await redisUse(url);
    return { cpuS: cpuS + useOf(worker.pid).cpuS, bytes };
  };
  let before = used();
  const cost = await timed(kind, { kind: "queue", connection, tag, name: `bench ${kind}` }, () => {
    before = used();
  });
  const [from, to] = [await before, await used()];
  const gone = once(worker, "exit");
  worker.kill();
  await gone;
  return { ...cost, elsewhereS: to.cpuS - from.cpuS, bytes: to.bytes - from.bytes };
};

const perS = ({ thoughts, wallS }: Cost): number => thoughts / wallS;
const msEach = (seconds: number, { thoughts }: Cost): number => (1_000 * seconds) / thoughts;

const figuresOf = async (kind: Kind, url: string): Promise<readonly Figure[]> => {
  const own = await timed(kind, null);
  const one = await timed(kind, { kind: "threads", max: 1 });
  const two = await timed(kind, { kind: "threads", max: 2 });
  const queued = await onQueue(kind, url);
  const rate = (where: string, cost: Cost, limit: Figure["limit"] = null): Figure => {
    return { name: `${kind}, ${where}`, value: perS(cost), unit: "1/s", bar: null, limit };
  };
  const ms = (name: string, value: number, bar: number | null = null): Figure => {
    return { name: `${kind}: ${name}`, value, unit: "ms", bar, limit: null };
  };
  const percent = (name: string, value: number, bar: number | null = null): Figure => {
    return { name: `${kind}: ${name}`, value, unit: "%", bar, limit: null };
  };
  const ofOwn = { name: "own", value: perS(own) };
  const addedMs = msEach(queued.cpuS + queued.elsewhereS - own.cpuS, queued);
  const isHeavy = kind === "much work";
  const bytes = queued.bytes / queued.thoughts / 1e3;
  return [
    rate("own thread", own),
    rate("one thread", one, ofOwn),
    rate("two threads", two, ofOwn),
    rate("workers of a queue", queued, ofOwn),
    percent("two threads, of one", (100 * perS(two)) / perS(one), isHeavy ? 160 : null),
    percent("world's thread, of two", (100 * two.mainS) / two.wallS),
    ms("CPU of a thought, own", msEach(own.cpuS, own)),
    ms("CPU of a thought, two threads", msEach(two.cpuS, two)),
    ms("world's thread, two threads", msEach(two.mainS, two)),
    ms("world's thread, queue", msEach(queued.mainS, queued)),
    ms("CPU the queue adds", addedMs, kind === "one call" ? 3 : null),
    ms("time the queue adds", msEach(queued.wallS - own.wallS, own)),
    { name: `${kind}: on the queue`, value: bytes, unit: "kB", bar: null, limit: null },
  ];
};

export const figures = async (): Promise<readonly Figure[]> => {
  const redis = await startRedis(dir);
  try {
    const all: Figure[] = [];
    for (const kind of ["one call", "eight calls", "much work"] as const) {
      all.push(...(await figuresOf(kind, redis.url)));
    }
    return all;
  } finally {
    redis.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};
