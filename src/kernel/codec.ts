import type { Grant } from "./delegation.ts";
import type { Event } from "./event.ts";
import type { Json } from "./json.ts";
import { type Log, logItems, logOf } from "./log.ts";
import type { Usage, Window } from "./rate-tracker.ts";
import { emptyState, rebuildCatalogue, type State, type Whole } from "./state.ts";
import type { Table } from "./table.ts";

/** The format of an encoded state; raised when a reader of the old one would be wrong. */
export const STATE_VERSION = 1;

type Rows = readonly (readonly [string, unknown])[];
export type EncodedState = { readonly version: number } & {
  readonly [table: string]: Rows | number;
};

/** Families come first, because the rows of others are indexed by them. */
const TABLES = [
  "families",
  "whole",
  "accounts",
  "usages",
  "holds",
  "artifacts",
  "trades",
  "customers",
  "histories",
  "offers",
  "agents",
  "submissions",
  "scores",
  "tasks",
  "grants",
  "flows",
  "sleepers",
] as const;

/** Rows by key in code-point order, so that equal states are encoded alike. */
const rowsOf = (table: Table<string, unknown>, encode: (row: unknown) => unknown): Rows => {
  const entries = [...table.snapshot()];
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, row]) => [key, encode(row)] as const);
};

const same = (row: unknown): unknown => row;

const encodeWindow = (window: Window) => ({
  entries: logItems(window.entries),
  total: window.total,
});

const decodeWindow = (window: { entries: Window["entries"]["list"]; total: number }): Window => ({
  entries: logOf(window.entries),
  total: window.total,
});

const mapUsage = <A, B>(usage: { [key: string]: A }, change: (window: A) => B) =>
  Object.fromEntries(Object.entries(usage).map(([name, window]) => [name, change(window)]));

const ENCODE: { readonly [table: string]: (row: unknown) => unknown } = {
  whole: (row) => ({ ...(row as Whole), chronicle: logItems((row as Whole).chronicle) }),
  usages: (row) => mapUsage(row as { [key: string]: Window }, encodeWindow),
  grants: (row) => ({ ...(row as Grant), used: encodeWindow((row as Grant).used) }),
};

type WireWindow = Parameters<typeof decodeWindow>[0];
const DECODE: { readonly [table: string]: (row: unknown) => unknown } = {
  whole: (row) => ({
    ...(row as Whole),
    chronicle: logOf((row as { chronicle: Log<unknown>["list"] }).chronicle),
  }),
  usages: (row) => mapUsage(row as { [key: string]: WireWindow }, decodeWindow) as unknown as Usage,
  grants: (row) => ({ ...(row as Grant), used: decodeWindow((row as { used: WireWindow }).used) }),
};

/** The state as plain data: all that a checkpoint holds, and all that its hash is taken of. */
export const encodeState = (state: State): EncodedState => {
  const tables = TABLES.map((name) => {
    const table = state[name] as unknown as Table<string, unknown>;
    return [name, rowsOf(table, ENCODE[name] ?? same)] as const;
  });
  return { version: STATE_VERSION, ...Object.fromEntries(tables) };
};

/** The inverse of `encodeState`; the caller has checked the version and the hash. */
export const decodeState = (encoded: EncodedState): State => {
  const state = emptyState();
  for (const name of TABLES) {
    const table = state[name] as unknown as Table<string, unknown>;
    const decode = DECODE[name] ?? same;
    for (const [key, row] of encoded[name] as Rows) table.put(key, decode(row));
  }
  state.undo.forget();
  rebuildCatalogue(state);
  return state;
};

/** One event as a journal keeps it. */
export type EventRow = {
  readonly atMs: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly body: string;
};

export const encodeEvent = (event: Event): EventRow => {
  const { at_ms: atMs, kind, principal, ...body } = event;
  return { atMs, kind, principal, body: JSON.stringify(body) };
};

/** For rows whose chain of hashes has been checked. */
export const decodeEvent = (row: EventRow): Event => {
  const body = JSON.parse(row.body) as { readonly [key: string]: Json };
  return { at_ms: row.atMs, kind: row.kind, principal: row.principal, ...body } as unknown as Event;
};
