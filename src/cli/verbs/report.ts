import { economyReport, modelCallReport, readRun } from "../../observe/index.ts";
import { restore } from "../../world/index.ts";
import { sayEconomy } from "../economy-summary.ts";
import { openRun } from "../open-run.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly out: string; readonly json?: boolean };

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim report latest", "sim report latest --json"],
  ).action((run: string, flags: Flags) => {
    const { journal } = openRun(run, flags.out);
    const { state } = restore(journal);
    const reading = readRun(journal);
    const modelCalls = modelCallReport(journal);
    journal.close();
    if (!state.whole.has("world")) {
      throw new UsageProblem(`${run}: nothing has happened in this run yet`);
    }
    const report = economyReport(reading, state, modelCalls);
    if (flags.json === true) {
      shell.output.json(report);
      return;
    }
    shell.output.line(`after event ${report.last_seq}, at ${report.at_ms / 1000} s`);
    sayEconomy(shell.output, report);
  });
};
