import { isReserved } from "../../kernel/index.ts";
import { type ArtifactReport, artifactReport } from "../../observe/index.ts";
import { restore } from "../../world/index.ts";
import { wholeFrom } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import { originLine } from "../origin-line.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { unlessDamaged } from "../unless-damaged.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly version?: number; readonly out: string; readonly json?: boolean };

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .argument("<id>", "the artifact")
      .option("--version <number>", "its text as of this version", wholeFrom(1))
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    [
      "sim artifact latest handbook_tools",
      "sim artifact latest handbook_trading --version 1 --json",
    ],
  ).action((run: string, id: string, flags: Flags) => {
    const { journal } = openRun(run, flags.out);
    const wish = { id, version: flags.version ?? null, run };
    const report = unlessDamaged([journal], () =>
      artifactReport(journal, restore(journal).state, wish),
    );
    journal.close();
    if (typeof report === "string") throw new UsageProblem(report);
    if (flags.json === true) shell.output.json(report);
    else say(shell.output, report);
  });
};

const say = (output: Output, report: ArtifactReport): void => {
  const { id, version, last_version, counted_from } = report;
  output.line(output.paint("bold", `${id}, version ${version} of ${last_version}`));
  output.line(originOf(report));
  output.line(
    `price ${report.price}, read price ${report.read_price}, access ${report.access}, ` +
      `${report.size_bytes} bytes`,
  );
  const origin = originLine(counted_from);
  if (origin !== null) output.line(origin);
  const { invocations, invocations_by_others: sold, failures, reads, revenue } = report;
  output.line(
    `${invocations} calls (${sold} by others), ${failures} failed, ${reads} reads, ` +
      `revenue ${revenue} scrip`,
  );
  for (const customer of report.customers) output.line(`  ${customer.id}: ${boughtText(customer)}`);
  for (const { id: reader, reads: times, paid } of report.readers) {
    output.line(`  ${reader}: paid ${paid} scrip for ${times} reads`);
  }
  if (report.methods.length > 0) {
    output.line(`methods: ${printable(report.methods.join(", "))}`);
  }
  if (report.deleted !== null) output.line("it was deleted");
  if (report.content !== "") output.line(`\n${printable(report.content)}`);
  if (report.code !== null) output.line(`\n${printable(report.code)}`);
};

/** What the world itself brought along owns and has made itself, which says nothing. */
const originOf = ({ id, type, owner, created_by }: ArtifactReport): string => {
  const kind = printable(type);
  if (!isReserved(id) || owner !== id) return `${kind} of ${owner}, created by ${created_by}`;
  return `${type === "genesis" ? "part" : kind} of genesis`;
};

/** Calls are of whoever began them, payments of whoever's money it was. */
const boughtText = ({ calls, paid }: ArtifactReport["customers"][number]): string => {
  if (calls === 0) return `paid ${paid} scrip, for calls that others began`;
  return `began ${calls} calls, paid ${paid} scrip${paid === 0 ? " of its own" : ""}`;
};
