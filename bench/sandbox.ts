/**
 * What running one program costs: in the engine alone (no thread), and through the sandbox, from
 * main thread to main thread.
 */

import { Sandbox } from "../src/world/index.ts";
import { Engine } from "../src/world/sandbox/engine.ts";
import { loadEngineBinary } from "../src/world/sandbox/engine-binary.ts";
import type { AnswerSyscall, ProgramCall } from "../src/world/sandbox/index.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const LIMITS = {
  gas_max: 1_000_000,
  memory_bytes: 8 * 1024 * 1024,
  stack_bytes: 256 * 1024,
  result_bytes_max: 65_536,
  state_bytes_max: 65_536,
  log_bytes_max: 4_096,
  syscalls_max: 100,
  wall_timeout_ms: 500,
  depth_max: 5,
  gas_table: {
    call: 10,
    per_kb_code: 1,
    per_kb_input: 1,
    syscall: 5,
    tick: 1_000,
    per_kb_native: 4,
  },
};
const WORK_MAX = 1_000_000_000;
const SMALL = "function run(n) { return { n, list: [1, 2, 3] }; }";
const ASKING = 'function run() { return kernel.balance("ada"); }';
const ASKING_TEN = 'function run() { for (let i = 0; i < 10; i++) kernel.balance("ada"); }';
const INVOKING = 'function run() { return kernel.invoke("other", "run", []); }';
const FILLER = Array.from(
  { length: 20 },
  (_, i) => `function m${i}(x) { if (x > ${i}) return x * 2; return [x, state]; }`,
).join("\n");
const SLOW = 'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';
const INPUT =
  '{"args":[5],"self":{"id":"shop"},"caller":"bob","origin":"carol","attached":{},"now":1}';
const STATE = '{"n":1}';

const callOf = (code: string): ProgramCall => ({
  program: { key: code, code },
  method: "run",
  inputJson: INPUT,
  stateJson: STATE,
  gasMax: 100_000,
  syscallsMax: 20,
});

const microsOf = (times: number, work: (turn: number) => unknown): number => {
  for (let turn = 0; turn < times / 2; turn++) work(-turn - 1);
  return median(
    Array.from({ length: times }, (_, turn) => {
      const startMs = performance.now();
      work(turn);
      return (performance.now() - startMs) * 1_000;
    }),
  );
};

const balance: AnswerSyscall = () => ({ ok: true, resultJson: "41", gasUsed: 0 });

type Costs = { readonly [name: string]: number };

/** The engine alone, in this thread. */
function engineCosts(): Costs {
  const engine = new Engine(loadEngineBinary().code, LIMITS);
  // The engine is reset after it has sent the outcome, while the main thread continues.
  const run = (code: string) => {
    engine.reset();
    return engine.run(callOf(code), WORK_MAX, balance);
  };
  return {
    "warm call": microsOf(10_000, () => run(SMALL)),
    "warm call, 10 syscalls": microsOf(5_000, () => run(ASKING_TEN)),
    "cold call, 1 kB of code": microsOf(1_000, (turn) => run(`${FILLER}\n${SMALL}//${turn}`)),
  };
}

/** From the main thread to the sandbox's and back. */
async function sandboxCosts(): Promise<Costs> {
  const startMs = performance.now();
  const sandbox = new Sandbox(LIMITS);
  const run = (code: string, answer: AnswerSyscall = balance) => sandbox.run(callOf(code), answer);
  run(SMALL);
  const startMicros = (performance.now() - startMs) * 1_000;
  const nested: AnswerSyscall = () => {
    const inner = run(SMALL);
    return { ok: true, resultJson: inner.ok ? inner.resultJson : "null", gasUsed: inner.gas };
  };
  const costs = {
    "from nothing to first result": startMicros,
    "warm call": microsOf(10_000, () => run(SMALL)),
    "warm call, 1 syscall": microsOf(10_000, () => run(ASKING)),
    "warm call, 10 syscalls": microsOf(5_000, () => run(ASKING_TEN)),
    "warm call of a warm call": microsOf(5_000, () => run(INVOKING, nested)),
    "cold call, 1 kB of code": microsOf(1_000, (turn) => run(`${FILLER}\n${SMALL}//${turn}`)),
  };
  run(SLOW);
  const killedMs = performance.now();
  run(SMALL);
  const afterKill = (performance.now() - killedMs) * 1_000;
  await sandbox.close();
  return { ...costs, "next call after a kill": afterKill };
}

/** All of what an invocation may take is 40 us warm and 400 us cold: see actions.ts. */
const BARS: Costs = { "warm call": 40, "cold call, 1 kB of code": 400 };

export const figures = async (): Promise<readonly Figure[]> => {
  const engine = engineCosts();
  return Object.entries(await sandboxCosts()).map(([name, value]) => {
    const inEngine = engine[name];
    const limit = inEngine === undefined ? null : { name: "the engine alone", value: inEngine };
    return { name, value, unit: "us", bar: BARS[name] ?? null, limit };
  });
};
