import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { RowPage } from "../../dashboard/index.ts";
import { useAnswer } from "./ask.ts";
import { Panel, Problem, Waiting } from "./parts.ts";
import { type Column, Table } from "./table.ts";
import { numberText } from "./words.ts";

type RowsParts<Row> = {
  readonly title: string;
  /** The question without sort and search. */
  readonly path: string;
  readonly query: string;
  readonly version: unknown;
  readonly columns: readonly Column<Row>[];
  readonly first: string;
  readonly placeholder: string;
};

const ROWS_SHOWN = 100;

/** A table whose rows the server sorts and searches, so that there may be any number of them. */
export const RowsPanel = <Row>(parts: RowsParts<Row>) => {
  const { title, path, query, version, columns, placeholder } = parts;
  const [sort, setSort] = useState(parts.first);
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(ROWS_SHOWN);
  const wish = new URLSearchParams({ query: text, sort, limit: String(limit) });
  const asked = `${path}?${wish}${query === "" ? "" : `&${query}`}`;
  const { value, problem } = useAnswer<RowPage<Row>>(asked, version);
  return html`
    <${Panel} title=${title}>
      <div class="tools">
        <input type="search" placeholder=${placeholder} aria-label=${placeholder} value=${text}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            setText(currentTarget.value)} />
        ${value === null ? null : html`<span class="note">${countText(value)}</span>`}
      </div>
      <${Problem} problem=${problem} />
      ${
        value === null
          ? problem === null && html`<${Waiting} />`
          : html`<${Table} caption=${title} columns=${columns} rows=${value.rows} sort=${sort}
              onSort=${setSort} />`
      }
      ${
        value !== null && value.total > value.rows.length && limit === ROWS_SHOWN
          ? html`<button type="button" onClick=${() => setLimit(500)}>Show more</button>`
          : null
      }
    <//>
  `;
};

const countText = <Row>({ total, rows }: RowPage<Row>): string =>
  total === rows.length ? numberText(total) : `${rows.length} of ${numberText(total)}`;
