import { resolve } from "node:path";
import {
  type Config,
  type Launch,
  type Launched,
  type LaunchOrder,
  loadPersonas,
  type Persona,
  showProblem,
} from "../runner/index.ts";
import { EXIT } from "./exit-code.ts";
import { agentsFolder, type OpenConfig } from "./open-config.ts";
import type { RunFlags } from "./run-flags.ts";
import type { Shell } from "./shell.ts";
import { SHIPPED, shippedVersion } from "./shipped.ts";
import { UsageProblem } from "./usage-problem.ts";

/** What is the same for every run that this process may start. */
export const orderOf = (
  config: Config,
  flags: Pick<RunFlags, "stopAfter">,
  shell: Shell,
): LaunchOrder => ({
  config,
  pid: shell.pid,
  programsFolder: SHIPPED.programs,
  version: shippedVersion(),
  furtherS: null,
  stopAfterS: flags.stopAfter ?? null,
  startedAt: new Date(),
  env: shell.env,
  replay: null,
  checkpoints: resolve(shell.cwd, config.checkpoint.dir),
});

/** The run, or the usage problem that keeps it from beginning. */
export const launchOf = (launched: Launched): Launch => {
  if (launched.ok) return launched.launch;
  throw new UsageProblem(launched.problems, launched.mistaken ? EXIT.wrongUsage : EXIT.couldNotRun);
};

/** Those who are to take part; what is odd about them is told. */
export const personasIn = (
  opened: OpenConfig,
  only: readonly string[],
  { output }: Shell,
): readonly Persona[] => {
  const loaded = loadPersonas(agentsFolder(opened), { only });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  for (const warning of loaded.personas.flatMap(({ warnings }) => warnings)) {
    output.note(`note: ${showProblem(warning)}`);
  }
  return loaded.personas;
};
