import {
  Balances,
  countedFrom,
  descriptionOf,
  eventsBetween,
  eventsOf,
  type LogEntry,
  lastEvent,
  MOVING,
  type Movement,
  movementIn,
  readLog,
  type SeqEvent,
  stateCountedFrom,
  sumOf,
  withCreditWord,
} from "../../figures/index.ts";
import { type ActionEnd, asId, type Event, type EventOf, endsAction } from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import { type JournalReader, restore } from "../../world/index.ts";
import { type ThoughtTrail, thoughtBefore, withCalls } from "./thought-trail.ts";

/** An action and the thought that led to it. An operator's action has no thought. */
export type ExplainedAction = {
  readonly action: ReturnType<typeof actionOf>;
  /** The id of the moment of this action, as in `sim moments`, or null if it is not asked for. */
  readonly moment: string | null;
  readonly thought: ThoughtTrail | null;
};

/** Why scrip moved. Fields that do not apply are null. */
export type Cause = {
  readonly use: Use | null;
  readonly mint: MintDecision | null;
  /** The action that moved the scrip, placed the winning bid or solved the mint's task. */
  readonly mover: ExplainedAction | null;
  /** The action that wrote the artifact behind the movement. Null if `mover` is this action. */
  readonly creation: (ExplainedAction & { readonly artifact: string; readonly seq: number }) | null;
};

const causeOf = (journal: JournalReader, movement: Movement): Cause => {
  const end = journal.transactionEnd(movement.seq) ?? movement.seq;
  const [moved, ...after] = eventsBetween(journal, { after: movement.seq - 1, upTo: end });
  const use = moved === undefined ? null : useBehind(journal, moved, after);
  const mint = use === null ? mintDecisionFor(journal, movement) : null;
  const action = after.find(endsAction);
  const acted =
    action !== undefined ? explained(journal, action) : mint === null ? null : bidOf(journal, mint);
  const artifact = use?.artifact ?? mint?.artifact ?? movement.artifact;
  const creation = artifact === null ? null : creationOf(journal, artifact, end);
  const isSameAction = creation !== null && creation.action.seq === acted?.action.seq;
  return { use, mint, mover: acted, creation: isSameAction ? null : creation };
};

/** The call or the read that a payment belongs to. `method` is null for a read. */
type Use = NonNullable<ReturnType<typeof useIn>>;

const useIn = (event: SeqEvent) => {
  const { seq, kind } = event;
  if (kind !== "artifact_invoked" && kind !== "artifact_read") return null;
  const [method, caller] =
    kind === "artifact_read" ? [null, event.by] : [event.method, event.caller];
  return { seq, kind, artifact: String(event.artifact_id), method, caller, price: event.price };
};

/**
 * Finds the call or the read behind a payment among the later events of its transaction. The event
 * of a call comes at its end, after those of the calls and reads that the program made.
 */
const useBehind = (
  journal: JournalReader,
  moved: SeqEvent,
  after: readonly SeqEvent[],
): Use | null => {
  if (!isPayment(moved)) return null;
  const uses = after.map(useIn).filter((use) => use !== null);
  const paid = moved.kind === "scrip_burned" ? undefined : moved.artifact_id;
  if (paid === undefined) return callOf(uses, programIn(journal, moved));
  if (moved.reason === "read_price") return readAmong(uses, paid);
  return moved.reason === "access"
    ? accessAmong(uses, paid, programIn(journal, moved))
    : callOf(uses, paid);
};

type Payment = EventOf<"scrip_transferred" | "hold_spent" | "scrip_burned">;

const isPayment = (event: Event): event is Payment =>
  event.kind === "scrip_transferred" ||
  event.kind === "hold_spent" ||
  event.kind === "scrip_burned";

/** A program cannot be called while it runs, so the first call that ends is the right one. */
const callOf = (uses: readonly Use[], program: string | null): Use | null =>
  uses.find(({ kind, artifact }) => kind === "artifact_invoked" && artifact === program) ?? null;

const readAmong = (uses: readonly Use[], read: string): Use | null =>
  uses.find(({ kind, artifact }) => kind === "artifact_read" && artifact === read) ?? null;

/** A fee for a read is next to the read. Any other read is by the called program. */
const accessAmong = (uses: readonly Use[], paid: string, payer: string | null): Use | null => {
  const [next] = uses;
  const read = next?.artifact === paid && next.kind === "artifact_read" ? next : null;
  if (read?.caller === payer) return read;
  return callOf(uses, paid) ?? read;
};

/** The account or the program that paid. For a charge, the program that charged the account. */
const programIn = (
  journal: JournalReader,
  moved: Payment & { readonly seq: number },
): string | null => {
  if (moved.kind !== "hold_spent") {
    return moved.kind === "scrip_transferred" && moved.reason === "charge" ? moved.to : moved.from;
  }
  const held = lastEvent(journal, {
    upTo: moved.seq,
    kinds: ["scrip_held", "hold_split"],
    fits: (event) => (event.kind === "scrip_held" ? event.hold : event.into) === moved.hold,
  });
  return held?.purpose.kind === "purse" ? held.purpose.artifact : null;
};

const MINT_REASONS: ReadonlySet<string> = new Set([
  "mint",
  "proceeds",
  "task",
  "compute",
  "schedule",
]);

/** The maximum number of events between a decision of the mint and its payment. */
const NEAR_EVENTS = 200;

/**
 * Finds the decision behind a payment of the world, such as of the mint: an earlier event at the
 * same run time.
 */
const mintDecisionFor = (
  journal: JournalReader,
  { seq, at_ms, reason }: Movement,
): MintDecision | null => {
  if (!MINT_REASONS.has(reason)) return null;
  const isScheduled = reason === "schedule";
  const fits = (event: SeqEvent): boolean =>
    event.at_ms === at_ms && (event.kind === "schedule_executed") === isScheduled;
  const near = Math.max(0, seq - NEAR_EVENTS);
  const all = [...eventsBetween(journal, { after: near, upTo: seq })].filter(fits);
  return all.map(mintDecisionIn).findLast((decision) => decision !== null) ?? null;
};

const mintDecisionIn = (event: SeqEvent) => {
  const { seq, kind } = event;
  const decision = descriptionOf(event)?.decision?.(event);
  return decision === undefined ? null : { seq, kind, ...decision };
};
type MintDecision = NonNullable<ReturnType<typeof mintDecisionIn>>;

const bidOf = (journal: JournalReader, { seq, artifact }: MintDecision): ExplainedAction | null => {
  if (artifact === null) return null;
  const bid = lastEvent(journal, {
    upTo: seq,
    kinds: ["bid_placed"],
    fits: ({ artifact_id }) => artifact_id === artifact,
  });
  return bid === null ? null : actionAround(journal, bid.seq);
};

/** The action that wrote the current code or content of an artifact. */
const creationOf = (journal: JournalReader, artifact: string, upTo: number): Cause["creation"] => {
  const write = lastEvent(journal, {
    upTo,
    kinds: ["artifact_written"],
    fits: ({ artifact_id, created, fields: { code, content } }) =>
      artifact_id === artifact && (created || code !== undefined || content !== undefined),
  });
  const wrote = write === null ? null : actionAround(journal, write.seq);
  return write === null || wrote === null ? null : { artifact, seq: write.seq, ...wrote };
};

const actionAround = (journal: JournalReader, seq: number): ExplainedAction | null => {
  const end = journal.transactionEnd(seq) ?? seq;
  const action = [...eventsBetween(journal, { after: seq, upTo: end })].find(endsAction);
  return action === undefined ? null : explained(journal, action);
};

const actionOf = (event: SeqEvent<ActionEnd>) => {
  const { seq, at_ms, action, target, method, message } = event;
  return { seq, at_ms, principal: event.principal ?? "", action, target, method, message };
};

const explained = (journal: JournalReader, event: SeqEvent<ActionEnd>): ExplainedAction => {
  const action = actionOf(event);
  const thought = thoughtBefore(journal, action.principal, event.seq);
  return { action, moment: null, thought };
};

/** The id of the moment that an action is, by the event that ended the action. */
type MomentIdOf = (seq: number) => string | null;

/** Adds moments to the actions of the causes, and model calls and memories to their thoughts. */
const causesWithCalls = (
  journal: JournalReader,
  causes: readonly Cause[],
  momentIdOf: MomentIdOf,
): readonly Cause[] => {
  const thoughts = causes
    .flatMap(({ mover, creation }) => [mover?.thought ?? null, creation?.thought ?? null])
    .filter((thought) => thought !== null);
  const bySeq = withCalls(journal, thoughts);
  const filled = <A extends ExplainedAction>(explained: A): A => {
    const { action, thought } = explained;
    const filledThought = thought === null ? null : (bySeq.get(thought.seq) ?? null);
    return { ...explained, moment: momentIdOf(action.seq), thought: filledThought };
  };
  return causes.map(({ mover, creation, ...cause }) => ({
    ...cause,
    mover: mover === null ? null : filled(mover),
    creation: creation === null ? null : filled(creation),
  }));
};

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
  const cure = run === undefined ? null : `\`sim state ${run} ${id}\` describes it`;
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
