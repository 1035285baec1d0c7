import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillFiles, naming, type OutputFile } from "../../figures/index.ts";
import {
  booleanColumn,
  type ExportColumns,
  type ExportRow,
  fileOpener,
  integerColumn,
  orNull,
  realColumn,
  textColumn,
} from "../../read/index.ts";
import { CONTRAST_COLUMNS, type ResultColumn, SUMMARY_COLUMNS } from "../result/columns.ts";
import type { Factors, FactorValue, Interval } from "../result/result.ts";
import { chartsOf, type DrawnChart, pngFile, svgFile } from "./charts.ts";
import { reportPage } from "./page.ts";
import { cellsOf, type ReportInput } from "./report-input.ts";

/** A table of an experiment, and the formats in which it is written. */
type ReportTable = {
  readonly name: string;
  readonly formats: readonly ("csv" | "parquet")[];
  readonly columns: ExportColumns;
  readonly rows: () => Iterable<ExportRow>;
};

/** All tables. Columns of factors and of measures have their names. */
const reportTables = (input: ReportInput): readonly ReportTable[] => [
  runsTable(input),
  trajectoriesTable(input),
  measuresTable(input),
  differencesTable(input),
];

const RUN_COLUMNS = {
  id: textColumn("name of the run in the folder `runs`"),
  cell: textColumn("the arm, with the factors if there are any"),
  arm: textColumn("the arm"),
  seed: integerColumn("the seed"),
  status: textColumn("`done`, `failed` or `skipped`"),
  journal_hash: orNull(textColumn("hash of the last event of the journal")),
  state_hash: orNull(textColumn("hash of the last state")),
  wall_s: orNull(realColumn("real time that the run took", "s")),
  usd: orNull(realColumn("cost of model calls", "USD")),
  command: textColumn("command that makes the same run alone"),
  error: orNull(textColumn("why the run failed or was skipped")),
} satisfies ExportColumns;

const runsTable = (input: ReportInput): ReportTable => {
  const { runs, measures } = input.result;
  const factors = factorColumns(input, Object.keys(RUN_COLUMNS));
  const taken = [...Object.keys(RUN_COLUMNS), ...Object.keys(factors.columns)];
  const names = freeNames(Object.keys(measures), taken, "measure");
  const measured = [...names].map(([measure, name]) => [
    name,
    orNull(realColumn(measures[measure]?.says ?? measure)),
  ]);
  const { id, cell, arm, seed, status, ...others } = RUN_COLUMNS;
  return {
    name: "runs",
    formats: ["csv", "parquet"],
    columns: {
      ...{ id, cell, arm, seed, status },
      ...factors.columns,
      ...Object.fromEntries(measured),
      ...others,
    },
    rows: () =>
      runs.map(({ factors: at, figures, ...run }) => ({
        ...run,
        ...factors.cellsOf(at),
        ...Object.fromEntries([...names].map(([key, name]) => [name, figures[key] ?? null])),
      })),
  };
};

const TRAJECTORY_COLUMNS = {
  run: textColumn("name of the run"),
  cell: RUN_COLUMNS.cell,
  arm: RUN_COLUMNS.arm,
  seed: RUN_COLUMNS.seed,
  at_ms: integerColumn("run time", "ms"),
} satisfies ExportColumns;

const trajectoriesTable = ({ result, trajectories }: ReportInput): ReportTable => {
  const figures = new Set([...trajectories.values()].flatMap((each) => Object.keys(each)));
  figures.delete("at_ms");
  const names = freeNames([...figures], Object.keys(TRAJECTORY_COLUMNS), "figure");
  const columns = [...names].map(([figure, name]) => [name, orNull(realColumn(figure))]);
  return {
    name: "trajectories",
    formats: ["parquet"],
    columns: { ...TRAJECTORY_COLUMNS, ...Object.fromEntries(columns) },
    rows: function* () {
      for (const { id: run, cell, arm, seed } of result.runs) {
        const trajectory = trajectories.get(run);
        for (const [row, at] of (trajectory?.at_ms ?? []).entries()) {
          const values = [...names].map(([figure, name]) => [
            name,
            trajectory?.[figure]?.[row] ?? null,
          ]);
          yield { run, cell, arm, seed, at_ms: Math.round(at), ...Object.fromEntries(values) };
        }
      }
    },
  };
};

/** The columns of a file. */
const filedColumns = <Row>(columns: readonly ResultColumn<Row>[]): ExportColumns =>
  Object.fromEntries(
    columns.flatMap(({ name, says, format }): [string, ExportColumns[string]][] => {
      if (format === "count") return [[name, integerColumn(says)]];
      if (format !== "interval") return [[name, orNull(realColumn(says))]];
      return [
        [`${name}_low`, orNull(realColumn(`lower end of the ${says}`))],
        [`${name}_high`, orNull(realColumn(`upper end of the ${says}`))],
      ];
    }),
  );

const filedRow = <Row>(columns: readonly ResultColumn<Row>[], row: Row): ExportRow =>
  Object.fromEntries(
    columns.flatMap((column): readonly (readonly [string, number | null])[] => {
      if (column.format !== "interval") return [[column.name, column.value(row)]];
      const [low, high]: Interval | readonly [null, null] = column.value(row) ?? [null, null];
      return [
        [`${column.name}_low`, low],
        [`${column.name}_high`, high],
      ];
    }),
  );

const measuresTable = (input: ReportInput): ReportTable => {
  const own = {
    measure: textColumn("name of the measure"),
    cell: RUN_COLUMNS.cell,
    arm: RUN_COLUMNS.arm,
  };
  const summaries = filedColumns(SUMMARY_COLUMNS);
  const factors = factorColumns(input, [...Object.keys(own), ...Object.keys(summaries)]);
  return {
    name: "measures",
    formats: ["csv"],
    columns: { ...own, ...factors.columns, ...summaries },
    rows: () =>
      Object.entries(input.result.measures).flatMap(([measure, { arms }]) =>
        cellsOf(input).flatMap(({ name: cell, arm, factors: at }) => {
          const summary = arms[cell];
          if (summary === undefined) return [];
          const figures = filedRow(SUMMARY_COLUMNS, summary);
          return [{ measure, cell, arm, ...factors.cellsOf(at), ...figures }];
        }),
      ),
  };
};

const differencesTable = ({ result }: ReportInput): ReportTable => ({
  name: "differences",
  formats: ["csv"],
  columns: {
    measure: textColumn("name of the measure"),
    a: textColumn("the cell"),
    b: textColumn("its control"),
    paired: booleanColumn("true if values are compared seed by seed"),
    ...filedColumns(CONTRAST_COLUMNS),
  },
  rows: () =>
    Object.entries(result.measures).flatMap(([measure, { differences }]) =>
      differences.map((each) => {
        const { a, b, paired } = each;
        return { measure, a, b, paired, ...filedRow(CONTRAST_COLUMNS, each) };
      }),
    ),
});

/** A column for each factor. Mixed values become text. */
const factorColumns = ({ result }: ReportInput, taken: readonly string[]) => {
  const found = new Set(result.runs.flatMap(({ factors }) => Object.keys(factors)));
  const columns = [...freeNames([...found], taken, "factor")].map(([factor, name]) => {
    const values = result.runs.map(({ factors }) => factors[factor] ?? null);
    return { factor, name, column: columnOf(values, factor) };
  });
  return {
    columns: Object.fromEntries(columns.map(({ name, column }) => [name, column])),
    cellsOf: (factors: Factors): ExportRow =>
      Object.fromEntries(
        columns.map(({ factor, name, column }) => {
          const value = factors[factor] ?? null;
          return [name, column.type === "text" && value !== null ? String(value) : value];
        }),
      ),
  };
};

const columnOf = (values: readonly FactorValue[], says: string): ExportColumns[string] => {
  const given = values.filter((value) => value !== null);
  if (given.every((value) => typeof value === "boolean")) return orNull(booleanColumn(says));
  if (given.every((value) => Number.isSafeInteger(value))) return orNull(integerColumn(says));
  if (given.every((value) => typeof value === "number")) return orNull(realColumn(says));
  return orNull(textColumn(says));
};

/** A column for each name. A name that another column has, in any case, gets a prefix. */
const freeNames = (
  names: readonly string[],
  taken: readonly string[],
  prefix: string,
): ReadonlyMap<string, string> => {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return new Map(
    names.map((name) => {
      let free = name;
      while (used.has(free.toLowerCase())) free = `${prefix}_${free}`;
      used.add(free.toLowerCase());
      return [name, free];
    }),
  );
};

const FIGURES = "figures";

/**
 * Writes the page, the charts and the tables of an experiment into the folder `dir`: `report.html`,
 * `figures/*.svg` and `.png`, and tables as CSV and Parquet. Writes all files or none. Files of an
 * earlier report are replaced.
 * @returns the paths of the files.
 * @throws FileFailure that names the file that cannot be written.
 */
export const writeReport = async (dir: string, input: ReportInput): Promise<readonly string[]> => {
  const charts = chartsOf(input);
  const files: OutputFile[] = [
    { path: join(dir, "report.html"), content: await reportPage(input, charts) },
  ];
  for (const chart of Object.values(charts).flat()) files.push(...(await figureFiles(dir, chart)));
  const tables = await tableFiles(dir, input);
  const paths = [...files, ...tables].map(({ path }) => path);
  fillFiles(paths, (drafts) => {
    for (const [at, { path, content }] of files.entries()) {
      naming(path, () => writeFileSync(drafts[at] ?? path, content));
    }
    for (const [at, { path, fill }] of tables.entries()) {
      naming(path, () => fill(drafts[files.length + at] ?? path));
    }
  });
  return paths;
};

const figureFiles = async (dir: string, chart: DrawnChart): Promise<readonly OutputFile[]> => {
  const path = join(dir, FIGURES, chart.name);
  return [
    { path: `${path}.svg`, content: svgFile(chart) },
    { path: `${path}.png`, content: await pngFile(chart) },
  ];
};

type TableOutput = { readonly path: string; readonly fill: (draft: string) => void };

const tableFiles = async (dir: string, input: ReportInput): Promise<readonly TableOutput[]> => {
  const open = { csv: await fileOpener("csv"), parquet: await fileOpener("parquet") };
  const { name, manifest_hash } = input.result;
  const notes = { ...input.versions, experiment: name, manifest_hash };
  return reportTables(input).flatMap((table) =>
    table.formats.map((format) => ({
      path: join(dir, `${table.name}.${format}`),
      fill: (draft) => {
        const file = open[format](draft, table.columns, notes);
        for (const row of table.rows()) file.write(row);
        file.end();
      },
    })),
  );
};
