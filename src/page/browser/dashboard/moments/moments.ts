import "../core/row-lines.css";
import "./moments.css";
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useReducer } from "preact/hooks";
import type { LifeTimeline, MomentRow, MomentView } from "../../../routes/index.ts";
import {
  Alert,
  Button,
  breakable,
  Facts,
  type NameAndValue,
  Panel,
  Pending,
  Text,
} from "../../parts/parts.ts";
import {
  countText,
  momentText,
  numberText,
  proseText,
  signedText,
  wordsText,
} from "../../parts/text.ts";
import { filterQuery, go, useFilter } from "../core/address.ts";
import { RowLines, RowPages } from "../core/row-lines.ts";
import {
  ArtifactLink,
  atQuery,
  MomentLink,
  PrincipalLink,
  useMoment,
  type ViewParts,
  versionOf,
} from "../core/view.ts";
import { Timeline } from "./life-timeline.ts";

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
  readonly parts: ViewParts;
};

const MomentFilters = ({ typed, set, verbs, total, parts }: FilterParts) => {
  const change = (name: keyof TypedMoments) => (event: Event) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === "checkbox") {
      set({ ...typed, [name]: target.checked ? "true" : "" });
    } else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      set({ ...typed, [name]: target.value });
    }
  };
  return html`
    <div class="tools" role="search">
      <input type="search" aria-label="Agent" placeholder="agent" value=${typed.agent}
        list="moment-agents" onInput=${change("agent")} />
      <datalist id="moment-agents">
        ${[...parts.agents].map((id) => html`<option value=${id}></option>`)}
      </datalist>
      <input type="search" aria-label="Artifact" placeholder="artifact" value=${typed.artifact}
        onInput=${change("artifact")} />
      <label><input type="checkbox" checked=${typed.led === "true"}
        onChange=${change("led")} /> only what led to it</label>
      <select aria-label="Verb" value=${typed.verb} onChange=${change("verb")}>
        <option value="">all verbs</option>
        ${Object.entries(verbs).map(
          ([verb, times]) => html`<option value=${verb}>${verb} (${numberText(times)})</option>`,
        )}
      </select>
      <input type="search" class="is-short" aria-label="From" placeholder="from 2m"
        value=${typed.from} onInput=${change("from")} />
      <input type="search" class="is-short" aria-label="To" placeholder="to 4m"
        value=${typed.to} onInput=${change("to")} />
      <input type="search" aria-label="Search by meaning" placeholder="search by meaning"
        value=${typed.search} onInput=${change("search")} />
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
  readonly parts: ViewParts;
};

/** The text of a moment, its money, and what became of its artifacts. */
const ChosenMoment = ({ of, choose, trace, parts }: ChosenParts) => {
  const { name, id, prose, previous, next, threads } = of;
  return html`
    <section class="picked" aria-label="Selected moment">
      <h3><bdi>${name}</bdi></h3>
      <p class="note is-id"><bdi>${breakable(id)}</bdi></p>
      <p class="tools">
        <${Step} seq=${previous} choose=${choose}>Before<//>${" "}
        <${Step} seq=${next} choose=${choose}>After<//>
      </p>
      <${Facts} facts=${factsOf(of, parts)} />
      <${Text} label="What happened" text=${proseText(prose)} />
      ${of.money.length > 0 && html`<${Money} of=${of} parts=${parts} />`}
      ${threads.map(
        (thread) => html`<${Thread} key=${thread.artifact} of=${thread} choose=${choose}
          trace=${trace} parts=${parts} />`,
      )}
    </section>
  `;
};

type StepParts = {
  readonly seq: number | null;
  readonly choose: (seq: number) => void;
  readonly children?: ComponentChildren;
};

const Step = ({ seq, choose, children }: StepParts) => html`
  <${Button} isOff=${seq === null} onClick=${() => seq !== null && choose(seq)}>${children}<//>
`;

const factsOf = (of: MomentView, parts: ViewParts): readonly NameAndValue[] => {
  const { seq, at_ms, actor, type, action, target, method, problem, space, narratives } = of;
  const asked = narratives.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  return [
    ["agent", PrincipalLink({ id: actor, parts })],
    ["time", html`${MomentLink({ seq, atMs: at_ms, parts })}, event ${numberText(seq)}`],
    ["type", type.toLowerCase()],
    ["where", space],
    ["action", wordsText(action, target, method)],
    ...(problem === null ? [] : [["failed", problem] as const]),
    ...(asked === "" ? [] : [["about", asked] as const]),
    ["paid", numberText(of.paid)],
    ["received", of.minted > 0 ? mintedText(of) : numberText(of.received)],
  ];
};

const mintedText = ({ received, minted }: MomentView): string =>
  `${numberText(received)}, of which ${numberText(minted)} is new`;

const Money = ({ of, parts }: { readonly of: MomentView; readonly parts: ViewParts }) => html`
  <h4>Money</h4>
  <ul class="plain">
    ${of.money.map(
      ({ seq, amount, what, other, artifact, later }) => html`<li key=${seq}>
        <strong>${signedText(amount)} scrip</strong> ${what}
        ${
          other !== null &&
          html` ${amount > 0 ? "from" : "to"} <${PrincipalLink} id=${other}
          parts=${parts} />`
        }
        ${artifact !== null && html` for <${ArtifactLink} id=${artifact} parts=${parts} />`}
        ${later && html` <span class="note">later, in event ${numberText(seq)}</span>`}
      </li>`,
    )}
  </ul>
`;

const MOMENTS_SHOWN = 8;

type ThreadParts = Omit<ChosenParts, "of"> & { readonly of: MomentView["threads"][number] };

const Thread = ({ of, choose, trace, parts }: ThreadParts) => {
  const { artifact, earned, minted, total, moments } = of;
  const paid = moments.filter(({ amount, wrote }) => amount !== 0 || wrote);
  const shown = paid.slice(-MOMENTS_SHOWN);
  return html`
    <h4><${ArtifactLink} id=${artifact} parts=${parts} /></h4>
    <p>
      In ${numberText(total)} moments; earned ${numberText(earned)} scrip, and
      ${" "}${numberText(minted)} from the mint.
      ${" "}<button type="button" onClick=${() => trace(artifact)}>What led to it</button>
    </p>
    <ul class="plain">
      ${shown.map(
        ({ seq, at_ms, actor, amount, wrote }) => html`<li key=${seq}>
          <button type="button" onClick=${() => choose(seq)}>${momentText(at_ms)}</button>
          ${" "}<bdi>${actor}</bdi> ${wrote ? "wrote it" : `${signedText(amount)} scrip`}
        </li>`,
      )}
    </ul>
  `;
};
