import "../row-lines.css";
import "./moments.css";
import { html } from "htm/preact";
import { useEffect, useMemo, useReducer } from "preact/hooks";
import type { LifeTimeline, MomentRow, MomentView } from "../../../../routes/index.ts";
import { Alert, Panel, Pending } from "../../../parts/parts.ts";
import { momentText, signedText } from "../../../parts/text.ts";
import { go } from "../../address.ts";
import { filterQuery, useFilter } from "../../typed-filter.ts";
import { atQuery, useMoment, type ViewParts, versionOf } from "../../view.ts";
import { RowLines, RowPages } from "../row-lines.ts";
import { ChosenMoment } from "./chosen-moment.ts";
import { Timeline } from "./life-timeline.ts";
import { ANY_MOMENT, MomentFilters } from "./moment-filters.ts";
import { proseText } from "./prose-text.ts";

const HEADS = ["event", "time", "agent", "moment", "scrip", "what happened"];

const LATER = "the selected moment is later than the time shown";

/** The lives of agents as moments. The item of the address is the event of the chosen moment. */
export const MomentsView = (parts: ViewParts) => {
  const { address, path } = parts;
  const { filter, typed, setTyped } = useFilter(address, ANY_MOMENT);
  const query = filterQuery(filter);
  const lives = useMoment<LifeTimeline>(`${path}/lives?${query}&`, parts);
  const isLater = address.at !== null && Number(address.item) > address.at;
  const asked = encodeURIComponent(address.item ?? "");
  const chosenPath = asked === "" || isLater ? null : `${path}/moments/${asked}`;
  const chosen = useMoment<MomentView>(chosenPath, parts);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const listQuery = `&${query}&${atQuery(address)}`;
  const pages = useMemo(
    () => new RowPages<MomentRow>(`${path}/moments`, listQuery, () => redraw(0)),
    [path, listQuery],
  );
  useEffect(() => {
    void pages.grow();
  }, [pages, versionOf(parts)]);
  const choose = (seq: number): void => go({ ...address, item: String(seq) });
  const trace = (artifact: string): void => setTyped({ ...ANY_MOMENT, artifact, led: "true" });
  const shown = chosenPath === null ? null : chosen.value;
  // Scrolling draws the list again, but not what does not depend on it.
  const timeline = useMemo(
    () =>
      lives.value === null
        ? html`<${Pending} problem=${null} />`
        : html`<${Timeline} timeline=${lives.value} chosen=${shown} choose=${choose}
            parts=${parts} />`,
    [lives.value, shown, address, parts.agents],
  );
  const picked = useMemo(
    () =>
      shown === null
        ? html`<${Alert} problem=${isLater ? LATER : chosenPath && chosen.problem} />`
        : html`<${ChosenMoment} of=${shown} choose=${choose} trace=${trace} parts=${parts} />`,
    [shown, isLater, chosen.problem, address, parts.agents],
  );
  return html`
    <${Panel} title="Moments" class="events">
      <${MomentFilters} typed=${typed} set=${setTyped} verbs=${lives.value?.verbs ?? {}}
        total=${pages.isKnown ? pages.total : null} parts=${parts} />
      <${Alert} problem=${pages.problem ?? lives.problem} />
      ${timeline}
      <${RowLines} key=${listQuery} pages=${pages} picked=${shown?.seq ?? null} label="Moments"
        pick=${({ seq }: MomentRow) => choose(seq)} cells=${momentCells}
        follows=${filter.search === "" && filter.to === ""} heads=${HEADS} class="moment-lines" />
      ${picked}
    <//>
  `;
};

const momentCells = ({
  seq,
  at_ms,
  actor,
  name,
  problem,
  paid,
  received,
  prose,
}: MomentRow) => html`
  <span role="gridcell" class="number">${seq}</span>
  <span role="gridcell" class="number">${momentText(at_ms)}</span>
  <span role="gridcell"><bdi>${actor}</bdi></span>
  <span role="gridcell" class=${problem === null ? "" : "is-failed"}><bdi>${name}</bdi></span>
  <span role="gridcell" class="number">
    ${paid === 0 && received === 0 ? "" : signedText(received - paid)}
  </span>
  <span role="gridcell" class="event-body"><bdi>${proseText(prose)}</bdi></span>
`;
