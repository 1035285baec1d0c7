import { styleText } from "node:util";
import { printable, printableJson } from "../../text/index.ts";
import {
  cellText,
  type Painted,
  rowLine,
  type TableRow,
  type TextLine,
  tableLines,
} from "./table.ts";

/** A destination of text: a stream of the process, or a list in a test. */
export type Sink = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The current width and height of the terminal. */
  readonly columns: () => number;
  readonly rows: () => number;
};

type OutputSettings = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** `options` is a function because the flags are parsed after the output is created. */
  readonly options: () => {
    readonly quiet: boolean;
    readonly colour: boolean;
    /** Print only tables, as tab-separated values. */
    readonly tsv: boolean;
  };
};

/** The room for a drawing: `columns` characters in each of `rows` lines. */
type Size = { readonly columns: number; readonly rows: number };

/**
 * The output of a verb. Results go to stdout, everything else goes to stderr. All text
 * is made printable here, because agents may have written it.
 */
export type Output = {
  readonly isTerminal: boolean;
  readonly isQuiet: () => boolean;
  readonly isTsv: () => boolean;
  /** Prints the parts as one line. */
  readonly line: (...parts: TextLine) => void;
  readonly hasTable: () => boolean;
  /** Prints text that can have several lines. */
  readonly block: (text: string) => void;
  /** Prints a part of a text that arrives in pieces. `line` or `block` must not follow it. */
  readonly piece: (text: string) => void;
  readonly json: (value: unknown) => void;
  /** Prints a JSON document that is already text, in one line. */
  readonly jsonLine: (text: string) => void;
  /** Prints a table: columns that fit the terminal, or else tab-separated values. */
  readonly table: (head: readonly string[], rows: readonly TableRow[]) => void;
  /**
   * Returns a function that prints one row of a long table: on a terminal one line, whose columns
   * have at least the given widths, otherwise tab-separated values.
   */
  readonly rows: (head: readonly string[], widths: readonly number[]) => (row: TableRow) => void;
  /** Replaces the lines of the previous `redraw`. Does nothing unless stdout is a terminal. */
  readonly redraw: (linesFor: (size: Size) => readonly TextLine[]) => void;
  /** Prints a line on stderr, unless `--quiet` is given. */
  readonly note: (text: string) => void;
  /** Prints a line on stderr, even with `--quiet`. */
  readonly notice: (text: string) => void;
  readonly problem: (text: string) => void;
  readonly paint: (style: Painted["style"], text: string) => Painted;
};

/** Puts text on one line, without repeated spaces. Escapes nothing. */
export const oneLine = (text: string): string => text.replaceAll(/[^\S\u2028\u2029]+/g, " ").trim();

export const makeOutput = (settings: OutputSettings): Output => {
  const { stdout, stderr, options } = settings;
  const { write, aside, redraw } = screenOf(settings);
  const shown = shownOn(stdout, options);
  const say = (text: string): void => {
    if (!options().tsv) write(text);
  };
  return {
    isTerminal: stdout.isTerminal,
    isQuiet: () => options().quiet,
    isTsv: () => options().tsv,
    line: (...parts) => say(shown(parts)),
    block: (text) => say(printable(text)),
    piece: (text) => {
      if (!options().tsv) stdout.write(printable(text));
    },
    json: (value) => write(printableJson(JSON.stringify(value, null, 2))),
    jsonLine: (text) => write(printableJson(text)),
    ...tablesTo(settings, write),
    redraw,
    note: (text) => {
      if (!options().quiet) aside(printable(text));
    },
    notice: (text) => aside(printable(text)),
    problem: (text) => {
      const name = shownOn(stderr, options)([{ style: "red", text: "sim:" }]);
      aside(`${name} ${printable(text)}`);
    },
    paint: (style, text) => ({ style, text }),
  };
};

const shownOn =
  (sink: Sink, options: OutputSettings["options"]) =>
  (parts: TextLine): string =>
    parts
      .map((part) => {
        if (typeof part === "string") return inLine(part);
        const text = inLine(part.text);
        const isPainted = sink.isTerminal && options().colour;
        return isPainted ? styleText(part.style, text, { validateStream: false }) : text;
      })
      .join("");

const inLine = (text: string): string => printable(text.replaceAll("\n", " "));

/** Writes lines, and a drawing below them that other lines replace. */
const screenOf = ({ stdout, stderr, options }: OutputSettings) => {
  const shown = shownOn(stdout, options);
  // The number of drawn lines above the cursor.
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const write = (text: string): void => {
    erase();
    stdout.write(`${text}\n`);
  };
  const aside = (text: string): void => {
    if (stderr.isTerminal) erase();
    stderr.write(`${text}\n`);
  };
  const redraw: Output["redraw"] = (linesFor) => {
    if (!stdout.isTerminal) return;
    // The cursor needs a line below the drawing. Some terminals wrap a line that is full.
    const size = { columns: stdout.columns() - 1, rows: stdout.rows() - 1 };
    const lines = linesFor(size).slice(0, size.rows);
    erase();
    stdout.write(lines.map((line) => `${shown(line)}\n`).join(""));
    drawn = lines.length;
  };
  return { write, aside, redraw };
};

const tablesTo = (
  { stdout, options }: OutputSettings,
  write: (text: string) => void,
): Pick<Output, "table" | "rows" | "hasTable"> => {
  const shown = shownOn(stdout, options);
  let tables = 0;
  const begin = (): void => {
    if (options().tsv && tables > 0) write("");
    tables += 1;
  };
  const valueText = (cell: TableRow[number]): string => {
    const text = cellText(cell);
    return options().tsv && text === "-" ? "" : text;
  };
  const values = (row: TableRow): void => write(row.map(valueText).join("\t"));
  return {
    hasTable: () => tables > 0,
    table: (head, rows) => {
      begin();
      if (stdout.isTerminal && !options().tsv) {
        const fitted = { head, rows, width: stdout.columns(), wraps: true };
        for (const line of tableLines(fitted)) write(shown(line));
        return;
      }
      for (const row of [head, ...rows]) values(row);
    },
    rows: (head, widths) => {
      begin();
      if (options().tsv) values(head);
      if (options().tsv || !stdout.isTerminal) return values;
      const line = (row: TableRow): void => {
        // Some terminals wrap a line that is full.
        write(shown([rowLine(row, widths, stdout.columns() - 1)]));
      };
      line(head);
      return line;
    },
  };
};
