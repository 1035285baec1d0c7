import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { momentText, numberText } from "../../../../text/index.ts";
import type { RowPage } from "../../../routes/index.ts";
import { Search } from "../../parts/fields.ts";
import { Alert, Panel, Pending } from "../../parts/parts.ts";
import { type Column, Table } from "../../parts/table.ts";
import { ask } from "./api.ts";
import { atQuery, useMoment, useView, versionOf } from "./view.ts";

export const ROW_PX = 30;
/** The maximum height of the list. Browsers cannot draw elements of tens of millions of pixels. */
const HEIGHT_MAX_PX = 8_000_000;

type Scrolled = { readonly total: number; readonly scrollPx: number; readonly viewPx: number };

/** The lines in view. At the maximum height, one scrolled pixel can move several lines. */
export const rowWindow = ({ total, scrollPx, viewPx }: Scrolled) => {
  const inView = Math.ceil(viewPx / ROW_PX) + 1;
  const wholePx = total * ROW_PX;
  const heightPx = Math.min(wholePx, HEIGHT_MAX_PX);
  const lastTopPx = Math.max(1, heightPx - viewPx);
  const share = Math.min(1, Math.max(0, scrollPx / lastTopPx));
  const compressed = heightPx < wholePx;
  const first = compressed
    ? Math.round(share * Math.max(0, total - inView + 1))
    : Math.floor(Math.max(0, scrollPx) / ROW_PX);
  /** `from` is the first line to draw. `to` is the line after the last line to draw. */
  const from = Math.max(0, Math.min(first, total - 1));
  const to = Math.min(total, from + inView);
  return { heightPx, from, to, topPx: compressed ? scrollPx : from * ROW_PX };
};

/** A row of a list. `seq` identifies it. */
type Seq = { readonly seq: number };

type LinesParts<Row extends Seq> = {
  readonly pages: RowPages<Row>;
  readonly picked: number | null;
  readonly pick: (row: Row) => void;
  /** The name of the list, and the cells of a row. */
  readonly label: string;
  readonly cells: (row: Row) => ComponentChildren;
  /** Whether the list starts at its end, and follows new rows while it is scrolled to the end. */
  readonly follows: boolean;
  readonly class?: string;
  /** The heads of the columns. They stay in view. */
  readonly heads?: readonly string[];
  /** Whether the last row is the first line. */
  readonly isReversed?: boolean;
  /** The line to scroll to, each time that this object is another one. */
  readonly target?: { readonly place: number } | null;
  /** Is told the first line in view. */
  readonly seen?: (place: number) => void;
};

/** The list follows new rows if its scroll position is at most this far from the end. */
const END_PX = ROW_PX * 2;

/**
 * A list of any length that has elements only for the lines in view. The arrow keys select a line;
 * Page Up, Page Down, Home and End scroll.
 */
export const RowLines = <Row extends Seq>(given: LinesParts<Row>) => {
  const { pages, label, heads, class: kind = "", isReversed = false, target = null } = given;
  const { total } = pages;
  const view = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(given.follows);
  const shown = useRef({ total, isReversed });
  const [scrolled, setScrolled] = useState({ scrollPx: 0, viewPx: 480 });
  const window = rowWindow({ total, ...scrolled });
  const measure = (): void => {
    const { current } = view;
    if (current === null) return;
    const { scrollTop: scrollPx, scrollHeight } = current;
    const viewPx = viewPxOf(current, given);
    const isAtEnd = scrollPx + current.clientHeight >= scrollHeight - END_PX;
    isFollowing.current = given.follows && !isReversed && isAtEnd;
    setScrolled({ scrollPx, viewPx });
  };
  useEffect(measure, []);
  useLayoutEffect(() => {
    const { current } = view;
    const before = shown.current;
    shown.current = { total, isReversed };
    if (current === null) return;
    if (before.isReversed !== isReversed) current.scrollTop = isReversed ? 0 : current.scrollHeight;
    else if (isFollowing.current) current.scrollTop = current.scrollHeight;
    // New rows come above the lines in view. The lines keep their place.
    else if (isReversed && current.scrollTop > 0) {
      current.scrollTop += (total - before.total) * ROW_PX;
    }
  }, [window.heightPx, isReversed]);
  useLayoutEffect(() => {
    const { current } = view;
    if (current === null || target === null) return;
    const { heightPx } = window;
    const isWhole = heightPx === total * ROW_PX;
    const share = target.place / Math.max(1, total);
    current.scrollTop = isWhole ? target.place * ROW_PX : share * heightPx;
  }, [target]);
  useEffect(() => {
    const [from, to] = [window.from, window.to];
    if (isReversed) pages.want(total - to, total - from);
    else pages.want(from, to);
    given.seen?.(window.from);
  });
  const places = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
  const isInView = places.some((place) => rowAtPlace(place, given)?.seq === given.picked);
  return html`
    <div class=${`event-lines ${kind}`} ref=${view} tabindex="0" role="grid" aria-label=${label}
      aria-rowcount=${total} onScroll=${measure}
      aria-activedescendant=${isInView ? `row-${given.picked}` : undefined}
      onKeyDown=${(event: KeyboardEvent) => steer(event, { ...given, view: view.current })}>
      ${heads !== undefined && headsLine(heads)}
      <div class="event-space" style=${{ height: `${window.heightPx}px` }}>
        <div class="event-rows" style=${{ transform: `translateY(${window.topPx}px)` }}>
          ${places.map((place) => line(place, given))}
        </div>
      </div>
    </div>
  `;
};

const headsLine = (heads: readonly string[]) => html`
  <div class="event-line event-heads" role="row">
    ${heads.map((head) => html`<span role="columnheader">${head}</span>`)}
  </div>
`;

/** The height for lines, without that of the heads. */
const viewPxOf = <Row extends Seq>(view: HTMLElement, { heads }: LinesParts<Row>): number =>
  view.clientHeight - (heads === undefined ? 0 : ROW_PX);

const rowAtPlace = <Row extends Seq>(
  place: number,
  { pages, isReversed = false }: Pick<LinesParts<Row>, "pages" | "isReversed">,
): Row | undefined => pages.at(isReversed ? pages.total - 1 - place : place);

const line = <Row extends Seq>(place: number, given: LinesParts<Row>) => {
  const { picked, pick, cells } = given;
  const row = rowAtPlace(place, given);
  if (row === undefined) {
    return html`<div class="event-line is-coming" role="row" key=${place}>…</div>`;
  }
  const isPicked = picked === row.seq;
  return html`
    <div class=${`event-line ${isPicked ? "is-picked" : ""}`} role="row" key=${place}
      id=${`row-${row.seq}`} aria-rowindex=${place + 1}
      aria-selected=${isPicked} onClick=${() => pick(row)}>
      ${cells(row)}
    </div>
  `;
};

type Steering<Row extends Seq> = LinesParts<Row> & { readonly view: HTMLElement | null };

/** Selects the line above or below. If no line in view is selected, selects the top line. */
const steer = <Row extends Seq>(event: KeyboardEvent, given: Steering<Row>): void => {
  const { pages, picked, pick, view } = given;
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || view === null) return;
  event.preventDefault();
  const { from, to } = rowWindow({
    total: pages.total,
    scrollPx: view.scrollTop,
    viewPx: viewPxOf(view, given),
  });
  const places = Array.from({ length: to - from }, (_, at) => from + at);
  const chosen = places.find((place) => rowAtPlace(place, given)?.seq === picked);
  const next = chosen === undefined ? from : chosen + step;
  const found = rowAtPlace(next, given);
  if (found === undefined) return;
  pick(found);
  if (next >= to - 2) view.scrollTop += ROW_PX;
  if (next <= from) view.scrollTop -= ROW_PX;
};

const PAGE_ROWS = 100;
const PAGES_MAX = 12;
/** The pause before a page is requested again that could not be read. */
export const RETRY_MS = 4_000;

/** The rows of a list of any length. Requests the pages in view and keeps the last used pages. */
export class RowPages<Row> {
  readonly #base: string;
  readonly #query: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #asked = new Set<number>();
  #total = 0;
  #problem: string | null = null;
  #isKnown = false;

  /** `base` is the URL path of the list. The class calls `changed` after each response. */
  constructor(base: string, query: string, changed: () => void) {
    this.#base = base;
    this.#query = query;
    this.#changed = changed;
  }

  get total(): number {
    return this.#total;
  }

  get problem(): string | null {
    return this.#problem;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  at(place: number): Row | undefined {
    return this.#pages.get(Math.floor(place / PAGE_ROWS))?.[place % PAGE_ROWS];
  }

  /** Loads the pages with rows from `from` to `to` (excluded). Reloads pages that have grown. */
  want(from: number, to: number): void {
    const last = Math.floor(Math.max(0, to - 1) / PAGE_ROWS);
    for (let page = Math.floor(from / PAGE_ROWS); page <= last; page += 1) {
      const known = this.#pages.get(page);
      const expected = Math.min(PAGE_ROWS, this.#total - page * PAGE_ROWS);
      if (known === undefined || known.length < expected) void this.#fetch(page);
      else this.#keep(page, known);
    }
  }

  async grow(): Promise<void> {
    await this.#fetch(Math.floor(Math.max(0, this.#total - 1) / PAGE_ROWS));
  }

  async #fetch(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const place = `offset=${page * PAGE_ROWS}&limit=${PAGE_ROWS}`;
    const { value, problem } = await ask<RowPage<Row>>(`${this.#base}?${place}${this.#query}`);
    this.#problem = problem;
    this.#isKnown = true;
    if (value === null) {
      this.#changed();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } else {
      this.#total = value.total;
      this.#keep(page, value.rows);
    }
    this.#asked.delete(page);
    // The list draws itself again, and wants the pages in view.
    this.#changed();
  }

  #keep(page: number, rows: readonly Row[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
  }
}

/** The pages of the list at a path, which grow with the run. `query` begins with `&`. */
export const useRows = <Row>(path: string, query: string): RowPages<Row> => {
  const view = useView();
  const asked = `${query}&${atQuery(view.address)}`;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const pages = useMemo(
    () => new RowPages<Row>(`${view.path}${path}`, asked, () => redraw(0)),
    [view.path, asked],
  );
  useEffect(() => {
    void pages.grow();
  }, [pages, versionOf(view)]);
  return pages;
};

type RowsParts<Row> = {
  readonly title: string;
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  readonly first: string;
  readonly placeholder: string;
};

const ROWS_FIRST = 100;
const ROWS_MORE = 500;

/** A table of the first rows. The server sorts and searches all rows, however many exist. */
export const RowsPanel = <Row>({ title, path, columns, first, placeholder }: RowsParts<Row>) => {
  const [sort, setSort] = useState(first);
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(ROWS_FIRST);
  const query = new URLSearchParams({ query: text, sort, limit: String(limit) });
  const asked = useMoment<RowPage<Row> & { readonly at_ms: number }>(`${path}?${query}&`);
  const { value, problem } = asked;
  const { total = 0, rows = [] } = value ?? {};
  const count =
    total === rows.length ? numberText(total) : `${rows.length} of ${numberText(total)}`;
  return html`
    <${Panel} title=${title}>
      <div class="tools">
        <${Search} label=${placeholder} value=${text} set=${setText} />
        ${value !== null && html`<span class="note">${count}, at ${momentText(value.at_ms)}</span>`}
      </div>
      ${
        value === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Table} caption=${title} columns=${columns} rows=${rows} sort=${sort}
                onSort=${setSort} />`
      }
      ${
        total > rows.length &&
        limit <= rows.length &&
        html`<button type="button" onClick=${() => setLimit(limit + ROWS_MORE)}>Show more</button>`
      }
    <//>
  `;
};
