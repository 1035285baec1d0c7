import { describe, expect, it } from "vitest";
import { PROGRAMS, TASK_PROGRAMS } from "../../../src/model/mock/programs.ts";
import { loadConfig } from "../../../src/run/index.ts";
import { fileSandbox } from "../../world/sandbox/file-sandbox.ts";

const sandbox = fileSandbox();

const resultOf = (code: string, args: readonly unknown[]): unknown => {
  const outcome = sandbox.run(code, { args });
  return outcome.ok ? JSON.parse(outcome.resultJson) : outcome.message;
};

describe("the programs of the mock model", () => {
  it("have different names", () => {
    const slugs = [...PROGRAMS, ...TASK_PROGRAMS].map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.length).toBeGreaterThan(80);
  });

  it("return the results of their examples", () => {
    for (const { slug, code, example, parameters } of [...PROGRAMS, ...TASK_PROGRAMS]) {
      expect([slug, resultOf(code, example.args)]).toEqual([slug, example.result]);
      expect(example.args).toHaveLength(Object.keys(parameters).length);
    }
  });

  it("pass all tests of the shipped tasks that they are meant for", () => {
    const loaded = loadConfig({ file: null, sets: [], flags: [] });
    if (!loaded.ok) throw new Error("the shipped configuration is invalid");
    const { tasks } = loaded.config.mint;
    for (const { task, code } of TASK_PROGRAMS) {
      const meant = tasks.find(({ description }) => task.test(description));
      const tests = [...(meant?.public_tests ?? []), ...(meant?.hidden_tests ?? [])];
      expect(tests.length).toBeGreaterThan(2);
      for (const { args, result } of tests) expect(resultOf(code, args)).toEqual(result);
    }
  });
});
