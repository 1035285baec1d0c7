import { statSync } from "node:fs";
import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { troubleOf } from "../../src/cli/trouble.ts";
import { UsageProblem } from "../../src/cli/usage-problem.ts";
import { LibraryError } from "../../src/mind/index.ts";
import { JournalFailure } from "../../src/world/index.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe("what a verb throws", () => {
  it("is shown as it is when it was meant for people", () => {
    expect(troubleOf(new UsageProblem(["a", "b"]))).toMatchObject({
      lines: ["a", "b"],
      exitCode: 2,
    });
    expect(troubleOf(new UsageProblem("a", EXIT.couldNotRun))).toMatchObject({ exitCode: 3 });
  });

  it("is one line when a lower layer threw it for people", () => {
    expect(troubleOf(new JournalFailure("disk full"))).toEqual({
      lines: ["disk full"],
      exitCode: 3,
    });
    expect(troubleOf(new LibraryError("a.js", "is wrong"))).toEqual({
      lines: ["a.js: is wrong"],
      exitCode: 2,
    });
  });

  it("is in the system's words when the system threw it", () => {
    const error = thrownBy(() => statSync("/no/such"));
    const lines = ["/no/such: no such file or directory (stat)"];
    expect(troubleOf(error)).toEqual({ lines, exitCode: 3 });
  });

  it("has been said already when commander threw it", () => {
    expect(troubleOf(new CommanderError(1, "x", "y"))).toEqual({ lines: [], exitCode: 2 });
    expect(troubleOf(new CommanderError(0, "x", "y"))).toEqual({ lines: [], exitCode: 0 });
  });

  it("is called a bug, with its stack, when nobody expected it", () => {
    const { lines, exitCode } = troubleOf(new TypeError("x is not a function"));
    expect(lines[0]).toBe("this is a bug in catallaxy, not something you did:");
    expect(lines[1]).toContain("    at ");
    expect(exitCode).toBe(3);
    expect(troubleOf("text").lines[1]).toBe("text");
  });
});
