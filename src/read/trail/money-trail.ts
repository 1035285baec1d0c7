import { asId } from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import { decodeEvent, type JournalReader, restore } from "../../world/index.ts";
import { countedFrom, stateCountedFrom } from "../metrics/measure-run.ts";
import { Balances, MOVING } from "../metrics/money/balances.ts";
import { sumOf } from "../metrics/statistics.ts";
import { causeOf, causesWithCalls, type MomentIdOf } from "./cause.ts";
import { type Movement, movementIn, withCreditWord } from "./movement.ts";
import { eventsOf } from "./past-events.ts";
import { kindsOf, streamsOf } from "./streams.ts";

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
  for (const row of journal.events({ upTo: upTo ?? undefined })) {
    seq = row.seq;
    atMs = row.atMs;
    if (!MOVING.has(row.kind)) continue;
    const event = { ...decodeEvent(row), seq };
    const movement = movementIn(event, principal, books);
    books.count(event);
    if (movement !== null) movements.push(withCreditWord(journal, event, movement));
  }
  if (!books.has(principal)) return problemOf(journal, query, { seq, ids: [...books.ids()] });
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

type StepsQuery = Pick<TrailQuery, "limit" | "payment" | "momentIdOf">;

/**
 * The largest movements and the asked one, with their causes. Of equal amounts, the newest is
 * first.
 */
const stepsOf = (
  journal: JournalReader,
  movements: readonly Movement[],
  { limit, payment = null, momentIdOf = () => null }: StepsQuery,
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

/** The last event read, and all principals that had an account up to that event. */
type Known = { readonly seq: number; readonly ids: readonly string[] };

const problemOf = (journal: JournalReader, query: TrailQuery, { seq, ids }: Known): string => {
  const { principal, run } = query;
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
