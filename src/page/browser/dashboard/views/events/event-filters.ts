import { html } from "htm/preact";
import type { EventDensity } from "../../../../routes/index.ts";
import { Button } from "../../../parts/parts.ts";
import { countText, numberText } from "../../../parts/text.ts";
import { periodOf } from "../../address.ts";
import { type EventRow, useAnswer } from "../../api.ts";
import type { ViewParts } from "../../view.ts";
import type { RowPages } from "../row-lines.ts";

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

export const ANY_EVENT: TypedEvents = {
  ...{ kind: "", principal: "", text: "", from: "", to: "", order: "" },
};

type FilterParts = {
  readonly typed: TypedEvents;
  readonly setTyped: (filter: TypedEvents) => void;
  readonly pages: RowPages<EventRow>;
  readonly parts: ViewParts;
};

type Counts = { readonly [kind: string]: number };

export const EventFilters = ({ typed, setTyped, pages, parts }: FilterParts) => {
  const { value: kinds } = useAnswer<Counts>(`${parts.path}/kinds`, parts.tick.seq);
  const set = (name: keyof TypedEvents) => (event: Event) => {
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      setTyped({ ...typed, [name]: target.value });
    }
  };
  return html`
    <div class="tools" role="search">
      <select aria-label="Kind of event" value=${typed.kind} onChange=${set("kind")}>
        <option value="">all kinds</option>
        ${Object.entries(kinds ?? {}).map(
          ([kind, times]) => html`<option value=${kind}>${kind} (${numberText(times)})</option>`,
        )}
      </select>
      <input type="search" aria-label="Principal" placeholder="principal" value=${typed.principal}
        list="principals" onInput=${set("principal")} />
      <datalist id="principals">
        ${[...parts.agents].map((id) => html`<option value=${id}></option>`)}
      </datalist>
      <input type="search" aria-label="Text" placeholder="text" value=${typed.text}
        onInput=${set("text")} />
      <input type="search" class="is-short" aria-label="From" placeholder="from 2:00"
        value=${typed.from} onInput=${set("from")} />
      <input type="search" class="is-short" aria-label="To" placeholder="to 2:30"
        value=${typed.to} onInput=${set("to")} />
      <select aria-label="Order" value=${typed.order} onChange=${set("order")}>
        <option value="">oldest first</option>
        <option value="newest">newest first</option>
      </select>
      <span class="note" role="status">
        ${pages.isKnown ? countText(pages.total, "event") : "…"}
      </span>
    </div>
  `;
};

type HiddenParts = {
  readonly density: EventDensity | null;
  readonly parts: ViewParts;
  readonly isFiltered: boolean;
  readonly clear: () => void;
};

/** Says how many events the filters and the period hide, and how many the shown moment hides. */
export const HiddenEvents = ({ density, parts, isFiltered, clear }: HiddenParts) => {
  const later = parts.address.at === null ? 0 : parts.tick.seq - parts.address.at;
  const { from, to } = periodOf(parts.address);
  const isPeriod = from !== "" || to !== "";
  const hidden = density === null || !isFiltered ? 0 : density.all - density.total;
  return html`
    <p class="note hidden-events">
      <span>${hiddenText(hidden, density?.all ?? 0, isPeriod)}</span>
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
