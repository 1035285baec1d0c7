import { styleText } from "node:util";
import { printable } from "../../printable.ts";

export { printable };

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

/** The output of a verb. Results go to stdout, everything else goes to stderr. */
export type Output = {
  readonly isTerminal: boolean;
  readonly isQuiet: () => boolean;
  readonly line: (text: string) => void;
  readonly json: (value: unknown) => void;
  /** Prints a table: aligned columns on a terminal, tab-separated values otherwise. */
  readonly table: (head: readonly string[], rows: readonly Row[]) => void;
  /** Replaces the lines of the previous `redraw`. Does nothing unless stdout is a terminal. */
  readonly redraw: (lines: readonly string[]) => void;
  /** Prints a line on stderr, unless `--quiet` is given. */
  readonly note: (text: string) => void;
  /** Prints a line on stderr, even with `--quiet`. */
  readonly notice: (text: string) => void;
  readonly problem: (text: string) => void;
  readonly paint: (style: Style, text: string) => string;
};

export const makeOutput = ({ stdout, stderr, options }: OutputSettings): Output => {
  const painted = (sink: Sink, style: Style, text: string): string =>
    sink.isTerminal && options().colour ? styleText(style, text, { validateStream: false }) : text;
  const paint: Output["paint"] = (style, text) => painted(stdout, style, text);
  // The number of lines above the cursor that the next `redraw` must replace.
  let drawn = 0;
  const line: Output["line"] = (text) => {
    drawn = 0;
    stdout.write(`${text}\n`);
  };
  const aside = (text: string): void => {
    drawn = 0;
    stderr.write(`${text}\n`);
  };
  return {
    isTerminal: stdout.isTerminal,
    isQuiet: () => options().quiet,
    line,
    json: (value) => line(JSON.stringify(value, null, 2)),
    table: (head, rows) => {
      if (!stdout.isTerminal) {
        for (const row of [head, ...rows]) line(row.join("\t"));
        return;
      }
      const [names, ...lines] = inColumns([head, ...rows]);
      line(paint("bold", names ?? ""));
      for (const each of lines) line(each);
    },
    redraw: (lines) => {
      if (!stdout.isTerminal) return;
      const back = drawn === 0 ? "" : `\u001b[${drawn}A\u001b[0J`;
      // Truncates lines, because the next `redraw` assumes one terminal row for each line.
      const shown = lines.map((text) => `${text.slice(0, stdout.columns() - 1)}\n`);
      stdout.write(`${back}${shown.join("")}`);
      drawn = lines.length;
    },
    note: (text) => {
      if (!options().quiet) aside(text);
    },
    notice: aside,
    problem: (text) => aside(`${painted(stderr, "red", "sim:")} ${printable(text)}`),
    paint,
  };
};

/** Joins the cells of each row. Pads each cell to the width of the widest cell in its column. */
const inColumns = (rows: readonly Row[]): readonly string[] => {
  const texts = rows.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, at) =>
    Math.max(...texts.map((cells) => cells[at]?.length ?? 0)),
  );
  return texts.map((cells) => {
    const padded = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    return padded.join("  ").trimEnd();
  });
};
