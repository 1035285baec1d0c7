import { agentStatus, countedFrom } from "../../figures/index.ts";
import { isReserved } from "../../kernel/index.ts";
import {
  type ArtifactReport,
  artifactReport,
  type StateReport,
  stateReport,
} from "../../read/index.ts";
import { openRun, seqAt } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { type RunPoint, restore, stateHash } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
import {
  addOutFlags,
  addRunArgument,
  MOMENT_HELP,
  moment,
  type OutFlags,
  wholeFrom,
} from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { originLine, printReasons } from "../output/economy-summary.ts";
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & { readonly at?: RunPoint; readonly version?: number };

const PROGRAMS_SHOWN = 20;

export const register: Register = (command, { output }) => {
  const at = `show the state at ${MOMENT_HELP} (default: the end)`;
  addOutFlags(
    addRunArgument(command)
      .argument("[artifact]", "an artifact: print its content, versions, customers and revenue")
      .option("--at <moment>", at, moment)
      .option("--version <number>", "show this version of the artifact", wholeFrom(1)),
  );
  withExamples(command, [
    "sim state latest",
    "sim state latest --at 5m --json",
    "sim state latest handbook_tools",
    "sim state latest handbook_trading --version 1 --json",
  ]);
  command.action((run: string, artifact: string | undefined, flags: Flags) => {
    if (artifact === undefined) showState(run, flags, output);
    else showArtifact(run, artifact, flags, output);
  });
};

const showState = (run: string, { at: asked, version, out, json }: Flags, output: Output): void => {
  if (version !== undefined) throw new CliError("--version needs the id of an artifact");
  const { journal } = openRun(run, out);
  const { run: parent } = countedFrom(journal);
  const at = seqAt(journal, "--at", asked);
  const { state, seq, atMs } = restore(journal, { upTo: at });
  journal.close();
  if (!state.world.has("world")) {
    throw new CliError(
      `--at event ${seq}: the world does not exist yet at this event; try --at event:2`,
    );
  }
  const report = stateReport(state, { seq, atMs, stateHash: stateHash(state) });
  if (json === true) return output.json(report);
  print(output, report);
  if (parent !== null) output.note(`counts include what the agents did in ${parent}`);
};

const showArtifact = (
  run: string,
  id: string,
  { at, version, out, json }: Flags,
  output: Output,
): void => {
  if (at !== undefined) throw new CliError("--at shows accounts; --version shows an old artifact");
  const report = readFrom(run, out, (journal) =>
    artifactReport(journal, restore(journal).state, { id, version: version ?? null, run }),
  );
  if (json === true) output.json(report);
  else printArtifact(output, report);
};

const print = (output: Output, report: StateReport): void => {
  output.line(`after event ${report.seq}, at ${report.at_ms / 1000} s`);
  output.line("");
  output.table(
    ["account", "scrip", "held", "model budget (USD)", "disk used (bytes)", "disk quota (bytes)"],
    Object.entries(report.accounts).map(([id, account]) => {
      const { scrip, held, llm_budget_micros, disk_used, disk_quota } = account;
      return [id, scrip, held, (llm_budget_micros / 1e6).toFixed(6), disk_used, disk_quota];
    }),
  );
  output.line("");
  output.table(
    ["agent", "state", "thoughts", "actions", "succeeded"],
    report.agents.map((agent) => {
      const { id, thoughts, actions, succeeded } = agent;
      return [id, agentStatus(agent), thoughts, actions, succeeded];
    }),
  );
  printReasons(output, report.agents);
  const live = report.artifacts.filter(({ deleted }) => !deleted);
  const programs = live.filter(({ executable, type }) => executable && type !== "genesis");
  output.line("");
  output.table(
    ["program", "owner", "price (scrip)", "version", "size (bytes)"],
    programs
      .slice(0, PROGRAMS_SHOWN)
      .map(({ id, owner, price, version, size_bytes }) => [id, owner, price, version, size_bytes]),
  );
  if (programs.length > PROGRAMS_SHOWN) {
    output.note(`${counted(programs.length - PROGRAMS_SHOWN, "more program")}; --json lists all`);
  }
  if (report.mint.enabled) output.line(mintLine(report.mint));
  output.line(`${live.length} live artifacts; state hash ${report.state_hash}`);
};

const mintLine = ({ auction, open, submissions, tasks, last_price }: StateReport["mint"]) => {
  const bidding = `auction ${auction} ${open ? "is open" : "is next"}`;
  const waiting = `${submissions.length} submissions, ${tasks.length} open tasks`;
  return `mint: ${bidding}; last price ${last_price ?? "none"}; ${waiting}`;
};

const printArtifact = (output: Output, report: ArtifactReport): void => {
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
