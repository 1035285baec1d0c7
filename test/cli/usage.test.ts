import { describe, expect, it } from "vitest";
import { VERBS } from "../../src/cli/program.ts";
import { folderWith } from "../runner/folder.ts";
import { sim, spawnedSim } from "../support/sim.ts";
import { isOneLine } from "./one-line.ts";

describe("the command line", () => {
  it("without arguments prints the help, which names every verb", () => {
    const alone = spawnedSim(".");
    expect(alone).toMatchObject({ code: 0, err: "" });
    expect(sim(".", "--help")).toEqual(alone);
    for (const [name] of VERBS) expect(alone.out).toMatch(`  ${name} `);
    expect(alone.out).toContain("Examples:\n  $ sim run");
  });

  it("prints its version", () => {
    expect(sim(".", "--version")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  it.each(VERBS.map(([name]) => name))("sim %s --help has an example", (name) => {
    const ran = sim(".", name, "--help");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`Usage: sim ${name}`);
    expect(ran.out).toContain(`  $ sim ${name}`);
  });

  it("sim help VERB is sim VERB --help", () => {
    expect(sim(".", "help", "config").out).toBe(sim(".", "config", "--help").out);
  });

  it.each([
    [["rnu"], "sim: unknown command 'rnu' (did you mean run?); try --help\n"],
    [["config", "--jsn"], "sim: unknown option '--jsn' (did you mean --json?); try --help\n"],
    [["--quite"], "sim: unknown option '--quite' (did you mean --quiet?); try --help\n"],
    [["config", "--set"], "sim: option '--set <key=value>' argument missing; try --help\n"],
    [["init"], "sim: missing required argument 'dir'; try --help\n"],
    [["runs", "x"], /^sim: too many arguments for 'runs'/],
    [["agents", "lst"], "sim: unknown command 'lst' (did you mean list?); try --help\n"],
  ] as const)("%j is answered in one line", (args, message) => {
    const ran = sim(".", ...args);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(message);
    expect(isOneLine(ran)).toBe(true);
  });
});

describe("an error", () => {
  it("is one line with the message of the system, and code 3", () => {
    const cwd = folderWith({ file: "" });
    const ran = spawnedSim(cwd, "init", "file/below");
    expect(ran.code).toBe(3);
    expect(ran.err).toMatch(/^sim: \S*file\/below\S*: not a directory \(\w+\)\n$/);
    expect(isOneLine(ran)).toBe(true);
  });
});
