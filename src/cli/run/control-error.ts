import type { ControlFailure } from "../../runner/index.ts";
import { CliError, EXIT, type ExitCode } from "../exit.ts";

const CODES: { readonly [Reason in ControlFailure["reason"]]: ExitCode } = {
  refused: EXIT.doesNotHold,
  invalid: EXIT.wrongUsage,
  not_running: EXIT.couldNotRun,
  no_answer: EXIT.couldNotRun,
};

/** The error of a verb whose request a live run has not answered. */
export const controlError = ({ reason, problem }: ControlFailure): CliError =>
  new CliError(problem, CODES[reason]);
