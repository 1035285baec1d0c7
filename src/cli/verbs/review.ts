import {
  isObject,
  type Json,
  jsonIn,
  type Proposal,
  proposalCost,
  waitingProposals,
  worldRow,
} from "../../kernel/index.ts";
import type { OperatorCommand } from "../../run/index.ts";
import { findRun } from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { restore } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, type OutFlags } from "../core/flags.ts";
import { type Output, oneLine } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { callLiveRun } from "../run/live-run.ts";
import { readFrom } from "../run/open-run.ts";

const KINDS = ["list", "accept", "edit", "feedback"] as const;

type Arguments = [
  run: string,
  kind: string,
  id: string | undefined,
  value: string | undefined,
  flags: OutFlags,
];

export const register: Register = (command, { output }) => {
  addOutFlags(
    addRunArgument(command)
      .argument("<what>", "list, accept, edit or feedback")
      .argument("[id]", "the number of the proposal, from list")
      .argument(
        "[value]",
        "accept: the most scrip that it may cost (default: what it can cost now); " +
          "edit: the new action as JSON; feedback: a text for the agent",
      ),
    "print JSON: one line per proposal, or { id, decision }",
  );
  withExamples(command, [
    "sim review latest list",
    "sim review latest accept 3 25",
    `sim review latest edit 3 '{"read_artifact": {"artifact_id": "handbook_toc"}}'`,
    'sim review latest feedback 3 "Spend less."',
  ]);
  command.action(async (...[run, kind, id, value, flags]: Arguments) => {
    if (kind === "list") {
      if (id !== undefined) throw new CliError("list takes no number");
      list(run, flags, output);
      return;
    }
    const decision = decisionOf(kind, numberOf(id), value);
    const folder = findRun(run, flags.out);
    const outcome = await callLiveRun(folder, "operate", decision);
    if (!outcome.ok) throw new CliError(outcome.message, EXIT.failed);
    if (flags.json === true) output.json({ id: decision.proposal, decision: kind });
    else output.line(`proposal ${decision.proposal}: ${outcome.message}`);
  });
};

/** An action of an agent that waits for a reviewer. */
const shown = (proposal: Proposal, cost: number, nowMs: number) => ({
  id: proposal.number,
  agent: proposal.agent,
  at_ms: proposal.atMs,
  action: proposal.action,
  reasoning: proposal.reasoning,
  /** The most scrip that it can cost now. */
  cost,
  waiting_ms: nowMs - proposal.atMs,
});

const list = (run: string, { out, json }: OutFlags, output: Output): void => {
  const { proposals, costs, nowMs } = readFrom(run, out, (journal) => {
    const { state } = restore(journal);
    const proposals = waitingProposals(state);
    const costs = proposals.map((proposal) => proposalCost(state, proposal));
    return { proposals, costs, nowMs: worldRow(state).now };
  });
  const rows = proposals.map((proposal, at) => shown(proposal, costs[at] ?? 0, nowMs));
  if (json === true) for (const row of rows) output.jsonLine(JSON.stringify(row));
  else for (const row of rows) print(output, row);
  if (rows.length === 0) output.note("no action waits for a reviewer");
};

const print = (output: Output, { id, agent, at_ms, ...row }: ReturnType<typeof shown>): void => {
  const { action, reasoning, cost } = row;
  output.line(output.paint("bold", `${id}  ${agent} at ${at_ms / 1_000} s, up to ${cost} scrip`));
  output.line(oneLine(JSON.stringify(action)));
  if (reasoning !== "") output.block(reasoning);
  output.line("");
};

const numberOf = (given: string | undefined): number => {
  if (given !== undefined && /^[1-9]\d{0,14}$/.test(given)) return Number(given);
  const what = given === undefined ? "give the number of a proposal" : `"${given}" is not a number`;
  throw new CliError(`${what}; \`sim review RUN list\` lists those that wait`);
};

const scripOf = (given: string): number => {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new CliError(`"${given}" is not an amount; give the most scrip that the action may cost`);
};

type ReviewCommand = Extract<OperatorCommand, { readonly proposal: number }>;

const decisionOf = (kind: string, proposal: number, value: string | undefined): ReviewCommand => {
  switch (kind) {
    case "accept":
      return value === undefined
        ? { kind: "accept_proposal", proposal }
        : { kind: "accept_proposal", proposal, most: scripOf(value) };
    case "edit":
      return { kind: "edit_proposal", proposal, action: actionIn(value ?? "") };
    case "feedback":
      if (value === undefined) throw new CliError("give a text that tells the agent why");
      return { kind: "give_feedback", proposal, text: value };
    default:
      throw new CliError(`"${kind}" is not a way to decide; ${meantOrAll(kind, KINDS)}`);
  }
};

const actionIn = (given: string): Json => {
  const action = jsonIn(given);
  if (isObject(action)) return action;
  throw new CliError(`the new action must be a JSON object, such as '{"noop": {}}'`);
};
