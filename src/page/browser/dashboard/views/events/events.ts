import "../row-lines.css";
import "./events.css";
import { html } from "htm/preact";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { exactTimeText } from "../../../../../text/index.ts";
import { Alert, Panel } from "../../../parts/parts.ts";
import type { EventRow } from "../../api.ts";
import { filterQuery, useFilter } from "../../typed-filter.ts";
import { atQuery, type ViewParts, versionOf } from "../../view.ts";
import { RowLines, RowPages } from "../row-lines.ts";
import { DensityStrip, useDensity } from "./density-strip.ts";
import { EventDetail } from "./event-detail.ts";
import { ANY_EVENT, EventFilters, HiddenEvents } from "./event-filters.ts";

const HEADS = ["event", "time", "kind", "what happened"];

export const EventsView = (parts: ViewParts) => {
  const { address, path } = parts;
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
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const query = `&${asked}&${atQuery(address)}`;
  const pages = useMemo(
    () => new RowPages<EventRow>(`${path}/events`, query, () => redraw(0)),
    [path, query],
  );
  const density = useDensity(parts, asked);
  const version = versionOf(parts);
  useEffect(() => {
    void pages.grow();
  }, [pages, version]);
  const narrow = (part: Partial<typeof ANY_EVENT>): void =>
    setTyped({ ...ANY_EVENT, order, from: filter.from, to: filter.to, ...part });
  const show = (place: number): void =>
    setTarget({ place: isReversed ? Math.max(0, pages.total - 1 - place) : place });
  return html`
    <${Panel} title="Events" class="events">
      <${EventFilters} typed=${typed} setTyped=${setTyped} pages=${pages} parts=${parts} />
      <${HiddenEvents} density=${density} parts=${parts} isFiltered=${asked !== ""}
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
        <${EventDetail} event=${picked} parts=${parts}
          narrow=${narrow} />
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
