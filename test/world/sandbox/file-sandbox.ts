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
  const killed: ProgramOutcome[] = [];
  const runHere = (code: string, ...more: With): ProgramOutcome => {
    const outcome = run(sandbox, code, ...more);
    if (!outcome.ok && outcome.timedOut) killed.push(outcome);
    return outcome;
  };
  return {
    sandbox,
    run: runHere,
    /** Runs a program with one method, which has this body. */
    runBody: (body: string, ...more: With): ProgramOutcome =>
      runHere(`function run() { ${body} }`, ...more),
    /** The outcomes of all calls that ended because the engine was killed. */
    killed,
  };
};
