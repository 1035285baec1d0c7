import { FEATURES } from "../../index.ts";
import {
  type Launch,
  launchRun,
  type PreparedRun,
  prepareRun,
  type ReadRequest,
  type RunHost,
  type RunRequest,
} from "../../run/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import type { Shell } from "../core/shell.ts";

/** What a run gets from this command. */
export const hostOf = ({ output, env, pid }: Shell): RunHost => ({
  env,
  pid,
  features: FEATURES,
  note: (text) => output.note(`note: ${text}`),
});

/** Reads the files of a request. @throws RunFailure that lists what is wrong with them. */
export const readRequest = (request: RunRequest, shell: Shell): Promise<ReadRequest> =>
  prepareRun(request, hostOf(shell));

/** A run that can begin. @throws CliError that says why it cannot. */
export const launchOf = async (run: PreparedRun): Promise<Launch> => {
  const launched = await launchRun(run);
  if (launched.ok) return launched.launch;
  const { problems, isUsersMistake } = launched;
  throw new CliError(problems, isUsersMistake ? EXIT.wrongUsage : EXIT.couldNotRun);
};

/** Launches a fork, and warns of settings that change nothing in its world. */
export const launchFork = async (
  request: RunRequest,
  { estimate }: { readonly estimate?: boolean },
  shell: Shell,
): Promise<Launch> => {
  if (estimate === true) {
    throw new CliError(
      "--estimate works only for a new world; omit it with --from and in `sim fork`",
    );
  }
  const { run, warnings } = await readRequest(request, shell);
  const launch = await launchOf(run);
  for (const text of warnings) shell.output.note(`warning: ${text}`);
  return launch;
};
