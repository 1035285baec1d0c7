import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { RowPage } from "../../../routes/index.ts";
import { Alert, Panel, Pending } from "../../parts/parts.ts";
import { type Column, Table } from "../../parts/table.ts";
import { momentText, numberText } from "../../parts/text.ts";
import { useMoment, type ViewParts } from "../view.ts";

type RowsParts<Row> = {
  readonly title: string;
  readonly path: string;
  readonly parts: ViewParts;
  readonly columns: readonly Column<Row>[];
  readonly first: string;
  readonly placeholder: string;
};

/** The rows of the moment that the page shows. */
type RowsAtMoment<Row> = RowPage<Row> & { readonly at_ms: number };

const ROWS_FIRST = 100;
const ROWS_MORE = 500;

/** A table of the first rows. The server sorts and searches all rows, however many exist. */
export const RowsPanel = <Row>(given: RowsParts<Row>) => {
  const { title, path, parts, columns, first, placeholder } = given;
  const [sort, setSort] = useState(first);
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(ROWS_FIRST);
  const query = new URLSearchParams({ query: text, sort, limit: String(limit) });
  const { value, problem } = useMoment<RowsAtMoment<Row>>(`${path}?${query}&`, parts);
  const hasMore = value !== null && value.total > value.rows.length && limit <= value.rows.length;
  return html`
    <${Panel} title=${title}>
      <div class="tools">
        <input type="search" placeholder=${placeholder} aria-label=${placeholder} value=${text}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            setText(currentTarget.value)} />
        ${value !== null && html`<span class="note">${countText(value)}</span>`}
      </div>
      ${
        value === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Table} caption=${title} columns=${columns} rows=${value.rows} sort=${sort}
                onSort=${setSort} />`
      }
      ${
        hasMore &&
        html`<button type="button" onClick=${() => setLimit(limit + ROWS_MORE)}>Show more</button>`
      }
    <//>
  `;
};

const countText = <Row>({ total, rows, at_ms: atMs }: RowsAtMoment<Row>): string => {
  const all = numberText(total);
  const count = total === rows.length ? all : `${rows.length} of ${all}`;
  return `${count}, at ${momentText(atMs)}`;
};
