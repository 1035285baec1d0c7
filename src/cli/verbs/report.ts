import { basename, join } from "node:path";
import {
  csvFiles,
  fullReport,
  htmlReport,
  measureRun,
  modelCallReport,
  type Report,
  type ReportHeader,
} from "../../observe/index.ts";
import { changedSettings } from "../../runner/index.ts";
import { restore } from "../../world/index.ts";
import { sayEconomy } from "../economy-summary.ts";
import { path } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import type { Output } from "../output.ts";
import { RUNS_FOLDER, readRun } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { unlessDamaged } from "../unless-damaged.ts";
import { UsageProblem } from "../usage-problem.ts";
import { type WantedFile, writeFiles } from "../write-files.ts";

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
    const reported = reportOn(run, flags.out);
    const { name, report } = reported;
    const page = flags.html === undefined ? [] : [await pageIn(flags.html, reported)];
    const tables = flags.csv === undefined ? [] : tablesIn(flags.csv, reported);
    writeFiles([...tables, ...page]);
    if (flags.json === true) shell.output.json(report);
    else say(shell.output, name, report);
    for (const file of [flags.csv, flags.html]) {
      if (file !== undefined) shell.output.note(`written: ${file}`);
    }
  });
};

type ReportOn = {
  readonly name: string;
  readonly header: ReportHeader;
  readonly report: Report;
};

/** What run.json says of the run, and the configuration that it has kept. */
const headerOf = (folder: string): ReportHeader => {
  const read = readRun(folder);
  const settings = changedSettings(folder);
  if (!read.ok) return { seed: 0, clock: "unknown", version: "unknown", settings };
  const { run, madeBy } = read.about;
  return { seed: run.seed, clock: run.clock, version: madeBy.version, settings };
};

const reportOn = (run: string, out: string): ReportOn => {
  const { folder, journal } = openRun(run, out);
  // The run may be going on: all figures of one report are of one moment.
  const upTo = journal.head().seq;
  const { state, meter, modelCalls } = unlessDamaged([journal], () => ({
    state: restore(journal, { upTo }).state,
    meter: measureRun(journal, upTo),
    modelCalls: modelCallReport(journal, upTo),
  }));
  journal.close();
  if (!state.whole.has("world")) {
    throw new UsageProblem(`${run}: nothing has happened in this run yet`);
  }
  return {
    name: basename(folder),
    header: headerOf(folder),
    report: fullReport(meter, state, modelCalls),
  };
};

const pageIn = async (path: string, { name, ...reported }: ReportOn): Promise<WantedFile> => ({
  path,
  text: await htmlReport({ run: name, ...reported }),
});

const tablesIn = (folder: string, { report, header }: ReportOn): readonly WantedFile[] =>
  csvFiles(report, header).map(({ name, text }) => ({ path: join(folder, name), text }));

const say = (output: Output, name: string, report: Report): void => {
  output.line(`after event ${report.last_seq}, at ${report.at_ms / 1000} s`);
  sayEconomy(output, report);
  for (const paragraph of report.reading) output.line(paragraph);
  const { richest } = report.metrics.wealth;
  if (richest !== null) output.note(`next: sim explain ${name} ${richest}`);
  output.note(`${richest === null ? "next:" : "     "} sim dashboard ${name}`);
};
