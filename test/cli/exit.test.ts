import { statSync } from "node:fs";
import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { CliError, EXIT, exitFor } from "../../src/cli/core/exit.ts";
import { LibraryError } from "../../src/policy/index.ts";
import { JournalFailure } from "../../src/world/index.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe("an error that a verb throws", () => {
  it("is printed unchanged if it is a CliError", () => {
    expect(exitFor(new CliError(["a", "b"]))).toMatchObject({ lines: ["a", "b"], exitCode: 2 });
    expect(exitFor(new CliError("a", EXIT.couldNotRun))).toMatchObject({ exitCode: 3 });
  });

  it("is one line if it is an expected error of another layer", () => {
    const [full, wrong] = [new JournalFailure("disk full"), new LibraryError("a.js", "is wrong")];
    expect(exitFor(full)).toEqual({ lines: ["disk full"], exitCode: 3 });
    expect(exitFor(wrong)).toEqual({ lines: ["a.js: is wrong"], exitCode: 2 });
  });

  it("has the message of the operating system for a system error", () => {
    const error = thrownBy(() => statSync("/no/such"));
    const lines = ["/no/such: no such file or directory (stat)"];
    expect(exitFor(error)).toEqual({ lines, exitCode: 3 });
  });

  it("is not printed again if commander has printed it", () => {
    expect(exitFor(new CommanderError(1, "x", "y"))).toEqual({ lines: [], exitCode: 2 });
    expect(exitFor(new CommanderError(0, "x", "y"))).toEqual({ lines: [], exitCode: 0 });
  });

  it("is reported as a bug, with its stack, if it is unexpected", () => {
    const { lines, exitCode } = exitFor(new TypeError("x is not a function"));
    expect(lines[0]).toBe("this is a bug in catallaxy, not a mistake of yours:");
    expect(lines[1]).toContain("    at ");
    expect(exitCode).toBe(3);
    expect(exitFor("text").lines[1]).toBe("text");
  });
});
