import type { Chart } from "./chart.ts";
import { element } from "./element.ts";
import { numberText } from "./numbers.ts";

export type Cell = string | number | null;

export type Column<Row> = {
  readonly title: string;
  /** By which it is sorted, and what is shown unless `text` says otherwise. */
  readonly value: (row: Row) => Cell;
  readonly text?: (row: Row) => string;
};

export type TableSpec<Row> = {
  /** For those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Makes the first cell of a row a button. */
  readonly pick?: (row: Row) => void;
};

type Order = { readonly column: number; readonly falling: boolean };

const ROWS_FIRST = 50;

/** A table whose heads sort it: numbers the greatest first, texts by the alphabet. */
export const sortableTable = <Row>(given: TableSpec<Row>): Chart<TableSpec<Row>> => {
  const root = element("div", { class: "chart" });
  let spec = given;
  let order: Order | null = null;
  let all = false;
  const draw = (): void => {
    const rows = order === null ? spec.rows : sorted(spec, order);
    const shown = all ? rows : rows.slice(0, ROWS_FIRST);
    const head = spec.columns.map((column, at) =>
      headOf(column, order?.column === at ? order : null, () => {
        const numeric = isNumeric(spec, at);
        order = { column: at, falling: order?.column === at ? !order.falling : numeric };
        draw();
        root.querySelectorAll<HTMLElement>("thead button")[at]?.focus();
      }),
    );
    const table = element(
      "table",
      { class: "table" },
      element("caption", { class: "unseen" }, spec.caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...shown.map((row) => drawnRow(spec, row))),
    );
    const scroller = { class: "scroller", tabindex: 0, role: "region", "aria-label": spec.caption };
    const more = (): void => {
      all = true;
      draw();
    };
    root.replaceChildren(
      element("div", scroller, table),
      ...(shown.length === rows.length
        ? []
        : [element("button", { class: "table-more", click: more }, `Show all ${rows.length}`)]),
    );
  };
  draw();
  return {
    root,
    update: (next) => {
      spec = next;
      draw();
    },
    destroy: () => {},
  };
};

const isNumeric = <Row>({ columns, rows }: TableSpec<Row>, at: number): boolean =>
  rows.some((row) => typeof columns[at]?.value(row) === "number");

const sorted = <Row>({ columns, rows }: TableSpec<Row>, { column, falling }: Order) => {
  const cellOf = columns[column]?.value ?? (() => null);
  const sign = falling ? -1 : 1;
  return [...rows].sort((one, other) => sign * compared(cellOf(one), cellOf(other)));
};

/** What is missing is the least. */
const compared = (a: Cell, b: Cell): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
};

const headOf = <Row>(
  { title }: Column<Row>,
  order: Order | null,
  sort: () => void,
): HTMLElement => {
  const falling = order?.falling === true;
  const mark = order === null ? "" : falling ? " ↓" : " ↑";
  const way = order === null ? "none" : falling ? "descending" : "ascending";
  const button = element("button", { type: "button", click: sort }, title, mark);
  return element("th", { scope: "col", "aria-sort": way }, button);
};

const drawnRow = <Row>({ columns, pick }: TableSpec<Row>, row: Row): HTMLElement => {
  const cells = columns.map(({ value, text }, at) => {
    const cell = value(row);
    const words = text?.(row) ?? (typeof cell === "string" ? cell : numberText(cell));
    const numeric = typeof cell === "number" || cell === null;
    const inside =
      at === 0 && pick !== undefined
        ? element("button", { type: "button", class: "link", click: () => pick(row) }, words)
        : words;
    return element("td", { class: numeric ? "number" : false, title: words }, inside);
  });
  return element("tr", {}, ...cells);
};
