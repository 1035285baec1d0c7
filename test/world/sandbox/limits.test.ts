import { describe, expect, test } from "vitest";
import { Sandbox } from "../../../src/world/index.ts";
import { GasMeter, kilobytes } from "../../../src/world/sandbox/limits.ts";
import { fileSandbox } from "./file-sandbox.ts";
import {
  callOf,
  codeOf,
  echo,
  failureOf,
  LIMITS,
  newSandbox,
  ONE,
  RICH,
  replyWith,
  resultOf,
} from "./fixture.ts";

const { run, runBody, killed } = fileSandbox();

/** Programs that try to continue after `work` exceeded a limit. */
const catchAttempts = (work: string): readonly string[] => [
  `function run() { try { ${work} } catch { return "caught"; } }`,
  `function run() { try { ${work} } finally { return "finally"; } }`,
  `function run() { for (;;) { try { ${work} } catch {} finally { continue; } } }`,
  `function* once() { try { yield 1; } finally { ${work} } }
   function run() { for (const x of once()) break; return 1; }`,
  `function run() { return [1].map(() => { try { ${work} } catch { return "caught"; } }); }`,
  `function run() { return { toJSON() { try { ${work} } catch { return "caught"; } } }; }`,
  `function run() { state = { get a() { try { ${work} } catch { return "caught"; } } }; }`,
  `function run() { throw { toJSON() { try { ${work} } catch { return "caught"; } } }; }`,
  `function run() { return "a".replace(/a/, () => { try { ${work} } catch { return "b"; } }); }`,
  `const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { ${work} } }) };
   function run() { for (const x of it) break; return 1; }`,
];

const LOOP = "for (;;) {}";
const HOARD = "const a = []; for (;;) a.push([1, 2, 3]);";
const HOARD_TEXT = "let s = []; for (let i = 0; ; i++) s.push(('x' + i).repeat(1000));";
const DIVE = "(function f() { f(); })();";

describe("gas", () => {
  test.each(catchAttempts(LOOP))("cannot be caught when it runs out: %s", (code) => {
    const outcome = run(code, { gasMax: 5_000 });
    expect(outcome).toMatchObject({ code: "gas_exhausted", gas: 5_000, timedOut: false });
  });

  test("is reported up to its maximum, which still suffices", () => {
    const code = "function run() { let n = 0; for (let i = 0; i < 500; i++) n += i; return n; }";
    const { gas } = run(code);
    expect(codeOf(run(code, { gasMax: gas }))).toBe("ok");
    expect(run(code, { gasMax: gas - 1 })).toMatchObject({ code: "gas_exhausted", gas: gas - 1 });
  });

  test("pays for a call, its code, its input, its syscalls and its work", () => {
    const gasOf = (code: string, parts = {}) => run(code, parts).gas;
    const small = gasOf("function run() {}");
    expect(small).toBeLessThan(60);
    expect(gasOf(`function run() {} // ${"x".repeat(10_240)}`)).toBe(small + 10);
    const withInput = gasOf("function run() {}", { args: ["x".repeat(10_240)] });
    expect(withInput).toBeGreaterThanOrEqual(small + 10);
    expect(gasOf("function run() { kernel.random(); }")).toBeGreaterThanOrEqual(small + 5);
    const loop = (n: number) => gasOf(`function run() { for (let i = 0; i < ${n}; i++); }`);
    expect(loop(20_000) - loop(10_000)).toBeCloseTo(2_000, -1);
  });

  test("runs out at once if there is none", () => {
    const outcome = run("function run() {}", { gasMax: 0 });
    expect(outcome).toMatchObject({ code: "gas_exhausted", gas: 0 });
  });

  test("has a maximum that no call can exceed", () => {
    expect(runBody(LOOP, { gasMax: 1e12 }).gas).toBe(LIMITS.gas_max);
  });

  test.each([
    ["searching", 'const s = "a".repeat(20000); return s.indexOf("a".repeat(10000) + "b")'],
    ["splitting", 'const s = "a".repeat(20000); return s.split("a".repeat(10000) + "b").length'],
    [
      "replacing",
      'const s = "a".repeat(20000); return s.replaceAll("a".repeat(10000) + "b", "").length',
    ],
    ["repeating", 'return "abc".repeat(5000000).length'],
    ["sorting", "return Array(100000).fill(1).sort().length"],
    ["matching", 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
    ["many short matches", 'for (;;) /(a|aa)+c/.test("a".repeat(12))'],
    ["flattening", "let a = []; for (let i = 0; i < 28; i++) a = [a, a]; return a.flat(Infinity)"],
    ["filling a set from a sparse list", "const a = []; a.length = 4e9; return new Set(a).size"],
  ])("is charged for native work: %s", (_, body) => {
    const outcome = runBody(`${body};`, { gasMax: 10_000 });
    expect(outcome).toMatchObject({ code: "gas_exhausted", timedOut: false });
  });
});

describe("memory", () => {
  test.each([...catchAttempts(HOARD), ...catchAttempts(HOARD_TEXT)])(
    "cannot be caught when it runs out: %s",
    (code) => {
      expect(run(code, RICH)).toMatchObject({
        code: "memory_exhausted",
        message: "the program used all of its memory",
        timedOut: false,
      });
    },
  );

  test.each([
    ["one huge list", "return [...Array(1e9)].length"],
    ["a list from a length", "return Array.from({ length: 4e9 }).length"],
    ["a growing text", 'let s = "x"; for (;;) { s = s + s + "y"; s.charCodeAt(0); }'],
    ["a map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, {})"],
    ["keys", "const o = {}; for (let i = 0; ; i++) o['key' + i] = i"],
    ["closures", "let f = () => 1; const l = []; for (;;) { const g = f; l.push(() => g()); }"],
    ["a parsed text", "return JSON.parse('[' + '0,'.repeat(700000) + '0]').length"],
    ["a regular expression's own stack", 'return /(?:a|(b))*c/.test("ab".repeat(800000))'],
    ["bytecode", "const l = []; for (let i = 0; ; i++) l.push(new RegExp('a'.repeat(500) + i))"],
    ["a sparse result", "const a = []; a.length = 4e9; return a"],
  ])("runs out with %s", (_, body) => {
    expect(codeOf(runBody(`${body};`, RICH))).toBe("memory_exhausted");
  });

  test("follows its limit", async () => {
    const code =
      "function run() { return ['x'.repeat(3e6), Array(200_000).fill(7)].join('').length; }";
    const small = newSandbox({ memory_bytes: 2 * 1024 * 1024 });
    expect(codeOf(small.run(callOf(code), echo))).toBe("memory_exhausted");
    expect(codeOf(run(code))).toBe("ok");
    await small.close();
  });
});

describe("the stack", () => {
  test.each(catchAttempts(DIVE))("cannot be caught when it overflows: %s", (code) => {
    expect(run(code, RICH)).toMatchObject({ code: "stack_exhausted", timedOut: false });
  });

  test.each([
    ["getters", "const o = { get x() { return this.x; } }; o.x"],
    ["toString", "const o = { toString() { return '' + this; } }; '' + o"],
    ["toJSON", "const o = { toJSON() { return JSON.stringify(o); } }; JSON.stringify(o)"],
    ["callbacks", "const f = () => [1].map(f); f()"],
    ["comparators", "const f = () => [1, 2].sort(f); f()"],
    ["replacers", "const f = () => 'a'.replace(/a/, f); f()"],
    ["generators", "function* g() { yield* g(); } [...g()]"],
    ["constructors", "class A { constructor() { new A(); } } new A()"],
    ["apply", "function f() { f.apply(null, arguments); } f(1)"],
    ["spread", "function f(...a) { f(...a); } f(1)"],
    ["parsing JSON", "JSON.parse('['.repeat(100000))"],
    [
      "many locals",
      `function f() { var ${Array.from({ length: 900 }, (_, i) => `v${i}`)}; f(); } f()`,
    ],
    ["compiling a regular expression", "new RegExp('(?:'.repeat(20000))"],
    ["nested lists as text", "let a = []; for (let i = 0; i < 50000; i++) a = [a]; String(a)"],
    ["flattening", "let a = []; for (let i = 0; i < 50000; i++) a = [a]; a.flat(Infinity)"],
  ])("limits recursion through %s", (_, body) => {
    const outcome = runBody(`try { ${body}; } catch {}`, { gasMax: 1_000_000 });
    expect(outcome).toMatchObject({ code: "stack_exhausted", timedOut: false });
  });

  test("is as deep in a nested program as in the outermost", () => {
    const dive = "let d = 0; function f() { d++; kernel.log(d); f(); } function run() { f(); }";
    const alone = run(dive);
    const outcomes: unknown[] = [];
    const dig = (depth: number): void => {
      run(
        "function f(n) { return n ? f(n - 1) : kernel.read(); } function run() { return f(100); }",
        {},
        () => {
          if (depth < 4) dig(depth + 1);
          else outcomes.push(run(dive), runBody("JSON.parse('['.repeat(100000));"));
          return ONE;
        },
      );
    };
    dig(0);
    expect(outcomes).toMatchObject([alone, { code: "stack_exhausted", timedOut: false }]);
    expect(killed).toEqual([]);
  });
});

describe("syscalls", () => {
  test.each(catchAttempts("for (;;) kernel.random();").slice(0, 5))(
    "cannot be caught when they run out: %s",
    (code) => {
      let answered = 0;
      const outcome = run(code, { syscallsMax: 4 }, () => {
        answered += 1;
        return replyWith(0);
      });
      expect(codeOf(outcome)).toBe("syscalls_exhausted");
      expect(answered).toBe(4);
    },
  );

  test("have a maximum that no call can exceed", () => {
    const outcome = runBody("for (;;) kernel.random();", { syscallsMax: 1e6 });
    const message = `this call has made its maximum of ${LIMITS.syscalls_max} syscalls`;
    expect(failureOf(outcome)).toBe(`syscalls_exhausted: ${message}`);
  });
});

describe("the maximum size", () => {
  test("of a result is counted in bytes", () => {
    const code = "function run(n) { return 'x'.repeat(n); }";
    expect(codeOf(run(code, { args: [65_534] }))).toBe("ok");
    expect(failureOf(run(code, { args: [65_535] }))).toBe(
      "result_too_large: the result is 65537 bytes, the maximum is 65536",
    );
  });

  test("of a state is counted in bytes, not characters", () => {
    const code = "function run(n) { state.x = 'ü'.repeat(n); }";
    expect(codeOf(run(code, { args: [32_000] }))).toBe("ok");
    expect(codeOf(run(code, { args: [33_000] }))).toBe("state_too_large");
  });
});

describe("the limits", () => {
  test.each([
    [{ stack_bytes: 1 }, "stack_bytes"],
    [{ memory_bytes: 1_000 }, "memory_bytes"],
    [{ wall_timeout_ms: 0 }, "wall_timeout_ms"],
    [{ result_bytes_max: 8_000_000 }, "result_bytes_max"],
  ])("are refused when they make no sense: %j", (change, name) => {
    expect(() => new Sandbox({ ...LIMITS, ...change })).toThrow(name);
  });
});

test("the sandbox still works after all of this", () => {
  expect(resultOf(runBody("return 'yes';"))).toBe("yes");
  expect(killed).toEqual([]);
});

const TABLE = { ...LIMITS.gas_table, tick: 1_000, per_kb_native: 4 };

describe("a gas meter", () => {
  test("charges polls in proportion to a tick, rounded down once", () => {
    const meter = new GasMeter(TABLE, 100);
    for (let i = 0; i < 25; i++) meter.addPolls(1);
    expect(meter.spent).toBe(2);
  });

  test("charges native work by the kilobyte, rounded down once", () => {
    const meter = new GasMeter(TABLE, 100);
    for (let i = 0; i < 4; i++) meter.addNative(300);
    expect(meter.spent).toBe(4);
  });

  test("is exhausted only over its maximum, and never reports more", () => {
    const meter = new GasMeter(TABLE, 10);
    meter.addFixed(10);
    expect([meter.exhausted, meter.spent, meter.left]).toEqual([false, 10, 0]);
    meter.addFixed(1);
    expect([meter.exhausted, meter.spent, meter.left]).toEqual([true, 10, 0]);
  });

  test("predicts the poll that exhausts it", () => {
    for (const fixed of [0, 3, 10]) {
      const meter = new GasMeter(TABLE, 10);
      meter.addFixed(fixed);
      meter.addPolls(meter.pollsLeft - 1);
      expect(meter.exhausted).toBe(false);
      meter.addPolls(1);
      expect(meter.exhausted).toBe(true);
    }
  });

  test("charges recorded work like the original work", () => {
    const first = new GasMeter(TABLE, 1_000);
    first.addPolls(123);
    first.addNative(4_567);
    const second = new GasMeter(TABLE, 1_000);
    second.addWork(first.work);
    expect(second.spent).toBe(first.spent);
  });
});

test("kilobytes are rounded up", () => {
  expect([0, 1, 1_024, 1_025].map(kilobytes)).toEqual([0, 1, 1, 2]);
});
