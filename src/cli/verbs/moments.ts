import {
  type AgentHistories,
  type AgentMoment,
  graphOf,
  MomentSearch,
  matching,
  type Origin,
  originsOf,
  proseIn,
  readAgentHistories,
  type ShownMoment,
  shownMoments,
} from "../../read/index.ts";
import { seqAt } from "../../run/index.ts";
import { counted, listed, meantOrAll, shortened } from "../../text/index.ts";

import type { Journal, RunPoint } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
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
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & {
  readonly about?: string;
  readonly from?: RunPoint;
  readonly to?: RunPoint;
  readonly search?: string;
  readonly limit?: number;
  readonly jsonl?: boolean;
};

/** A table of all moments of a long run would be too long to read. */
const ROWS_SHOWN = 100;

export const register: Register = (command, { output }) => {
  const first = `from ${MOMENT_HELP} (default: the start)`;
  const last = `until ${MOMENT_HELP} (default: the end)`;
  const limit = `maximum number of moments, the latest or the best matches (table: ${ROWS_SHOWN})`;
  addOutFlags(
    addRunArgument(command)
      .argument("[agent]", "agent id; without it, the moments of all agents")
      .option("--about <artifact>", "the moments that led to this artifact, and why")
      .option("--from <moment>", first, moment)
      .option("--to <moment>", last, moment)
      .option("--search <words>", "the moments that are similar in meaning, best first")
      .option("--limit <number>", limit, wholeFrom(1))
      .option("--jsonl", "print the graph: one node or link per line"),
  );
  withExamples(command, [
    "sim moments latest",
    "sim moments latest ada --from 2m --to 4m",
    "sim moments latest --about boole_wrap_2",
    'sim moments latest --search "debts that were not repaid" --limit 5 --json',
    "sim moments latest ada --jsonl > ada.jsonl",
  ]);
  command.action((run: string, agent: string | undefined, flags: Flags) => {
    refuseForms(flags);
    const found = readFrom(run, flags.out, (journal) => foundIn(journal, agent ?? null, flags));
    print(output, found, flags);
  });
};

const refuseForms = (flags: Flags): void => {
  if (flags.json !== true || flags.jsonl !== true) return;
  throw new CliError("use either --json or --jsonl, not both");
};

type Found = {
  /** The number of all moments that match. `moments` has only some of them. */
  readonly total: number;
  readonly moments: readonly (ShownMoment & Partial<Pick<Origin, "why">>)[];
};

const foundIn = (journal: Journal, agent: string | null, flags: Flags): Found | string => {
  const { about, search } = flags;
  const upTo = seqAt(journal, "--to", flags.to);
  seqAt(journal, "--from", flags.from);
  const vectors = new MomentSearch();
  const proses = new Map<number, string>();
  const histories = readAgentHistories(journal, upTo, (moment, iteration) => {
    if (search !== undefined) vectors.add(moment, iteration);
    // To read the texts of many moments one by one would take longer.
    if (isWhole(flags)) proses.set(moment.seq, proseIn(iteration));
  });
  const problem = unknownIn(histories, agent, about ?? null);
  if (problem !== null) return problem;
  const end = upTo ?? Number.MAX_SAFE_INTEGER;
  const leading = about === undefined ? null : originsOf(journal, histories, about, end);
  const all = leading === null ? histories.all : leading.map((each) => each.moment);
  const asked = matching(all, { agent, thing: null, verb: null, upTo: end, ...sinceOf(flags) });
  const sorted = search === undefined ? asked : vectors.sorted(asked, search);
  const why = new Map(leading?.map((each) => [each.moment.seq, each.why]));
  const shown = shownMoments(journal, histories, cut(sorted, flags), end, proses);
  return {
    total: sorted.length,
    moments: shown.map((each) => {
      const reason = why.get(each.seq);
      return reason === undefined ? each : { ...each, why: reason };
    }),
  };
};

const sinceOf = ({ from }: Flags): { fromMs: number | null; fromSeq: number | null } => ({
  fromMs: from?.kind === "time" ? from.atMs : null,
  fromSeq: from?.kind === "event" ? from.seq : null,
});

/** Whether the output has all moments, unlike a table. */
const isWhole = ({ limit, json, jsonl }: Flags): boolean =>
  limit === undefined && (json === true || jsonl === true);

/** The best matches of a search, or else the latest moments. */
const cut = (moments: readonly AgentMoment[], flags: Flags): readonly AgentMoment[] => {
  const limit = flags.limit ?? (isWhole(flags) ? moments.length : ROWS_SHOWN);
  if (flags.search !== undefined) return moments.slice(0, limit);
  return moments.slice(Math.max(0, moments.length - limit));
};

const unknownIn = (
  { ids }: AgentHistories,
  agent: string | null,
  artifact: string | null,
): string | null => {
  if (agent !== null && !ids.agents.includes(agent)) {
    return `there is no agent "${agent}" in this run; ${meantOrAll(agent, ids.agents)}`;
  }
  if (artifact === null || ids.artifacts.includes(artifact)) return null;
  const cure = meantOrAll(artifact, ids.artifacts);
  return `--about ${artifact}: there is no such artifact in this run; ${cure}`;
};

const print = (output: Output, found: Found, flags: Flags): void => {
  if (flags.json === true) output.json(found);
  else if (flags.jsonl === true) printLines(output, found);
  else printTable(output, found, flags);
};

const printLines = (output: Output, { moments }: Found): void => {
  const { nodes, links } = graphOf(moments);
  for (const node of nodes) output.jsonLine(JSON.stringify({ node }));
  for (const link of links) output.jsonLine(JSON.stringify({ link }));
};

const NAMES_SHOWN = 3;
const PROSE_CHARS = 120;

const printTable = (output: Output, { total, moments }: Found, { about }: Flags): void => {
  if (total === 0) return output.note("no moment of this run matches");
  const head = ["event", "time (s)", "agent", "moment", "space", "about", "scrip"];
  const isAbout = about !== undefined;
  const why = isAbout ? ["why"] : [];
  output.table(
    [...head, ...why, "what"],
    moments.map((each) => [
      ...[each.seq, each.at_ms / 1_000, each.actor, titleText(each), each.space],
      ...[aboutText(each), moneyText(each)],
      ...(isAbout ? [each.why ?? "-"] : []),
      shortened(oneLine(each.prose), PROSE_CHARS),
    ]),
  );
  if (moments.length === total) return;
  const which = counted(moments.length, "moment");
  output.note(`${which} of ${total}; --limit ${total} prints all`);
};

const titleText = ({ name, type, problem }: ShownMoment): string => {
  const marks = [...(type === "CONVERSATION" ? [] : [type.toLowerCase()]), problem ?? ""];
  const said = marks.filter((mark) => mark !== "");
  return said.length === 0 ? name : `${name} (${said.join(", ")})`;
};

const aboutText = ({ things, narratives }: ShownMoment): string => {
  const names = [...things, ...narratives.map(({ kind, id }) => `${kind} ${id}`)];
  return names.length === 0 ? "-" : listed(names, NAMES_SHOWN);
};

const moneyText = ({ paid, received }: ShownMoment): string => {
  const sums = [...(received > 0 ? [`+${received}`] : []), ...(paid > 0 ? [`-${paid}`] : [])];
  return sums.length === 0 ? "-" : sums.join(" ");
};
