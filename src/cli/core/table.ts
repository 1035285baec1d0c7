import type { styleText } from "node:util";
import { printable } from "../../text/index.ts";

/** Text to print in a style. */
export type Painted = { readonly style: Parameters<typeof styleText>[0]; readonly text: string };

export type Cell = string | number | Painted;
export type TableRow = readonly Cell[];

/** The parts of one line of text. */
export type TextLine = readonly (string | Painted)[];

type Column = {
  /** The name of the column in lines, so that it can be narrower than the name. */
  readonly head: readonly string[];
  readonly cells: readonly Painted[];
  readonly width: number;
  /** True if all cells are numbers or empty. Numbers are aligned at the right and never wrapped. */
  readonly isNumeric: boolean;
};

const GAP = 2;
const TEXT_WIDTH_MIN = 16;

/** A table, and the size of the place where it is printed. */
type FittedTable = {
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** True to put long texts on several lines. Otherwise they are cut. */
  readonly wraps: boolean;
};

/**
 * The lines of a table, at most `width` wide. Long names of columns take several lines, then long
 * texts are wrapped or cut. A table that is still too wide is printed in parts below each other,
 * each with the first column.
 */
export const tableLines = ({ head, rows, width, wraps }: FittedTable): readonly TextLine[] => {
  const columns = head.map((name, at) =>
    columnOf(
      name,
      rows.map((row) => paintedCell(row[at])),
    ),
  );
  const fitted = widthOf(columns) <= width ? columns : shrunk(columns.map(withNarrowHead), width);
  return partsOf(fitted, width).flatMap((part, at) => [
    ...(at === 0 ? [] : [[""]]),
    ...linesOf(part, wraps),
  ]);
};

/**
 * The line of one row of a table whose later rows are not known yet, at most `width` wide. All
 * cells but the last have at least the given widths. A last cell that is too long is cut.
 */
export const rowLine = (row: TableRow, widths: readonly number[], width: number): string => {
  const cells = row.map((cell, at) => {
    const text = cellText(cell);
    const room = " ".repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text)));
    return typeof cell === "number" ? `${room}${text}` : `${text}${room}`;
  });
  return cutText(cells.join(" ".repeat(GAP)).trimEnd(), width);
};

/** The text of a cell on one line. A tab would begin another cell. */
export const cellText = (cell: Cell | undefined): string =>
  printable(String(typeof cell === "object" ? cell.text : (cell ?? "")).replaceAll(/[\n\t]/g, " "));

const paintedCell = (cell: Cell | undefined): Painted => ({
  style: typeof cell === "object" ? cell.style : "reset",
  text: cellText(cell),
});

/** Numbers with a sign, a currency or a unit, such as `+5`, `$0.0030` or `300 tokens`. */
const NUMERIC = /^[+-]?\$?\d[\d.,]*( [a-z]+)?$/i;
const EMPTY = /^-?$/;

const columnOf = (name: string, cells: readonly Painted[]): Column => {
  const filled = cells.filter(({ text }) => !EMPTY.test(text));
  const isNumeric = filled.length > 0 && filled.every(({ text }) => NUMERIC.test(text));
  return withHead({ cells, isNumeric }, [name]);
};

const withHead = (
  { cells, isNumeric }: Pick<Column, "cells" | "isNumeric">,
  head: readonly string[],
): Column => {
  const widths = [...head, ...cells.map(({ text }) => text)].map(textWidth);
  return { head, cells, isNumeric, width: Math.max(0, ...widths) };
};

/** Breaks the name at spaces, as far as the cells and the longest word allow. */
const withNarrowHead = (column: Column): Column => {
  const words = column.head.flatMap((line) => line.split(" "));
  const narrowest = withHead(column, words);
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.length <= narrowest.width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return { ...narrowest, head: lines };
};

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

/** Narrows texts, the widest first, if the table then fits. The first column names the row. */
const shrunk = (columns: readonly Column[], width: number): readonly Column[] => {
  let excess = widthOf(columns) - width;
  const widths = columns.map((column) => column.width);
  const texts = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ at, isNumeric }) => at > 0 && !isNumeric)
    .toSorted((a, b) => b.width - a.width);
  for (const text of texts) {
    const cut = Math.max(0, Math.min(excess, text.width - TEXT_WIDTH_MIN));
    widths[text.at] = text.width - cut;
    excess -= cut;
  }
  return excess > 0
    ? columns
    : columns.map((column, at) => ({ ...column, width: widths[at] ?? 0 }));
};

const partsOf = (columns: readonly Column[], width: number): readonly (readonly Column[])[] => {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const key = { ...first, width: Math.min(first.width, width) };
  const most = Math.max(1, width - key.width - GAP);
  const parts: Column[][] = [[key]];
  for (const column of others) {
    const narrow = { ...column, width: Math.min(column.width, most) };
    const part = parts.at(-1) ?? [];
    if (part.length < 2 || widthOf([...part, narrow]) <= width) part.push(narrow);
    else parts.push([key, narrow]);
  }
  return parts;
};

const linesOf = (columns: readonly Column[], wraps: boolean): readonly TextLine[] => {
  const height = Math.max(...columns.map(({ head }) => head.length));
  const heads = Array.from({ length: height }, (_, at): TextLine => {
    const line = lineOf(columns, ({ head }) => paintedCell(head[at - height + head.length]));
    return [{ style: "bold", text: line.join("") }];
  });
  const rows = (columns[0]?.cells ?? []).flatMap((_, at) => {
    const inColumns = columns.map(({ cells, width }) => {
      const { style, text } = cells[at] ?? paintedCell("");
      const texts = wraps ? wrapped(text, width) : [cutText(text, width)];
      return texts.map((each) => ({ style, text: each }));
    });
    const most = Math.max(...inColumns.map(({ length }) => length));
    return Array.from({ length: most }, (_, line) =>
      lineOf(columns, (_, column) => inColumns[column]?.[line] ?? paintedCell("")),
    );
  });
  return [...heads, ...rows];
};

const lineOf = (
  columns: readonly Column[],
  cellIn: (column: Column, at: number) => Painted,
): TextLine => {
  const cells = columns.map((column, at) => {
    const { style, text } = cellIn(column, at);
    const shown = cutText(text, column.width);
    const space = " ".repeat(column.width - textWidth(shown));
    return { style, text: column.isNumeric ? space + shown : shown + space };
  });
  const last = cells.findLastIndex(({ text }) => text.trim() !== "");
  return cells.slice(0, last + 1).map(({ style, text }, at) => {
    const shown = at === last ? text.trimEnd() : text + " ".repeat(GAP);
    return style === "reset" || shown.trim() === "" ? shown : { style, text: shown };
  });
};

/** The text in lines of at most `width`, broken at spaces where possible. */
const wrapped = (text: string, width: number): readonly string[] => {
  if (textWidth(text) <= width) return [text];
  const lines: string[] = [""];
  for (const word of text.split(" ").flatMap((each) => pieces(each, width))) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : `${line} ${word}`;
    if (textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

const pieces = (word: string, width: number): readonly string[] => {
  const found: string[] = [""];
  for (const character of word) {
    const longer = `${found.at(-1) ?? ""}${character}`;
    if (textWidth(longer) <= width) found[found.length - 1] = longer;
    else found.push(character);
  }
  return found;
};

export const cutText = (text: string, width: number): string =>
  textWidth(text) <= width ? text : `${pieces(text, Math.max(0, width - 1))[0] ?? ""}…`;

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u;
const NARROW = /[\p{Mn}\p{Me}\u200b\u200d]/u;

/** The number of columns that a text takes on a terminal. East Asian characters take two. */
const textWidth = (text: string): number => {
  // Most texts are ASCII, where each character takes one column.
  if (/^[ -~]*$/.test(text)) return text.length;
  const widths = [...text].map((each) => (NARROW.test(each) ? 0 : WIDE.test(each) ? 2 : 1));
  return widths.reduce<number>((sum, width) => sum + width, 0);
};
