import { type Cause, type Deed, type MoneyTrail, moneyTrail, restOf } from "../../observe/index.ts";
import { wholeFrom } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import { originLine } from "../origin-line.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { unlessDamaged } from "../unless-damaged.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = {
  readonly at?: number;
  readonly limit: number;
  readonly out: string;
  readonly json?: boolean;
};

const STEPS = 5;

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .argument("<agent>", "whose money it is about")
      .option("--at <seq>", "as of this event", wholeFrom(1))
      .option("--limit <number>", "so many movements, the largest first", wholeFrom(0), STEPS)
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim explain latest ada", "sim explain latest ada --limit 1 --at 2000 --json"],
  ).action((run: string, agent: string, flags: Flags) => {
    const { journal } = openRun(run, flags.out);
    const wish = { principal: agent, upTo: flags.at ?? null, limit: flags.limit, run };
    const trail = unlessDamaged([journal], () => moneyTrail(journal, wish));
    journal.close();
    if (typeof trail === "string") throw new UsageProblem(trail);
    if (flags.json === true) shell.output.json(trail);
    else say(shell.output, trail);
  });
};

const STREAMS = 10;

const say = (output: Output, trail: MoneyTrail): void => {
  const { principal, wealth, began_with, came, went, seq, at_ms } = trail;
  const when = `after event ${seq}, at ${at_ms / 1_000} s`;
  output.line(output.paint("bold", `${principal} has ${wealth} scrip ${when}`));
  const origin = originLine(trail.counted_from);
  if (origin !== null) output.line(origin);
  const rest = restOf(trail.streams, STREAMS);
  const times = trail.streams.reduce((sum, stream) => sum + stream.times, 0);
  output.line(`it began with ${began_with}, ${came} came and ${went} went`);
  output.line("");
  output.table(
    ["scrip", "times", "what", "whom", "for"],
    [
      ...trail.streams
        .slice(0, STREAMS)
        .map(({ amount, times, what, other, artifact }) => [
          signed(amount),
          String(times),
          what,
          other ?? (amount > 0 ? "new" : "burned"),
          artifact ?? "-",
        ]),
      ...(rest.streams === 0
        ? []
        : [[signed(rest.amount), String(rest.times), `${rest.streams} more, together`, "-", "-"]]),
      [signed(came - went), String(times), "all", "-", "-"],
    ],
  );
  for (const step of trail.steps) {
    const whom = step.other === null ? "" : ` ${step.amount > 0 ? "from" : "to"} ${step.other}`;
    output.line("");
    output.line(
      output.paint("bold", `${signed(step.amount)} scrip${whom} (${step.what})`) + at(step),
    );
    sayCause(output, step.because);
  }
};

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

const at = ({ seq, at_ms }: { readonly seq: number; readonly at_ms?: number }): string =>
  at_ms === undefined ? `, event ${seq}` : `, event ${seq} at ${at_ms / 1_000} s`;

const sayCause = (output: Output, { use, mint, deed, making }: Cause): void => {
  if (use !== null) {
    const call = use.method === null ? use.artifact : `${use.artifact}.${use.method}`;
    const what = use.kind === "artifact_read" ? "reading" : "call";
    output.line(`  ← ${what} ${call} by ${use.caller} for ${use.price}${at(use)}`);
  }
  if (mint !== null) output.line(`  ← ${mint.kind}: ${printable(mint.says)}${at(mint)}`);
  if (deed !== null) sayDeed(output, deed);
  if (making === null) return;
  output.line(`  ${making.artifact} was written in event ${making.seq}`);
  sayDeed(output, making);
};

const TEXT_CHARS = 300;

const cut = (text: string): string => {
  const shown = printable(text.replaceAll(/\s+/g, " ").trim());
  return shown.length > TEXT_CHARS ? `${shown.slice(0, TEXT_CHARS)}…` : shown;
};

const sayDeed = (output: Output, { action, thought }: Deed): void => {
  const target = [action.target, action.method].filter((part) => part !== null).join(".");
  output.line(`  ← action ${action.action} ${target} by ${action.principal}${at(action)}`);
  if (thought === null) return;
  output.line(`  ← thought of ${thought.agent}${at(thought)}: ${cut(thought.reasoning)}`);
  for (const { number, text } of thought.memories) {
    output.line(`    memory ${number}: ${cut(text)}`);
  }
  for (const { model, purpose, prompt, reply, fault } of thought.calls) {
    output.line(`    ${model} was asked to ${purpose}: ${cut(prompt)}`);
    output.line(`    it answered: ${reply === null ? `nothing (${fault})` : cut(reply)}`);
  }
};
