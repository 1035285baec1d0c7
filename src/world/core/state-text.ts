import * as kernel from "../../kernel/index.ts";

/** The format version of an encoded state. Increase it if old readers cannot read a new format. */
const STATE_VERSION = 1;

type Rows = readonly (readonly [string, unknown])[];

const tableOf = (state: kernel.State, name: kernel.TableName): kernel.Table<string, unknown> =>
  state[name] as unknown as kernel.Table<string, unknown>;

/** How to encode the rows of a table. Tables without a codec are written unchanged. */
type RowCodec<Row, Written> = {
  /** Lists and objects nested less deeply than this are split into pieces. */
  readonly listDepth: number;
  encode(row: Row): Written;
  decode(written: Written): Row;
};

type WrittenWorld = Omit<kernel.WorldRow, "publicLog"> & {
  readonly publicLog: readonly kernel.PublicEvent[];
};
type WrittenUsage = kernel.PerResource<kernel.WrittenWindow>;

const world: RowCodec<kernel.WorldRow, WrittenWorld> = {
  listDepth: 2,
  encode: (row) => ({ ...row, publicLog: kernel.logItems(row.publicLog) }),
  decode: (row) => ({ ...row, publicLog: kernel.logOf(row.publicLog) }),
};

const usages: RowCodec<kernel.Usage, WrittenUsage> = {
  listDepth: 3,
  encode: (row) => eachWindow(row, encodeWindow) as WrittenUsage,
  decode: (row) => eachWindow(row, decodeWindow) as kernel.Usage,
};

const grants: RowCodec<kernel.Grant, kernel.WrittenGrant> = {
  listDepth: 3,
  encode: (row) => ({ ...row, used: encodeWindow(row.used) }),
  decode: (row) => ({ ...row, used: decodeWindow(row.used) }),
};

const CODECS = { world, usages, grants } as {
  readonly [Name in kernel.TableName]?: RowCodec<unknown, unknown>;
};

const encodeWindow = (window: kernel.Window): kernel.WrittenWindow => ({
  entries: kernel.entriesOf(window),
  total: window.total,
});

const decodeWindow = ({ entries, total }: kernel.WrittenWindow): kernel.Window =>
  kernel.windowOf(entries, total);

const eachWindow = <A, B>(usage: { readonly [name: string]: A }, change: (window: A) => B) =>
  Object.fromEntries(Object.entries(usage).map(([name, window]) => [name, change(window)]));

/**
 * Yields the text of a state, in pieces of at most one row. Checkpoints contain this text, and the
 * state's hash covers it. Tables are sorted by name, and rows by key. The fields of a row keep
 * their order, because programs and minds see that order. The caller may pause at empty pieces.
 *
 * The call captures the state, so call this between two transactions. The world may then continue
 * between pieces, because rows are immutable and a `Log` never overwrites committed entries.
 */
export const stateChunks = (state: kernel.State): Generator<string, void, undefined> => {
  const tables = kernel.TABLE_NAMES.map((name) => {
    const table = tableOf(state, name);
    return { name, chunks: rowChunks(name, [...table.keys()], [...table.rows()]) };
  });
  const fields = [...tables, { name: "version", chunks: [String(STATE_VERSION)] }];
  return fieldChunks(fields.sort((a, b) => (a.name < b.name ? -1 : 1)));
};

type Field = { readonly name: string; readonly chunks: Iterable<string> };

function* fieldChunks(fields: readonly Field[]): Generator<string, void, undefined> {
  let before = "{";
  for (const { name, chunks } of fields) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* chunks;
    before = ",";
  }
  yield "}";
}

/** Sorts the rows by key, so that equal states have equal texts. */
function* rowChunks(
  name: kernel.TableName,
  keys: readonly string[],
  rows: readonly unknown[],
): Generator<string, void, undefined> {
  const codec = CODECS[name];
  let before = "[";
  for (const [key, row] of yield* mergeSort(keys, rows)) {
    yield `${before}[${JSON.stringify(key)},`;
    yield* chunksOf(codec === undefined ? row : codec.encode(row), codec?.listDepth ?? 0);
    before = "],";
  }
  yield rows.length > 0 ? "]]" : "[]";
}

/** Yields the text of a value. Splits lists and objects on the first `depth` levels into pieces. */
function* chunksOf(value: unknown, depth: number): Generator<string, void, undefined> {
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && !kernel.isObject(value))) return yield textOf(value);
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

export const stateText = (state: kernel.State): string => [...stateChunks(state)].join("");

/** Decodes a parsed `stateText`, whose tables are valid. */
const decodeState = (encoded: Readonly<Record<string, unknown>>): kernel.State => {
  const state = kernel.emptyState();
  for (const name of kernel.TABLE_NAMES) {
    const table = tableOf(state, name);
    const rows = encoded[name] as Rows;
    const codec = CODECS[name];
    table.fill(codec === undefined ? rows : rows.map(([key, row]) => [key, codec.decode(row)]));
  }
  kernel.rebuildCatalogue(state);
  return state;
};

export type StateRead = kernel.Result<{ state: kernel.State }>;

const CURE = "use an unchanged copy of it";

/** Reads a state, or returns why it cannot. `validateState` checks rows against each other. */
export const readState = (source: unknown): StateRead => {
  const refused = (problem: string): StateRead => ({ ok: false, problem: `${problem}; ${CURE}` });
  try {
    const value: unknown = typeof source === "string" ? JSON.parse(source) : source;
    const problem = kernel.isObject(value) ? tablesProblem(value) : "it is not a record";
    if (problem !== null) return refused(`this is not the state of a world: ${problem}`);
    return { ok: true, state: decodeState(value as Readonly<Record<string, unknown>>) };
  } catch (error) {
    return refused(`the state cannot be read: ${kernel.firstLineOf(error)}`);
  }
};

/** Returns what is wrong with the version or the tables of a record, or null if they are valid. */
const tablesProblem = (given: Readonly<Record<string, unknown>>): string | null => {
  const { version = null, ...tables } = given;
  if (version !== STATE_VERSION) {
    return `it has version ${JSON.stringify(version)}, and this program reads ${STATE_VERSION}`;
  }
  for (const name of kernel.TABLE_NAMES) {
    const problem = rowsProblem(name, tables[name]);
    if (problem !== null) return `its table "${name}"${problem}`;
  }
  const unknown = Object.keys(tables).find((name) => !Object.hasOwn(kernel.TABLES, name));
  return unknown === undefined ? null : `it has an unknown table ${kernel.is.quoted(unknown)}`;
};

/** Checks each `[key, row]` and the order of the keys. */
const rowsProblem = (name: kernel.TableName, rows: unknown): string | null => {
  const { row: shape, keyOf } = kernel.TABLES[name];
  if (!kernel.isList(rows)) return " is missing or not a list of rows";
  let before: string | null = null;
  for (const entry of rows) {
    const [key, row] = kernel.isList(entry) && entry.length === 2 ? entry : [null, null];
    if (typeof key !== "string") return " has an entry that is not a key and a row";
    const problem = shape(row);
    if (problem !== null) return `: ${kernel.is.quoted(key)}${problem}`;
    const own = keyOf === null ? kernel.parseId(key) : keyOf(row as never);
    if (own !== key) return `: ${kernel.is.quoted(key)} is not the key of its row`;
    if (before !== null && before >= key) {
      return `: ${kernel.is.quoted(key)} comes after ${kernel.is.quoted(before)}`;
    }
    before = key;
  }
  return null;
};

type Entries = readonly (readonly [key: string, row: unknown])[];

/** The number of rows that are sorted without a pause. */
const RUN_ROWS = 2_048;

/** Sorts rows by key, in the order of `<`. Yields an empty text where the caller may pause. */
function* mergeSort(keys: readonly string[], rows: readonly unknown[]): Generator<"", Entries> {
  let runs: Entries[] = [];
  for (let at = 0; at < keys.length; at += RUN_ROWS) {
    const run = keys.slice(at, at + RUN_ROWS).map((key, n) => [key, rows[at + n]] as const);
    runs.push(run.sort(([a], [b]) => (a < b ? -1 : 1)));
    yield "";
  }
  while (runs.length > 1) {
    const longer: Entries[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(merged(runs[at] ?? [], runs[at + 1] ?? []));
      yield "";
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

const merged = (left: Entries, right: Entries): Entries => {
  const all: Entries[number][] = [];
  let [l, r] = [0, 0];
  for (let a = left[0], b = right[0]; a !== undefined || b !== undefined; ) {
    if (b === undefined || (a !== undefined && a[0] < b[0])) {
      if (a !== undefined) all.push(a);
      a = left[++l];
    } else {
      all.push(b);
      b = right[++r];
    }
  }
  return all;
};
