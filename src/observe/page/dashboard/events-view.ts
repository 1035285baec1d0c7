import { html } from "htm/preact";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { type EventFilter, go, NO_FILTER } from "./address.ts";
import { useAnswer } from "./ask.ts";
import { EventLines } from "./event-lines.ts";
import { EventPages, type EventRow } from "./event-pages.ts";
import { atQuery, versionOf } from "./moment.ts";
import { Link, Panel, Principal, Problem } from "./parts.ts";
import type { ViewParts } from "./views.ts";
import { jsonText, numberText, timeText } from "./words.ts";

/** So long a hand may rest on the keys before the text is looked for. */
const REST_MS = 250;

/** Everything that happened, by kind, principal and text. */
export const EventsView = (parts: ViewParts) => {
  const { address, path } = parts;
  const [picked, setPicked] = useState<EventRow | null>(null);
  const wish = address.filter ?? NO_FILTER;
  const [typed, setTyped] = useState(wish);
  useEffect(() => {
    if (sameFilter(typed, wish)) return;
    const timer = setTimeout(() => go({ ...address, filter: typed }, "replace"), REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const picking = new URLSearchParams(wish).toString();
  // The address may change by other ways than by what is typed here.
  useEffect(() => {
    setTyped(wish);
    setPicked(null);
  }, [picking]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const query = `&${picking}&${atQuery(address)}`;
  const pages = useMemo(
    () => new EventPages(`${path}/events`, query, () => redraw(0)),
    [path, query],
  );
  const version = versionOf(parts);
  useEffect(() => {
    void pages.grow();
  }, [pages, version]);
  return html`
    <${Panel} title="Events" class="events">
      <${Filters} typed=${typed} setTyped=${setTyped} pages=${pages} parts=${parts} />
      <${Problem} problem=${pages.problem} />
      <${EventLines} pages=${pages} pick=${setPicked} picked=${picked?.seq ?? null} />
      ${picked === null ? null : html`<${Picked} event=${picked} parts=${parts} />`}
    <//>
  `;
};

const sameFilter = (one: EventFilter, other: EventFilter): boolean =>
  new URLSearchParams(one).toString() === new URLSearchParams(other).toString();

type FilterParts = {
  readonly typed: EventFilter;
  readonly setTyped: (wish: EventFilter) => void;
  readonly pages: EventPages;
  readonly parts: ViewParts;
};

type Counts = { readonly [kind: string]: number };

const Filters = ({ typed, setTyped, pages, parts }: FilterParts) => {
  const { value: kinds } = useAnswer<Counts>(`${parts.path}/kinds`, parts.tick.seq);
  const set = (name: keyof EventFilter) => (event: Event) => {
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
        ${pages.isKnown ? `${numberText(pages.total)} events` : "…"}
      </span>
    </div>
  `;
};

const Picked = ({ event, parts }: { readonly event: EventRow; readonly parts: ViewParts }) => {
  const { address } = parts;
  const { seq, at_ms, kind, principal, body } = event;
  return html`
    <section class="picked" aria-label="The chosen event">
      <p>
        <strong>${kind}</strong> · event ${numberText(seq)} · ${timeText(at_ms / 1_000)}
        ${principal === null ? null : html` · <${Principal} id=${principal} parts=${parts} />`}
        ${" · "}<${Link} to=${{ ...address, at: seq }}>go to this moment<//>
      </p>
      <pre class="text" tabindex="0" aria-label="Body"><bdi>${jsonText(body)}</bdi></pre>
    </section>
  `;
};
