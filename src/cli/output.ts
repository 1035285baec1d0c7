import { styleText } from "node:util";
import { printable } from "./printable.ts";

/** Where text goes: a stream of the process, or a list in a test. */
export type Sink = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The width of a terminal as it is now. */
  readonly columns: () => number;
};

export type OutputSettings = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Asked at each use, because flags are known only once the command line is read. */
  readonly wishes: () => { readonly quiet: boolean; readonly colour: boolean };
};

type Style = Parameters<typeof styleText>[0];

/** What a verb says. Answers go to stdout, everything else to stderr. */
export type Output = {
  readonly isTerminal: boolean;
  readonly isQuiet: () => boolean;
  /** A line of the answer. */
  readonly line: (text: string) => void;
  /** A document of the answer. */
  readonly json: (value: unknown) => void;
  /** A head and rows: columns on a terminal, fields between tabs when piped. */
  readonly table: (head: readonly string[], rows: readonly (readonly string[])[]) => void;
  /** Puts these lines in the place of those it put last; only on a terminal. */
  readonly redraw: (lines: readonly string[]) => void;
  /** A line about what is going on; `--quiet` silences it. */
  readonly note: (text: string) => void;
  /** A line about what is going on that is needed to go on, `--quiet` or not. */
  readonly notice: (text: string) => void;
  /** A line about what is wrong. */
  readonly problem: (text: string) => void;
  /** Colour for stdout, where it is wanted. */
  readonly paint: (style: Style, text: string) => string;
};

export const makeOutput = ({ stdout, stderr, wishes }: OutputSettings): Output => {
  const painted = (sink: Sink, style: Style, text: string): string =>
    sink.isTerminal && wishes().colour ? styleText(style, text, { validateStream: false }) : text;
  const paint: Output["paint"] = (style, text) => painted(stdout, style, text);
  // How many lines of the last drawing stand right above the cursor.
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
    isQuiet: () => wishes().quiet,
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
      // A line that wraps would be two, and the next drawing would begin in the wrong place.
      const shown = lines.map((text) => `${text.slice(0, stdout.columns() - 1)}\n`);
      stdout.write(`${back}${shown.join("")}`);
      drawn = lines.length;
    },
    note: (text) => {
      if (!wishes().quiet) aside(text);
    },
    notice: aside,
    problem: (text) => aside(`${painted(stderr, "red", "sim:")} ${printable(text)}`),
    paint,
  };
};

/** Pads every column but the last to its widest cell. */
const inColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
