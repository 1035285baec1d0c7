import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../src/world/sandbox/index.ts";
import { callOf, codeOf, newSandbox, resultOf, run } from "./fixture.ts";

const sandbox = newSandbox({ wallFuseMs: 250 });
afterAll(() => sandbox.close());

/** Operators on long text do not poll, so nothing but the fuse can end this. */
const SLOW = 'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';
const DOOR = new URL("../../../src/world/sandbox/index.ts", import.meta.url).href;
const FIXTURE = new URL("./fixture.ts", import.meta.url).href;
const RICH = { gasMax: 1_000_000 };

describe("a program that holds the engine too long", () => {
  test("is stopped, pays all of its gas, and the outcome says so", () => {
    expect(run(sandbox, SLOW, { gasMax: 900_000 })).toEqual({
      ok: false,
      code: "gas_exhausted",
      message: "the program held up or broke the engine and was stopped",
      gas: 900_000,
      syscalls: 0,
      logs: "",
      fused: true,
    });
    expect(sandbox.lastKill).toBe("no answer within 250 ms");
  });

  test("does not keep the next program from its right result", () => {
    for (let i = 0; i < 3; i++) {
      expect(codeOf(run(sandbox, SLOW, RICH))).toBe("gas_exhausted");
      expect(resultOf(run(sandbox, `function run() { return ${i}; }`))).toBe(i);
    }
  });

  test.each([
    [
      "comparing long texts",
      'const s = "a".repeat(1e6), t = s + "b", u = s + "c"; for (;;) t < u;',
    ],
    [
      "looking far along prototypes",
      "let o = {}; for (let i = 0; i < 40000; i++) o = Object.create(o); for (;;) o.x;",
    ],
    ["turning long text into numbers", 'const s = "1".repeat(1e6); for (;;) +s;'],
  ])("by %s is stopped like any other", (_, body) => {
    expect(run(sandbox, `function run() { ${body} }`, RICH)).toMatchObject({ fused: true });
  });

  test("while it is only inspected is stopped too", () => {
    const code = SLOW.replace("function run()", "");
    expect(sandbox.inspect({ key: code, code }, 1_000_000)).toMatchObject({
      ok: false,
      fused: true,
    });
  });
});

describe("a nested program that holds the engine too long", () => {
  const ASKING = "function run() { try { return kernel.invoke('x'); } catch { return 'caught'; } }";

  test("takes every program that waits for it along", () => {
    const outcomes: unknown[] = [];
    const nest =
      (depth: number): Answer =>
      () => {
        const inner =
          depth === 0 ? run(sandbox, SLOW, RICH) : run(sandbox, ASKING, {}, nest(depth - 1));
        outcomes.push(inner);
        return { ok: true, resultJson: "1", gasUsed: inner.gas };
      };
    const outer = run(sandbox, ASKING, { gasMax: 77_000 }, nest(2));
    expect(outcomes).toHaveLength(3);
    for (const outcome of [...outcomes, outer]) {
      expect(outcome).toMatchObject({ code: "gas_exhausted", fused: true });
    }
    expect(outer.gas).toBe(77_000);
    expect(resultOf(run(sandbox, "function run() { return 1; }"))).toBe(1);
  });

  test("leaves no engine for others that its answerer would still run", () => {
    const late: unknown[] = [];
    run(sandbox, ASKING, {}, () => {
      run(sandbox, SLOW, RICH);
      late.push(
        run(sandbox, "function run() { return 1; }"),
        sandbox.inspect({ key: "k", code: "" }, 9),
      );
      return { ok: true, resultJson: "1", gasUsed: 0 };
    });
    expect(late).toEqual([
      expect.objectContaining({ fused: true }),
      expect.objectContaining({ fused: true, gas: 9 }),
    ]);
  });
});

test("the time it takes to answer does not burn the fuse", () => {
  const rest = new Int32Array(new SharedArrayBuffer(4));
  const outcome = run(
    sandbox,
    "function run() { return [kernel.random(), kernel.random()]; }",
    {},
    () => {
      Atomics.wait(rest, 0, 0, 200);
      return { ok: true, resultJson: "1", gasUsed: 0 };
    },
  );
  expect(resultOf(outcome)).toEqual([1, 1]);
});

test("many short stretches burn the same fuse as one long one", () => {
  const code = `function run() {
    const s = "a".repeat(1e6);
    for (let i = 0; ; i++) { for (let n = 0; n < 400; n++) (s + n).charCodeAt(0); kernel.random(); }
  }`;
  const outcome = sandbox.run({ ...callOf(code, { gasMax: 1_000_000, syscallsMax: 50 }) }, () => ({
    ok: true,
    resultJson: "1",
    gasUsed: 0,
  }));
  expect(outcome).toMatchObject({ fused: true });
});

test("a process ends although nobody closed its sandbox", () => {
  const script = `
    import { Sandbox } from ${JSON.stringify(DOOR)};
    const { LIMITS, callOf, echo } = await import(${JSON.stringify(FIXTURE)});
    const sandbox = new Sandbox({ ...LIMITS, wallFuseMs: 200 });
    const one = sandbox.run(callOf("function run() { return 1; }"), echo);
    const two = sandbox.run(callOf(${JSON.stringify(SLOW)}, { gasMax: 1000000 }), echo);
    console.log(one.resultJson, two.fused);`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 20_000,
  });
  expect([stdout.trim(), status]).toEqual(["1 true", 0]);
});

describe.runIf(process.platform === "linux")("a fuse", () => {
  test("burns while its program runs, not while the machine is busy elsewhere", async () => {
    const script = `
      import { writeSync } from "node:fs";
      import { Sandbox } from ${JSON.stringify(DOOR)};
      const { LIMITS, callOf } = await import(${JSON.stringify(FIXTURE)});
      const sandbox = new Sandbox({ ...LIMITS, wallFuseMs: 400 });
      const code = "function run() { kernel.now(); kernel.read('x'); " +
        "let n = 0; for (let i = 0; i < 1e6; i++) n += i; return n; }";
      const outcome = sandbox.run(callOf(code, { gasMax: 1e9, syscallsMax: 5 }), () => {
        writeSync(1, "begun ");
        return { ok: true, resultJson: "1", gasUsed: 0 };
      });
      console.log(outcome.ok, outcome.fused);
      await sandbox.close();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const said: string[] = [];
    child.stdout.on("data", (bytes) => said.push(String(bytes)));
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    // Two fuses' worth of work go by meanwhile.
    for (let fuses = 0; fuses < 3; fuses++) run(sandbox, SLOW, RICH);
    child.kill("SIGCONT");
    await once(child, "close");
    expect(said.join("")).toBe("begun true undefined\n");
  });
});

test("a closed sandbox runs nothing, which is a bug in its owner", async () => {
  const other = newSandbox();
  await other.close();
  expect(() => run(other, "function run() {}")).toThrow("a closed sandbox runs nothing");
});
