import { afterAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../../src/world/index.ts";
import { callOf, codeOf, echo, newSandbox, ONE, RICH, resultOf, run, SLOW } from "./fixture.ts";

const sandbox = newSandbox();
afterAll(() => sandbox.close());

/** Leaves traces in everything that a program can reach. */
const LITTER = `
  globalThis.trace = "top";
  let counter = 0;
  function run() {
    counter += 1;
    const seen = [counter, typeof globalThis.trace, [].litter ?? null, Math.litter ?? null];
    globalThis.trace = 1; Array.prototype.litter = 1; Math.litter = 1; Object.prototype.x = 1;
    run.calls = (run.calls ?? 0) + 1; /x/g.lastIndex = 5; JSON.parse = null;
    return [...seen, run.calls];
  }`;

const WORK = `
  function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  function run(n) {
    kernel.log("for", n);
    const words = Array.from({ length: 50 }, (_, i) => "w" + (i * 7919) % 101);
    state.seen = [...new Map(words.sort().map((w) => [w, w.length])).keys()].join();
    return { fib: fib(n), asked: kernel.balance("ada"), m: Math.sin(n),
      r: /w(\\d+)/.exec(state.seen)[1] };
  }`;

const outcomeOfWork = (on: Sandbox): string => JSON.stringify(run(on, WORK, { args: [12] }));

describe("a call leaves nothing behind", () => {
  test("in globals, prototypes, variables and properties of functions", () => {
    for (let i = 0; i < 3; i++) {
      expect(resultOf(run(sandbox, LITTER))).toEqual([1, "string", null, null, 1]);
    }
  });

  test("that another program can see", () => {
    run(sandbox, LITTER);
    const code =
      "function run() { return [typeof trace, [].litter ?? 0, {}.x ?? 0, typeof JSON.parse]; }";
    expect(resultOf(run(sandbox, code))).toEqual(["undefined", 0, 0, "function"]);
  });

  test("that top-level code made", () => {
    const code = "const born = { n: 0 }; function run() { return ++born.n; }";
    expect([1, 2].map(() => resultOf(run(sandbox, code)))).toEqual([1, 1]);
  });

  test("if it was stopped halfway", () => {
    const code = `const born = []; function run(n) {
      born.push(1); if (n === 1) for (;;) born.push(2);
      if (n === 2) kernel.fail("x"); return born.length;
    }`;
    expect(
      [1, 0, 2, 0].map((n) => codeOf(run(sandbox, code, { args: [n], gasMax: 5_000 }))),
    ).toEqual(["gas_exhausted", "ok", "rejected_by_artifact", "ok"]);
    expect(resultOf(run(sandbox, code, { args: [0] }))).toBe(1);
  });
});

describe("equal calls have equal outcomes, gas and logs", () => {
  test("a hundred times in one sandbox", () => {
    expect(new Set(Array.from({ length: 100 }, () => outcomeOfWork(sandbox))).size).toBe(1);
  });

  test("in a new sandbox, also after programs that filled memory and stack", async () => {
    const warm = outcomeOfWork(sandbox);
    const other = newSandbox();
    expect(outcomeOfWork(other)).toBe(warm);
    run(other, "function run() { const a = []; for (;;) a.push([1, 2, 3]); }", RICH);
    run(other, "function run() { run(); }");
    run(other, "function run() { for (;;); }");
    run(other, LITTER);
    expect(outcomeOfWork(other)).toBe(warm);
    await other.close();
  });

  test("after the engine was replaced", async () => {
    const warm = outcomeOfWork(sandbox);
    const other = newSandbox({ wall_timeout_ms: 300 });
    expect(run(other, SLOW, RICH)).toMatchObject({ code: "gas_exhausted", timedOut: true });
    expect(outcomeOfWork(other)).toBe(warm);
    await other.close();
  });

  test("at every depth of nesting", () => {
    const call = callOf(WORK, { args: [12] });
    const alone = JSON.stringify(sandbox.run(call, echo));
    const outcomes: string[] = [];
    const dig = (depth: number): void => {
      run(sandbox, `function run() { return kernel.query(${depth}); }`, {}, () => {
        outcomes.push(JSON.stringify(sandbox.run(call, echo)));
        if (depth < 4) dig(depth + 1);
        return ONE;
      });
    };
    dig(0);
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => alone));
  });

  test("if they run out of gas, for every amount", () => {
    const code = "function run() { for (let i = 0; ; i++) { if (i % 50 === 0) kernel.log(i); } }";
    const trail = (gasMax: number) => JSON.stringify(run(sandbox, code, { gasMax }));
    const once = [50, 100, 500, 3_000].map(trail);
    expect([50, 100, 500, 3_000].map(trail)).toEqual(once);
    expect(new Set(once).size).toBe(4);
  });

  test.each([
    [
      "memory",
      `const kept = []; function run() {
        for (let i = 0; ; i++) { kept.push({ i }); if (i % 1000 === 0) kernel.log(i); }
      }`,
    ],
    [
      "stack",
      `let depth = 0;
      function dive() { depth += 1; if (depth % 100 === 0) kernel.log(depth); dive(); }
      function run() { dive(); }`,
    ],
  ])("if they run out of %s", (limit, code) => {
    const outcomes = [1, 2, 3].map(() => JSON.stringify(run(sandbox, code, RICH)));
    expect(new Set(outcomes).size).toBe(1);
    expect(outcomes[0]).toContain(`"code":"${limit}_exhausted"`);
  });

  test("whether a large or a small budget loaded the program first", async () => {
    const code = `let sum = 0; for (let i = 0; i < 2000; i++) sum += i;
      function run() { return sum; }`;
    const [first, second] = [newSandbox(), newSandbox()];
    const budgets = [100_000, 700, 100];
    const a = budgets.map((gasMax) => run(first, code, { gasMax }));
    const b = budgets.toReversed().map((gasMax) => run(second, code, { gasMax }));
    expect(a).toEqual(b.toReversed());
    expect(a.map(codeOf)).toEqual(["ok", "ok", "gas_exhausted"]);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("a new sandbox after another was closed", () => {
  const HOARD = "function run() { return 'x'.repeat(2e6).length; }";

  test("has its own engine and limits", async () => {
    const cold = outcomeOfWork(sandbox);
    const first = newSandbox();
    run(first, LITTER);
    expect([codeOf(run(first, HOARD)), outcomeOfWork(first)]).toEqual(["ok", cold]);
    await first.close();
    const second = newSandbox({ memory_bytes: 1_048_576, depth_max: 3 });
    expect(codeOf(run(second, HOARD))).toBe("memory_exhausted");
    expect(outcomeOfWork(second)).toBe(cold);
    await second.close();
    const third = newSandbox({ stack_bytes: 1_048_576 });
    expect([codeOf(run(third, HOARD)), outcomeOfWork(third)]).toEqual(["ok", cold]);
    await third.close();
  });

  test("charges for loading a program that the other had loaded", async () => {
    const gasOf = async (): Promise<readonly number[]> => {
      const each = newSandbox();
      const spent = [1, 2].map(() => run(each, WORK, { args: [5] }).gas);
      await each.close();
      return spent;
    };
    expect(await gasOf()).toEqual(await gasOf());
  });

  test("works if the other was closed unused, twice, or after its engine was killed", async () => {
    const unused = newSandbox();
    await unused.close();
    await unused.close();
    const killed = newSandbox({ wall_timeout_ms: 250 });
    expect(run(killed, SLOW, RICH)).toMatchObject({ timedOut: true });
    await killed.close();
    const next = newSandbox();
    expect(outcomeOfWork(next)).toBe(outcomeOfWork(sandbox));
    await next.close();
  });
});

test("the engine version names the build", () => {
  expect(sandbox.engineVersion).toMatch(/^quickjs-\d{4}-\d\d-\d\d\+[0-9a-f]{12}$/);
});
