import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  csvFiles,
  fullReport,
  htmlReport,
  measureRun,
  modelCallReport,
  type Report,
} from "../../observe/index.ts";
import { restore } from "../../world/index.ts";
import { sayEconomy } from "../economy-summary.ts";
import { path } from "../flag-values.ts";
import { makeFolder } from "../make-folder.ts";
import { openRun } from "../open-run.ts";
import type { Output } from "../output.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = {
  readonly html?: string;
  readonly csv?: string;
  readonly out: string;
  readonly json?: boolean;
};

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--html <file>", "write one page with charts, which needs no network", path)
      .option("--csv <dir>", "write the figures as tables, one file each", path)
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    [
      "sim report latest",
      "sim report latest --html report.html",
      "sim report latest --csv figures --json",
    ],
  ).action(async (run: string, flags: Flags) => {
    const { name, report } = reportOn(run, flags.out);
    if (flags.csv !== undefined) writeTables(flags.csv, report);
    if (flags.html !== undefined) {
      makeFolder(dirname(flags.html));
      writeFileSync(flags.html, await htmlReport({ run: name, report }));
    }
    if (flags.json === true) shell.output.json(report);
    else say(shell.output, report);
    for (const file of [flags.csv, flags.html]) {
      if (file !== undefined) shell.output.note(`written: ${file}`);
    }
  });
};

const reportOn = (run: string, out: string): { name: string; report: Report } => {
  const { folder, journal } = openRun(run, out);
  // The run may be going on: all figures of one report are of one moment.
  const upTo = journal.head().seq;
  const { state } = restore(journal, { upTo });
  const meter = measureRun(journal, upTo);
  const modelCalls = modelCallReport(journal, upTo);
  journal.close();
  if (!state.whole.has("world")) {
    throw new UsageProblem(`${run}: nothing has happened in this run yet`);
  }
  return { name: basename(folder), report: fullReport(meter, state, modelCalls) };
};

const writeTables = (folder: string, report: Report): void => {
  makeFolder(folder);
  for (const { name, text } of csvFiles(report)) writeFileSync(join(folder, name), text);
};

const say = (output: Output, report: Report): void => {
  output.line(`after event ${report.last_seq}, at ${report.at_ms / 1000} s`);
  sayEconomy(output, report);
  for (const paragraph of report.reading) output.line(paragraph);
};
