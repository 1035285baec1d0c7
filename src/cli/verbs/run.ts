import type { Recording } from "../../mind/index.ts";
import { type Config, estimateRun, Launch, newRunId } from "../../runner/index.ts";
import { carryOut } from "../carry-out.ts";
import { goOnFrom } from "../go-on-from.ts";
import { openConfig } from "../open-config.ts";
import { callsOf } from "../recorded-calls.ts";
import { replayNote } from "../replay-notes.ts";
import { withDashboard } from "../run-dashboard.ts";
import { estimateJson, sayEstimate } from "../run-estimate.ts";
import { addRunFlags, type RunFlags, valuesOf } from "../run-flags.ts";
import { launchOf, orderOf, personasIn } from "../run-order.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { openSource } from "../source.ts";

type Flags = RunFlags & { readonly from?: string; readonly replayModels?: string };

/** `sim run`: the main job. */
export const register: Register = (command, shell) => {
  withExamples(
    addRunFlags(command)
      .option("--from <checkpoint>", "go on from a checkpoint, in a new run")
      .option(
        "--replay-models <run>",
        "answer all calls of models as they were answered in that run",
      ),
    [
      "sim run --duration 600 --clock virtual",
      "sim run --duration 60 --seed 7 --only ada,fermi --set resources.window_s=30",
      "sim run --duration 600 --clock virtual --json",
      "sim run --duration 3600 --dashboard",
    ],
  ).action(async (flags: Flags) => {
    if (flags.estimate === true && flags.from === undefined) return await estimate(flags, shell);
    await withDashboard(flags, shell, async (dashboard) => {
      await carryOut(() => begun(flags, shell), { ...flags, dashboard }, shell);
    });
  });
};

const begun = async (flags: Flags, shell: Shell): Promise<Launch> => {
  if (flags.from === undefined) return prepare(flags, shell);
  const source = await openSource(flags.from, flags);
  return goOnFrom(source, { flags, replay: strictly(flags) }, shell);
};

/** What the calls of models may cost; nothing is run and nobody is asked. */
const estimate = async (flags: RunFlags, shell: Shell): Promise<void> => {
  const opened = openConfig(flags, valuesOf(flags));
  const personas = personasIn(opened, opened.config.agents.only, shell);
  const estimated = await estimateRun(opened.config, personas);
  if (flags.json === true) shell.output.json(estimateJson(estimated));
  else sayEstimate(shell.output, estimated, opened);
};

/** What is not in the recording fails: such a run needs no key. */
const strictly = ({ replayModels, out }: Flags): Recording | null =>
  replayModels === undefined ? null : { calls: callsOf(replayModels, out), otherwise: "fail" };

const prepare = (flags: Flags, shell: Shell): Launch => {
  const opened = openConfig(flags, valuesOf(flags));
  const { config } = opened;
  const personas = personasIn(opened, config.agents.only, shell);
  noteStop(flags, config, shell);
  const replay = strictly(flags);
  const change = replay === null ? null : replayNote(config);
  if (change !== null) shell.output.note(`note: ${change}`);
  const order = orderOf(config, flags, shell);
  const runId = flags.name ?? newRunId(order.startedAt, Math.random);
  const launched = Launch.prepare({
    ...order,
    personas,
    out: flags.out,
    runId,
    from: null,
    replay,
  });
  return launchOf(launched);
};

/** A moment after the end is no earlier stop. */
const noteStop = ({ stopAfter }: RunFlags, { run: { duration_s } }: Config, shell: Shell): void => {
  if (stopAfter === undefined || stopAfter <= duration_s) return;
  const end = `the run ends before, after its ${duration_s} s; a longer --duration moves that`;
  shell.output.note(`note: --stop-after ${stopAfter}: ${end}`);
};
