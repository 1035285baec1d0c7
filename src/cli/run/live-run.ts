import {
  type ControlFailure,
  connectToRun,
  OPERATOR_METHODS,
  type ParamsOf,
  type ResultOf,
} from "../../run/index.ts";
import { CliError, EXIT, type ExitCode } from "../core/exit.ts";

/** How long a run may take to answer. A run answers between two transactions. */
const ANSWER_MS_MAX = 10_000;

type Methods = typeof OPERATOR_METHODS;

/** Calls a method of the live run in `folder`. @throws CliError */
export const callLiveRun = async <Name extends keyof Methods>(
  folder: string,
  method: Name,
  params: ParamsOf<Methods[Name]>,
): Promise<ResultOf<Methods[Name]>> => {
  const connected = await connectToRun(folder, OPERATOR_METHODS);
  if (!connected.ok) throw controlError(connected);
  const { client } = connected;
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const answer = await client.call(method, params, signal).finally(() => client.close());
  if (!answer.ok) throw controlError(answer);
  return answer.value;
};

const CODES: { readonly [Reason in ControlFailure["reason"]]: ExitCode } = {
  refused: EXIT.failed,
  invalid: EXIT.wrongUsage,
  not_running: EXIT.couldNotRun,
  no_answer: EXIT.couldNotRun,
};

/** The error of a verb whose request a live run has not answered. */
export const controlError = ({ reason, problem }: ControlFailure): CliError =>
  new CliError(problem, CODES[reason]);
