import { closeSync, openSync, writeFileSync } from "node:fs";
import { csvLine } from "../../figures/index.ts";
import type { ExportColumn, ExportColumns, ExportRow } from "./export-table.ts";

export const EXPORT_FORMATS = ["parquet", "csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file that gets the rows of one table. Every method throws a system error if the disk fails. */
export type TableFile = {
  readonly write: (row: ExportRow) => void;
  /** Writes what is left, and closes the file. */
  readonly end: () => void;
};

/** `notes` are facts about the export that a Parquet file keeps. */
type OpenFile = (
  path: string,
  columns: ExportColumns,
  notes: { readonly [key: string]: string },
) => TableFile;

/** Loads the writer of a format. `hyparquet-writer` is loaded only for Parquet. */
export const fileOpener = async (format: ExportFormat): Promise<OpenFile> => {
  if (format === "parquet") return parquetOpener();
  const isCsv = format === "csv";
  return (path, columns) => {
    const names = Object.keys(columns);
    const head = isCsv ? csvLine(names) : "";
    return textFile(path, head, (row) =>
      isCsv
        ? csvLine(names.map((name) => row[name]))
        : `${JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]])))}\n`,
    );
  };
};

const textFile = (path: string, head: string, lineOf: (row: ExportRow) => string): TableFile => {
  const file = openSync(path, "w");
  let lines = [head];
  let chars = head.length;
  const flush = (): void => {
    writeFileSync(file, lines.join(""));
    lines = [];
    chars = 0;
  };
  return {
    write: (row) => {
      const line = lineOf(row);
      lines.push(line);
      chars += line.length;
      if (chars >= 1_000_000) flush();
    },
    end: () => {
      flush();
      closeSync(file);
    },
  };
};

const PARQUET_TYPES = {
  integer: "INT64",
  real: "DOUBLE",
  text: "STRING",
  boolean: "BOOLEAN",
} as const satisfies { readonly [T in ExportColumn["type"]]: string };

/** A row group is written when it has this number of rows or of characters of text. */
const GROUP_ROWS_MAX = 20_000;
const GROUP_CHARS_MAX = 8_000_000;

const parquetOpener = async (): Promise<OpenFile> => {
  const { ParquetWriter, fileWriter, schemaFromColumnData } = await import("hyparquet-writer");
  return (path, columns, notes) => {
    const specs = Object.entries(columns).map(([name, { type, nullable }]) => {
      return { name, nullable, type: PARQUET_TYPES[type] };
    });
    const schema = schemaFromColumnData({
      columnData: specs.map((spec) => ({ ...spec, data: [] })),
    });
    const kvMetadata = Object.entries(notes).map(([key, value]) => ({ key, value }));
    const writer = fileWriter(path);
    const parquet = new ParquetWriter({ writer, schema, kvMetadata, createdBy: "catallaxy" });
    let rows: ExportRow[] = [];
    let chars = 0;
    const flush = (): void => {
      const columnData = Object.entries(columns).map(([name, { type }]) => {
        const cells = rows.map((row) => row[name] ?? null);
        return { name, data: type === "integer" ? cells.map(integerOf) : cells };
      });
      if (rows.length > 0) parquet.write({ columnData, rowGroupSize: rows.length });
      rows = [];
      chars = 0;
    };
    return {
      write: (row) => {
        rows.push(row);
        for (const cell of Object.values(row)) if (typeof cell === "string") chars += cell.length;
        if (rows.length >= GROUP_ROWS_MAX || chars >= GROUP_CHARS_MAX) flush();
      },
      end: () => {
        flush();
        parquet.finish();
      },
    };
  };
};

const integerOf = (cell: unknown): bigint | null =>
  typeof cell === "number" ? BigInt(cell) : null;
