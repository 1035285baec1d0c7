import { html } from "htm/preact";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { Alert, Panel } from "../../parts/parts.ts";
import { countText, jsonText, numberText, timeText } from "../../parts/text.ts";
import { type EventRow, useAnswer } from "../api.ts";
import { filterQuery, useFilter } from "../typed-filter.ts";
import { atQuery, Link, PrincipalLink, type ViewParts, versionOf } from "../view.ts";
import { RowLines, RowPages } from "./row-lines.ts";

type TypedEvents = { readonly kind: string; readonly principal: string; readonly text: string };

const ANY_EVENT: TypedEvents = { kind: "", principal: "", text: "" };

export const EventsView = (parts: ViewParts) => {
  const { address, path } = parts;
  const [picked, setPicked] = useState<EventRow | null>(null);
  const { filter, typed, setTyped } = useFilter(address, ANY_EVENT);
  const asked = filterQuery(filter);
  useEffect(() => setPicked(null), [asked]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const query = `&${asked}&${atQuery(address)}`;
  const pages = useMemo(
    () => new RowPages<EventRow>(`${path}/events`, query, () => redraw(0)),
    [path, query],
  );
  const version = versionOf(parts);
  useEffect(() => {
    void pages.grow();
  }, [pages, version]);
  return html`
    <${Panel} title="Events" class="events">
      <${Filters} typed=${typed} setTyped=${setTyped} pages=${pages} parts=${parts} />
      <${Alert} problem=${pages.problem} />
      <${RowLines} pages=${pages} pick=${setPicked} picked=${picked?.seq ?? null} label="Events"
        cells=${eventCells} follows=${true} />
      ${picked === null ? null : html`<${PickedEvent} event=${picked} parts=${parts} />`}
    <//>
  `;
};

const BODY_CHARS = 240;
const FIELD_CHARS = 80;

const eventCells = ({ seq, at_ms, kind, principal, body }: EventRow) => html`
  <span role="gridcell" class="number">${seq}</span>
  <span role="gridcell" class="number">${timeText(at_ms)}</span>
  <span role="gridcell">${kind}</span>
  <span role="gridcell"><bdi>${principal ?? "–"}</bdi></span>
  <span role="gridcell" class="event-body"><bdi>${bodyText(body)}</bdi></span>
`;

const bodyText = (body: unknown): string => {
  const fields = Object.entries(typeof body === "object" && body !== null ? body : {});
  const said = fields.map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${text.slice(0, FIELD_CHARS)}`;
  });
  return said.join(" · ").slice(0, BODY_CHARS);
};

type FilterParts = {
  readonly typed: TypedEvents;
  readonly setTyped: (filter: TypedEvents) => void;
  readonly pages: RowPages<EventRow>;
  readonly parts: ViewParts;
};

type Counts = { readonly [kind: string]: number };

const Filters = ({ typed, setTyped, pages, parts }: FilterParts) => {
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
      <span class="note" role="status">
        ${pages.isKnown ? countText(pages.total, "event") : "…"}
      </span>
    </div>
  `;
};

const PickedEvent = ({ event, parts }: { readonly event: EventRow; readonly parts: ViewParts }) => {
  const { seq, at_ms, kind, principal, body } = event;
  return html`
    <section class="picked" aria-label="Selected event">
      <p>
        <strong>${kind}</strong> · event ${numberText(seq)} · ${timeText(at_ms)}
        ${principal === null ? null : html` · <${PrincipalLink} id=${principal} parts=${parts} />`}
        ${" · "}<${Link} to=${{ ...parts.address, at: seq }}>go to this moment<//>
      </p>
      <pre class="text" tabindex="0" aria-label="Body"><bdi>${jsonText(body)}</bdi></pre>
    </section>
  `;
};
