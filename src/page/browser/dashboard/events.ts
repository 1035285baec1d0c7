import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countText, dollarText, exactTimeText, numberText } from "../../../text/index.ts";
import type { EventDensity } from "../../routes/index.ts";
import { Choice, Search } from "../parts/fields.ts";
import { Alert, Button, Facts, Json, Panel, Text } from "../parts/parts.ts";
import { fieldsOf, jsonText } from "../parts/text.ts";
import { filterQuery, periodOf, useFilter } from "./core/address.ts";
import { type EventRow, useAnswer } from "./core/api.ts";
import { RowLines, type RowPages, useRows } from "./core/row-lines.ts";
import { ArtifactLink, Link, PrincipalLink, useMoment, useView } from "./core/view.ts";

const HEADS = ["event", "time", "kind", "what happened"];

export const EventsView = () => {
  const { address } = useView();
  const [picked, setPicked] = useState<EventRow | null>(null);
  const [target, setTarget] = useState<{ readonly place: number } | null>(null);
  const [first, setFirst] = useState(0);
  const { filter, typed, setTyped } = useFilter(address, ANY_EVENT);
  const { order, ...asking } = filter;
  const isReversed = order === "newest";
  const asked = filterQuery(asking);
  useEffect(() => {
    // A button in the detail can set the filter. It keeps the focus, and its event matches.
    if (document.activeElement?.closest(".picked") === null) setPicked(null);
  }, [asked]);
  const pages = useRows<EventRow>("/events", `&${asked}`);
  const { value: density } = useMoment<EventDensity>(`/density?${asked}&`);
  const narrow = (part: Partial<typeof ANY_EVENT>): void =>
    setTyped({ ...ANY_EVENT, order, from: filter.from, to: filter.to, ...part });
  const show = (place: number): void =>
    setTarget({ place: isReversed ? Math.max(0, pages.total - 1 - place) : place });
  return html`
    <${Panel} title="Events" class="events">
      <${EventFilters} typed=${typed} setTyped=${setTyped} pages=${pages} />
      <${HiddenEvents} density=${density} isFiltered=${asked !== ""}
        clear=${() => setTyped({ ...ANY_EVENT, order })} />
      <${Alert} problem=${pages.problem} />
      ${
        density !== null &&
        html`<${DensityStrip} density=${density} show=${show}
          first=${isReversed ? pages.total - 1 - first : first} />`
      }
      <div class="event-pair">
        <${RowLines} pages=${pages} pick=${setPicked} picked=${picked?.seq ?? null} label="Events"
          cells=${eventCells} follows=${filter.to === ""} heads=${HEADS} isReversed=${isReversed}
          target=${target} seen=${setFirst} />
        <${EventDetail} event=${picked} narrow=${narrow} />
      </div>
    <//>
  `;
};

const eventCells = ({ seq, at_ms, kind, says }: EventRow) => html`
  <span role="gridcell" class="number">${seq}</span>
  <span role="gridcell" class="number">${exactTimeText(at_ms)}</span>
  <span role="gridcell" class="event-kind">${kind}</span>
  <span role="gridcell"><bdi>${says}</bdi></span>
`;

type TypedEvents = {
  readonly kind: string;
  readonly principal: string;
  readonly text: string;
  /** Run times such as `2:00` or `300s`. They are the period of all views. */
  readonly from: string;
  readonly to: string;
  /** `newest` shows the last event first. It hides nothing. */
  readonly order: string;
};

const ANY_EVENT: TypedEvents = { kind: "", principal: "", text: "", from: "", to: "", order: "" };

type FilterParts = {
  readonly typed: TypedEvents;
  readonly setTyped: (filter: TypedEvents) => void;
  readonly pages: RowPages<EventRow>;
};

const EventFilters = ({ typed, setTyped, pages }: FilterParts) => {
  const { path, tick, agents } = useView();
  const kinds = useAnswer<{ readonly [kind: string]: number }>(`${path}/kinds`, tick.seq).value;
  const field = (name: keyof TypedEvents) => {
    return { value: typed[name], set: (value: string) => setTyped({ ...typed, [name]: value }) };
  };
  return html`
    <div class="tools" role="search">
      <${Choice} label="Kind of event" isHidden=${true} ...${field("kind")} options=${[
        ["", "all kinds"],
        ...Object.entries(kinds ?? {}).map(([kind, n]) => [kind, `${kind} (${numberText(n)})`]),
      ]} />
      <${Search} label="Principal" names=${agents} ...${field("principal")} />
      <${Search} label="Text" ...${field("text")} />
      <${Search} label="From" placeholder="from 2:00" class="is-short" ...${field("from")} />
      <${Search} label="To" placeholder="to 2:30" class="is-short" ...${field("to")} />
      <${Choice} label="Order" isHidden=${true} ...${field("order")}
        options=${[["", "oldest first"], ["newest", "newest first"]]} />
      <span class="note" role="status">
        ${pages.isKnown ? countText(pages.total, "event") : "…"}
      </span>
    </div>
  `;
};

type HiddenParts = {
  readonly density: EventDensity | null;
  readonly isFiltered: boolean;
  readonly clear: () => void;
};

/** Says how many events the filters and the period hide, and how many the shown moment hides. */
const HiddenEvents = ({ density, isFiltered, clear }: HiddenParts) => {
  const { address, tick } = useView();
  const later = address.at === null ? 0 : tick.seq - address.at;
  const { from, to } = periodOf(address);
  const hidden = density === null || !isFiltered ? 0 : density.all - density.total;
  return html`
    <p class="note hidden-events">
      <span>${hiddenText(hidden, density?.all ?? 0, from !== "" || to !== "")}</span>
      ${" "}<${Button} isOff=${!isFiltered} onClick=${clear}>Clear filters<//>
      ${
        later > 0 &&
        html`${" "}<span>${countText(later, "later event")} not shown, because the page shows a past
          moment.</span>`
      }
    </p>
  `;
};

const hiddenText = (hidden: number, all: number, isPeriod: boolean): string =>
  hidden === 0
    ? "The filters hide no events."
    : `${numberText(hidden)} of ${countText(all, "event")} hidden by filters` +
      `${isPeriod ? " and the period" : ""}.`;

type DetailParts = {
  readonly event: EventRow | null;
  /** Shows only the events of a kind or of a principal. */
  readonly narrow: (part: { readonly kind?: string; readonly principal?: string }) => void;
};

/** An event in full: what it says, each of its fields, and last its JSON. */
const EventDetail = ({ event, narrow }: DetailParts) => {
  const { address, agents } = useView();
  if (event === null) {
    return html`<section class="picked is-empty" aria-label="Selected event">
      <p class="note">Choose an event to see all of it here. The arrow keys move through the
        list.</p>
    </section>`;
  }
  const { seq, at_ms, kind, principal, body, says } = event;
  return html`
    <section class="picked" aria-label="Selected event" aria-live="polite">
      <p class="picked-says"><bdi>${says}</bdi></p>
      <${Facts} facts=${[
        ["event", numberText(seq)],
        ["time", exactTimeText(at_ms)],
        ["kind", kind],
        [
          "caused by",
          principal === null ? "the world" : html`<${PrincipalLink} id=${principal} />`,
        ],
      ]} />
      <p class="tools">
        <${Link} to=${{ ...address, at: seq }}>Go to this moment<//>
        <button type="button" onClick=${() => narrow({ kind })}>Only this kind</button>
        ${
          principal !== null &&
          html`<button type="button" onClick=${() => narrow({ principal })}>Only ${principal}
          </button>`
        }
      </p>
      <dl class="fields event-fields">
        ${Object.entries(fieldsOf(body)).map(
          ([name, value]) => html`<div key=${name}>
            <dt>${name.replaceAll("_", " ")}</dt>
            <dd>${fieldValue(name, value, agents)}</dd>
          </div>`,
        )}
      </dl>
      <${Json} title="As JSON" value=${body} />
    </section>
  `;
};

/** Longer texts and values of several parts get a box of their own. */
const LINE_CHARS = 120;

const ARTIFACTS: ReadonlySet<string> = new Set(["artifact_id", "target", "contract"]);

const fieldValue = (
  name: string,
  value: unknown,
  agents: ReadonlySet<string>,
): ComponentChildren => {
  if (value === null || value === "") return html`<span class="note">none</span>`;
  if (typeof value === "number") return numberOf(name, value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  const json = typeof value === "string" ? value : JSON.stringify(value);
  const text = typeof value === "string" || json.length <= LINE_CHARS ? json : jsonText(value);
  if (text.length > LINE_CHARS || text.includes("\n")) {
    return html`<${Text} label=${name} text=${text} />`;
  }
  if (agents.has(text)) return html`<${PrincipalLink} id=${text} />`;
  if (ARTIFACTS.has(name)) return html`<${ArtifactLink} id=${text} />`;
  return html`<bdi>${text}</bdi>`;
};

const numberOf = (name: string, value: number): string => {
  if (name.endsWith("at_ms") || name === "until_ms") return exactTimeText(value);
  return name.endsWith("micros") ? dollarText(value) : numberText(value);
};

type StripParts = {
  readonly density: EventDensity;
  /** Scrolls the list to an event, given by its place among those that match. */
  readonly show: (place: number) => void;
  /** The place of the first event in view. */
  readonly first: number;
};

const HEIGHT = 32;
/** A slice with an event has at least this height, so that it can be seen. */
const HEIGHT_MIN = 2;
const PAGE_SLICES = 10;

/**
 * The number of events in each slice of run time. A click, or a key on the focused strip, scrolls
 * the list to a slice.
 */
const DensityStrip = ({ density, show, first }: StripParts) => {
  const { before, total, from_ms, to_ms } = density;
  const [under, setUnder] = useState<number | null>(null);
  const counts = before.map((count, slice) => (before[slice + 1] ?? total) - count);
  const most = Math.max(1, ...counts);
  const last = counts.length - 1;
  const here = Math.max(
    0,
    before.findLastIndex((count) => count <= Math.max(0, first)),
  );
  const startOf = (slice: number): number => from_ms + ((to_ms - from_ms) * slice) / counts.length;
  const says = (slice: number): string =>
    `${exactTimeText(startOf(slice))} to ${exactTimeText(startOf(slice + 1))}: ` +
    countText(counts[slice] ?? 0, "event");
  const go = (slice: number): void => show(before[Math.min(last, Math.max(0, slice))] ?? 0);
  const sliceAt = (event: MouseEvent): number => {
    const strip = event.currentTarget;
    if (!(strip instanceof Element)) return 0;
    const { left, width } = strip.getBoundingClientRect();
    return Math.min(
      last,
      Math.max(0, Math.floor((counts.length * (event.clientX - left)) / width)),
    );
  };
  const steer = (event: KeyboardEvent): void => {
    const slice = steps(here, last)[event.key];
    if (slice === undefined) return;
    event.preventDefault();
    go(slice);
  };
  return html`
    <div class="density">
      <svg viewBox=${`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" role="slider"
        tabindex="0" aria-label="Events over run time" aria-valuemin="0" aria-valuemax=${last}
        aria-valuenow=${here} aria-valuetext=${says(here)} onKeyDown=${steer}
        onClick=${(event: MouseEvent) => go(sliceAt(event))}
        onMouseMove=${(event: MouseEvent) => setUnder(sliceAt(event))}
        onMouseLeave=${() => setUnder(null)}>
        <rect class="density-here" x=${here} y="0" width="1" height=${HEIGHT} />
        ${counts.map((count, slice) => {
          if (count === 0) return null;
          const height = Math.max(HEIGHT_MIN, (HEIGHT * count) / most);
          return html`<rect class="density-bar" x=${slice + 0.1} y=${HEIGHT - height} width="0.8"
            height=${height} />`;
        })}
      </svg>
      <p class="note density-note">
        <span>${exactTimeText(from_ms)}</span>
        <span>${under === null ? `first in view: ${says(here)}` : says(under)}</span>
        <span>${exactTimeText(to_ms)}</span>
      </p>
    </div>
  `;
};

/** The slices to which the keys lead. */
const steps = (here: number, last: number): { readonly [key: string]: number } => ({
  ArrowLeft: here - 1,
  ArrowRight: here + 1,
  PageUp: here - PAGE_SLICES,
  PageDown: here + PAGE_SLICES,
  Home: 0,
  End: last,
});
