import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { TONES } from "../../../read/index.ts";
import { countText, momentText, numberText, signedText, timeText } from "../../../text/index.ts";
import type { LifeLine, LifeTimeline, MomentRow, MomentView } from "../../routes/index.ts";
import { Choice, Search } from "../parts/fields.ts";
import {
  Alert,
  Button,
  breakable,
  Facts,
  type NameAndValue,
  Panel,
  Pending,
  Text,
} from "../parts/parts.ts";
import { proseText, wordsText } from "../parts/text.ts";
import { filterQuery, go, useFilter } from "./core/address.ts";
import { RowLines, useRows } from "./core/row-lines.ts";
import { ArtifactLink, MomentLink, PrincipalLink, useMoment, useView } from "./core/view.ts";

const HEADS = ["event", "time", "agent", "moment", "scrip", "what happened"];

const LATER = "the selected moment is later than the time shown";

/** The lives of agents as moments. The item of the address is the event of the chosen moment. */
export const MomentsView = () => {
  const { address, agents } = useView();
  const { filter, typed, setTyped } = useFilter(address, ANY_MOMENT);
  const query = filterQuery(filter);
  const lives = useMoment<LifeTimeline>(`/lives?${query}&`);
  const isLater = address.at !== null && Number(address.item) > address.at;
  const asked = encodeURIComponent(address.item ?? "");
  const chosenPath = asked === "" || isLater ? null : `/moments/${asked}`;
  const chosen = useMoment<MomentView>(chosenPath);
  const pages = useRows<MomentRow>("/moments", `&${query}`);
  const choose = (seq: number): void => go({ ...address, item: String(seq) });
  const trace = (artifact: string): void => setTyped({ ...ANY_MOMENT, artifact, led: "true" });
  const shown = chosenPath === null ? null : chosen.value;
  // Scrolling draws the list again, but not what does not depend on it.
  const timeline = useMemo(
    () =>
      lives.value === null
        ? html`<${Pending} problem=${null} />`
        : html`<${Timeline} timeline=${lives.value} chosen=${shown} choose=${choose} />`,
    [lives.value, shown, address, agents],
  );
  const picked = useMemo(
    () =>
      shown === null
        ? html`<${Alert} problem=${isLater ? LATER : chosenPath && chosen.problem} />`
        : html`<${ChosenMoment} of=${shown} choose=${choose} trace=${trace} />`,
    [shown, isLater, chosen.problem, address, agents],
  );
  return html`
    <${Panel} title="Moments" class="events">
      <${MomentFilters} typed=${typed} set=${setTyped} verbs=${lives.value?.verbs ?? {}}
        total=${pages.isKnown ? pages.total : null} />
      <${Alert} problem=${pages.problem ?? lives.problem} />
      ${timeline}
      <${RowLines} key=${query} pages=${pages} picked=${shown?.seq ?? null} label="Moments"
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

/** What a person asks for. Empty texts ask for nothing. */
type TypedMoments = {
  readonly agent: string;
  readonly artifact: string;
  /** `true`: what led to the artifact. Otherwise all moments that touched it. */
  readonly led: string;
  readonly verb: string;
  readonly from: string;
  readonly to: string;
  readonly search: string;
};

const ANY_MOMENT: TypedMoments = {
  agent: "",
  artifact: "",
  led: "",
  verb: "",
  from: "",
  to: "",
  search: "",
};

type FilterParts = {
  readonly typed: TypedMoments;
  readonly set: (typed: TypedMoments) => void;
  readonly verbs: { readonly [verb: string]: number };
  /** The number of moments that match. Null: not known yet. */
  readonly total: number | null;
};

const MomentFilters = ({ typed, set, verbs, total }: FilterParts) => {
  const field = (name: keyof TypedMoments) => {
    return { value: typed[name], set: (value: string) => set({ ...typed, [name]: value }) };
  };
  return html`
    <div class="tools" role="search">
      <${Search} label="Agent" names=${useView().agents} ...${field("agent")} />
      <${Search} label="Artifact" ...${field("artifact")} />
      <label><input type="checkbox" checked=${typed.led === "true"}
        onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
          set({
            ...typed,
            led: currentTarget.checked ? "true" : "",
          })} /> only what led to it</label>
      <${Choice} label="Verb" isHidden=${true} ...${field("verb")} options=${[
        ["", "all verbs"],
        ...Object.entries(verbs).map(([verb, n]) => [verb, `${verb} (${numberText(n)})`]),
      ]} />
      <${Search} label="From" placeholder="from 2m" class="is-short" ...${field("from")} />
      <${Search} label="To" placeholder="to 4m" class="is-short" ...${field("to")} />
      <${Search} label="Search by meaning" ...${field("search")} />
      <span class="note" role="status">
        ${total === null ? "…" : countText(total, "moment")}
      </span>
    </div>
  `;
};

type ChosenParts = {
  readonly of: MomentView;
  readonly choose: (seq: number) => void;
  /** Shows what led to an artifact. */
  readonly trace: (artifact: string) => void;
};

/** The text of a moment, its money, and what became of its artifacts. */
const ChosenMoment = ({ of, choose, trace }: ChosenParts) => {
  const { name, id, prose, previous, next, threads, money } = of;
  const step = (title: string, seq: number | null) => html`
    <${Button} isOff=${seq === null} onClick=${() => seq !== null && choose(seq)}>${title}<//>`;
  return html`
    <section class="picked" aria-label="Selected moment">
      <h3><bdi>${name}</bdi></h3>
      <p class="note is-id"><bdi>${breakable(id)}</bdi></p>
      <p class="tools">${step("Before", previous)}${" "}${step("After", next)}</p>
      <${Facts} facts=${factsOf(of)} />
      <${Text} label="What happened" text=${proseText(prose)} />
      ${
        money.length > 0 &&
        html`<h4>Money</h4>
        <ul class="plain">
          ${money.map(
            ({ seq, amount, what, other, artifact, later }) => html`<li key=${seq}>
              <strong>${signedText(amount)} scrip</strong> ${what}
              ${
                other !== null &&
                html` ${amount > 0 ? "from" : "to"} <${PrincipalLink} id=${other} />`
              }
              ${artifact !== null && html` for <${ArtifactLink} id=${artifact} />`}
              ${later && html` <span class="note">later, in event ${numberText(seq)}</span>`}
            </li>`,
          )}
        </ul>`
      }
      ${threads.map(
        (thread) => html`<${Thread} key=${thread.artifact} of=${thread} choose=${choose}
          trace=${trace} />`,
      )}
    </section>
  `;
};

const factsOf = (of: MomentView): readonly NameAndValue[] => {
  const { seq, at_ms, actor, type, action, target, method, problem, space, narratives } = of;
  const asked = narratives.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  const minted = of.minted > 0 ? `, of which ${numberText(of.minted)} is new` : "";
  return [
    ["agent", html`<${PrincipalLink} id=${actor} />`],
    ["time", html`<${MomentLink} seq=${seq} atMs=${at_ms} />, event ${numberText(seq)}`],
    ["type", type.toLowerCase()],
    ["where", space],
    ["action", wordsText(action, target, method)],
    ...(problem === null ? [] : [["failed", problem] as const]),
    ...(asked === "" ? [] : [["about", asked] as const]),
    ["paid", numberText(of.paid)],
    ["received", `${numberText(of.received)}${minted}`],
  ];
};

const MOMENTS_SHOWN = 8;

type ThreadParts = Omit<ChosenParts, "of"> & { readonly of: MomentView["threads"][number] };

const Thread = ({ of, choose, trace }: ThreadParts) => {
  const { artifact, earned, minted, total, moments } = of;
  const paid = moments.filter(({ amount, wrote }) => amount !== 0 || wrote);
  return html`
    <h4><${ArtifactLink} id=${artifact} /></h4>
    <p>
      In ${numberText(total)} moments; earned ${numberText(earned)} scrip, and
      ${" "}${numberText(minted)} from the mint.
      ${" "}<button type="button" onClick=${() => trace(artifact)}>What led to it</button>
    </p>
    <ul class="plain">
      ${paid.slice(-MOMENTS_SHOWN).map(
        ({ seq, at_ms, actor, amount, wrote }) => html`<li key=${seq}>
          <button type="button" onClick=${() => choose(seq)}>${momentText(at_ms)}</button>
          ${" "}<bdi>${actor}</bdi> ${wrote ? "wrote it" : `${signedText(amount)} scrip`}
        </li>`,
      )}
    </ul>
  `;
};

type TimelineParts = {
  readonly timeline: LifeTimeline;
  readonly chosen: MomentView | null;
  readonly choose: (seq: number) => void;
};

/** The height of the row of an agent, as in the style sheet. */
const ROW_PX = 18;

/**
 * One row for each agent, and its moments over run time. Lines lead from the chosen moment to the
 * other moments that wrote the same artifacts or paid for them. A click chooses the nearest moment
 * of its row. With the focus, the arrow keys lead along the row and to the rows above and below.
 */
const Timeline = ({ timeline, chosen, choose }: TimelineParts) => {
  const { lines, columns, total, from_ms, to_ms } = timeline;
  const length = timeText(to_ms - from_ms);
  const rows = new Map(lines.map(({ agent }, row) => [agent, row]));
  const marks = lines.map(marksIn);
  const here = useRef<Place | null>(null);
  if (chosen !== null && here.current?.seq !== chosen.seq) here.current = placeIn(timeline, chosen);
  const steer = (event: KeyboardEvent): void => {
    const next = placeByKey(event.key, marks, here.current);
    if (next === undefined) return;
    event.preventDefault();
    here.current = next;
    choose(next.seq);
  };
  const click = ({ offsetX, offsetY, currentTarget }: MouseEvent): void => {
    if (!(currentTarget instanceof Element)) return;
    const line = lines[Math.floor(offsetY / ROW_PX)];
    const seq = nearest(line, (offsetX / currentTarget.clientWidth) * columns);
    if (seq !== null) choose(seq);
  };
  return html`
    <div class="lives">
      <div class="lives-names">
        ${lines.map(
          ({ agent }) => html`<span key=${agent}><${PrincipalLink} id=${agent} /></span>`,
        )}
      </div>
      <svg class="lives-rows" preserveAspectRatio="none" onClick=${click}
        role="slider" tabindex="0" onKeyDown=${steer}
        aria-valuemin=${from_ms} aria-valuemax=${to_ms}
        aria-valuenow=${chosen?.at_ms ?? from_ms} aria-valuetext=${chosenText(chosen)}
        viewBox=${`0 0 ${columns} ${Math.max(1, lines.length)}`}
        style=${{ height: `${lines.length * ROW_PX}px` }}
        aria-label=${`Moments of ${countText(lines.length, "agent")} over ${length}`}>
        ${lines.map(
          (line, row) =>
            html`<path class="lives-marks" key=${line.agent} d=${marksPath(line, row)} />`,
        )}
        ${chosen !== null && html`<${Leads} of=${chosen} rows=${rows} timeline=${timeline} />`}
      </svg>
      <span></span>
      <p class="note density-note">
        <span>${momentText(from_ms)}</span><span>${momentText(to_ms)}</span>
      </p>
    </div>
    ${
      total > lines.length &&
      html`<p class="note">
        The first ${lines.length} of ${total} agents; the filter shows others.
      </p>`
    }
  `;
};

const chosenText = (chosen: MomentView | null): string =>
  chosen === null
    ? "no moment selected"
    : `${chosen.actor} at ${momentText(chosen.at_ms)}: ${chosen.name}`;

/** A mark of the timeline. */
type Place = { readonly row: number; readonly column: number; readonly seq: number };

const placeIn = (timeline: LifeTimeline, { actor, at_ms, seq }: MomentView): Place => {
  const row = timeline.lines.findIndex(({ agent }) => agent === actor);
  return { row: Math.max(0, row), column: Math.floor(columnAt(timeline, at_ms)), seq };
};

const columnAt = ({ columns, from_ms, to_ms }: LifeTimeline, atMs: number): number =>
  ((atMs - from_ms) / Math.max(1, to_ms - from_ms)) * columns;

type Marks = ReturnType<typeof marksIn>;

/** The mark to which a key leads. Undefined if the timeline does not use the key. */
const placeByKey = (key: string, rows: readonly Marks[], here: Place | null): Place | undefined => {
  const [along, down] = STEPS[key] ?? [];
  if (along === undefined || down === undefined) return undefined;
  const from = here ?? { row: 0, column: 0 };
  let row = from.row + down;
  // Skips rows without moments.
  while (down !== 0 && rows[row]?.length === 0) row += down;
  const marks = rows[row] ?? [];
  const at = marks.findLastIndex(({ column }) => column <= from.column);
  const next = here === null || down !== 0 ? Math.max(0, at) : at + along;
  const mark = marks[Math.min(marks.length - 1, Math.max(0, next))];
  return mark && { row, column: mark.column, seq: mark.seq };
};

/** How many marks each key moves along its row, and how many rows down. */
const STEPS: { readonly [key: string]: readonly [along: number, down: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [Number.NEGATIVE_INFINITY, 0],
  End: [Number.POSITIVE_INFINITY, 0],
};

const MARK = 3;

/** The marks of a line, each with its column, its number of moments, and its last moment. */
const marksIn = ({ marks }: LifeLine) =>
  Array.from({ length: marks.length / MARK }, (_, at) => {
    const [column = 0, count = 0, seq = 0] = marks.slice(at * MARK, at * MARK + MARK);
    return { column, count, seq };
  });

/** Columns with more moments are taller. */
const marksPath = (line: LifeLine, row: number): string =>
  marksIn(line)
    .map(({ column, count }) => {
      const height = Math.min(0.9, 0.35 + 0.15 * count);
      return `M${column} ${row + 0.95 - height}h.8v${height}h-.8z`;
    })
    .join("");

const nearest = (line: LifeLine | undefined, column: number): number | null => {
  if (line === undefined) return null;
  const sorted = marksIn(line).toSorted(
    (a, b) => Math.abs(a.column - column) - Math.abs(b.column - column),
  );
  return sorted[0]?.seq ?? null;
};

type LeadParts = {
  readonly of: MomentView;
  readonly rows: ReadonlyMap<string, number>;
  readonly timeline: LifeTimeline;
};

const Leads = ({ of, rows, timeline }: LeadParts) => {
  const x = (atMs: number): number => columnAt(timeline, atMs);
  const own = rows.get(of.actor);
  if (own === undefined) return null;
  const from = `M${x(of.at_ms)} ${own + 0.5}`;
  const lead = (atMs: number, actor: string): string => {
    const row = rows.get(actor);
    return row === undefined ? "" : `${from}L${x(atMs)} ${row + 0.5}`;
  };
  return html`
    ${of.threads.map(
      ({ artifact, moments }, at) => html`<path key=${artifact}
        class="lives-thread" stroke=${`var(--tone-${(at % TONES) + 1})`}
        vector-effect="non-scaling-stroke"
        d=${moments
          .filter(({ amount, wrote }) => amount !== 0 || wrote)
          .map(({ at_ms, actor }) => lead(at_ms, actor))
          .join("")} />`,
    )}
    <path class="lives-chosen" d=${`M${x(of.at_ms) - 0.6} ${own}h1.2v1h-1.2z`} />
  `;
};
