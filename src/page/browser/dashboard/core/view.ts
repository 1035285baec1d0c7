import { html } from "htm/preact";
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ExperimentHead } from "../../../../experiment/index.ts";
import type { CountedFrom } from "../../../../figures/index.ts";
import type { ExplainedJump } from "../../../../read/index.ts";
import { momentText, numberText, type Period } from "../../../../text/index.ts";
import type { RunRecord, Tick } from "../../../routes/index.ts";
import { breakable } from "../../parts/parts.ts";
import { type Column, textColumn } from "../../parts/table.ts";
import { type Address, filterQuery, hashOf, periodIn, periodOf } from "./address.ts";
import { type Answer, useAnswer } from "./api.ts";

export type RunsAnswer = {
  readonly runs: readonly RunRecord[];
  readonly live: string | null;
  /** The experiment that makes the runs, or null. */
  readonly experiment: ExperimentHead | null;
};

/** What the views of a run know of it, and of what the page shows. */
export type ViewParts = {
  readonly address: Address;
  readonly tick: Tick;
  readonly path: string;
  readonly runs: RunsAnswer | null;
  /** The ids of all agents. All other principals are programs. */
  readonly agents: ReadonlySet<string>;
};

export const ViewContext = createContext<ViewParts | null>(null);

export const useView = (): ViewParts => {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("only a view of a run knows its run");
  return view;
};

/** The query parameter for the displayed moment, without a leading `?` or `&`. */
export const atQuery = ({ at }: Pick<Address, "at">): string => (at === null ? "" : `at=${at}`);

/** A number that changes when new data is available. For a past moment the number is constant. */
export const versionOf = ({ address, tick }: ViewParts): number => address.at ?? tick.seq;

/** The answer of the run to a path, at the displayed moment. A path with a query must end in `&`. */
export const useMoment = <Value>(path: string | null): Answer<Value> => {
  const view = useView();
  const separator = path?.includes("?") === true ? "" : "?";
  const asked = path === null ? null : `${view.path}${path}${separator}${atQuery(view.address)}`;
  return useAnswer<Value>(asked, versionOf(view));
};

type LinkParts = { readonly to: Address; readonly children?: ComponentChildren };

export const Link = ({ to, children }: LinkParts) => html`
  <a class="link" href=${hashOf(to)}>
    <bdi>${typeof children === "string" ? breakable(children) : children}</bdi></a>
`;

/** The address of a principal's page. A principal is an agent, or an artifact with a program. */
export const placeOf = ({ address, agents }: ViewParts, id: string): Address => ({
  ...address,
  view: agents.has(id) ? "agents" : "artifacts",
  item: id,
  filter: periodOf(address),
});

export const PrincipalLink = ({ id }: { readonly id: string }) =>
  html`<${Link} to=${placeOf(useView(), id)}>${id}<//>`;

type ViewLinkParts = {
  readonly view: string;
  readonly item: string | null;
  readonly children?: ComponentChildren;
};

/** A link to a thing in a view, at the displayed moment. */
export const ViewLink = ({ view, item, children }: ViewLinkParts) =>
  html`<${Link} to=${{ ...useView().address, view, item }}>${children}<//>`;

export const ArtifactLink = ({ id }: { readonly id: string }) =>
  html`<${ViewLink} view="artifacts" item=${id}>${id}<//>`;

type MomentParts = { readonly seq: number; readonly atMs: number };

export const MomentLink = ({ seq, atMs }: MomentParts) =>
  html`<${Link} to=${{ ...useView().address, at: seq }}>${momentText(atMs)}<//>`;

/** Columns of links. Rows without a principal or an artifact have the text `none`. */
export const principalColumn = <Row>(
  title: string,
  of: (row: Row) => string | null,
  none = "–",
): Column<Row> => ({
  ...textColumn<Row>(title, (row) => of(row) ?? none),
  cell: (row) => {
    const id = of(row);
    return id === null ? none : html`<${PrincipalLink} id=${id} />`;
  },
});

export const artifactColumn = <Row>(
  title: string,
  of: (row: Row) => string | null,
  none: (row: Row) => string = () => "–",
): Column<Row> => ({
  ...textColumn<Row>(title, (row) => of(row) ?? none(row)),
  cell: (row) => {
    const id = of(row);
    return id === null ? none(row) : html`<${ArtifactLink} id=${id} />`;
  },
});

export const MOMENT_COLUMN: Column<{ readonly seq: number; readonly at_ms: number }> = {
  title: "at",
  isNumber: true,
  cell: ({ seq, at_ms }) => html`<${MomentLink} seq=${seq} atMs=${at_ms} />`,
};

/** A large change in a chart, with the address of its moment in the same view. */
export const jumpAt = (
  { seq, at_ms: atMs, says }: ExplainedJump,
  label: string,
  address: Address,
) => {
  return { label, atMs, says, href: hashOf({ ...address, at: seq }) };
};

export const ForkNote = ({ from }: { readonly from: CountedFrom }) =>
  from.run === null
    ? null
    : html`<p class="origin">Forked from${" "}
        <a href=${hashOf({ run: from.run, view: "overview", item: null, at: null })}>
          <bdi>${from.run}</bdi></a>:
        ${" "}figures count from event ${numberText(from.seq)},
        ${" "}${momentText(from.at_ms)}.</p>`;

/** The period of the page in ms of run time, cut to the run, or null. */
export const shownPeriod = ({ address, tick }: ViewParts): Period | null =>
  periodIn(address.filter ?? {}, { fromMs: tick.first_ms, toMs: tick.at_ms });

/** The period of the page as a query, with `&` at its end. Null without a period. */
export const periodQuery = (view: ViewParts): string | null =>
  shownPeriod(view) === null ? null : `${filterQuery(periodOf(view.address))}&`;

/** The period that the server has cut to the run. Example: `from 2:00.0 to 2:30.0`. */
export const periodText = ({ from_ms, to_ms }: { from_ms: number; to_ms: number }): string =>
  to_ms < from_ms
    ? "in the period, which begins after this moment"
    : `from ${momentText(from_ms)} to ${momentText(to_ms)}`;
