import { countedFrom, type StateReport, standingOf, stateReport } from "../../observe/index.ts";
import { restore, stateHash } from "../../world/index.ts";
import { wholeFrom } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import type { Output } from "../output.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly at?: number; readonly out: string; readonly json?: boolean };

const ARTIFACTS_SHOWN = 20;

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--at <seq>", "after this event; default: the last", wholeFrom(1))
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim state latest", "sim state latest --at 500 --json"],
  ).action((run: string, flags: Flags) => {
    const { journal } = openRun(run, flags.out);
    const { run: parent } = countedFrom(journal);
    const last = journal.head().seq;
    if (flags.at !== undefined && flags.at > last) {
      throw new UsageProblem(`--at ${flags.at}: the last event of this run is ${last}`);
    }
    const { state, seq, atMs } = restore(journal, flags.at === undefined ? {} : { upTo: flags.at });
    journal.close();
    if (!state.whole.has("world")) {
      throw new UsageProblem(`--at ${seq}: the world was not created yet; try --at 2`);
    }
    const report = stateReport(state, { seq, atMs, stateHash: stateHash(state) });
    if (flags.json === true) shell.output.json(report);
    else {
      say(shell.output, report);
      if (parent !== null)
        shell.output.note(`counts are of agents' whole lives, also in ${parent}`);
    }
  });
};

const mintLine = ({
  auction,
  open,
  submissions,
  tasks,
  last_price,
}: StateReport["mint"]): string => {
  const bidding = `auction ${auction} ${open ? "is open" : "comes next"}`;
  const waiting = `${submissions.length} submissions, ${tasks.length} tasks open`;
  return `mint: ${bidding}; last price ${last_price ?? "none"}; ${waiting}`;
};

const say = (output: Output, report: StateReport): void => {
  output.line(`after event ${report.seq}, at ${report.at_ms / 1000} s`);
  output.line("");
  output.table(
    ["account", "scrip", "held", "model budget (USD)", "disk (bytes)", "of (bytes)"],
    Object.entries(report.accounts).map(([id, account]) => [
      id,
      String(account.scrip),
      String(account.held),
      (account.llm_budget_micros / 1e6).toFixed(6),
      String(account.disk_used),
      String(account.disk_quota),
    ]),
  );
  output.line("");
  output.table(
    ["agent", "state", "thoughts", "actions", "succeeded"],
    report.agents.map((agent) => [
      agent.id,
      standingOf(agent),
      String(agent.thoughts),
      String(agent.actions),
      String(agent.succeeded),
    ]),
  );
  const live = report.artifacts.filter(({ deleted }) => !deleted);
  const programs = live.filter(({ executable, type }) => executable && type !== "genesis");
  output.line("");
  output.table(
    ["program", "owner", "price (scrip)", "version", "size (bytes)"],
    programs
      .slice(0, ARTIFACTS_SHOWN)
      .map(({ id, owner, price, version, size_bytes: bytes }) => [
        id,
        owner,
        String(price),
        String(version),
        String(bytes),
      ]),
  );
  if (programs.length > ARTIFACTS_SHOWN) {
    output.note(`${programs.length - ARTIFACTS_SHOWN} more programs; --json lists all`);
  }
  if (report.mint.enabled) output.line(mintLine(report.mint));
  output.line(`${live.length} live artifacts; state hash ${report.state_hash}`);
};
