import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { numberText } from "../../../text/index.ts";
import { breakable } from "./parts.ts";

type Value = string | number | null;

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** True for sentences, which need a wide column. */
  readonly isProse?: boolean;
  /** The key for sorting by this column. Without a key, the column is not sortable. */
  readonly sort?: string;
  /** The value by which `SortedTable` sorts. */
  readonly value?: (row: Row) => Value;
};

export const textColumn = <Row>(
  title: string,
  value: (row: Row) => string,
): Column<Row> & { readonly value: (row: Row) => Value } => ({ title, value, cell: value });

/** A column of sentences. */
export const proseColumn = <Row>(title: string, value: (row: Row) => string): Column<Row> => ({
  ...textColumn(title, value),
  isProse: true,
});

/** A column of numbers. `of` is a function, or a field's name that is also the sort key. */
export const numberColumn = <Row>(
  title: string,
  of: (keyof Row & string) | ((row: Row) => number | null),
  text: (value: number | null) => string = numberText,
): Column<Row> => {
  const value = (row: Row): number | null => {
    const found = typeof of === "function" ? of(row) : row[of];
    return typeof found === "number" ? found : null;
  };
  const sort = typeof of === "string" ? { sort: of } : {};
  return { title, isNumber: true, value, cell: (row) => text(value(row)), ...sort };
};

type TableParts<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The key of the sorted column. A `-` prefix means descending order. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
};

export const Table = <Row>({ caption, columns, rows, sort = "", onSort }: TableParts<Row>) =>
  rows.length === 0
    ? html`<p class="note">None.</p>`
    : html`
      <div class="scroller" tabindex="0" role="group" aria-label=${caption}>
        <table class="table">
          <caption class="unseen">${caption}</caption>
          <thead><tr>${columns.map((column) => head(column, sort, onSort))}</tr></thead>
          <tbody>
            ${rows.map((row) => html`<tr>${columns.map((column) => body(column, row))}</tr>`)}
          </tbody>
        </table>
      </div>
    `;

const kindOf = <Row>({ isNumber, isProse }: Column<Row>): string => {
  if (isNumber === true) return "number";
  return isProse === true ? "prose" : "";
};

const body = <Row>(column: Column<Row>, row: Row) => {
  const content = column.cell(row);
  const isText = typeof content === "string" && column.isNumber !== true;
  const shown = isText ? breakable(content) : content;
  return html`<td class=${kindOf(column)}><bdi>${shown}</bdi></td>`;
};

const head = <Row>(
  column: Column<Row>,
  sort: string,
  onSort: ((sort: string) => void) | undefined,
) => {
  const { title, sort: own, isNumber } = column;
  const kind = kindOf(column);
  if (own === undefined || onSort === undefined) {
    return html`<th scope="col" class=${kind}><span class="head">${title}</span></th>`;
  }
  const [isRising, isFalling] = [sort === own, sort === `-${own}`];
  const direction = isRising ? "ascending" : isFalling ? "descending" : "none";
  const mark = isRising ? " ↑" : isFalling ? " ↓" : "";
  // The first click sorts numbers in descending order and names in ascending order.
  const first = isNumber === true ? `-${own}` : own;
  const next = sort === first ? (isNumber === true ? own : `-${own}`) : first;
  return html`<th scope="col" class=${kind} aria-sort=${direction}>
    <button type="button" onClick=${() => onSort(next)}>${title}${mark}</button>
  </th>`;
};

type SortedParts<Row> = Pick<TableParts<Row>, "caption" | "columns" | "rows"> & {
  /** The number of rows to show first. A button shows the others. */
  readonly first: number;
};

/** A table that the page sorts by the `value` of a column, without the server. */
export const SortedTable = <Row>({ caption, columns, rows, first }: SortedParts<Row>) => {
  const [sort, setSort] = useState("");
  const [isAll, setAll] = useState(false);
  const value = columns.find(({ title }) => title === sort.replace(/^-/, ""))?.value;
  const sign = sort.startsWith("-") ? -1 : 1;
  const sorted =
    value === undefined
      ? rows
      : [...rows].sort((one, other) => sign * compared(value(one), value(other)));
  const sortable = columns.map((column) => ({ ...column, sort: column.title }));
  return html`
    <${Table} caption=${caption} columns=${sortable} sort=${sort} onSort=${setSort}
      rows=${isAll ? sorted : sorted.slice(0, first)} />
    ${
      !isAll &&
      rows.length > first &&
      html`<button type="button" onClick=${() => setAll(true)}>
        Show all ${rows.length}
      </button>`
    }
  `;
};

const compared = (a: Value, b: Value): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
};
