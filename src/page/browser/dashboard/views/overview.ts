import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { type MomentFigures, type RunOverview, WEALTH_LINES } from "../../../../read/index.ts";
import { isInPeriod } from "../../../../text/index.ts";
import type {
  ExplainedJump,
  ExplainedMover,
  PeriodChanges,
  RunJumps,
} from "../../../routes/index.ts";
import {
  ChartPanel,
  charts,
  lineChart,
  lorenzChart,
  type RowsSpec,
  rowsChart,
} from "../../charts/index.ts";
import { Alert, Pending, Tiles } from "../../parts/parts.ts";
import { momentText } from "../../parts/text.ts";
import { type Address, hashOf, periodOf } from "../address.ts";
import { type Answer, useAnswer } from "../api.ts";
import { ForkNote, jumpAt, placeOf, useMoment, type ViewParts } from "../view.ts";
import { LargestPayments } from "./largest-payments.ts";
import { atMoment, periodQuery, periodText, shownPeriod } from "./period.ts";
import { PeriodSummary } from "./period-summary.ts";
import { PriceMovers } from "./price-movers.ts";

const BARS = 10;

export const Overview = (parts: ViewParts) => {
  const { address, tick, path, agents } = parts;
  const whole = useAnswer<WholeRun>(`${path}/overview`, tick.seq);
  const past = useMoment<Moment>(address.at === null ? null : `${path}/figures`, parts);
  // The lines show the whole run, and mark the moment. All other figures are those of the moment.
  const { value: answered, problem } = address.at === null ? whole : past;
  const shown = useRef<Moment | null>(null);
  // Until another moment has its figures, shows the last ones.
  const value = answered ?? shown.current;
  shown.current = value;
  const { from, to } = periodOf(address);
  const ofPeriod = usePeriodFigures(parts);
  const jumps = ofPeriod?.jumps.value ?? null;
  // The links of the marks keep the period. Another moment changes neither lines nor links.
  const lines = useMemo(
    () => whole.value && linesOf(whole.value, parts, jumps),
    [whole.value, from, to, jumps],
  );
  const specs = useMemo(() => value && specsOf(value, parts), [value, agents]);
  if (value === null || specs === null || lines === null) {
    return html`<${Pending} problem=${problem ?? whole.problem} />`;
  }
  const { lorenz, bars } = specs;
  return html`
    <${ForkNote} from=${value.counted_from} />
    <p class="note">Figures at ${momentText(value.at_ms)}</p>
    <${Tiles} tiles=${charts.tilesOf(value)} />
    <${Alarms} periods=${value.alarms} atMs=${value.at_ms} />
    <h2 class="unseen">Charts</h2>
    <div class="pictures">
      ${lines.map(
        (spec, at) => html`<${ChartPanel} key=${at} make=${lineChart} spec=${spec}
          wide=${at === 0} />
          ${
            at === 0 &&
            html`${ofPeriod !== null && html`<${Summary} ...${ofPeriod} parts=${parts} />`}
            <div class="is-wide"><${LargestPayments} ...${parts} /></div>`
          }`,
      )}
      <${ChartPanel} make=${lorenzChart} spec=${lorenz} />
      ${bars.map((spec) => html`<${ChartPanel} key=${spec.title} make=${rowsChart} spec=${spec} />`)}
      ${moversIn(ofPeriod, value, parts)}
    </div>
  `;
};

type Moment = MomentFigures & { readonly movers: readonly ExplainedMover[] };
type WholeRun = RunOverview & Moment & { readonly jumps: RunJumps };

type PeriodFigures = { readonly changes: Answer<PeriodChanges>; readonly jumps: Answer<RunJumps> };

/** What the server says of the period of the page. Null without a period. */
const usePeriodFigures = (parts: ViewParts): PeriodFigures | null => {
  const { path, tick } = parts;
  const query = periodQuery(parts);
  const isSet = query !== null;
  const changes = useMoment<PeriodChanges>(isSet ? `${path}/period?${query}` : null, parts);
  const jumps = useAnswer<RunJumps>(isSet ? `${path}/jumps?${query}` : null, tick.seq);
  return isSet ? { changes, jumps } : null;
};

const Summary = ({ changes, jumps, parts }: PeriodFigures & { readonly parts: ViewParts }) => {
  const problems = new Set([changes.problem, jumps.problem].filter((each) => each !== null));
  return html`
    ${[...problems].map((each) => html`<div class="is-wide"><${Alert} problem=${each} /></div>`)}
    ${
      changes.value === null
        ? problems.size === 0 && html`<div class="is-wide"><${Pending} problem=${null} /></div>`
        : html`<${PeriodSummary} changes=${changes.value} parts=${parts} />`
    }
  `;
};

/** The movers of the period, or without a period those of the run. Null until they are known. */
const moversIn = (ofPeriod: PeriodFigures | null, value: Moment, parts: ViewParts) => {
  if (ofPeriod === null) {
    const when = `up to ${momentText(value.at_ms)}`;
    return html`<${PriceMovers} movers=${value.movers} when=${when} parts=${parts} />`;
  }
  const changes = ofPeriod.changes.value;
  if (changes === null) return null;
  const when = periodText(changes);
  return html`<${PriceMovers} movers=${changes.movers} when=${when} parts=${parts} />`;
};

const linesOf = (overview: WholeRun, parts: ViewParts, ofPeriod: RunJumps | null) => {
  const { address } = parts;
  const { timeline } = overview;
  const period = shownPeriod(parts);
  const isShown = ({ at_ms: atMs }: ExplainedJump): boolean => isInPeriod(period, atMs);
  const { wealth, prices } = ofPeriod ?? overview.jumps;
  const when =
    period === null
      ? {}
      : { jumpsWhen: periodText({ from_ms: period.fromMs, to_ms: period.toMs }) };
  const marks = [
    ...wealthMarks(wealth.filter(isShown), address),
    ...leaderMarks(charts.overtakings(timeline, period), address),
  ].sort((one, other) => one.atMs - other.atMs);
  const priceMark = (jump: ExplainedJump) => jumpAt(jump, charts.PRICE_INDEX, address);
  return [
    { ...charts.wealthLines(overview, WEALTH_LINES), ...when, jumps: marks },
    ...charts.RUN_LINES.filter(({ isLive }) => isLive).map(({ specOf }) =>
      specOf === charts.prices
        ? { ...specOf(overview), ...when, jumps: prices.filter(isShown).map(priceMark) }
        : specOf(overview),
    ),
  ];
};

/** The largest changes of wealth. */
const wealthMarks = (jumps: RunJumps["wealth"], address: Address) =>
  // A payment between two agents changes both curves. It has one mark.
  [...new Map(jumps.map((jump) => [jump.seq, jump])).values()].map((jump) =>
    jumpAt(jump, jump.agent, address),
  );

/** The changes of the richest agent. They lead to its page. */
const leaderMarks = (leads: ReturnType<typeof charts.overtakings>, address: Address) =>
  leads.map(({ atMs, leader, before }) => ({
    ...{ label: leader, atMs, says: leadText(leader, before) },
    href: hashOf({
      ...address,
      view: "agents",
      item: leader,
      at: null,
      moment: `${atMs / 1_000}s`,
    }),
  }));

const leadText = (leader: string, before: string | null): string =>
  before === null
    ? `${leader} becomes the richest agent`
    : `${leader} overtakes ${before} as the richest agent`;

const specsOf = (overview: MomentFigures, parts: ViewParts) => ({
  lorenz: atMoment(charts.distribution(overview), overview.at_ms),
  bars: [charts.richest(overview, BARS), charts.sellers(overview, BARS)].map((spec) =>
    atMoment(linked(spec, parts), overview.at_ms),
  ),
});

const linked = (spec: RowsSpec, parts: ViewParts): RowsSpec => ({
  ...spec,
  rows: spec.rows.map((row) => ({ ...row, href: hashOf(placeOf(parts, row.label)) })),
});

type AlarmParts = { readonly periods: RunOverview["alarms"]; readonly atMs: number };

const Alarms = ({ periods, atMs }: AlarmParts) => {
  const active = periods.filter(
    ({ from_ms, to_ms }) => from_ms <= atMs && (to_ms === null || to_ms > atMs),
  );
  if (active.length === 0) return null;
  return html`
    <ul class="alarms" aria-label="Alarms">
      ${active.map(
        ({ alarm, from_ms, cause }) => html`<li>
          <strong>${alarm.replaceAll("_", " ")}</strong> since ${momentText(from_ms)}:
          ${" "}<bdi>${cause}</bdi>
        </li>`,
      )}
    </ul>
  `;
};
