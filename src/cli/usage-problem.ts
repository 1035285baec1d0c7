import { EXIT, type ExitCode } from "./exit-code.ts";

/**
 * Trouble that is expected: what somebody asked for cannot be done as asked. Thrown by verbs and
 * shown by main.ts, one line for each thing that is wrong, without a stack.
 */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem";
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;

  constructor(lines: string | readonly string[], exitCode: ExitCode = EXIT.wrongUsage) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"));
    this.lines = all;
    this.exitCode = exitCode;
  }
}
