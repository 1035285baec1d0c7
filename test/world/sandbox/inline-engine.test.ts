import { describe, expect, test } from "vitest";
import type { AnswerSyscall } from "../../../src/world/sandbox/index.ts";
import { InlineEngine } from "../../../src/world/sandbox/inline-engine.ts";
import { fileSandbox } from "./file-sandbox.ts";
import { callOf, echo, LIMITS, newSandbox, ONE, RICH, resultOf, run, SLOW } from "./fixture.ts";

const { sandbox, runBody } = fileSandbox();
const engine = new InlineEngine(LIMITS);
const LONG = "const s = 'a'.repeat(1e6), t = s + 'b', u = s + 'c';";
const SHARED = "let list = [1]; for (let i = 0; i < 20; i++) list = [list, list];";
const CHAIN = "let o = {}; for (let i = 0; i < 20000; i++) o = Object.create(o);";

describe("no program can keep this thread", () => {
  test.each([
    ["an endless loop", "for (;;);"],
    ["text that grows", 'let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); }'],
    ["long texts that are compared", `${LONG} for (;;) t < u;`],
    ["long text that is converted to a number", 'const s = "1".repeat(1e6); for (;;) +s;'],
    ["a long prototype chain", `${CHAIN} for (;;) o.x;`],
    ["a list that contains itself many times", `${SHARED} return JSON.stringify(list);`],
    ["huge objects that are spread", "const o = { ...Array(90000).fill(1) }; for (;;) ({ ...o });"],
    ["a catastrophic regular expression", 'return /^(a|aa)+$/.test("a".repeat(60) + "b");'],
    ["Unicode classes", "for (;;) /[\\p{L}\\p{N}]+/iu.test('x');"],
    ["sorting", "for (;;) Array.from({ length: 5000 }, (_, i) => -i).sort();"],
    ["a memory bomb", "const a = []; for (;;) a.push([a.length, 'x'.repeat(99)]);"],
    ["a huge string", 'let s = "ab"; for (;;) s += s;'],
    ["deep recursion", "const f = (n) => f(n + 1) + 1; return f(0);"],
    ["deep nesting of code", `return ${"[".repeat(3000)}${"]".repeat(3000)};`],
  ])("%s", (_, body) => {
    const call = callOf(`function run() { ${body} }`, RICH);
    expect(engine.run(call, echo)?.ok ?? false).toBe(false);
    expect(resultOf(engine.run(callOf("function run() { return 1; }"), echo) ?? never())).toBe(1);
  });
});

const never = (): never => {
  throw new Error("a small program must fit");
};

test("a call that does not fit runs in the thread, with all the work and stack of a call", () => {
  expect(runBody("let n = 0; for (let i = 0; i < 3e5; i++) n += i % 7; return n;", RICH)).toEqual(
    expect.objectContaining({ ok: true, resultJson: "899997" }),
  );
  const recursive = "const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(300);";
  expect(engine.run(callOf(`function run() { ${recursive} }`), echo)).toBe(null);
  expect(resultOf(runBody(recursive))).toBe(300);
});

test("equal calls have equal outcomes in this thread and in the other", async () => {
  const code = `function deep(n) { return n === 0 ? 0 : 1 + deep(n - 1); }
    function run(depth) {
      kernel.log("for", depth);
      state.words = ["b", "a"].sort().map((w) => w.replace(/a/g, "c"));
      return [deep(depth), kernel.balance("ada"), JSON.stringify(state)];
    }`;
  const here = run(sandbox, code, { args: [3] });
  const other = newSandbox();
  // The first call does not fit, so the next call of this program does not try.
  expect(resultOf(run(other, code, { args: [400] }))).toMatchObject({ 0: 400 });
  expect(run(other, code, { args: [3] })).toEqual(here);
  await other.close();
});

test("each syscall is answered once, even if the program must start again", () => {
  const asked: string[] = [];
  const answer: AnswerSyscall = ({ name, argsJson }) => {
    asked.push(name + argsJson);
    return { ok: true, resultJson: String(asked.length), gasUsed: 7 };
  };
  const outcome = runBody(
    `const got = [kernel.read("x"), kernel.read("y")];
     const f = (n) => (n === 0 ? 0 : 1 + f(n - 1));
     got.push(f(300), kernel.read("z"));
     return got;`,
    {},
    answer,
  );
  expect(resultOf(outcome)).toEqual([1, 2, 300, 3]);
  expect(asked).toEqual(['read["x"]', 'read["y"]', 'read["z"]']);
});

test("a syscall with little stack left is answered in the thread", () => {
  const code = `function dig(n) { return n === 0 ? kernel.random() : dig(n - 1); }
    function run() { return dig(40); }`;
  expect(engine.run(callOf(code), () => expect.fail("the stack is too full"))).toBe(null);
  expect(resultOf(run(sandbox, code, {}, () => ONE))).toBe(1);
});

test("a nested program that does not fit does not end its caller", () => {
  const outcomes: unknown[] = [];
  const asking = "function run() { return [kernel.invoke('x'), kernel.invoke('y')]; }";
  const outer = run(sandbox, asking, {}, () => {
    const deep = "const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(300);";
    outcomes.push(resultOf(runBody(deep)));
    return ONE;
  });
  expect([resultOf(outer), outcomes]).toEqual([
    [1, 1],
    [300, 300],
  ]);
});

test("an error of the host passes through the programs unchanged", () => {
  const failing = (): never => {
    throw new Error("a bug");
  };
  expect(() => runBody("return kernel.read('x');", {}, failing)).toThrow("a bug");
  expect(resultOf(runBody("return 2;"))).toBe(2);
});

test("a program that blocks the engine still ends by the timeout", async () => {
  const other = newSandbox({ wall_timeout_ms: 200 });
  expect(run(other, SLOW, RICH)).toMatchObject({ code: "gas_exhausted", timedOut: true });
  await other.close();
});
