import { countedFrom } from "../../figures/index.ts";
import { EVENTS, isObject, jsonIn } from "../../kernel/index.ts";
import { type OpenRun, openRun, seqAt } from "../../run/index.ts";
import { didYouMean, shortened } from "../../text/index.ts";

import {
  type Journal,
  type JournalRow,
  RUN_EVENT_KINDS,
  type RunPoint,
  restore,
} from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import {
  addOutFlags,
  addRunArgument,
  isBareMoment,
  moment,
  type OutFlags,
  wholeFrom,
} from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { followRun } from "../run/open-run.ts";

type Flags = OutFlags & {
  readonly follow?: boolean;
  readonly kind?: string;
  readonly principal?: string;
  readonly after?: After;
  readonly limit?: number;
};

const KINDS: readonly string[] = [...Object.keys(EVENTS), ...RUN_EVENT_KINDS];
const BODY_CHARS = 160;

/**
 * The number of an event, as in the table that the command prints, or a moment. A number can be
 * that of an event that the run does not have yet, which a moment cannot.
 */
type After = number | { readonly text: string; readonly moment: RunPoint };

const after = (text: string): After =>
  isBareMoment(text) ? wholeFrom(0)(text) : { text, moment: moment(text) };

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command)
      .option("--follow", "keep printing new events until the run ends")
      .option("--kind <kind>", "print only events of this kind")
      .option("--principal <id>", "print only events of this agent or account")
      .option("--after <moment>", "print only events after this one, or after a time", after)
      .option("--limit <number>", "maximum number of events", wholeFrom(1)),
    "print one JSON document per line",
  );
  withExamples(command, [
    "sim events latest --kind artifact_invoked --limit 10",
    "sim events latest --after 90s --kind auction_resolved",
    "sim events latest --follow --json",
  ]);
  command.action(async (run: string, flags: Flags) => {
    if (flags.kind !== undefined && !KINDS.includes(flags.kind)) {
      const fix = didYouMean(flags.kind, KINDS) ?? "docs/dev/journal.md lists the kinds";
      throw new CliError(`--kind ${flags.kind}: there is no such kind of event; ${fix}`);
    }
    const { journal, folder } = openRun(run, flags.out);
    // With --follow, an unknown principal is allowed, because the principal may join the run later.
    if (flags.follow !== true) refuseUnknown(journal, flags.principal, run);
    await printEvents(shell, { journal, folder, flags });
    journal.close();
  });
};

const refuseUnknown = (journal: Journal, principal: string | undefined, run: string): void => {
  if (principal === undefined) return;
  const ids = [...inheritedIn(journal), ...createdIn(journal)];
  if (ids.includes(principal)) return;
  const fix = didYouMean(principal, ids) ?? `\`sim state ${run}\` lists the accounts`;
  throw new CliError(`--principal ${principal}: there is no such principal in this run; ${fix}`);
};

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

type Printing = OpenRun & { readonly flags: Flags };

const printEvents = async (shell: Shell, { journal, folder, flags }: Printing): Promise<void> => {
  const { kind, principal } = flags;
  const given = flags.after ?? 0;
  let after = typeof given === "number" ? given : (seqAt(journal, "--after", given.moment) ?? 0);
  let left = flags.limit ?? Number.MAX_SAFE_INTEGER;
  let isEmpty = true;
  const isTsv = shell.output.isTsv();
  const print = flags.json === true ? null : shell.output.rows(HEAD, WIDTHS);
  const read = (): boolean => {
    for (const row of journal.events({ kind, principal, after, limit: left })) {
      if (print === null) shell.output.jsonLine(jsonText(row));
      else print(isTsv ? fieldsOf(row) : shownFields(row));
      isEmpty = false;
      after = row.seq;
      left -= 1;
    }
    return left > 0;
  };
  let isStopped = false;
  if (flags.follow === true) isStopped = await followRun(folder, shell, read);
  else read();
  if (isEmpty && !isStopped && flags.json !== true) shell.output.note(nothingOf(flags));
};

const nothingOf = ({ kind, principal, after }: Flags): string => {
  const asked = Object.entries({ kind, principal, after })
    .filter(([, value]) => value !== undefined)
    .map(([flag, value]) => ` --${flag} ${typeof value === "object" ? value.text : value}`);
  return asked.length === 0
    ? "nothing has happened in this run yet"
    : `no event of this run matches${asked.join("")}`;
};

/** An event as a JSON line. Copies the body's text: JSON.stringify fails on deep nesting. */
const jsonText = ({ seq, atMs, kind, principal, body }: JournalRow): string => {
  if (!isObject(jsonIn(body))) throw damaged(seq);
  const head = JSON.stringify({ seq, at_ms: atMs, kind, principal });
  return body === "{}" ? head : `${head.slice(0, -1)},${body.slice(1)}`;
};

/** The error for a damaged journal: the body of an event is not a JSON object. */
const damaged = (seq: number): CliError => {
  const fix = "`sim verify` checks the whole journal";
  return new CliError(`event ${seq} of the journal is damaged; ${fix}`, EXIT.couldNotRun);
};

const HEAD = ["event", "time (s)", "kind", "principal", "body"];
/** The widths of these columns on a terminal. */
const WIDTHS = [7, 10, 20, 10];

const fieldsOf = ({ seq, atMs, kind, principal, body }: JournalRow) =>
  [seq, atMs / 1_000, kind, principal ?? "-", body] as const;

const shownFields = (row: JournalRow): readonly (string | number)[] => {
  const [seq, seconds, kind, principal, body] = fieldsOf(row);
  const shown = shortened(kind === "action_refused" ? messageFirst(body) : body, BODY_CHARS);
  return [seq, `${seconds.toFixed(3)} s`, kind, principal, shown];
};

/** The cause of a refusal comes before its action, which is often long. */
const messageFirst = (body: string): string => {
  const event = jsonIn(body);
  if (!isObject(event)) return body;
  const { code = null, message = null, ...rest } = event;
  return JSON.stringify({ code, message, ...rest });
};
