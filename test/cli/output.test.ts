import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeOutput } from "../../src/cli/core/output.ts";
import type { TableRow } from "../../src/cli/core/table.ts";
import { printable } from "../../src/text/printable.ts";
import { spawnSimSync } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const outputTo = ({ terminal = true, quiet = false, colour = true, tsv = false } = {}) => {
  const said = { out: "", err: "" };
  const sink = (name: "out" | "err") => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal: terminal,
    columns: () => 20,
    rows: () => 4,
  });
  const options = () => ({ quiet, colour, tsv });
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

  it("redraws lines in place", () => {
    const { said, output } = outputTo();
    output.redraw(({ columns, rows }) => [["one"], [`${columns} x ${rows}`]]);
    output.redraw(() => [["two"]]);
    output.redraw(() => []);
    const first = "one\n19 x 3\n";
    expect(said.out).toBe(`${first}${ESCAPE}2A${ESCAPE}0Jtwo\n${ESCAPE}1A${ESCAPE}0J`);
  });

  it("cuts redrawn lines to the height of the terminal", () => {
    const { said, output } = outputTo();
    output.redraw(() => [["one"], ["two"], ["three"], ["four"]]);
    expect(said.out).toBe("one\ntwo\nthree\n");
  });

  it("removes redrawn lines before other output", () => {
    const { said, output } = outputTo();
    output.redraw(() => [["one"]]);
    output.note("by the way");
    output.redraw(() => [["two"]]);
    expect(said).toEqual({ out: `one\n${ESCAPE}1A${ESCAPE}0Jtwo\n`, err: "by the way\n" });
  });

  it("redraws nothing in a pipe", () => {
    const { said, output } = outputTo({ terminal: false });
    output.redraw(() => [["one"]]);
    expect(said.out).toBe("");
  });
});

describe("a JSON document", () => {
  // Control characters of C0 and C1, separators, direction marks, and text that stays as it is.
  const text = "\u001b\u007f\u009b2J \u061c\u200f\u2028\u202e\u2066 \ud83d\ude00 \\u009b\n";
  const value = { "a\u0085": text };

  it("cannot control a terminal, and has the same value", () => {
    const { said, output } = outputTo();
    output.json(value);
    output.jsonLine(JSON.stringify(value));
    expect(printable(said.out)).toBe(said.out);
    expect(said.out).toContain("\\u009b2J \\u061c\\u200f\\u2028\\u202e\\u2066 \ud83d\ude00");
    const [whole = "", line = ""] = said.out.split(/(?<=^\})\n/m);
    expect([JSON.parse(whole), JSON.parse(line)]).toEqual([value, value]);
  });
});

describe("a table on a narrow terminal", () => {
  const linesOf = (head: readonly string[], ...rows: readonly TableRow[]): readonly string[] => {
    const { said, output } = outputTo({ colour: false });
    output.table(head, rows);
    const lines = said.out.trimEnd().split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(20);
    return lines;
  };

  it("has long names of columns on several lines", () => {
    const head = ["agent", "disk used (bytes)"];
    expect(linesOf(head, ["ada", 5], ["zed", 12])).toEqual([
      ...["          disk", "          used"],
      ...["agent  (bytes)", "ada          5", "zed         12"],
    ]);
  });

  it("wraps long texts", () => {
    expect(linesOf(["n", "text"], [1, "some words and a-very-long-word"], [20, "short"])).toEqual([
      ...[" n  text", " 1  some words and", "    a-very-long-word", "20  short"],
    ]);
  });

  it("continues below with the other columns, each time with the first", () => {
    const head = ["agent", "wealth", "earned", "paid"];
    expect(linesOf(head, ["ada", 1, 2, 3])).toEqual([
      ...["agent  wealth", "ada         1", ""],
      ...["agent  earned  paid", "ada         2     3"],
    ]);
  });

  it("counts two columns for wide characters", () => {
    expect(linesOf(["a", "b"], ["漢字", "x"], ["one", "y"])).toEqual([
      "a     b",
      "漢字  x",
      "one   y",
    ]);
  });
});

describe("numbers in a table on a terminal", () => {
  it("are aligned at the right, with their signs, units and missing values", () => {
    const { said, output } = outputTo({ colour: false });
    output.table(
      ["id", "n", "by"],
      [
        ["7a", 7, "+1"],
        ["b", "-", "-20"],
        ["c", 1.5, ""],
      ],
    );
    expect(said.out).toBe("id    n   by\n7a    7   +1\nb     -  -20\nc   1.5\n");
  });
});

describe("--tsv", () => {
  it("prints tables only, also on a terminal", () => {
    const { said, output } = outputTo({ tsv: true });
    output.line("a line");
    output.table(["id", "n"], [["a\tb", 1]]);
    output.block("a block");
    output.rows(["seq"], [])([2]);
    expect(said.out).toBe("id\tn\na b\t1\n\nseq\n2\n");
  });
});

it("the real command pipes no colours, whatever the environment says", () => {
  const cwd = folderWith();
  vi.stubEnv("FORCE_COLOR", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const runs = [spawnSimSync(cwd, "runs"), spawnSimSync(cwd, "config", "--set", "x=1")];
  for (const { out, err } of runs) expect(`${out}${err}`).not.toContain("\u001b");
});
