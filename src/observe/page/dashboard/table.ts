import { html } from "htm/preact";
import type { ComponentChildren } from "preact";

export type Column<Row> = {
  readonly title: string;
  /** By what the server sorts; undefined: not at all. */
  readonly sort?: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
};

type TableParts<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** A column's name, with `-` in front for the greatest first. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
};

/** Rows under heads that sort them where they can. */
export const Table = <Row>({ caption, columns, rows, sort = "", onSort }: TableParts<Row>) => html`
  <div class="scroller" tabindex="0" role="region" aria-label=${caption}>
    <table class="table">
      <caption class="unseen">${caption}</caption>
      <thead><tr>${columns.map((column) => head(column, sort, onSort))}</tr></thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            ${columns.map(
              ({ cell, isNumber }) =>
                html`<td class=${isNumber === true ? "number" : ""}><bdi>${cell(row)}</bdi></td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
    ${rows.length === 0 ? html`<p class="note">None.</p>` : null}
  </div>
`;

const head = <Row>(
  { title, sort: own, isNumber }: Column<Row>,
  sort: string,
  onSort: ((sort: string) => void) | undefined,
) => {
  const kind = isNumber === true ? "number" : "";
  if (own === undefined || onSort === undefined) {
    return html`<th scope="col" class=${kind}>${title}</th>`;
  }
  const [isRising, isFalling] = [sort === own, sort === `-${own}`];
  const way = isRising ? "ascending" : isFalling ? "descending" : "none";
  const mark = isRising ? " ↑" : isFalling ? " ↓" : "";
  // Numbers are asked for from the greatest on, names from the first.
  const first = isNumber === true ? `-${own}` : own;
  const next = sort === first ? (isNumber === true ? own : `-${own}`) : first;
  return html`<th scope="col" class=${kind} aria-sort=${way}>
    <button type="button" onClick=${() => onSort(next)}>${title}${mark}</button>
  </th>`;
};
