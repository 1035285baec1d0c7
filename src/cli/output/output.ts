import { styleText } from "node:util";
import { printable } from "../../printable.ts";

/** A destination of text: a stream of the process, or a list in a test. */
export type Sink = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The current width of the terminal. */
  readonly columns: () => number;
};

type OutputSettings = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** `options` is a function because the flags are parsed after the output is created. */
  readonly options: () => { readonly quiet: boolean; readonly colour: boolean };
};

type Style = Parameters<typeof styleText>[0];
type Row = readonly (string | number)[];

/** Text to print in a style. */
export type Painted = { readonly style: Style; readonly text: string };

/**
 * The output of a verb. Results go to stdout, everything else goes to stderr. Except for `json` and
 * `jsonLine`, all text is made printable here, because agents may have written it.
 */
export type Output = {
  readonly isTerminal: boolean;
  readonly isQuiet: () => boolean;
  /** Prints the parts as one line. */
  readonly line: (...parts: readonly (string | Painted)[]) => void;
  /** Prints text that can have several lines. */
  readonly block: (text: string) => void;
  readonly json: (value: unknown) => void;
  /** Prints a JSON document that is already text, in one line. */
  readonly jsonLine: (text: string) => void;
  /** Prints a table: aligned columns on a terminal, tab-separated values otherwise. */
  readonly table: (head: readonly string[], rows: readonly Row[]) => void;
  /** Replaces the lines of the previous `redraw`. Does nothing unless stdout is a terminal. */
  readonly redraw: (lines: readonly string[]) => void;
  /** Prints a line on stderr, unless `--quiet` is given. */
  readonly note: (text: string) => void;
  /** Prints a line on stderr, even with `--quiet`. */
  readonly notice: (text: string) => void;
  readonly problem: (text: string) => void;
  readonly paint: (style: Style, text: string) => Painted;
};

/** Puts text on one line, without repeated spaces. Escapes nothing. */
export const oneLine = (text: string): string => text.replaceAll(/[^\S\u2028\u2029]+/g, " ").trim();

export const makeOutput = ({ stdout, stderr, options }: OutputSettings): Output => {
  const painted = (sink: Sink, style: Style, text: string): string =>
    sink.isTerminal && options().colour ? styleText(style, text, { validateStream: false }) : text;
  // The number of lines above the cursor that the next `redraw` must replace.
  let drawn = 0;
  const write = (text: string): void => {
    drawn = 0;
    stdout.write(`${text}\n`);
  };
  const aside = (text: string): void => {
    drawn = 0;
    stderr.write(`${text}\n`);
  };
  const line: Output["line"] = (...parts) => {
    const shown = parts.map((part) =>
      typeof part === "string" ? inLine(part) : painted(stdout, part.style, inLine(part.text)),
    );
    write(shown.join(""));
  };
  return {
    isTerminal: stdout.isTerminal,
    isQuiet: () => options().quiet,
    line,
    block: (text) => write(printable(text)),
    json: (value) => write(JSON.stringify(value, null, 2)),
    jsonLine: write,
    table: (head, rows) => {
      const cells = [head, ...rows].map((row) => row.map((cell) => inCell(cell)));
      if (!stdout.isTerminal) {
        for (const row of cells) line(row.join("\t"));
        return;
      }
      const [names, ...lines] = inColumns(cells);
      line({ style: "bold", text: names ?? "" });
      for (const each of lines) line(each);
    },
    redraw: (lines) => {
      if (!stdout.isTerminal) return;
      const back = drawn === 0 ? "" : `\u001b[${drawn}A\u001b[0J`;
      // Truncates lines, because the next `redraw` assumes one terminal row for each line.
      const shown = lines.map((text) => `${inCell(text).slice(0, stdout.columns() - 1)}\n`);
      stdout.write(`${back}${shown.join("")}`);
      drawn = lines.length;
    },
    note: (text) => {
      if (!options().quiet) aside(printable(text));
    },
    notice: (text) => aside(printable(text)),
    problem: (text) => aside(`${painted(stderr, "red", "sim:")} ${printable(text)}`),
    paint: (style, text) => ({ style, text }),
  };
};

const inLine = (text: string): string => printable(text.replaceAll("\n", " "));

/** A tab would begin another cell. */
const inCell = (value: string | number): string => inLine(String(value)).replaceAll("\t", " ");

/** Joins the cells of each row. Pads each cell to the width of the widest cell in its column. */
const inColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((cells) => cells[at]?.length ?? 0)),
  );
  return rows.map((cells) => {
    const padded = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    return padded.join("  ").trimEnd();
  });
};
