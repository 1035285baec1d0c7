import {
  type Event,
  emptyState,
  entriesOf,
  type Grant,
  isObject,
  type Json,
  type Log,
  logItems,
  logOf,
  rebuildCatalogue,
  type State,
  type Table,
  type Usage,
  type Window,
  type WorldRow,
  type WrittenWindow,
  windowOf,
} from "../../kernel/index.ts";
import { mergeSort } from "./merge-sort.ts";

/** The format of an encoded state; raised when a reader of the old one would be wrong. */
export const STATE_VERSION = 1;

type Rows = readonly (readonly [string, unknown])[];
/** The text of a state as parsed. */
export type EncodedState = { readonly version: number } & {
  readonly [table: string]: Rows | number;
};

/** Families come first, because the rows of others are indexed by them. */
export const TABLES = [
  "families",
  "world",
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

type TableName = (typeof TABLES)[number];

const tableOf = (state: State, name: TableName): Table<string, unknown> =>
  state[name] as unknown as Table<string, unknown>;

const same = (row: unknown): unknown => row;

const encodeWindow = (window: Window): WrittenWindow => ({
  entries: entriesOf(window),
  total: window.total,
});

const decodeWindow = ({ entries, total }: WrittenWindow): Window => windowOf(entries, total);

const mapUsage = <A, B>(usage: { [key: string]: A }, change: (window: A) => B) =>
  Object.fromEntries(Object.entries(usage).map(([name, window]) => [name, change(window)]));

const ENCODE: { readonly [table: string]: (row: unknown) => unknown } = {
  world: (row) => ({ ...(row as WorldRow), publicLog: logItems((row as WorldRow).publicLog) }),
  usages: (row) => mapUsage(row as { [key: string]: Window }, encodeWindow),
  grants: (row) => ({ ...(row as Grant), used: encodeWindow((row as Grant).used) }),
};

const DECODE: { readonly [table: string]: (row: unknown) => unknown } = {
  world: (row) => ({
    ...(row as WorldRow),
    publicLog: logOf((row as { publicLog: Log<unknown>["list"] }).publicLog),
  }),
  usages: (row) =>
    mapUsage(row as { [key: string]: WrittenWindow }, decodeWindow) as unknown as Usage,
  grants: (row) => ({
    ...(row as Grant),
    used: decodeWindow((row as { used: WrittenWindow }).used),
  }),
};

/**
 * The text of a state in pieces of a row or less: all that a checkpoint holds, and all that its
 * hash is taken of. Tables and rows are in the order of their names and keys. Within a row names
 * stand as they were put, since programs and minds see that order: a state that was read back must
 * go on as the one that was kept. Some pieces are empty: what comes next is not made at once.
 *
 * The state is taken as it is when this is called; the world may go on between any two pieces,
 * because rows are immutable and what a `Log` had at a commit is never overwritten. To be called
 * between two transactions.
 */
export const stateChunks = (state: State): Generator<string, void, undefined> => {
  const captured = TABLES.map((name) => {
    const table = tableOf(state, name);
    return { name, keys: [...table.keys()], rows: [...table.rows()] };
  });
  captured.sort((a, b) => (a.name < b.name ? -1 : 1));
  return chunksIn(captured);
};

/** A table as it was at one moment: keys, and the rows under them. */
type Captured = {
  readonly name: TableName;
  readonly keys: readonly string[];
  readonly rows: readonly unknown[];
};

function* chunksIn(captured: readonly Captured[]): Generator<string, void, undefined> {
  let before = "{";
  let version: string | null = `"version":${STATE_VERSION}`;
  for (const table of captured) {
    const { name } = table;
    if (version !== null && name > "version") {
      yield `${before}${version}`;
      version = null;
      before = ",";
    }
    yield `${before}${JSON.stringify(name)}:[`;
    yield* rowChunks(table);
    before = "],";
  }
  yield "]}";
}

/** How deep the long lists lie in the rows of a table: those are taken apart, others are not. */
const LIST_DEPTH: { readonly [table: string]: number } = { world: 2, usages: 3, grants: 3 };

/** Rows stand by key in code-point order, so that equal states are encoded alike. */
function* rowChunks({ name, keys, rows }: Captured): Generator<string, void, undefined> {
  const encode = ENCODE[name] ?? same;
  const depth = LIST_DEPTH[name] ?? 0;
  let before = "";
  for (const [key, row] of yield* mergeSort(keys, rows)) {
    yield `${before}[${JSON.stringify(key)},`;
    yield* chunksOf(encode(row), depth);
    before = "],";
  }
  if (rows.length > 0) yield "]";
}

/** The text of a value, with what lies less than `depth` deep piece by piece. */
function* chunksOf(value: unknown, depth: number): Generator<string, void, undefined> {
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && !isObject(value))) return yield textOf(value);
  const parts = isList ? value.map((item) => [null, item] as const) : fieldsOf(value);
  let before = isList ? "[" : "{";
  for (const [key, part] of parts) {
    yield key === null ? before : `${before}${JSON.stringify(key)}:`;
    yield* chunksOf(part, depth - 1);
    before = ",";
  }
  if (before !== ",") yield before;
  yield isList ? "]" : "}";
}

const fieldsOf = (record: Readonly<Record<string, unknown>>): readonly [string, unknown][] =>
  Object.entries(record).filter(([, value]) => value !== undefined);

const textOf = (value: unknown): string => JSON.stringify(value) ?? "null";

/** The whole state as one text: what is hashed is what is kept. */
export const stateText = (state: State): string => [...stateChunks(state)].join("");

/** The inverse of `stateText`, of text as parsed; version and shape have been checked. */
export const decodeState = (encoded: EncodedState): State => {
  const state = emptyState();
  for (const name of TABLES) {
    const table = tableOf(state, name);
    const rows = encoded[name] as Rows;
    const decode = DECODE[name];
    table.fill(decode === undefined ? rows : rows.map(([key, row]) => [key, decode(row)]));
  }
  rebuildCatalogue(state);
  return state;
};
