import type { CountedFrom, LogCall, RunMetrics } from "../../figures/index.ts";
import type { Event, State } from "../../kernel/index.ts";
import type { JournalReader, JournalRow } from "../../world/index.ts";

type Values = {
  readonly integer: number;
  readonly real: number;
  readonly text: string;
  readonly boolean: boolean;
};
type ColumnType = keyof Values;

/** A column. `unit` is null for texts, truth values and plain numbers such as ids. */
export type ExportColumn<T extends ColumnType = ColumnType, N extends boolean = boolean> = {
  readonly type: T;
  readonly nullable: N;
  readonly unit: string | null;
  readonly says: string;
};

export type ExportColumns = { readonly [name: string]: ExportColumn };

type ValueOf<C extends ExportColumn> =
  | Values[C["type"]]
  | (C["nullable"] extends true ? null : never);

export type RowOf<Columns extends ExportColumns> = {
  readonly [Name in keyof Columns]: ValueOf<Columns[Name]>;
};

/** A row of any table. */
export type ExportRow = { readonly [name: string]: Values[ColumnType] | null };

/** An event of the journal, and the state before the event. A note of the run has no `event`. */
export type ExportStep = {
  readonly row: JournalRow;
  readonly event: Event | null;
  readonly state: State;
};

/** The run that is exported, up to one event. */
export type ExportedRun = {
  readonly journal: JournalReader;
  readonly base: CountedFrom;
  readonly metrics: RunMetrics;
  /** The run times, in ms, of `agents_over_time`. */
  readonly moments: readonly number[];
};

/** The rows of a table, from one pass over the log. `end` is called after the last event. */
type RowSource<Row> = {
  readonly rowsOf?: (step: ExportStep) => Iterable<Row>;
  readonly rowOfCall?: (call: LogCall) => Row;
  readonly end?: (state: State) => Iterable<Row>;
};

/** A table of an export, and how its rows are found. */
export type ExportTable<Row = ExportRow> = {
  readonly name: string;
  /** What one row is. */
  readonly says: string;
  readonly columns: ExportColumns;
  readonly open: (run: ExportedRun) => RowSource<Row>;
};

/** A table with these columns, after those of the run, whose values `exportRun` adds. */
export const tableOf = <Columns extends ExportColumns>(
  name: string,
  says: string,
  columns: Columns,
  open: ExportTable<RowOf<Columns>>["open"],
): ExportTable => ({ name, says, columns: { ...RUN_COLUMNS, ...columns }, open });

/** A table with a row for each event of which `rowOf` makes one. Rows may have other fields too. */
export const eventTable = <Columns extends ExportColumns>(
  name: string,
  says: string,
  columns: Columns,
  rowOf: (event: Event, step: ExportStep) => RowOf<Columns> | null,
): ExportTable => {
  const rowsOf = (step: ExportStep): readonly ExportRow[] => {
    const row = step.event === null ? null : rowOf(step.event, step);
    return row === null ? [] : [{ ...row, ...placeOf(step) }];
  };
  const all = { ...RUN_COLUMNS, ...EVENT_COLUMNS, ...columns };
  return { name, says, columns: all, open: () => ({ rowsOf }) };
};

export const integer = (says: string, unit: string | null = null) =>
  ({ type: "integer", nullable: false, unit, says }) as const satisfies ExportColumn;

export const real = (says: string, unit: string | null = null) =>
  ({ type: "real", nullable: false, unit, says }) as const satisfies ExportColumn;

export const text = (says: string) =>
  ({ type: "text", nullable: false, unit: null, says }) as const satisfies ExportColumn;

export const boolean = (says: string) =>
  ({ type: "boolean", nullable: false, unit: null, says }) as const satisfies ExportColumn;

export const orNull = <T extends ColumnType>(
  column: ExportColumn<T, false>,
): ExportColumn<T, true> => ({ ...column, nullable: true });

/** The first columns of every table, so that tables of several runs can be put together. */
const RUN_COLUMNS = {
  run_id: text("id of the run"),
  seed: orNull(integer("seed of the run; null if the run has no valid run.json")),
};

export type RunCells = RowOf<typeof RUN_COLUMNS>;

/** The columns of every table with one row for each event of some kinds. */
export const EVENT_COLUMNS = {
  seq: integer("number of the event"),
  at_ms: integer("run time", "ms"),
};

export const placeOf = ({ row }: ExportStep): RowOf<typeof EVENT_COLUMNS> => ({
  seq: row.seq,
  at_ms: row.atMs,
});
