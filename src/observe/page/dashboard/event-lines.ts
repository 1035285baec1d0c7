import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EventPages, EventRow } from "./event-pages.ts";
import { eventWindow, ROW_PX } from "./event-window.ts";
import { shown, timeText } from "./words.ts";

type LinesParts = {
  readonly pages: EventPages;
  readonly picked: number | null;
  readonly pick: (event: EventRow) => void;
};

const BODY_CHARS = 240;
const FIELD_CHARS = 80;
/** As near to the end as this, it is followed. */
const END_PX = ROW_PX * 2;

/**
 * A list of any length in which only the lines in view exist. It follows its end until somebody
 * scrolls away from there. The arrow keys choose a line, Page Up, Page Down, Home and End scroll.
 */
export const EventLines = ({ pages, picked, pick }: LinesParts) => {
  const view = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [scrolled, setScrolled] = useState({ scrollPx: 0, viewPx: 480 });
  const window = eventWindow({ total: pages.total, ...scrolled });
  const look = (): void => {
    const { current } = view;
    if (current === null) return;
    const { scrollTop: scrollPx, clientHeight: viewPx, scrollHeight } = current;
    isFollowing.current = scrollPx + viewPx >= scrollHeight - END_PX;
    setScrolled({ scrollPx, viewPx });
  };
  useEffect(look, []);
  useLayoutEffect(() => {
    const { current } = view;
    if (current !== null && isFollowing.current) current.scrollTop = current.scrollHeight;
  }, [window.heightPx]);
  useEffect(() => pages.want(window.from, window.to));
  const places = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
  return html`
    <div class="event-lines" ref=${view} tabindex="0" role="grid" aria-label="Events"
      aria-rowcount=${pages.total} onScroll=${look}
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
      <span role="gridcell" class="number">${timeText(at_ms / 1_000)}</span>
      <span role="gridcell">${kind}</span>
      <span role="gridcell"><bdi>${shown(principal ?? "–")}</bdi></span>
      <span role="gridcell" class="event-body"><bdi>${bodyText(body)}</bdi></span>
    </div>
  `;
};

/** What an event says, in one line: its names with their values. */
const bodyText = (body: unknown): string => {
  const fields = Object.entries(typeof body === "object" && body !== null ? body : {});
  const said = fields.map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${text.slice(0, FIELD_CHARS)}`;
  });
  return shown(said.join(" · ").slice(0, BODY_CHARS));
};

type Steering = LinesParts & { readonly view: HTMLElement | null };

/** Chooses the line above or below the chosen one, or the first in view. */
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
