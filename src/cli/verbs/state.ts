import { agentStatus, countedFrom, type StateReport, stateReport } from "../../read/index.ts";
import { openRun, seqAt } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { type Moment, restore, stateHash } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
import { addOutFlags, addRunArgument, MOMENT_HELP, moment, type OutFlags } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { printReasons } from "../output/economy-summary.ts";

type Flags = OutFlags & { readonly at?: Moment };

const PROGRAMS_SHOWN = 20;

export const register: Register = (command, { output }) => {
  const at = `show the state at ${MOMENT_HELP} (default: the end)`;
  addOutFlags(addRunArgument(command).option("--at <moment>", at, moment));
  withExamples(command, ["sim state latest", "sim state latest --at 5m --json"]);
  command.action((run: string, { at: asked, out, json }: Flags) => {
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
  });
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
