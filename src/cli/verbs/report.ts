import { basename, join } from "node:path";
import {
  fullReport,
  type OutputFile,
  type Report,
  type ReportHeader,
  writeFiles,
} from "../../figures/index.ts";
import { htmlReport } from "../../page/index.ts";
import { csvFiles } from "../../read/index.ts";
import { changedSettings, readRun } from "../../run/index.ts";
import { restore } from "../../world/index.ts";
import { addOutFlags, addRunArgument, type OutFlags, path } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { printEconomy, printGains, printGroups } from "../output/economy-summary.ts";
import { thoughtsLine } from "../output/run-summary.ts";
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & { readonly html?: string; readonly csv?: string };

export const register: Register = (command, { output }) => {
  addOutFlags(
    addRunArgument(command)
      .option("--html <file>", "write a page with charts, which works offline", path)
      .option("--csv <dir>", "write each table as a CSV file", path),
  );
  withExamples(command, [
    "sim report latest",
    "sim report latest --html report.html",
    "sim report latest --csv figures --json",
  ]);
  command.action(async (run: string, { html, csv, out, json }: Flags) => {
    const reported = reportOn(run, out);
    const page = html === undefined ? [] : [await pageIn(html, reported)];
    const tables = csv === undefined ? [] : tablesIn(csv, reported);
    writeFiles([...tables, ...page]);
    if (json === true) output.json(reported.report);
    else print(output, reported);
    for (const file of [csv, html]) if (file !== undefined) output.note(`written: ${file}`);
  });
};

type ReportOn = { readonly name: string; readonly header: ReportHeader; readonly report: Report };

const reportOn = (run: string, out: string): ReportOn =>
  readFrom(run, out, (journal, folder) => {
    // Fixes the last event for all figures, because a run in progress adds events meanwhile.
    const upTo = journal.head().seq;
    const { state } = restore(journal, { upTo });
    if (!state.world.has("world")) return `${run}: nothing has happened in this run yet`;
    const report = fullReport(journal, state, upTo);
    return { name: basename(folder), header: headerOf(folder), report };
  });

const headerOf = (folder: string): ReportHeader => {
  const read = readRun(folder);
  const settings = changedSettings(folder);
  if (!read.ok) return { seed: 0, clock: "unknown", version: "unknown", settings };
  const { run, madeBy } = read.about;
  return { seed: run.seed, clock: run.clock, version: madeBy.version, settings };
};

const pageIn = async (path: string, { name, ...reported }: ReportOn): Promise<OutputFile> => ({
  path,
  content: await htmlReport({ run: name, ...reported }),
});

const tablesIn = (folder: string, { report, header }: ReportOn): readonly OutputFile[] =>
  csvFiles(report, header).map(({ name, text }) => ({ path: join(folder, name), content: text }));

const print = (output: Output, { name, report }: ReportOn): void => {
  output.line(`after event ${report.last_seq}, at ${report.at_ms / 1000} s`);
  const { thoughts: calls, thoughts_failed: failed, ...work } = report.metrics.work;
  const failed_by = Object.fromEntries(
    work.thought_failures.map(({ code, times }) => [code, times]),
  );
  output.line(thoughtsLine({ calls, failed, failed_by, cost_usd: work.api_cost_micros / 1e6 }));
  printEconomy(output, report);
  printGroups(output, report.groups);
  printGains(output, report.metrics.gains_from_trade);
  for (const paragraph of report.narrative) output.line(paragraph);
  const explained = agentToExplain(report);
  if (explained !== null) output.note(`next: sim explain ${name} ${explained}`);
  output.note(`${explained === null ? "next:" : "     "} sim dashboard ${name}`);
};

/** The richest agent that received or gave scrip, or null if no agent did. */
const agentToExplain = ({ metrics }: Report): string | null => {
  const moved = metrics.principals.filter(
    ({ agent, received, given }) => agent && received + given > 0,
  );
  return moved.toSorted((a, b) => b.wealth - a.wealth)[0]?.id ?? null;
};
