import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_KINDS, isObject, jsonIn } from "../../kernel/index.ts";
import { didYouMean } from "../../mind/index.ts";
import { countedFrom } from "../../observe/index.ts";
import {
  BOOKKEEPING_KINDS,
  type Journal,
  type JournalRow,
  restore,
  runHolder,
} from "../../world/index.ts";
import { EXIT, exitCodeOf } from "../exit-code.ts";
import { wholeFrom } from "../flag-values.ts";
import { openRun } from "../open-run.ts";
import { printable } from "../printable.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = {
  readonly follow?: boolean;
  readonly kind?: string;
  readonly principal?: string;
  readonly after?: number;
  readonly limit?: number;
  readonly out: string;
  readonly json?: boolean;
};

const KINDS: readonly string[] = [...Object.keys(EVENT_KINDS), ...BOOKKEEPING_KINDS];
const LOOK_EVERY_MS = 200;
const BODY_CHARS = 160;

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .option("--follow", "go on printing while the run goes on")
      .option("--kind <kind>", "only events of this kind")
      .option("--principal <id>", "only events of this principal")
      .option("--after <seq>", "only events after this one", wholeFrom(0))
      .option("--limit <number>", "at most so many", wholeFrom(1))
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "one JSON document a line"),
    ["sim events latest --kind artifact_invoked --limit 10", "sim events latest --follow --json"],
  ).action(async (run: string, flags: Flags) => {
    if (flags.kind !== undefined && !KINDS.includes(flags.kind)) {
      const cure = didYouMean(flags.kind, KINDS) ?? "docs/journal.md lists the kinds";
      throw new UsageProblem(`--kind ${flags.kind}: there is no such kind of event; ${cure}`);
    }
    const { journal, folder } = openRun(run, flags.out);
    // Whoever follows a run may wait for somebody who is yet to come.
    if (flags.follow !== true) refuseStranger(journal, flags.principal, run);
    await print(shell, { journal, folder, flags });
    journal.close();
  });
};

/** Nothing will be shown of one who is not there; perhaps somebody else was meant. */
const refuseStranger = (journal: Journal, principal: string | undefined, run: string): void => {
  if (principal === undefined) return;
  const ids = [...inheritedIn(journal), ...createdIn(journal)];
  if (ids.includes(principal)) return;
  const cure = didYouMean(principal, ids) ?? `\`sim state ${run}\` lists who has an account`;
  throw new UsageProblem(`--principal ${principal}: nobody in this run is called so; ${cure}`);
};

/** Those who were there in the state that a run goes on from. */
const inheritedIn = (journal: Journal): readonly string[] => {
  const { seq } = countedFrom(journal);
  if (seq === 0) return [];
  return [...restore(journal, { upTo: seq }).state.accounts.rows()].map(({ id }) => id);
};

const createdIn = (journal: Journal): readonly string[] =>
  [...journal.events({ kind: "principal_created" })].map(({ seq, body }) => {
    const event = jsonIn(body);
    if (!isObject(event)) throw damaged(seq);
    return String(event.id);
  });

type Printing = {
  readonly journal: Journal;
  readonly folder: string;
  readonly flags: Flags;
};

const print = async (shell: Shell, { journal, folder, flags }: Printing): Promise<void> => {
  let stopped = false;
  const unlisten = shell.onSignal((signal) => {
    stopped = true;
    shell.endWith(exitCodeOf(signal));
  });
  let after = flags.after ?? 0;
  let left = flags.limit ?? Number.MAX_SAFE_INTEGER;
  let isEmpty = true;
  for (;;) {
    const live = flags.follow === true && runHolder(folder) !== null;
    for (const row of journal.events({ ...filterOf(flags), after, limit: left })) {
      shell.output.line(flags.json === true ? jsonLine(row) : plainLine(row));
      isEmpty = false;
      after = row.seq;
      left -= 1;
    }
    if (!live || stopped || left <= 0) break;
    await sleep(LOOK_EVERY_MS);
  }
  unlisten();
  if (isEmpty && !stopped && flags.json !== true) shell.output.note(nothingOf(flags));
};

/** Nothing on the screen could as well be a fault. */
const nothingOf = ({ kind, principal, after }: Flags): string => {
  const asked = [
    ...(kind === undefined ? [] : [`--kind ${kind}`]),
    ...(principal === undefined ? [] : [`--principal ${principal}`]),
    ...(after === undefined ? [] : [`--after ${after}`]),
  ];
  return asked.length === 0
    ? "nothing has happened in this run yet"
    : `no event of this run fits ${asked.join(" ")}`;
};

const filterOf = ({ kind, principal }: Flags) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(principal === undefined ? {} : { principal }),
});

/** The text of the body as it is: it may be nested more deeply than could be written anew. */
const jsonLine = ({ seq, atMs, kind, principal, body }: JournalRow): string => {
  if (!isObject(jsonIn(body))) throw damaged(seq);
  const head = JSON.stringify({ seq, at_ms: atMs, kind, principal });
  return body === "{}" ? head : `${head.slice(0, -1)},${body.slice(1)}`;
};

/** What our own code wrote is an object; what is not was damaged or changed since. */
const damaged = (seq: number): UsageProblem => {
  const cure = "`sim verify` looks at the whole of it";
  return new UsageProblem(`event ${seq} of the journal is damaged; ${cure}`, EXIT.couldNotRun);
};

const plainLine = ({ seq, atMs, kind, principal, body }: JournalRow): string => {
  const time = `${(atMs / 1000).toFixed(3)} s`;
  const text = printable(body);
  const shown = text.length > BODY_CHARS ? `${text.slice(0, BODY_CHARS)}…` : text;
  return `${seq}\t${time}\t${kind}\t${principal ?? "-"}\t${shown}`;
};
