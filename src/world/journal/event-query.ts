import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type Columns, integerOf, textOf, textOrNullOf } from "./columns.ts";
import type { CommandRow, JournalRow, ModelCallRow } from "./rows.ts";

/** Which events to read. All bounds are optional and hold together. */
export type EventFilter = {
  /** Only events with a greater number. */
  readonly after?: number;
  /** Only events up to this number, it included. */
  readonly upTo?: number;
  readonly limit?: number;
  /** Only events of this run time or later. */
  readonly sinceMs?: number;
  readonly kind?: string;
  readonly principal?: string;
};

/** `after` and `limit` are of records, whose numbers are their own; `upTo` is of events. */
export type ModelCallFilter = Pick<EventFilter, "upTo" | "after" | "limit">;
export type CommandFilter = Pick<EventFilter, "after" | "upTo">;

/**
 * Rows are fetched by the page, so that a slow reader holds no read transaction open (which would
 * keep the WAL from being folded back) and may write between two rows.
 */
const PAGE_ROWS = 256;

const EVENT = "seq, at_ms, kind, principal, body, hash";
const COMMAND = "seq, last_seq, fused, command";

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
  fused: integerOf(row, "fused") !== 0,
});

/** An event, with the command that caused it where it is the first of that. */
export type ChainedRow = { readonly event: JournalRow; readonly cause: CommandRow | null };

/** What belongs to a command stands where one does, and nowhere else. */
const chainedOf = (row: Columns): ChainedRow => {
  const hasCause = [row.command, row.last_seq, row.fused].some((value) => value !== null);
  return { event: eventOf(row), cause: hasCause ? commandOf(row) : null };
};

/** The committed events by the page, in order, exactly as they are stored. */
export function eventPages(
  database: DatabaseSync,
  filter: EventFilter = {},
): Generator<readonly JournalRow[], void, undefined> {
  return pages({ database, columns: EVENT, read: eventOf, filter });
}

/** All events up to one, with their commands. */
export function* chainedEvents(
  database: DatabaseSync,
  filter: Pick<EventFilter, "upTo">,
): Generator<ChainedRow, void, undefined> {
  const columns = `${EVENT}, last_seq, fused, command`;
  for (const page of pages({ database, columns, read: (row) => row, filter })) {
    for (const row of page) yield chainedOf(row);
  }
}

type Paged<T> = {
  readonly database: DatabaseSync;
  /** `seq` is among them. */
  readonly columns: string;
  readonly read: (row: Columns) => T;
  readonly filter: EventFilter;
};

function* pages<T>(paged: Paged<T>): Generator<readonly T[], void, undefined> {
  const { database, columns, read, filter } = paged;
  const conditions = ["seq > ?", "seq <= ?"];
  const values: SQLInputValue[] = [filter.upTo ?? Number.MAX_SAFE_INTEGER];
  if (filter.sinceMs !== undefined) {
    conditions.push("at_ms >= ?");
    values.push(filter.sinceMs);
  }
  if (filter.kind !== undefined) {
    conditions.push("kind = ?");
    values.push(filter.kind);
  }
  if (filter.principal !== undefined) {
    conditions.push("principal = ?");
    values.push(filter.principal);
  }
  const where = conditions.join(" AND ");
  const page = database.prepare(
    `SELECT ${columns} FROM events WHERE ${where} ORDER BY seq LIMIT ?`,
  );
  let left = filter.limit ?? Number.MAX_SAFE_INTEGER;
  let after = filter.after ?? 0;
  while (left > 0) {
    const size = Math.min(PAGE_ROWS, left);
    const rows = page.all(after, ...values, size);
    yield rows.map(read);
    const last = rows.at(-1);
    if (last !== undefined) after = integerOf(last, "seq");
    left -= rows.length;
    if (rows.length < size) return;
  }
}

/** How many committed events there are of these kinds. */
export function countEvents(database: DatabaseSync, kinds: readonly string[]): number {
  const wanted = kinds.map(() => "?").join(", ");
  const counting = database.prepare(`SELECT count(*) AS n FROM events WHERE kind IN (${wanted})`);
  return integerOf(counting.get(...kinds) ?? {}, "n");
}

/** The commands all of whose events lie after `after` and not past `upTo`, in order. */
export function* storedCommands(
  database: DatabaseSync,
  filter: CommandFilter = {},
): Generator<CommandRow, void, undefined> {
  const upTo = filter.upTo ?? Number.MAX_SAFE_INTEGER;
  const page: StatementSync = database.prepare(
    `SELECT ${COMMAND} FROM events
     WHERE seq > ? AND command IS NOT NULL AND last_seq <= ? ORDER BY seq LIMIT ?`,
  );
  let after = filter.after ?? 0;
  while (true) {
    const rows = page.all(after, upTo, PAGE_ROWS).map(commandOf);
    yield* rows;
    after = rows.at(-1)?.firstSeq ?? after;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** In a journal where commands have a table of their own: the first that stands at no event. */
export function strayCommand(database: DatabaseSync): number | null {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'commands'");
  if (table.get() === undefined) return null;
  const row = database
    .prepare(
      "SELECT min(first_seq) AS seq FROM commands WHERE first_seq NOT IN (SELECT seq FROM events)",
    )
    .get();
  return typeof row?.seq === "number" ? row.seq : null;
}

/** The last event of the transaction that event `seq` belongs to, or null: there is none. */
export function lastOfTransaction(database: DatabaseSync, seq: number): number | null {
  const opened = "SELECT seq, last_seq FROM events WHERE seq <= ? AND command IS NOT NULL";
  const row = database.prepare(`${opened} ORDER BY seq DESC LIMIT 1`).get(seq);
  if (row === undefined) return null;
  const last = integerOf(row, "last_seq");
  return last >= seq ? last : null;
}

/** The records of model calls, in the order in which they were kept. */
export function* storedModelCalls(
  database: DatabaseSync,
  filter: ModelCallFilter = {},
): Generator<ModelCallRow, void, undefined> {
  const page = database.prepare(
    "SELECT * FROM model_calls WHERE id > ? AND seq <= ? ORDER BY id LIMIT ?",
  );
  const upTo = filter.upTo ?? Number.MAX_SAFE_INTEGER;
  let left = filter.limit ?? Number.MAX_SAFE_INTEGER;
  let after = filter.after ?? 0;
  while (left > 0) {
    const size = Math.min(PAGE_ROWS, left);
    const rows = page.all(after, upTo, size).map((row) => ({
      id: integerOf(row, "id"),
      seq: integerOf(row, "seq"),
      body: textOf(row, "body"),
    }));
    yield* rows;
    after = rows.at(-1)?.id ?? after;
    left -= rows.length;
    if (rows.length < size) return;
  }
}

/** The number of the last record of a model call; 0 where there is none. */
export function lastModelCall(database: DatabaseSync): number {
  const row = database.prepare("SELECT max(id) AS id FROM model_calls").get();
  return typeof row?.id === "number" ? row.id : 0;
}

/** The last stored event, or null in an empty journal. */
export function lastEvent(database: DatabaseSync): JournalRow | null {
  const row = database.prepare(`SELECT ${EVENT} FROM events ORDER BY seq DESC LIMIT 1`).get();
  return row === undefined ? null : eventOf(row);
}

/** The hash stored with event `seq`, or null when there is no such event. */
export function hashAt(database: DatabaseSync, seq: number): string | null {
  const row = database.prepare("SELECT seq, hash FROM events WHERE seq = ?").get(seq);
  return row === undefined ? null : textOf(row, "hash");
}
