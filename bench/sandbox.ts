/**
 * What running one program costs: in the engine alone (no thread), and through the sandbox, from
 * main thread to main thread. Medians in microseconds. Run: `npx node bench/sandbox.ts`.
 */

import { Engine } from "../src/world/sandbox/engine.ts";
import { loadEngineBinary } from "../src/world/sandbox/engine-binary.ts";
import { type Answer, type ProgramCall, Sandbox } from "../src/world/sandbox/index.ts";

const LIMITS = {
  gasMax: 1_000_000,
  memoryBytes: 8 * 1024 * 1024,
  stackBytes: 256 * 1024,
  resultBytesMax: 65_536,
  stateBytesMax: 65_536,
  logBytesMax: 4_096,
  syscallsMax: 100,
  wallFuseMs: 500,
  depthMax: 5,
  gasTable: { call: 10, perKbCode: 1, perKbInput: 1, syscall: 5, tick: 1_000, perKbNative: 4 },
};
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
  readOnly: false,
});

const microsOf = (times: number, work: (turn: number) => unknown): string => {
  for (let turn = 0; turn < times / 2; turn++) work(-turn - 1);
  const micros = Array.from({ length: times }, (_, turn) => {
    const startMs = performance.now();
    work(turn);
    return (performance.now() - startMs) * 1_000;
  }).sort((a, b) => a - b);
  const at = (share: number) => (micros[Math.floor(times * share)] ?? 0).toFixed(1).padStart(8);
  return `${at(0.5)}  (p10 ${at(0.1)}, p90 ${at(0.9)})`;
};

const report = (name: string, line: string): void => console.log(name.padEnd(36), line);

const balance: Answer = () => ({ ok: true, resultJson: "41", gasUsed: 0 });

function benchEngine(): void {
  const engine = new Engine(loadEngineBinary().module, LIMITS, {
    codeOf: (key) => Buffer.from(key),
    ask: () => ({ ok: true, resultJson: "41", gasUsed: 0 }),
  });
  const [input, state] = [Buffer.from(INPUT), Buffer.from(STATE)];
  const run = (key: string) =>
    engine.run({ key, method: "run", input, state, gasMax: 100_000, syscallsMax: 20 });
  report(
    "engine: warm call",
    microsOf(10_000, () => run(SMALL)),
  );
  report(
    "engine: warm call, 10 syscalls",
    microsOf(5_000, () => run(ASKING_TEN)),
  );
  report(
    "engine: cold call, 1 kB of code",
    microsOf(1_000, (turn) => run(`${FILLER}\n${SMALL}//${turn}`)),
  );
}

async function benchSandbox(): Promise<void> {
  const startMs = performance.now();
  const sandbox = new Sandbox(LIMITS);
  const run = (code: string, answer: Answer = balance) => sandbox.run(callOf(code), answer);
  run(SMALL);
  report("sandbox: from nothing to first result", `${(performance.now() - startMs).toFixed(1)} ms`);
  report(
    "sandbox: warm call",
    microsOf(10_000, () => run(SMALL)),
  );
  report(
    "sandbox: warm call, 1 syscall",
    microsOf(10_000, () => run(ASKING)),
  );
  report(
    "sandbox: warm call, 10 syscalls",
    microsOf(5_000, () => run(ASKING_TEN)),
  );
  const nested: Answer = () => {
    const inner = run(SMALL);
    return { ok: true, resultJson: inner.ok ? inner.resultJson : "null", gasUsed: inner.gas };
  };
  report(
    "sandbox: warm call of a warm call",
    microsOf(5_000, () => run(INVOKING, nested)),
  );
  report(
    "sandbox: cold call, 1 kB of code",
    microsOf(1_000, (turn) => run(`${FILLER}\n${SMALL}//${turn}`)),
  );
  run(SLOW);
  const killedMs = performance.now();
  run(SMALL);
  report("sandbox: next call after a kill", `${(performance.now() - killedMs).toFixed(1)} ms`);
  await sandbox.close();
}

benchEngine();
await benchSandbox();
