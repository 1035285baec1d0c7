import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { CommandRow, JournalHead, JournalRow, ModelCallRow } from "./chain.ts";
import { recordedHead } from "./schema.ts";
import { type Columns, integerOf, JournalFailure, textOf, textOrNullOf } from "./sqlite.ts";
import { firstHead } from "./start-state.ts";

export type JournalFilter = {
  /** Exclusive lower bound on the event number. */
  readonly after?: number | undefined;
  /** Inclusive upper bound on the event number. */
  readonly upTo?: number | undefined;
  readonly limit?: number | undefined;
  /** Inclusive lower bound on run time. */
  readonly sinceMs?: number | undefined;
  readonly kind?: string | undefined;
  readonly principal?: string | undefined;
  /**
   * Kinds whose bodies the caller does not read. Their rows have an empty body, and no row has a
   * hash, so that SQLite need not read long texts. A copy of a journal ignores this.
   */
  readonly withoutBodies?: readonly string[] | undefined;
};

/** `after` is the id of a model call, `limit` is a number of calls, `upTo` is an event number. */
export type ModelCallFilter = Pick<JournalFilter, "upTo" | "after" | "limit">;
export type CommandFilter = Pick<JournalFilter, "after" | "upTo">;

/** Rows per page. No transaction is open between pages, so a slow reader blocks no writer. */
const PAGE_ROWS = 256;

const EVENT = "seq, at_ms, kind, principal, body, hash";

const eventOf = (row: Columns): JournalRow => ({
  seq: integerOf(row, "seq"),
  atMs: integerOf(row, "at_ms"),
  kind: textOf(row, "kind"),
  principal: textOrNullOf(row, "principal"),
  body: textOf(row, "body"),
  hash: textOf(row, "hash"),
});

const commandOf = (row: Columns): CommandRow => ({
  firstSeq: integerOf(row, "seq"),
  lastSeq: integerOf(row, "last_seq"),
  command: textOf(row, "command"),
  timedOut: integerOf(row, "timed_out") !== 0,
});

/** An event. `cause` is its command if the event is the first event of a transaction. */
export type ChainedRow = { readonly event: JournalRow; readonly cause: CommandRow | null };

/** A row has all columns of a command or none. Throws if a damaged row has only some of them. */
const chainedOf = (row: Columns): ChainedRow => {
  const hasCause = [row.command, row.last_seq, row.timed_out].some((value) => value !== null);
  return { event: eventOf(row), cause: hasCause ? commandOf(row) : null };
};

const modelCallOf = (row: Columns): ModelCallRow => ({
  id: integerOf(row, "id"),
  seq: integerOf(row, "seq"),
  body: textOf(row, "body"),
});

type Query<T> = {
  readonly columns: string;
  /** The values of the parameters in `columns`. */
  readonly columnValues?: readonly SQLInputValue[];
  readonly table: "events" | "model_calls";
  /** The column that sorts the rows. `after` is a value of this column. */
  readonly key: "seq" | "id";
  /** SQL conditions with one parameter each. A condition is omitted if its value is undefined. */
  readonly where: readonly (readonly [condition: string, value: SQLInputValue | undefined])[];
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly read: (row: Columns) => T;
};

function* pages<T>(database: DatabaseSync, query: Query<T>): Generator<readonly T[], void> {
  const { columns, table, key, limit = Number.MAX_SAFE_INTEGER, read } = query;
  const { columnValues = [] } = query;
  const conditions = [`${key} > ?`];
  const values: SQLInputValue[] = [];
  for (const [condition, value] of query.where) {
    if (value === undefined) continue;
    conditions.push(condition);
    values.push(value);
  }
  const page = database.prepare(
    `SELECT ${columns} FROM ${table} WHERE ${conditions.join(" AND ")} ORDER BY ${key} LIMIT ?`,
  );
  let after = query.after ?? 0;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE_ROWS, left);
    const rows = page.all(...columnValues, after, ...values, size);
    yield rows.map(read);
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = integerOf(last, key);
    left -= rows.length;
  }
}

export const eventPages = (database: DatabaseSync, filter: JournalFilter) =>
  pages(database, {
    ...eventColumns(filter),
    table: "events",
    key: "seq",
    where: [
      ["seq <= ?", filter.upTo],
      ["at_ms >= ?", filter.sinceMs],
      ["kind = ?", filter.kind],
      ["principal = ?", filter.principal],
    ],
    after: filter.after,
    limit: filter.limit,
    read: eventOf,
  });

const eventColumns = ({ withoutBodies }: JournalFilter) => {
  if (withoutBodies === undefined) return { columns: EVENT };
  const kinds = withoutBodies.map(() => "?").join(", ");
  const body = `CASE WHEN kind IN (${kinds}) THEN '' ELSE body END AS body`;
  return {
    columns: `seq, at_ms, kind, principal, ${body}, '' AS hash`,
    columnValues: withoutBodies,
  };
};

export function* chainedEvents(
  database: DatabaseSync,
  upTo: number | null,
): Generator<ChainedRow, void> {
  const columns = `${EVENT}, last_seq, timed_out, command`;
  const where = [["seq <= ?", upTo ?? undefined]] as const;
  const read = (row: Columns) => row;
  for (const page of pages(database, { columns, table: "events", key: "seq", where, read })) {
    for (const row of page) yield chainedOf(row);
  }
}

export const commandPages = (database: DatabaseSync, { after, upTo }: CommandFilter) =>
  pages(database, {
    columns: "seq, last_seq, timed_out, command",
    table: "events",
    key: "seq",
    where: [["command IS NOT NULL AND last_seq <= ?", upTo ?? Number.MAX_SAFE_INTEGER]],
    after,
    read: commandOf,
  });

export const modelCallPages = (database: DatabaseSync, { after, upTo, limit }: ModelCallFilter) =>
  pages(database, {
    columns: "*",
    table: "model_calls",
    key: "id",
    where: [["seq <= ?", upTo]],
    after,
    limit,
    read: modelCallOf,
  });

export function countEvents(database: DatabaseSync, kinds: readonly string[]): number {
  const wanted = kinds.map(() => "?").join(", ");
  const counting = database.prepare(`SELECT count(*) AS n FROM events WHERE kind IN (${wanted})`);
  return integerOf(counting.get(...kinds) ?? {}, "n");
}

export function lastModelCall(database: DatabaseSync): number {
  const row = database.prepare("SELECT max(id) AS id FROM model_calls").get();
  return typeof row?.id === "number" ? row.id : 0;
}

export function storedHead(database: DatabaseSync): JournalHead {
  const row = database.prepare("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").get();
  if (row === undefined) return firstHead(database);
  return { seq: integerOf(row, "seq"), hash: textOf(row, "hash") };
}

/** The hash of event `seq`, or of the base if the base has this number. Otherwise null. */
export function hashAfter(database: DatabaseSync, seq: number): string | null {
  const first = firstHead(database);
  if (seq === first.seq) return first.hash;
  const row = database.prepare("SELECT seq, hash FROM events WHERE seq = ?").get(seq);
  return row === undefined ? null : textOf(row, "hash");
}

export function transactionEnd(database: DatabaseSync, seq: number): number | null {
  const opened = "SELECT seq, last_seq FROM events WHERE seq <= ? AND command IS NOT NULL";
  const row = database.prepare(`${opened} ORDER BY seq DESC LIMIT 1`).get(seq);
  // The base is before all events.
  if (row === undefined) return seq === firstHead(database).seq ? seq : null;
  const last = integerOf(row, "last_seq");
  return last >= seq ? last : null;
}

/** Throws if the end of the journal is damaged, because appending events would hide the damage. */
export function requireSoundEnd(database: DatabaseSync, path: string): void {
  const stored = storedHead(database);
  const recorded = recordedHead(database);
  if (stored.seq === recorded.seq && stored.hash === recorded.hash) return;
  const ends = `its events end with ${stored.seq}, its last commit recorded ${recorded.seq}`;
  const cure = "look with `sim verify`, then use a copy";
  throw new JournalFailure(`${path} is damaged: ${ends}; ${cure}`);
}
