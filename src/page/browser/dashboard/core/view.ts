import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { ExperimentHead } from "../../../../experiment/index.ts";
import type { CountedFrom } from "../../../../read/index.ts";
import type { ExplainedJump, RunRecord, Tick } from "../../../routes/index.ts";
import type { TimeRange } from "../../charts/index.ts";
import { breakable } from "../../parts/parts.ts";
import { momentText, numberText } from "../../parts/text.ts";
import { type Address, filterQuery, hashOf, periodIn, periodOf } from "./address.ts";
import { type Answer, useAnswer } from "./api.ts";

export type RunsAnswer = {
  readonly runs: readonly RunRecord[];
  readonly live: string | null;
  /** The experiment that makes the runs, or null. */
  readonly experiment: ExperimentHead | null;
};

export type ViewParts = {
  readonly address: Address;
  readonly tick: Tick;
  readonly path: string;
  readonly runs: RunsAnswer | null;
  /** The ids of all agents. All other principals are programs. */
  readonly agents: ReadonlySet<string>;
};

/** The query parameter for the displayed moment, without a leading `?` or `&`. */
export const atQuery = ({ at }: Pick<Address, "at">): string => (at === null ? "" : `at=${at}`);

/** A number that changes when new data is available. For a past moment the number is constant. */
export const versionOf = ({ address, tick }: Pick<ViewParts, "address" | "tick">): number =>
  address.at ?? tick.seq;

/** The response for a path at the displayed moment. A path with a query must end in `&`. */
export const useMoment = <Value>(path: string | null, parts: ViewParts): Answer<Value> => {
  const separator = path?.includes("?") === true ? "" : "?";
  const asked = path === null ? null : `${path}${separator}${atQuery(parts.address)}`;
  return useAnswer<Value>(asked, versionOf(parts));
};

type LinkParts = { readonly to: Address; readonly children?: ComponentChildren };

export const Link = ({ to, children }: LinkParts) => html`
  <a class="link" href=${hashOf(to)}>
    <bdi>${typeof children === "string" ? breakable(children) : children}</bdi></a>
`;

type Linking = Pick<ViewParts, "address" | "agents">;

/** The address of a principal's page. A principal is an agent, or an artifact with a program. */
export const placeOf = ({ address, agents }: Linking, id: string): Address => ({
  ...address,
  view: agents.has(id) ? "agents" : "artifacts",
  item: id,
  filter: periodOf(address),
});

type Named = { readonly id: string; readonly parts: Linking };

export const PrincipalLink = ({ id, parts }: Named) => html`
  <${Link} to=${placeOf(parts, id)}>${id}<//>
`;

export const ArtifactLink = ({ id, parts }: Named) => html`
  <${Link} to=${{ ...parts.address, view: "artifacts", item: id }}>${id}<//>
`;

type MomentParts = {
  readonly seq: number;
  readonly atMs: number;
  readonly parts: Pick<ViewParts, "address">;
};

export const MomentLink = ({ seq, atMs, parts }: MomentParts) => html`
  <${Link} to=${{ ...parts.address, at: seq }}>${momentText(atMs)}<//>
`;

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

/** The ends of a period in ms of run time, as the server has cut them to the run. */
type Ends = { readonly from_ms: number; readonly to_ms: number };

type Shown = Pick<ViewParts, "address" | "tick">;

/** The period of the page in ms of run time, cut to the run, or null. */
export const shownPeriod = ({ address, tick }: Shown): TimeRange | null =>
  periodIn(address.filter ?? {}, { fromMs: tick.first_ms, toMs: tick.at_ms });

/** The period of the page as a query, with `&` at its end. Null without a period. */
export const periodQuery = (shown: Shown): string | null =>
  shownPeriod(shown) === null ? null : `${filterQuery(periodOf(shown.address))}&`;

/** Example: `from 2:00.0 to 2:30.0`. */
export const periodText = ({ from_ms: fromMs, to_ms: toMs }: Ends): string =>
  toMs < fromMs
    ? "in the period, which begins after this moment"
    : `from ${momentText(fromMs)} to ${momentText(toMs)}`;

/** Adds to the note of a chart the moment of its values, which are not those of a period. */
export const atMoment = <Spec extends { readonly note: string }>(
  spec: Spec,
  atMs: number,
): Spec => ({ ...spec, note: `${spec.note} At ${momentText(atMs)}.` });
