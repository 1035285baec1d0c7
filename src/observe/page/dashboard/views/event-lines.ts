import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { timeText } from "../../parts/text.ts";
import { ask, type EventRow } from "../api.ts";

export const ROW_PX = 30;
/** The maximum height of the list. Browsers cannot draw elements of tens of millions of pixels. */
const HEIGHT_MAX_PX = 8_000_000;

type Scrolled = { readonly total: number; readonly scrollPx: number; readonly viewPx: number };

/** The lines in view. At the maximum height, one scrolled pixel can move several lines. */
export const eventWindow = ({ total, scrollPx, viewPx }: Scrolled) => {
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

type LinesParts = {
  readonly pages: EventPages;
  readonly picked: number | null;
  readonly pick: (event: EventRow) => void;
};

const BODY_CHARS = 240;
const FIELD_CHARS = 80;
/** The list follows new events if its scroll position is at most this far from the end. */
const END_PX = ROW_PX * 2;

/**
 * A list of any length that has elements only for the lines in view. While scrolled to the end, the
 * list follows new events. The arrow keys select a line; Page Up, Page Down, Home and End scroll.
 */
export const EventLines = ({ pages, picked, pick }: LinesParts) => {
  const view = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [scrolled, setScrolled] = useState({ scrollPx: 0, viewPx: 480 });
  const window = eventWindow({ total: pages.total, ...scrolled });
  const measure = (): void => {
    const { current } = view;
    if (current === null) return;
    const { scrollTop: scrollPx, clientHeight: viewPx, scrollHeight } = current;
    isFollowing.current = scrollPx + viewPx >= scrollHeight - END_PX;
    setScrolled({ scrollPx, viewPx });
  };
  useEffect(measure, []);
  useLayoutEffect(() => {
    const { current } = view;
    if (current !== null && isFollowing.current) current.scrollTop = current.scrollHeight;
  }, [window.heightPx]);
  useEffect(() => pages.want(window.from, window.to));
  const places = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
  return html`
    <div class="event-lines" ref=${view} tabindex="0" role="grid" aria-label="Events"
      aria-rowcount=${pages.total} onScroll=${measure}
      onKeyDown=${(event: KeyboardEvent) =>
        steer(event, { pages, picked, pick, view: view.current })}>
      <div class="event-space" style=${{ height: `${window.heightPx}px` }}>
        <div class="event-rows" style=${{ transform: `translateY(${window.topPx}px)` }}>
          ${places.map((place) => line(place, { pages, picked, pick }))}
        </div>
      </div>
    </div>
  `;
};

const line = (place: number, { pages, picked, pick }: LinesParts) => {
  const event = pages.at(place);
  if (event === undefined) {
    return html`<div class="event-line is-coming" role="row" key=${place}>…</div>`;
  }
  const { seq, at_ms, kind, principal, body } = event;
  return html`
    <div class=${`event-line ${picked === seq ? "is-picked" : ""}`} role="row" key=${place}
      aria-rowindex=${place + 1} aria-selected=${picked === seq} onClick=${() => pick(event)}>
      <span role="gridcell" class="number">${seq}</span>
      <span role="gridcell" class="number">${timeText(at_ms)}</span>
      <span role="gridcell">${kind}</span>
      <span role="gridcell"><bdi>${principal ?? "–"}</bdi></span>
      <span role="gridcell" class="event-body"><bdi>${bodyText(body)}</bdi></span>
    </div>
  `;
};

const bodyText = (body: unknown): string => {
  const fields = Object.entries(typeof body === "object" && body !== null ? body : {});
  const said = fields.map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${text.slice(0, FIELD_CHARS)}`;
  });
  return said.join(" · ").slice(0, BODY_CHARS);
};

type Steering = LinesParts & { readonly view: HTMLElement | null };

/** Selects the line above or below. If no line in view is selected, selects the top line. */
const steer = (event: KeyboardEvent, { pages, picked, pick, view }: Steering): void => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || view === null) return;
  event.preventDefault();
  const { from, to } = eventWindow({
    total: pages.total,
    scrollPx: view.scrollTop,
    viewPx: view.clientHeight,
  });
  const places = Array.from({ length: to - from }, (_, at) => from + at);
  const chosen = places.find((place) => pages.at(place)?.seq === picked);
  const next = chosen === undefined ? from : chosen + step;
  const found = pages.at(next);
  if (found === undefined) return;
  pick(found);
  if (next >= to - 2) view.scrollTop += ROW_PX;
  if (next <= from) view.scrollTop -= ROW_PX;
};

type Sent = { readonly total: number; readonly events: readonly EventRow[] };

const PAGE_ROWS = 100;
const PAGES_MAX = 12;

/** A list of events of any length. Requests the pages in view and keeps the last used pages. */
export class EventPages {
  readonly #base: string;
  readonly #query: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, readonly EventRow[]>();
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

  at(place: number): EventRow | undefined {
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
    const { value, problem } = await ask<Sent>(`${this.#base}?${place}${this.#query}`);
    this.#asked.delete(page);
    this.#problem = problem;
    this.#isKnown = true;
    if (value !== null) {
      this.#total = value.total;
      this.#keep(page, value.events);
    }
    this.#changed();
  }

  #keep(page: number, rows: readonly EventRow[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
  }
}
