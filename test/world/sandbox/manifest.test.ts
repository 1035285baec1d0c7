import { describe, expect, test } from "vitest";
import { fileSandbox } from "./file-sandbox.ts";
import { failureOf, resultOf } from "./fixture.ts";

const { sandbox, run } = fileSandbox();

const methodsOf = (code: string): readonly string[] => {
  const found = sandbox.inspect({ key: code, code }, 100_000);
  if (!found.ok) throw new Error(`${found.code}: ${found.message}`);
  return found.methods;
};

describe("the methods of a program", () => {
  test.each([
    ["function declarations", "function buy() {} function sell() {}", ["buy", "sell"]],
    [
      "const and let functions",
      "const a = () => 1; let b = function () {}; const c = x => x;",
      ["a", "b", "c"],
    ],
    ["var and global functions", "var a = () => 1; globalThis.b = function () {};", ["a", "b"]],
    [
      "nothing that starts with _",
      "function _secret() {} const _s = () => 1; function open() {}",
      ["open"],
    ],
    ["no values", "const price = (5); let name = ('x'); var list = []; function run() {}", ["run"]],
    ["no classes", "class Order {} function run() {}", ["run"]],
    ["no inner functions", "function run() { function inner() {} const deep = () => 1; }", ["run"]],
    ["no generators", "function* each() {} function run() {}", ["run"]],
    ["built-in names", "function escape() {} function parseInt() {}", ["parseInt", "escape"]],
    [
      "no built-in ones",
      "// const Map = () => 1\nfunction run() { const Set = () => 1; }",
      ["run"],
    ],
    ["nothing in comments or strings", "/* const if = () => 1 */ const s = 'let x = () => 1';", []],
    ["each name once", "function run() { return 1; } function run() { return 2; }", ["run"]],
    ["nothing of an empty program", "", []],
  ])("include %s", (_, code, methods) => {
    expect(methodsOf(code)).toEqual(methods);
  });

  test("can all be called", () => {
    const code = "const twice = (n) => 2 * n; function once(n) { return n; }";
    expect(resultOf(run(code, { method: "twice", args: [4] }))).toBe(8);
    expect(resultOf(run(code, { method: "once", args: [4] }))).toBe(4);
  });

  const OTHERS = ["_secret", "missing", "toString", "constructor", "__proto__", "hasOwnProperty"];

  test.each([...OTHERS, "eval", ""])("do not include %j, and the refusal lists them", (method) => {
    const code = "function buy() {} function sell() {} function _secret() {}";
    const failure = failureOf(run(code, { method }));
    expect(failure).toMatch(/^method_not_found: there is no method /);
    expect(failure).toContain("its methods are buy, sell");
  });
});

describe("inspecting a program", () => {
  test("says what is wrong and in which line", () => {
    const code = "function run() {\n  let a = ;\n}";
    expect(sandbox.inspect({ key: code, code }, 100_000)).toMatchObject({
      ok: false,
      code: "syntax_error",
      message: "SyntaxError: unexpected token in expression: ';' (line 2)",
      place: { line: 2, column: 11 },
    });
  });

  test("says the line and the column in this thread and in the worker", () => {
    const slow = "let n = 0; for (let i = 0; i < 2e6; i++) n += i;\n  null.x;";
    for (const [code, column] of [
      ["\n null.x;", 6],
      [slow, 7],
    ] as const) {
      const found = sandbox.inspect({ key: code, code }, Number.MAX_SAFE_INTEGER);
      expect(found).toMatchObject({ code: "runtime_error", place: { line: 2, column } });
    }
  });

  test.each([
    ["\nthrow new Error('early')", "runtime_error", "Error: early (line 2)"],
    [
      "kernel.now(); function run() {}",
      "runtime_error",
      "kernel.now answers only while a method runs",
    ],
    ["for (;;);", "gas_exhausted", "the gas for this call is used up"],
    ["const a = []; for (;;) a.push([1, 2]);", "memory_exhausted", "all of its memory"],
    ["function f() { f(); } f();", "stack_exhausted", "the stack is full"],
    ["(".repeat(50_000), "stack_exhausted", "the stack is full"],
    ["export function run() {}", "syntax_error", "unsupported keyword: export (line 1)"],
    ["await 1;", "syntax_error", "(line 1)"],
    ["import 'fs';", "syntax_error", "SyntaxError"],
  ])("reports what fails while it loads: %s", (code, failure, message) => {
    const found = sandbox.inspect({ key: code, code }, 1_000_000);
    expect(found).toMatchObject({ ok: false, code: failure });
    expect(found.ok ? "" : found.message).toContain(message);
  });

  test("costs the same each time", () => {
    const code = "let n = 0; for (let i = 0; i < 1000; i++) n += i; function run() {}";
    const first = sandbox.inspect({ key: code, code }, 100_000);
    expect(sandbox.inspect({ key: code, code }, 100_000)).toEqual(first);
    expect(first.gas).toBeGreaterThan(100);
  });
});
