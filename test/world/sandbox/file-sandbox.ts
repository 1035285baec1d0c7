import { afterAll } from "vitest";
import type {
  AnswerSyscall,
  ProgramOutcome,
  SandboxLimits,
} from "../../../src/world/sandbox/index.ts";
import { type CallParts, newSandbox, run } from "./fixture.ts";

type With = readonly [parts?: CallParts, answer?: AnswerSyscall];

/** A sandbox for all tests of a file, closed after them, and two ways to run programs in it. */
export const fileSandbox = (changes: Partial<SandboxLimits> = {}) => {
  const sandbox = newSandbox(changes);
  afterAll(() => sandbox.close());
  return {
    sandbox,
    run: (code: string, ...more: With): ProgramOutcome => run(sandbox, code, ...more),
    /** Runs a program with one method, which has this body. */
    runBody: (body: string, ...more: With): ProgramOutcome =>
      run(sandbox, `function run() { ${body} }`, ...more),
  };
};
