import {
  type Cause,
  type ExplainedAction,
  isReceived,
  type MoneyTrail,
  momentIds,
  moneyTrail,
  readAgentHistories,
  remainderOf,
  signedText,
} from "../../read/index.ts";
import { seqAt } from "../../run/index.ts";
import { counted, shortened } from "../../text/index.ts";
import type { RunPoint } from "../../world/index.ts";
import {
  addOutFlags,
  addRunArgument,
  MOMENT_HELP,
  moment,
  type OutFlags,
  wholeFrom,
} from "../core/flags.ts";
import { type Output, oneLine } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { originLine } from "../output/economy-summary.ts";
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & { readonly at?: RunPoint; readonly limit: number };

const STEPS = 5;

export const register: Register = (command, { output }) => {
  const limit = "maximum number of movements of scrip to trace, largest first";
  addOutFlags(
    addRunArgument(command)
      .argument("<agent>", "agent id")
      .option("--at <moment>", `include events up to ${MOMENT_HELP} (default: the end)`, moment)
      .option("--limit <number>", limit, wholeFrom(0), STEPS),
  );
  withExamples(command, [
    "sim explain latest ada",
    "sim explain latest ada --limit 1 --at 5m --json",
  ]);
  command.action((run: string, agent: string, flags: Flags) => {
    const { limit } = flags;
    const trail = readFrom(run, flags.out, (journal) => {
      const upTo = seqAt(journal, "--at", flags.at) ?? null;
      const momentIdOf = momentIds(journal, readAgentHistories(journal, upTo ?? undefined));
      return moneyTrail(journal, { principal: agent, upTo, limit, run, momentIdOf });
    });
    if (flags.json === true) output.json(trail);
    else print(output, trail);
  });
};

const STREAMS = 10;

const print = (output: Output, trail: MoneyTrail): void => {
  const { principal, wealth, began_with, received, spent, seq, at_ms } = trail;
  const when = `after event ${seq}, at ${at_ms / 1_000} s`;
  output.line(output.paint("bold", `${principal} has ${wealth} scrip ${when}`));
  const origin = originLine(trail.counted_from);
  if (origin !== null) output.line(origin);
  output.line(`it started with ${began_with}, received ${received} and spent ${spent}`);
  output.line("");
  printKinds(output, trail);
  output.line("");
  printStreams(output, trail);
  printRefusals(output, trail);
  printShare(output, trail);
  for (const step of trail.steps) {
    const whom = step.other === null ? "" : ` ${step.amount > 0 ? "from" : "to"} ${step.other}`;
    output.line("");
    const head = `${signedText(step.amount)} scrip${whom} (${step.what})`;
    output.line(output.paint("bold", head), at(step));
    printCause(output, step.because);
  }
};

/** Prints all that the principal received and spent, by kind. The rows add up to the totals. */
const printKinds = (output: Output, { kinds, received, spent }: MoneyTrail): void => {
  const rowsOf = (name: string, rows: MoneyTrail["kinds"], total: number) => [
    ...rows.map(({ what, amount, times, others, artifacts }) => [
      signedText(amount),
      times,
      what,
      others === 0 ? WORLD : counted(others, "principal"),
      artifacts === 0 ? "-" : counted(artifacts, "artifact"),
    ]),
    [signedText(total), rows.reduce((sum, { times }) => sum + times, 0), `all ${name}`, "-", "-"],
  ];
  output.table(HEAD, [
    ...rowsOf("received", kinds.filter(isReceived), received),
    ...rowsOf(
      "spent",
      kinds.filter((kind) => !isReceived(kind)),
      -spent,
    ),
  ]);
};

const HEAD = ["scrip", "times", "what", "from or to", "for"];

const WORLD = "the world";

/** Prints the largest streams, and the sums of the others. */
const printStreams = (output: Output, { streams }: MoneyTrail): void => {
  const rest = streams.slice(STREAMS);
  const sums = [rest.filter(isReceived), rest.filter((stream) => !isReceived(stream))]
    .map((each) => remainderOf(each, 0))
    .filter((sum) => sum.streams > 0);
  if (streams.length === 0) return;
  output.table(HEAD, [
    ...streams
      .slice(0, STREAMS)
      .map(({ amount, times, what, other, artifact }) => [
        signedText(amount),
        times,
        what,
        other ?? WORLD,
        artifact ?? "-",
      ]),
    ...sums.map((sum) => [
      signedText(sum.amount),
      sum.times,
      `the rest ${sum.amount > 0 ? "received" : "spent"}`,
      "-",
      "-",
    ]),
  ]);
};

const REFUSALS = 3;

/** An agent often has little because its actions were refused. */
const printRefusals = (output: Output, { refusals }: MoneyTrail): void => {
  if (refusals.length === 0) return;
  const all = refusals.reduce((sum, { times }) => sum + times, 0);
  output.line("");
  output.line(`${counted(all, "action")} refused; most often:`);
  for (const { code, message, times, seq } of refusals.slice(0, REFUSALS)) {
    output.line(`  ${times} x ${code}: ${oneLine(message)}, last in event ${seq}`);
  }
};

/** Says how many of all movements follow, unless all of them do. */
const printShare = (output: Output, { kinds, steps }: MoneyTrail): void => {
  const all = kinds.reduce((sum, { times }) => sum + times, 0);
  if (steps.length === 0 || steps.length === all) return;
  output.line("");
  output.line(
    `the ${counted(steps.length, "largest movement")} of ${all}; --limit ${all} traces all`,
  );
};

const at = ({ seq, at_ms }: { readonly seq: number; readonly at_ms?: number }): string =>
  at_ms === undefined ? `, event ${seq}` : `, event ${seq} at ${at_ms / 1_000} s`;

const printCause = (output: Output, { use, mint, mover, creation }: Cause): void => {
  if (use !== null) {
    const call = use.method === null ? use.artifact : `${use.artifact}.${use.method}`;
    const what = use.kind === "artifact_read" ? "reading" : "call";
    output.line(`  ← ${what} ${call} by ${use.caller} for ${use.price}${at(use)}`);
  }
  if (mint !== null) output.line(`  ← ${mint.kind}: ${mint.says}${at(mint)}`);
  if (mover !== null) printAction(output, mover);
  if (creation === null) return;
  output.line(`  ${creation.artifact} was written in event ${creation.seq}`);
  printAction(output, creation);
};

const TEXT_CHARS = 300;

const cut = (text: string): string => shortened(oneLine(text), TEXT_CHARS);

const printAction = (output: Output, { action, moment, thought }: ExplainedAction): void => {
  const target = [action.target, action.method].filter((part) => part !== null).join(".");
  output.line(`  ← action ${action.action} ${target} by ${action.principal}${at(action)}`);
  if (moment !== null) output.line(`    moment ${moment}`);
  if (thought === null) return;
  output.line(`  ← thought of ${thought.agent}${at(thought)}: ${cut(thought.reasoning)}`);
  for (const { number, text } of thought.memories) {
    output.line(`    memory ${number}: ${cut(text)}`);
  }
  for (const { model, purpose, prompt, reply, fault } of thought.calls) {
    output.line(`    prompt to ${model} (${purpose}): ${cut(prompt)}`);
    output.line(`    reply: ${reply === null ? `none (${fault})` : cut(reply)}`);
  }
};
