import { beforeAll, describe, expect, it } from "vitest";
import {
  type ArenaRun,
  type Entry,
  endings,
  outcomeOf,
  PLENTY,
  runScripts,
  write,
} from "./arena.ts";

/** Bodies of `run`, each with the code with which its call ends. The sandbox tests have more. */
const HOSTILE: readonly (readonly [ending: string, body: string])[] = [
  // Endless loops.
  ["gas_exhausted", "for (;;);"],
  ["gas_exhausted", "throw { get message() { for (;;); } }"],
  ["gas_exhausted", "return [3, 1, 2].sort(() => { for (;;); })"],
  ["gas_exhausted", "return JSON.parse('[1]', () => { for (;;); })"],
  ["gas_exhausted", "for (;;) kernel.log('x'.repeat(10000))"],
  ["gas_exhausted", "const a = Array.from({ length: 1e4 }, (_, i) => -i); for (;;) a.sort()"],
  ["gas_exhausted", "const [...a] = { [Symbol.iterator]: () => ({ next: () => ({}) }) }"],
  // Native loops.
  ["gas_exhausted", "for (;;) encodeURIComponent('ä'.repeat(1e5))"],
  ["gas_exhausted", "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a"],
  ["gas_exhausted", "const a = 3n ** 2500n; for (;;) String(a)"],
  ["runtime_error", "return new Array(4294967295).fill(1)"],
  ["runtime_error", "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
  ["runtime_error", "const a = []; a[4294967294] = 1; return a.reverse()"],
  ["runtime_error", "return ('a' + '\\u0301'.repeat(1e5)).normalize('NFD')"],
  ["runtime_error", "return 2n ** (2n ** 60n)"],
  // Memory and stack.
  ["runtime_error", "let s = 'a'; for (;;) s += s"],
  ["memory_exhausted", "return Math.max(...new Array(1e6).fill(1))"],
  ["memory_exhausted", "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(0); f()"],
  ["stack_exhausted", "return run()"],
  ["syscalls_exhausted", "for (;;) try { kernel.balance() } catch { return 'caught' }"],
  // Invalid results and states.
  ["result_too_large", "return 'a'.repeat(70000)"],
  ["result_too_large", "state.x = 'a'.repeat(70000)"],
  ["runtime_error", "const a = []; a[0] = a; return a"],
  ["runtime_error", "state.x = '\\u0000'"],
  ["runtime_error", "state = JSON.parse('{\"__proto__\": 1}')"],
  // Attempts to escape.
  ["runtime_error", "return new Proxy({}, {})"],
  ["runtime_error", "return new Uint8Array(1e9)"],
  ["runtime_error", "kernel.create_principal({})"],
  // Changes that affect only the program itself.
  ["ok", "Object.prototype.x = 1; Array.prototype.push = () => 7; Reflect.apply = null"],
  ["ok", "JSON.stringify = () => '9'; String.prototype.slice = () => 'x'; delete globalThis.JSON"],
  ["ok", "for (const k of Reflect.ownKeys(globalThis)) try { globalThis[k] = 0 } catch {}"],
];

const UNWRITABLE: readonly (readonly [ending: string, code: string])[] = [
  ["syntax_error", "function run({"],
  ["syntax_error", "let state = 1; function run() {}"],
  ["runtime_error", "throw new Error('at the top')"],
  ["runtime_error", "kernel.pay('mallory', 1); function run() {}"],
  ["runtime_error", "async function run() {}"],
  ["gas_exhausted", "for (;;);"],
  ["quota_exceeded", `//${"x".repeat(3_000_000)}`],
];

/** Returns what it can see of the host or of another call. */
const SPY = `function run() {
  const names = ["process", "require", "Date", "setTimeout", "fetch", "WebAssembly", "eval",
    "SharedArrayBuffer", "Promise", "console", "left_behind"];
  return [names.filter((name) => name in globalThis), typeof Math.random, ({}).x, [].push.length];
}`;

/** Returns its caller and itself after trying to change them. */
const FORGER = `"use strict"; function run() {
  const tries = [() => { kernel = 1 }, () => { kernel.pay = 1 }, () => { caller = "honest" },
    () => { origin = "honest" }, () => { self = "bank" }, () => { attached.scrip = 9 },
    () => { delete globalThis.kernel }, () => { Object.setPrototypeOf(kernel, {}) }];
  let done = 0;
  for (const each of tries) try { each(); done += 1 } catch {}
  return { done, who: [self, caller, origin, attached.scrip] };
}`;

const COUNTER = "function run() { state.n = (state.n || 0) + 1; return state.n }";
const honest: readonly Entry[] = [
  write("counter", COUNTER),
  { repeat: 40, do: [{ invoke_artifact: { artifact_id: "counter" } }, { wait: 1 }] },
];

const attack = (body: string, index: number): readonly Entry[] => [
  write(`bad${index}`, `function run() { ${body} }`),
  { invoke_artifact: { artifact_id: `bad${index}` } },
];

/**
 * A program that fills its memory hits the memory limit, or on a very busy machine the wall
 * timeout, which is reported as gas_exhausted.
 */
const endingOf = (expected: string, ending: string | undefined): string | undefined =>
  expected === "memory_exhausted" && ending === "gas_exhausted" ? expected : ending;

describe("a run with hostile programs", () => {
  let run: ArenaRun;
  let withoutAttack: ArenaRun;
  beforeAll(() => {
    const mallory = [
      ...HOSTILE.flatMap(([, body], index) => attack(body, index)),
      ...UNWRITABLE.map(([, code], index) => write(`unwritable${index}`, code)),
      write("spy", SPY),
      { invoke_artifact: { artifact_id: "spy" } },
      write("forger", FORGER),
      { invoke_artifact: { artifact_id: "forger" } },
    ];
    run = runScripts({ honest, mallory }, ...PLENTY);
    withoutAttack = runScripts({ honest, mallory: [{ noop: {} }] }, ...PLENTY);
  });

  it("ends each of them with the expected code", () => {
    const all = endings(run, "mallory");
    const called = HOSTILE.map(([ending, body], index) => {
      return [all[2 * index], endingOf(ending, all[2 * index + 1]), body];
    });
    expect(called).toEqual(HOSTILE.map(([ending, body]) => ["ok", ending, body]));
    const unwritable = all.slice(2 * HOSTILE.length, 2 * HOSTILE.length + UNWRITABLE.length);
    for (const [index, [ending]] of UNWRITABLE.entries()) {
      expect(unwritable[index]).toMatch(new RegExp(`^(${ending})$`));
    }
  });

  it("charges the attacker gas up to the maximum of an action, and no scrip", () => {
    const charges = run.events
      .filter(({ principal, kind }) => principal === "mallory" && /^action_/.test(kind))
      .map(({ charged }) => charged as { gas: number; scrip: number });
    expect(charges.every(({ gas, scrip }) => gas <= 200_000 && scrip === 0)).toBe(true);
    expect(charges.filter(({ gas }) => gas === 200_000).length).toBeGreaterThan(8);
  });

  it("hides the host and earlier calls, and protects the caller", () => {
    const result = (id: string): unknown =>
      JSON.parse(String(run.events.findLast((e) => e.target === id && e.result !== null)?.result));
    expect(result("spy")).toEqual([[], "undefined", null, 1]);
    expect(result("forger")).toEqual({ done: 0, who: ["forger", "mallory", "mallory", 0] });
  });

  it("does not change the outcome of other agents", () => {
    expect(outcomeOf(run, "honest")).toEqual(outcomeOf(withoutAttack, "honest"));
  });
});
