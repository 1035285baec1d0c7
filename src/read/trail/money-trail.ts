import { asId } from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import { type JournalReader, restore } from "../../world/index.ts";
import { countedFrom, type LogEntry, readLog, stateCountedFrom } from "../log/log.ts";
import { eventsOf } from "../log/past-events.ts";
import { Balances, MOVING } from "../metrics/balances.ts";
import { type Movement, movementIn, withCreditWord } from "../metrics/movement.ts";
import { sumOf } from "../metrics/statistics.ts";
import { causeOf, causesWithCalls, type MomentIdOf } from "./cause.ts";

/** Where a principal's scrip comes from, in the shape of `sim explain --json`. */
export type MoneyTrail = Exclude<ReturnType<typeof moneyTrail>, string>;

type TrailQuery = {
  readonly principal: string;
  /** The last event to read, or null to read all events. */
  readonly upTo: number | null;
  readonly limit: number;
  /** The event of a movement to explain even if others are larger. */
  readonly payment?: number | null;
  /** The run name for suggested commands. Without a run name, messages suggest no commands. */
  readonly run?: string;
  /** Without it, the actions in the steps have no moments. */
  readonly momentIdOf?: MomentIdOf;
};

/** Returns the trail, or a one-line problem if the principal has no account. */
export const moneyTrail = (journal: JournalReader, query: TrailQuery) => {
  const { principal, upTo } = query;
  const base = countedFrom(journal);
  const books = new Balances(stateCountedFrom(journal, base));
  const movements: Movement[] = [];
  let [seq, atMs] = [base.seq, base.at_ms];
  const collect = (entry: LogEntry): void => {
    seq = entry.row.seq;
    atMs = entry.row.atMs;
    const event = MOVING.has(entry.row.kind) ? entry.event : null;
    if (event === null) return;
    const movement = movementIn(event, seq, principal, books.ownerOf);
    books.count(event);
    if (movement !== null) movements.push(withCreditWord(journal, event, movement));
  };
  readLog(journal, [{ event: collect }], { upTo: upTo ?? undefined });
  if (!books.has(principal)) return problemOf(journal, query, seq, [...books.ids()]);
  const inAndOut = movements.filter(({ reason }) => reason !== "endowment");
  const streams = streamsOf(inAndOut);
  return {
    principal,
    counted_from: base,
    seq,
    at_ms: atMs,
    began_with: books.beganWith(principal),
    wealth: books.wealthOf(principal),
    received: sumOf(inAndOut.map(({ amount }) => Math.max(0, amount))),
    spent: sumOf(inAndOut.map(({ amount }) => Math.max(0, -amount))),
    kinds: kindsOf(streams),
    streams,
    steps: stepsOf(journal, inAndOut, query),
    refusals: refusalsOf(journal, principal, { after: base.seq, upTo: seq }),
  };
};

/** The refused actions of a principal by code and message, most frequent first. */
const refusalsOf = (
  journal: JournalReader,
  principal: string,
  bounds: { readonly after: number; readonly upTo: number },
) => {
  const found = new Map<string, { code: string; message: string; times: number; seq: number }>();
  for (const { code, message, seq } of eventsOf(journal, "action_refused", {
    ...bounds,
    principal,
  })) {
    const key = `${code} ${message}`;
    found.set(key, { code, message, times: (found.get(key)?.times ?? 0) + 1, seq });
  }
  return [...found.values()].sort((a, b) => b.times - a.times || b.seq - a.seq);
};

/**
 * The largest movements and the asked one, with their causes. Of equal amounts, the newest is
 * first.
 */
const stepsOf = (
  journal: JournalReader,
  movements: readonly Movement[],
  { limit, payment = null, momentIdOf = () => null }: TrailQuery,
) => {
  const largest = [...movements]
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq)
    .filter(({ seq }, place) => place < limit || seq === payment);
  const causes = causesWithCalls(
    journal,
    largest.map((movement) => causeOf(journal, movement)),
    momentIdOf,
  );
  return largest.flatMap((movement, at) => {
    const because = causes[at];
    return because === undefined ? [] : [{ ...movement, because }];
  });
};

/** `ids` are all principals that had an account up to event `seq`. */
const problemOf = (
  journal: JournalReader,
  { principal, run }: TrailQuery,
  seq: number,
  ids: readonly string[],
): string => {
  const arrival = arrivalAfter(journal, principal, seq);
  if (arrival !== null) {
    const when = `its account was opened by event ${arrival.seq}, at ${arrival.at_ms / 1_000} s`;
    return `"${principal}" did not exist at event ${seq}; ${when}`;
  }
  const withCure = (problem: string, cure: string | null): string =>
    cure === null ? problem : `${problem}; ${cure}`;
  const artifact = restore(journal, { upTo: seq }).state.artifacts.get(asId(principal));
  if (artifact === undefined) {
    const list = run === undefined ? null : `\`sim state ${run}\` lists all accounts`;
    const cure = didYouMean(principal, ids) ?? list;
    return withCure(`no principal in this run is called "${principal}"`, cure);
  }
  const { id, owner } = artifact;
  const earns = owner === id ? "it owns no scrip" : `what it earns goes to its owner, ${owner}`;
  const cure = run === undefined ? null : `\`sim artifact ${run} ${id}\` describes it`;
  return withCure(`"${id}" is an artifact without an account: ${earns}`, cure);
};

/** The event that first opened a principal's account, if that event comes after `after`. */
const arrivalAfter = (journal: JournalReader, principal: string, after: number) =>
  [...eventsOf(journal, "principal_created", { after })].find(({ id }) => id === principal) ?? null;

/** The sum of the movements with the same direction, `what`, `reason`, `other` and `artifact`. */
export type Stream = {
  readonly what: string;
  readonly reason: string;
  readonly other: string | null;
  readonly artifact: string | null;
  readonly amount: number;
  readonly times: number;
};

/** Groups movements into streams, sorted by absolute amount, largest first. */
const streamsOf = (movements: readonly Movement[]): readonly Stream[] => {
  const streams = new Map<string, Stream>();
  for (const { what, reason, other, artifact, amount } of movements) {
    const direction = amount > 0 ? "in" : "out";
    const key = JSON.stringify([direction, what, reason, other, artifact]);
    const before = streams.get(key) ?? { amount: 0, times: 0 };
    const sum = { amount: before.amount + amount, times: before.times + 1 };
    streams.set(key, { what, reason, other, artifact, ...sum });
  }
  return [...streams.values()].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
};

/** Sums up streams by direction and `what`: first what was received, then what was spent, largest first. */
const kindsOf = (streams: readonly Stream[]) => {
  const groups = Map.groupBy(streams, ({ what, amount }) => `${amount > 0} ${what}`);
  const distinct = (names: readonly (string | null)[]): number =>
    new Set(names.filter((name) => name !== null)).size;
  const kinds = [...groups.values()].map((group) => ({
    what: group[0]?.what ?? "",
    amount: sumOf(group.map(({ amount }) => amount)),
    times: sumOf(group.map(({ times }) => times)),
    /** The number of other parties. The world does not count. */
    others: distinct(group.map(({ other }) => other)),
    /** The number of artifacts that the scrip paid for. */
    artifacts: distinct(group.map(({ artifact }) => artifact)),
  }));
  const bySize = kinds.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  return [...bySize.filter(isReceived), ...bySize.filter((kind) => !isReceived(kind))];
};

export const isReceived = ({ amount }: { readonly amount: number }): boolean => amount > 0;

/** The totals of all streams after the first `shown` streams. */
export const remainderOf = (streams: readonly Stream[], shown: number) => {
  const left = streams.slice(shown);
  return {
    streams: left.length,
    amount: sumOf(left.map(({ amount }) => amount)),
    times: sumOf(left.map(({ times }) => times)),
  };
};
