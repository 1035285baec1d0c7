import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeOutput } from "../../src/cli/output/output.ts";
import { spawnSimSync } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const outputTo = ({ terminal = true, quiet = false, colour = true } = {}) => {
  const said = { out: "", err: "" };
  const sink = (name: "out" | "err") => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal: terminal,
    columns: () => 20,
  });
  const options = () => ({ quiet, colour });
  return { said, output: makeOutput({ stdout: sink("out"), stderr: sink("err"), options }) };
};

const ESCAPE = "\u001b[";

describe("the output of a verb", () => {
  it("is in columns with a bold head on a terminal", () => {
    const { said, output } = outputTo();
    output.table(["ID", "N"], [["alpha", "1"]]);
    expect(said.out).toBe(`${ESCAPE}1mID     N${ESCAPE}22m\nalpha  1\n`);
  });

  it("is in fields between tabs, without colours, when piped", () => {
    const { said, output } = outputTo({ terminal: false });
    output.table(["ID", "N"], [["alpha", "1"]]);
    output.problem("no");
    expect(said).toEqual({ out: "ID\tN\nalpha\t1\n", err: "sim: no\n" });
  });

  it("has no colours if they are disabled", () => {
    const { said, output } = outputTo({ colour: false });
    output.line(output.paint("red", "x"));
    output.problem("no");
    expect(said).toEqual({ out: "x\n", err: "sim: no\n" });
  });

  it("is without notes when quiet, but not without problems", () => {
    const { said, output } = outputTo({ quiet: true });
    output.note("by the way");
    output.problem("no");
    expect(said.err).toBe(`${ESCAPE}31msim:${ESCAPE}39m no\n`);
  });

  it("redraws a board in place, cut to the width of the terminal", () => {
    const { said, output } = outputTo();
    output.redraw(["one", "x".repeat(30)]);
    output.redraw(["two"]);
    output.redraw([]);
    const first = `one\n${"x".repeat(19)}\n`;
    expect(said.out).toBe(`${first}${ESCAPE}2A${ESCAPE}0Jtwo\n${ESCAPE}1A${ESCAPE}0J`);
  });

  it("does not redraw a board after other output", () => {
    const { said, output } = outputTo();
    output.redraw(["one"]);
    output.note("by the way");
    output.redraw(["two"]);
    expect(said.out).toBe("one\ntwo\n");
  });

  it("draws no board into a pipe", () => {
    const { said, output } = outputTo({ terminal: false });
    output.redraw(["one"]);
    expect(said.out).toBe("");
  });
});

it("the real command pipes no colours, whatever the environment says", () => {
  const cwd = folderWith();
  vi.stubEnv("FORCE_COLOR", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const runs = [spawnSimSync(cwd, "doctor"), spawnSimSync(cwd, "config", "--set", "x=1")];
  for (const { out, err } of runs) expect(`${out}${err}`).not.toContain("\u001b");
});
