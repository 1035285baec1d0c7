import { FEATURES } from "../../index.ts";
import {
  type Launch,
  type Launched,
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
export const launchOf = async (run: PreparedRun): Promise<Launch> => launchIn(await launchRun(run));

/**
 * Reads a request for a run that continues a world, and launches it. If somebody else has made the
 * world, asks a person on the terminal what it may do.
 */
const continued = async (request: RunRequest, shell: Shell) => {
  const read = await readRequest(request, shell);
  const launched = await launchRun(read.run);
  if (launched.ok || launched.untrusted === undefined || shell.ask === null) {
    return { ...read, launch: launchIn(launched) };
  }
  for (const line of launched.problems) shell.output.note(line);
  const answer = await shell.ask("let it? [y: yes, n: continue without, other: stop] ");
  const isTrusted = /^y(es)?$/i.test(answer.trim());
  if (!isTrusted && !/^no?$/i.test(answer.trim())) launchIn(launched);
  const again = await readRequest({ ...request, trust: isTrusted }, shell);
  return { ...again, launch: await launchOf(again.run) };
};

/** Launches a run that goes on in its folder. */
export const launchResumed = async (request: RunRequest, shell: Shell): Promise<Launch> =>
  (await continued(request, shell)).launch;

const launchIn = (launched: Launched): Launch => {
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
  const { launch, warnings } = await continued(request, shell);
  for (const text of warnings) shell.output.note(`warning: ${text}`);
  return launch;
};
