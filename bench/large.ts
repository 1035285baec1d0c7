/**
 * Large worlds in real time, as `sim run` makes them: agents on the mock model, whose call takes
 * 1 s. `npm run bench:large -- [--agents 1000,20000] [--seconds 60]`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { LoopSecond } from "./loop-probe.ts";
import { type ProcessUse, useOf } from "./process-use.ts";

const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const PROBE = join(import.meta.dirname, "loop-probe.ts");
const RUN = "large";
const SETTINGS = [
  "llm.providers.mock.latency_ms=[1000,1000]",
  "llm.max_concurrency=10000",
  "memory.embedder=hashed",
  "spawn.principals_max=1000000",
  "budget.max_api_cost_usd=1000000",
];
const POLL_MS = 50;
/** The end of what is measured, before that of the run. */
const MARGIN_S = 1;

type Scene = { readonly agents: number; readonly seconds: number };

type Measured = Scene & {
  readonly startS: number;
  readonly endS: number;
  readonly thoughtsPerS: number;
  readonly actionsPerS: number;
  readonly world: ProcessUse;
  /** The share of all cores that any process used, 0 to 1. */
  readonly machine: number;
  /** How long CPU was measured. */
  readonly spanS: number;
  readonly journalKbPerAction: number;
  readonly checkpointMb: number;
  readonly loopMs: { readonly p50: number; readonly max: number; readonly atEnd: number };
};

const sim = (dir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

const textOf = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
};

const startRun = ({ agents, seconds }: Scene, dir: string): ChildProcess => {
  const folder = join(dir, "agents", "agent");
  mkdirSync(folder, { recursive: true });
  const persona = `id: agent\ncount: ${agents}\nmind: llm\nsystem_prompt: You trade.\n`;
  writeFileSync(join(folder, "agent.yaml"), persona);
  const flags = [
    ...["--agents", "agents", "--clock", "wall", "--duration", String(seconds)],
    ...["--model", "mock", "--name", RUN, "--json", "--quiet"],
    ...SETTINGS.flatMap((set) => ["--set", set]),
  ];
  const env = { NODE_OPTIONS: `--import ${PROBE}`, CATALLAXY_LOOP_PROBE: join(dir, "loop.jsonl") };
  return sim(dir, ["run", ...flags], env);
};

/** What was used between two moments. The memory is that of the later one. */
const between = (before: ProcessUse, after: ProcessUse): ProcessUse => ({
  cpuS: after.cpuS - before.cpuS,
  mainS: after.mainS - before.mainS,
  peakMb: after.peakMb,
});

const coreTimes = () => {
  const all = cpus().map(({ times }) => times);
  const sum = (of: (times: (typeof all)[number]) => number): number =>
    all.reduce((total, times) => total + of(times), 0);
  const idleMs = sum(({ idle }) => idle);
  return { idleMs, allMs: idleMs + sum(({ user, nice, sys, irq }) => user + nice + sys + irq) };
};

const measure = async (scene: Scene): Promise<Measured> => {
  const dir = mkdtempSync(join(tmpdir(), "catallaxy-large-"));
  const startedMs = Date.now();
  const run = startRun(scene, dir);
  const [said, problems] = [textOf(run.stdout), textOf(run.stderr)];
  const ended = once(run, "exit");
  const about = join(dir, "runs", RUN, "run.json");
  while (!existsSync(about) && run.exitCode === null) await delay(POLL_MS);
  const begunMs = Date.now();
  const world = useOf(run.pid);
  const times = coreTimes();
  await delay((scene.seconds - MARGIN_S) * 1_000);
  const worldAfter = useOf(run.pid);
  const { idleMs, allMs } = coreTimes();
  await ended;
  const endedMs = Date.now();
  if (run.exitCode !== 0) throw new Error(await problems);
  const { thinking, actions, checkpoint } = JSON.parse(await said);
  const stoppedMs = begunMs + scene.seconds * 1_000;
  const measured: Measured = {
    ...scene,
    startS: (begunMs - startedMs) / 1_000,
    endS: (endedMs - stoppedMs) / 1_000,
    thoughtsPerS: thinking.calls / scene.seconds,
    actionsPerS: actions.total / scene.seconds,
    world: between(world, worldAfter),
    machine: 1 - (idleMs - times.idleMs) / (allMs - times.allMs),
    spanS: scene.seconds - MARGIN_S,
    journalKbPerAction: statSync(join(dir, "runs", RUN, "journal.db")).size / 1e3 / actions.total,
    checkpointMb: statSync(checkpoint).size / 1e6,
    loopMs: loopIn(join(dir, "loop.jsonl"), { begunMs, stoppedMs }),
  };
  rmSync(dir, { recursive: true, force: true });
  return measured;
};

type Moments = { readonly begunMs: number; readonly stoppedMs: number };

const loopIn = (file: string, { begunMs, stoppedMs }: Moments): Measured["loopMs"] => {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const all = lines.map((line): LoopSecond => JSON.parse(line));
  const during = all.filter(({ wallMs }) => wallMs > begunMs + 1_000 && wallMs < stoppedMs);
  const middle = during.map(({ p50 }) => p50).sort((a, b) => a - b)[during.length >> 1] ?? 0;
  const longest = (of: typeof all): number => Math.max(0, ...of.map(({ max }) => max));
  const atEnd = longest(all.filter(({ wallMs }) => wallMs >= stoppedMs));
  return { p50: middle, max: longest(during), atEnd };
};

const HEAD = [
  ...["agents", "thoughts/s", "actions/s", "start s", "end s"],
  ...["world ms", "run ms", "own cores", "machine"],
  ...["run MB", "kB/action", "ckpt MB", "loop ms", "longest", "at end"],
];

/** CPU is that of a thought with its action. `own cores` is the share of all cores that it took. */
const rowOf = (of: Measured): readonly string[] => {
  const { world, spanS, loopMs } = of;
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const msEach = (cpuS: number): string => ((1_000 * cpuS) / (of.thoughtsPerS * spanS)).toFixed(2);
  return [
    ...[String(of.agents), of.thoughtsPerS.toFixed(0), of.actionsPerS.toFixed(0)],
    ...[of.startS.toFixed(1), of.endS.toFixed(1), msEach(world.mainS), msEach(world.cpuS)],
    ...[percent(world.cpuS / spanS / availableParallelism()), percent(of.machine)],
    ...[world.peakMb.toFixed(0), of.journalKbPerAction.toFixed(1)],
    ...[of.checkpointMb.toFixed(1), loopMs.p50.toFixed(0), loopMs.max.toFixed(0)],
    loopMs.atEnd.toFixed(0),
  ];
};

const print = (cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => cell.padStart((HEAD[at] ?? "").length + 2)).join(""));

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "1000,5000,10000,20000" },
    seconds: { type: "string", default: "60" },
  },
});
print(HEAD);
for (const agents of values.agents.split(",").map(Number)) {
  print(rowOf(await measure({ agents, seconds: Number(values.seconds) })));
}
