import { describe, expect, test } from "vitest";
import type { AnswerSyscall, ProgramOutcome, Syscall } from "../../../src/world/sandbox/index.ts";
import { fileSandbox } from "./file-sandbox.ts";
import { callOf, codeOf, failureOf, ONE, replyWith, resultOf } from "./fixture.ts";

const { sandbox, run, runBody } = fileSandbox();

const recorded = (code: string): readonly Syscall[] => {
  const asked: Syscall[] = [];
  const outcome = run(code, {}, (syscall) => {
    asked.push(syscall);
    return replyWith(null);
  });
  expect(codeOf(outcome)).toBe("ok");
  return asked;
};

const REFUSAL = { code: "insufficient_funds", message: "you have 3" };
const refuse: AnswerSyscall = () => ({ ok: false, ...REFUSAL, gasUsed: 0 });

describe("a syscall", () => {
  test("carries its name and its arguments as JSON", () => {
    const asked = recorded(`function run() {
      kernel.random(); kernel.balance(); kernel.balance("ada"); kernel.pay("ada", 5);
      kernel.read("x");
      kernel.give("art", "bob"); kernel.write({ id: "n", content: "ü" }); kernel.quota(undefined);
      kernel.invoke("shop", "buy", [1], { attach: { scrip: 2 } }); kernel.query("artifacts", {});
    }`);
    expect(asked.map(({ name, argsJson }) => [name, JSON.parse(argsJson)])).toEqual([
      ["random", []],
      ["balance", []],
      ["balance", ["ada"]],
      ["pay", ["ada", 5]],
      ["read", ["x"]],
      ["give", ["art", "bob"]],
      ["write", [{ id: "n", content: "ü" }]],
      ["quota", [null]],
      ["invoke", ["shop", "buy", [1], { attach: { scrip: 2 } }]],
      ["query", ["artifacts", {}]],
    ]);
  });

  test("includes create_principal, but not now, log and fail", () => {
    const asked = recorded(
      "function run() { kernel.now(); kernel.log('x'); kernel.create_principal({}); }",
    );
    expect(asked.map(({ name }) => name)).toEqual(["create_principal"]);
  });

  test("returns the answer to the program", () => {
    const body = "return kernel.balance('ada').scrip + 1;";
    const outcome = runBody(body, {}, () => replyWith({ scrip: 41 }));
    expect(resultOf(outcome)).toBe(42);
  });

  test("throws a KernelError if it is refused, which the program may catch", () => {
    const code = `function run() {
      try { kernel.pay("ada", 5); } catch (error) {
        const kinds = [error instanceof KernelError, error instanceof Error];
        return [...kinds, error.name, error.code, error.message];
      }
    }`;
    const { code: kind, message } = REFUSAL;
    expect(resultOf(run(code, {}, refuse))).toEqual([true, true, "KernelError", kind, message]);
  });

  test("ends the call with line and code if the refusal is not caught", () => {
    const outcome = run("function run() {\n  kernel.pay('ada', 5);\n}", {}, refuse);
    const message = "KernelError (insufficient_funds): you have 3 (line 2)";
    const dataJson = JSON.stringify(REFUSAL);
    expect(outcome).toMatchObject({ ok: false, code: "runtime_error", message, dataJson });
  });

  test("reports the gas that is left after it", () => {
    const [first, second] = recorded("function run() { kernel.random(); kernel.random(); }");
    expect((first?.gasLeft ?? 0) - (second?.gasLeft ?? 0)).toBeGreaterThanOrEqual(5);
  });

  test.each([
    ["a function", "kernel.read(() => 1)", "a function is not plain data"],
    ["NaN", "kernel.pay('ada', NaN)", "argument 2 is NaN"],
    ["a cycle", "const a = []; a.push(a); kernel.read(a)", "circular reference"],
    ["a lone surrogate", "kernel.read('\\ud800')", "well-formed Unicode"],
    ["NUL", "kernel.read('\\u0000')", "NUL"],
    ["33 levels", "let a = 1; for (let i = 0; i < 33; i++) a = [a]; kernel.read(a)", "levels deep"],
    ["a key that names the prototype", `kernel.write(JSON.parse('{"__proto__":1}'))`, "__proto__"],
    ["too much", "kernel.read('x'.repeat(70000))", "are 70004 bytes, the maximum is 65536"],
  ])("refuses %s before it reaches the world", (_, body, message) => {
    const code = `function run() {
      try { ${body} } catch (error) { return [error.code, error.message]; }
    }`;
    const outcome = run(code, {}, () => {
      throw new Error("asked");
    });
    expect(resultOf(outcome)).toEqual(["invalid_argument", expect.stringContaining(message)]);
  });

  test("is refused if its answer is too large", () => {
    const body = "try { kernel.read('x'); } catch (error) { return error.code; }";
    expect(resultOf(runBody(body, {}, () => replyWith("x".repeat(9e6))))).toBe("result_too_large");
  });

  test("can end the program", () => {
    const code =
      "function run() { try { kernel.pay('a', 1); } catch { return 2; } finally { return 1; } }";
    const outcome = run(code, {}, () => ({
      ok: false,
      fatal: "syscalls_exhausted",
      message: "the action has used up its syscalls",
      gasUsed: 7,
    }));
    expect(failureOf(outcome)).toBe("syscalls_exhausted: the action has used up its syscalls");
  });

  test("rethrows an error of the answering function, and the sandbox still works", () => {
    const bug = (): never => {
      throw new Error("a bug in the world");
    };
    expect(() => runBody("kernel.random();", {}, bug)).toThrow("a bug in the world");
    expect(resultOf(runBody("return 1;"))).toBe(1);
  });
});

describe("kernel.fail", () => {
  test("ends the call with the program's own code and message", () => {
    const outcome = runBody("kernel.fail('sold_out', 'come back later');");
    expect(failureOf(outcome)).toBe("rejected_by_artifact: sold_out: come back later");
    expect(outcome).toMatchObject({ dataJson: '{"code":"sold_out","message":"come back later"}' });
  });

  test("cannot be caught", () => {
    const code = `function run() {
      try { kernel.fail("no", "way"); } catch { return "caught"; } finally { return "finally"; }
    }`;
    expect(codeOf(run(code))).toBe("rejected_by_artifact");
  });

  test("works without a message or a code", () => {
    expect(runBody("kernel.fail();")).toMatchObject({ dataJson: '{"code":"failed","message":""}' });
  });
});

describe("kernel.log", () => {
  test("keeps lines of text and shows other values as JSON", () => {
    const code = `function run() { kernel.log("a", 1, { b: [2] }); kernel.log(null, undefined); }`;
    expect(run(code).logs).toBe('a 1 {"b":[2]}\nnull undefined');
  });

  test("is kept if the call fails", () => {
    expect(runBody("kernel.log('so far'); null.x;").logs).toBe("so far");
  });

  test.each([
    ["'x'.repeat(4095) + 'üü'", "x".repeat(4095)],
    ["'x'.repeat(4094) + 'üü'", `${"x".repeat(4094)}ü`],
    ["'x'.repeat(4093) + '😀'", "x".repeat(4093)],
    ["'x'.repeat(4092) + '😀'", `${"x".repeat(4092)}😀`],
  ])("is cut at its limit between characters, without an error: %s", (line, logs) => {
    const code = `function run() { kernel.log(${line}); kernel.log('y'); return 1; }`;
    expect(run(code)).toMatchObject({ ok: true, logs });
  });
});

describe("a nested program", () => {
  const INVOKE =
    "function run(n) { return { inner: n > 0 ? kernel.invoke('x', 'run', [n - 1]) : null }; }";
  let answered = 0;
  const invoking: AnswerSyscall = ({ argsJson, gasLeft }) => {
    answered += 1;
    const before = answered;
    const [, method, args] = JSON.parse(argsJson);
    const outcome = sandbox.run(callOf(INVOKE, { method, args, gasMax: gasLeft }), invoking);
    return { ...replyFrom(outcome), syscallsUsed: answered - before };
  };
  const replyFrom = (outcome: ProgramOutcome) => ({
    ok: true as const,
    resultJson: outcome.ok
      ? `{"success":true,"result":${outcome.resultJson}}`
      : JSON.stringify({ success: false, error: { code: outcome.code } }),
    gasUsed: outcome.gas,
  });

  test("returns its result to the caller, five levels deep", () => {
    const outcome = run(INVOKE, { args: [5] }, invoking);
    const depths = (value: unknown): number =>
      typeof value === "object" && value !== null && "inner" in value && value.inner !== null
        ? 1 + depths((value.inner as { result: unknown }).result)
        : 0;
    expect(depths(resultOf(outcome))).toBe(5);
  });

  test("uses the caller's syscalls", () => {
    const nested = { args: [5], syscallsMax: 5 };
    expect(codeOf(run(INVOKE, nested, invoking))).toBe("ok");
    expect(codeOf(run(INVOKE, { ...nested, syscallsMax: 4 }, invoking))).toBe("syscalls_exhausted");
  });

  test("is refused one level deeper", () => {
    const outcome = run(INVOKE, { args: [6] }, invoking);
    expect(JSON.stringify(resultOf(outcome))).toContain('"code":"depth_exceeded"');
  });

  test("charges its gas to the caller", () => {
    const plain = run(INVOKE, { args: [0] }, invoking);
    expect(run(INVOKE, { args: [1] }, invoking).gas).toBeGreaterThan(plain.gas * 2);
  });

  test("may run out of anything, which the caller sees as a failed call", () => {
    const inners = {
      gas_exhausted: "function run() { for (;;); }",
      memory_exhausted: "function run() { const a = []; for (;;) a.push([1, 2, 3]); }",
      stack_exhausted: "function run() { run(); }",
      syscalls_exhausted: "function run() { for (;;) try { kernel.random(); } catch {} }",
      runtime_error: "function run() { null.x; }",
      rejected_by_artifact: "function run() { kernel.fail('no'); }",
    };
    const outer =
      "const kept = { n: 1 }; function run() { return [kernel.invoke('x').error.code, ++kept.n]; }";
    for (const [code, inner] of Object.entries(inners)) {
      const outcome = run(outer, { gasMax: 1_000_000, syscallsMax: 50 }, () =>
        replyFrom(run(inner, { gasMax: 400_000 }, refuse)),
      );
      expect(resultOf(outcome)).toEqual([code, 2]);
    }
  });

  test("cannot change the caller's globals", () => {
    const inner =
      "globalThis.kept = 5; Array.prototype.push = null; function run() { globalThis.z = 1; }";
    const outer =
      "let kept = 1; function run() { kernel.invoke('x'); [].push(1); return [kept, typeof z]; }";
    expect(resultOf(run(outer, {}, () => replyFrom(run(inner))))).toEqual([1, "undefined"]);
  });

  test("can be inspected", () => {
    const written = "function run() {} function other() {}";
    const outcome = runBody("return kernel.write({});", {}, () => {
      const found = sandbox.inspect({ key: written, code: written }, 1_000);
      return replyWith(found.ok && found.methods, found.gas);
    });
    expect(resultOf(outcome)).toEqual(["run", "other"]);
  });

  test("can be inspected at the greatest depth", () => {
    const written = "function late() {}";
    const found: unknown[] = [];
    const nest =
      (depth: number): AnswerSyscall =>
      () => {
        if (depth > 0) runBody("return kernel.read();", {}, nest(depth - 1));
        else found.push(sandbox.inspect({ key: written, code: written }, 1_000));
        return ONE;
      };
    runBody("return kernel.read();", {}, nest(5));
    expect(found).toEqual([expect.objectContaining({ ok: true, methods: ["late"] })]);
  });
});
