import { isReserved } from "../../kernel/index.ts";
import { type ArtifactReport, artifactReport } from "../../read/index.ts";
import { counted } from "../../text/index.ts";
import { restore } from "../../world/index.ts";
import { addOutFlags, addRunArgument, type OutFlags, wholeFrom } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { originLine } from "../output/economy-summary.ts";
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & { readonly version?: number };

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command)
      .argument("<id>", "artifact id")
      .option("--version <number>", "show this version (default: the last)", wholeFrom(1)),
  );
  withExamples(command, [
    "sim artifact latest handbook_tools",
    "sim artifact latest handbook_trading --version 1 --json",
  ]);
  command.action((run: string, id: string, { out, version, json }: Flags) => {
    const report = readFrom(run, out, (journal) =>
      artifactReport(journal, restore(journal).state, { id, version: version ?? null, run }),
    );
    if (json === true) shell.output.json(report);
    else print(shell.output, report);
  });
};

const print = (output: Output, report: ArtifactReport): void => {
  const { id, version, last_version, counted_from } = report;
  output.line(output.paint("bold", `${id}, version ${version} of ${last_version}`));
  output.line(ownerLine(report));
  output.line(
    `price ${report.price}, read price ${report.read_price}, access ${report.access}, ` +
      `${report.size_bytes} bytes`,
  );
  const origin = originLine(counted_from);
  if (origin !== null) output.line(origin);
  output.line(callsLine(report));
  for (const customer of report.customers) {
    output.line(`  ${customer.id}: ${purchasesOf(customer)}`);
  }
  for (const { id: reader, reads: times, paid } of report.readers) {
    output.line(`  ${reader}: paid ${paid} scrip for ${counted(times, "read")}`);
  }
  if (report.methods.length > 0) {
    output.line(`methods: ${report.methods.join(", ")}`);
  }
  if (report.deleted !== null) output.line("deleted");
  if (report.content !== "") output.block(`\n${report.content}`);
  if (report.code !== null) output.block(`\n${report.code}`);
};

const callsLine = (report: ArtifactReport): string => {
  const { invocations, invocations_by_others: sold, failures, reads, revenue } = report;
  const { native_calls: native } = report;
  const read = counted(reads, "read");
  if (native !== null) {
    const calls = counted(native.succeeded + native.refused, "call");
    const left = "calls by programs not counted";
    return `${calls} by actions, ${native.refused} refused, ${read} (${left})`;
  }
  const calls = `${counted(invocations, "call")} (${sold} by others)`;
  return `${calls}, ${failures} failed, ${read}, revenue ${revenue} scrip`;
};

/** Describes type, owner and creator. Omits owner and creator of self-owned genesis artifacts. */
const ownerLine = ({ id, type, owner, created_by }: ArtifactReport): string => {
  if (!isReserved(id) || owner !== id) return `${type} of ${owner}, created by ${created_by}`;
  return `${type === "genesis" ? "part" : type} of genesis`;
};

const purchasesOf = ({ calls, paid }: ArtifactReport["customers"][number]): string => {
  if (calls === 0) return `paid ${paid} scrip for calls that others started`;
  return `started ${counted(calls, "call")}, paid ${paid} scrip${paid === 0 ? " of its own" : ""}`;
};
