import { DuckDBInstance } from "@duckdb/node-api";

type Cell = string | number | boolean | null;

/** A database in memory that asks for no extension of the network. */
export type Duck = {
  /** The rows of a query, with numbers for all kinds of numbers. */
  readonly rows: (sql: string) => Promise<readonly { readonly [column: string]: Cell }[]>;
  /** The only row of a query with one row. */
  readonly row: (sql: string) => Promise<{ readonly [column: string]: Cell }>;
  readonly close: () => void;
};

export const openDuck = async (): Promise<Duck> => {
  const offline = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
  const database = await DuckDBInstance.create(":memory:", { ...offline, threads: "1" });
  const connection = await database.connect();
  const rows: Duck["rows"] = async (sql) => {
    const found = await connection.runAndReadAll(sql);
    return found.getRowObjects().map((row) => {
      const cells = Object.entries(row).map(([name, value]) => [name, cellOf(value)] as const);
      return Object.fromEntries(cells);
    });
  };
  const row: Duck["row"] = async (sql) => {
    const [first, ...others] = await rows(sql);
    if (first === undefined || others.length > 0) throw new Error(`not one row: ${sql}`);
    return first;
  };
  const close = (): void => {
    connection.closeSync();
    database.closeSync();
  };
  return { rows, row, close };
};

/** Sums of integers are huge integers in DuckDB; here all are exact as numbers. */
const cellOf = (value: unknown): Cell => {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  if (value === null) return null;
  throw new Error(`a value of another type: ${String(value)}`);
};
