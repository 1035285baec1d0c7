import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { AnswerSyscall } from "../../../src/world/sandbox/index.ts";
import { fileSandbox } from "./file-sandbox.ts";
import { callOf, echo, newSandbox, ONE, RICH, replyWith, resultOf, SLOW } from "./fixture.ts";

const { sandbox, run, runBody } = fileSandbox({ wall_timeout_ms: 250 });

const DOOR = new URL("../../../src/world/sandbox/index.ts", import.meta.url).href;
const FIXTURE = new URL("./fixture.ts", import.meta.url).href;

describe("a program that blocks the engine", () => {
  test("is stopped and charged all of its gas", () => {
    expect(run(SLOW, { gasMax: 900_000 })).toEqual({
      ok: false,
      code: "gas_exhausted",
      message: "the program took too long or broke the engine, and was stopped",
      gas: 900_000,
      logs: "",
      timedOut: true,
    });
  });

  test("does not affect the next program", () => {
    for (let i = 0; i < 3; i++) {
      expect(run(SLOW, RICH)).toMatchObject({ code: "gas_exhausted" });
      expect(resultOf(runBody(`return ${i};`))).toBe(i);
    }
  });

  test.each([
    ["compares long texts", 'const s = "a".repeat(1e6), t = s + "b", u = s + "c"; for (;;) t < u;'],
    [
      "follows a long prototype chain",
      "let o = {}; for (let i = 0; i < 40000; i++) o = Object.create(o); for (;;) o.x;",
    ],
    ["converts long text to numbers", 'const s = "1".repeat(1e6); for (;;) +s;'],
  ])("is stopped if it %s", (_, body) => {
    expect(runBody(body, RICH)).toMatchObject({ timedOut: true });
  });

  test("is stopped during inspection too", () => {
    const code = SLOW.replace("function run()", "");
    const found = sandbox.inspect({ key: code, code }, 1_000_000);
    expect(found).toMatchObject({ ok: false, timedOut: true });
  });
});

describe("a nested program that blocks the engine", () => {
  const ASKING = "function run() { try { return kernel.invoke('x'); } catch { return 'caught'; } }";

  test("ends every calling program", () => {
    const outcomes: unknown[] = [];
    const nest =
      (depth: number): AnswerSyscall =>
      () => {
        const inner = depth === 0 ? run(SLOW, RICH) : run(ASKING, {}, nest(depth - 1));
        outcomes.push(inner);
        return replyWith(1, inner.gas);
      };
    const outer = run(ASKING, { gasMax: 77_000 }, nest(2));
    expect(outcomes).toHaveLength(3);
    for (const outcome of [...outcomes, outer]) {
      expect(outcome).toMatchObject({ code: "gas_exhausted", timedOut: true });
    }
    expect(outer.gas).toBe(77_000);
    expect(resultOf(runBody("return 1;"))).toBe(1);
  });

  test("leaves no engine for later calls in the same syscall", () => {
    const late: unknown[] = [];
    run(ASKING, {}, () => {
      run(SLOW, RICH);
      late.push(runBody("return 1;"), sandbox.inspect({ key: "k", code: "" }, 9));
      return ONE;
    });
    expect(late).toEqual([
      expect.objectContaining({ timedOut: true }),
      expect.objectContaining({ timedOut: true, gas: 9 }),
    ]);
  });
});

test("answering a syscall does not count against the timeout", () => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const outcome = runBody("return [kernel.random(), kernel.random()];", {}, () => {
    Atomics.wait(pause, 0, 0, 200);
    return ONE;
  });
  expect(resultOf(outcome)).toEqual([1, 1]);
});

test("the timeout counts the total engine time of a call", () => {
  const code = `function run() {
    const s = "a".repeat(1e6);
    for (let i = 0; ; i++) { for (let n = 0; n < 400; n++) (s + n).charCodeAt(0); kernel.random(); }
  }`;
  const outcome = run(code, { gasMax: 1_000_000, syscallsMax: 50 }, () => ONE);
  expect(outcome).toMatchObject({ timedOut: true });
});

test("a process can end with an open sandbox", () => {
  const script = `
    import { Sandbox } from ${JSON.stringify(DOOR)};
    const { LIMITS, callOf, echo } = await import(${JSON.stringify(FIXTURE)});
    const sandbox = new Sandbox({ ...LIMITS, wall_timeout_ms: 200 });
    const one = sandbox.run(callOf("function run() { return 1; }"), echo);
    const two = sandbox.run(callOf(${JSON.stringify(SLOW)}, { gasMax: 1000000 }), echo);
    console.log(one.resultJson, two.timedOut);`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 120_000,
  });
  expect([stdout.trim(), status]).toEqual(["1 true", 0]);
});

describe.runIf(process.platform === "linux")("the timeout", () => {
  test("counts only while the program runs, not while its process is stopped", async () => {
    const script = `
      import { writeSync } from "node:fs";
      import { Sandbox } from ${JSON.stringify(DOOR)};
      const { LIMITS, callOf } = await import(${JSON.stringify(FIXTURE)});
      const sandbox = new Sandbox({ ...LIMITS, wall_timeout_ms: 400 });
      const code = "function run() { kernel.now(); kernel.read('x'); " +
        "let n = 0; for (let i = 0; i < 1e6; i++) n += i; return n; }";
      const outcome = sandbox.run(callOf(code, { gasMax: 1e9, syscallsMax: 5 }), () => {
        writeSync(1, "begun ");
        return { ok: true, resultJson: "1", gasUsed: 0 };
      });
      console.log(outcome.ok, outcome.timedOut);
      await sandbox.close();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const output: string[] = [];
    child.stdout.on("data", (bytes) => output.push(String(bytes)));
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    // This takes longer than the timeout.
    for (let times = 0; times < 3; times++) run(SLOW, RICH);
    child.kill("SIGCONT");
    await once(child, "close");
    expect(output.join("")).toBe("begun true undefined\n");
  });
});

test("a closed sandbox throws when it is used", async () => {
  const other = newSandbox();
  await other.close();
  expect(() => other.run(callOf("function run() {}"), echo)).toThrow(
    "a closed sandbox cannot run programs",
  );
});
