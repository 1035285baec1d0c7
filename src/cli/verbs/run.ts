import { join } from "node:path";
import {
  type EconomyReport,
  economyReport,
  type RunReport,
  readRun,
  runReport,
} from "../../observe/index.ts";
import {
  type Config,
  estimateRun,
  Launch,
  loadPersonas,
  modelProblems,
  newRunId,
  type RunResult,
  showProblem,
} from "../../runner/index.ts";
import { Journal } from "../../world/index.ts";
import { EXIT } from "../exit-code.ts";
import { liveBoard } from "../live-board.ts";
import { agentsFolder, openConfig } from "../open-config.ts";
import { callsOf } from "../recorded-calls.ts";
import { estimateJson, sayEstimate } from "../run-estimate.ts";
import { addRunFlags, type RunFlags, valuesOf } from "../run-flags.ts";
import { sayRun } from "../run-summary.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { SHIPPED, shippedVersion } from "../shipped.ts";
import { UsageProblem } from "../usage-problem.ts";

/** `sim run`: the main job. */
export const register: Register = (command, shell) => {
  withExamples(addRunFlags(command), [
    "sim run --duration 600 --clock virtual",
    "sim run --duration 60 --seed 7 --only ada,fermi --set resources.window_s=30",
    "sim run --duration 600 --clock virtual --json",
  ]).action(async (flags: RunFlags) => {
    await (flags.estimate === true ? estimate(flags, shell) : run(flags, shell));
  });
};

/** What the calls of models may cost; nothing is run and nobody is asked. */
const estimate = async (flags: RunFlags, { output }: Shell): Promise<void> => {
  const { config, personas } = populationOf(flags);
  const estimated = await estimateRun(config, personas);
  if (flags.json === true) output.json(estimateJson(estimated));
  else sayEstimate(output, estimated);
};

const run = async (flags: RunFlags, shell: Shell): Promise<void> => {
  const { output } = shell;
  const launch = prepare(flags, shell);
  const { runner, directory } = launch;
  const stopListening = shell.onSignal((signal, times) => {
    shell.endWith(signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated);
    if (times === 1) runner.stop("signal");
    else shell.endNow();
  });
  const board = flags.json === true || output.isQuiet() ? null : liveBoard(output, runner);
  output.note(`run ${directory.runId} in ${directory.folder}`);
  const result = await launch.run();
  stopListening();
  board?.end();
  if (result.problem !== null) throw new UsageProblem(result.problem, EXIT.couldNotRun);
  const { report, figures } = reportsOf(launch, result);
  if (flags.json === true) output.json(report);
  else sayRun(output, report, figures);
};

/** The configuration in force and those who take part. */
const populationOf = (flags: RunFlags) => {
  const opened = openConfig(flags, valuesOf(flags));
  const { config } = opened;
  const loaded = loadPersonas(agentsFolder(opened), { only: config.agents.only });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  return { config, personas: loaded.personas };
};

const prepare = (flags: RunFlags, shell: Shell): Launch => {
  const { config, personas } = populationOf(flags);
  for (const warning of personas.flatMap(({ warnings }) => warnings)) {
    shell.output.note(`note: ${showProblem(warning)}`);
  }
  noteStop(flags, config, shell);
  const replay = flags.replayModels === undefined ? null : callsOf(flags.replayModels, flags.out);
  const unusable = replay === null ? modelProblems(config, { personas, env: shell.env }) : [];
  if (unusable.length > 0) throw new UsageProblem(unusable);
  const startedAt = new Date();
  const launched = Launch.prepare({
    config,
    personas,
    out: flags.out,
    runId: flags.name ?? newRunId(startedAt, Math.random),
    pid: shell.pid,
    programsFolder: SHIPPED.programs,
    version: shippedVersion(),
    stopAfterS: flags.stopAfter ?? null,
    startedAt,
    env: shell.env,
    replay,
  });
  if (!launched.ok) throw new UsageProblem(launched.problem, EXIT.couldNotRun);
  return launched.launch;
};

/** A moment after the end is no earlier stop. */
const noteStop = ({ stopAfter }: RunFlags, { run: { duration_s } }: Config, shell: Shell): void => {
  if (stopAfter === undefined || stopAfter <= duration_s) return;
  const end = `the run ends before, after its ${duration_s} s; a longer --duration moves that`;
  shell.output.note(`note: --stop-after ${stopAfter}: ${end}`);
};

type Reports = { readonly report: RunReport; readonly figures: EconomyReport };

const reportsOf = ({ directory, runner, seed, clock }: Launch, result: RunResult): Reports => {
  const opened = Journal.open(join(directory.folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new UsageProblem(opened.problem, EXIT.couldNotRun);
  const { journal } = opened;
  const ending = {
    run_id: directory.runId,
    run_dir: directory.folder,
    stopped_by: result.stoppedBy,
    seed,
    clock,
    duration_s: result.atMs / 1000,
    wall_s: Math.round(result.wallMs) / 1000,
    journal_hash: result.journalHash,
    state_hash: result.stateHash,
  };
  const reading = readRun(journal);
  journal.close();
  const { state } = runner.world;
  return { report: runReport(ending, reading, state), figures: economyReport(reading, state) };
};
