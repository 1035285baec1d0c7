import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { type MomentFigures, type RunOverview, WEALTH_LINES } from "../../../../read/index.ts";
import { capitalised, isInPeriod } from "../../../../text/index.ts";
import type {
  Change,
  ExplainedJump,
  ExplainedMover,
  PaymentRow,
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
import { Alert, Panel, Pending, Tiles } from "../../parts/parts.ts";
import { type Column, numberColumn, Table, textColumn } from "../../parts/table.ts";
import { momentText, numberText, signedText } from "../../parts/text.ts";
import { type Address, hashOf, periodOf } from "../core/address.ts";
import { type Answer, useAnswer } from "../core/api.ts";
import {
  ArtifactLink,
  atMoment,
  ForkNote,
  jumpAt,
  Link,
  MomentLink,
  PrincipalLink,
  periodQuery,
  periodText,
  placeOf,
  shownPeriod,
  useMoment,
  type ViewParts,
} from "../core/view.ts";

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
    label: leader,
    atMs,
    says: leadText(leader, before),
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

type Answered = { readonly payments: readonly PaymentRow[] };

/** The largest payments of the run or of the period, each with the way to the thought behind it. */
const LargestPayments = (parts: ViewParts) => {
  const query = periodQuery(parts);
  const { value, problem } = useMoment<Answered>(`${parts.path}/payments?${query ?? ""}`, parts);
  const of = query === null ? "run" : "period";
  return html`
    <${Panel} title="Largest payments">
      <p class="note">Of the ${of}, between principals and from the mint. <em>Explain</em> leads to
        the thought behind a payment.</p>
      ${
        value === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Table} caption=${`Largest payments of the ${of}`} columns=${columnsOf(parts)}
                rows=${value.payments} />`
      }
    <//>
  `;
};

const columnsOf = (parts: ViewParts): readonly Column<PaymentRow>[] => [
  { title: "at", isNumber: true, cell: ({ seq, at_ms: atMs }) => MomentLink({ seq, atMs, parts }) },
  numberColumn("scrip", "amount"),
  {
    title: "from → to",
    cell: ({ from, to }) => html`
      ${from === null ? "the mint" : html`<${PrincipalLink} id=${from} parts=${parts} />`} →
      ${" "}<${PrincipalLink} id=${to} parts=${parts} />
    `,
  },
  {
    title: "for",
    cell: ({ artifact: id, what }) => (id === null ? what : ArtifactLink({ id, parts })),
  },
  { title: "what happened", isProse: true, cell: ({ says }) => says },
  {
    title: "why",
    cell: (payment) => {
      const to = trailOf(payment, parts);
      return to === null ? "–" : html`<${Link} to=${to}>Explain<//>`;
    },
  },
];

/** The trail of a payment on the page of the agent that received it, or else that paid it. */
const trailOf = ({ seq, from, to }: PaymentRow, { address, agents }: ViewParts): Address | null => {
  const item = [to, from].find((id) => id !== null && agents.has(id)) ?? null;
  const filter = { ...periodOf(address), payment: String(seq) };
  return item === null ? null : { ...address, view: "agents", item, filter };
};

type SummaryParts = { readonly changes: PeriodChanges; readonly parts: ViewParts };

/** What changed in the period that the page shows. */
const PeriodSummary = ({ changes, parts }: SummaryParts) => {
  const agent: Column<Change> = {
    title: "agent",
    cell: ({ name: id }) => PrincipalLink({ id, parts }),
  };
  return html`
    <${Panel} title="What changed in the period" class="is-wide" note=${noteOf(changes)}>
      <${Table} caption="Figures" columns=${[textColumn("figure", nameOf), ...ENDS]}
        rows=${changes.figures.map(rounded)} />
      <${Table} caption="The largest changes of wealth" columns=${[agent, ...ENDS]}
        rows=${changes.wealth} />
    <//>
  `;
};

const noteOf = (changes: PeriodChanges): string => {
  const { from_ms: fromMs, to_ms: toMs, sums } = changes;
  if (toMs < fromMs) return "Nothing yet: the period begins after the moment that the page shows.";
  const flows = [
    `${numberText(sums.trades)} trades`,
    `${numberText(sums.turnover)} scrip paid`,
    `${numberText(sums.minted)} minted`,
    `${numberText(sums.burned)} burned`,
    `${numberText(sums.refused)} actions refused`,
  ].join(", ");
  return `${capitalised(periodText(changes))}, both included: ${flows}.`;
};

const DECIMALS: ReadonlyMap<string, number> = new Map([
  ["Gini", 3],
  ["price index", 2],
]);

/** The values as the table shows them, so that the change is their difference. */
const rounded = ({ name, from, to }: Change): Change => {
  const factor = 10 ** (DECIMALS.get(name) ?? 0);
  const round = (value: number): number => Math.round(value * factor) / factor;
  return { name, from: round(from), to: round(to) };
};

const nameOf = ({ name }: Change): string => name;

const ENDS: readonly Column<Change>[] = [
  numberColumn("at the start", "from"),
  numberColumn("at the end", "to"),
  numberColumn("change", ({ from, to }) => to - from, signedText),
];

type MoverParts = {
  readonly movers: readonly ExplainedMover[];
  /** Of which events, such as `from 2:00.0 to 2:30.0`. */
  readonly when: string;
  readonly parts: ViewParts;
};

/** The programs whose prices moved the price index, by how much, and who set the price. */
const PriceMovers = ({ movers, when, parts }: MoverParts) => {
  const columns: readonly Column<ExplainedMover>[] = [
    { title: "program", cell: ({ artifact: id }) => ArtifactLink({ id, parts }) },
    numberColumn("moved the index by", ({ factor }) => factor - 1, movedText),
    numberColumn("first paid", "first_price"),
    numberColumn("last paid", "last_price"),
    numberColumn("paid calls", "sales"),
    { title: "largest change set by", cell: (mover) => editOf(mover, parts) },
  ];
  return html`
    <${Panel} title=${`What moved the prices ${when}`} class="is-wide"
      note=${NOTE}>
      <${Table} caption="What moved the prices" columns=${columns} rows=${movers} />
    <//>
  `;
};

const NOTE =
  "The five programs of each direction. The change of the price index is the product of what all " +
  "programs did. A price counts when it is paid, in proportion to what the program sells, so it " +
  "can be set some time before. The last column leads to the program just after its price was set.";

/** The write that set the price, with a link to the program just after it. */
const editOf = ({ artifact, edit }: ExplainedMover, parts: ViewParts) => {
  if (edit === null) return "–";
  const { address } = parts;
  const place = { ...address, view: "artifacts", item: artifact, filter: periodOf(address) };
  const prices = [edit.from, edit.to].filter((price) => price !== null).map(numberText);
  return html`
    <${Link} to=${{ ...place, at: edit.seq }}>${momentText(edit.at_ms)}<//>
    ${" "}<${PrincipalLink} id=${edit.by} parts=${parts} />: ${prices.join(" → ")}
  `;
};

const movedText = (share: number | null): string =>
  `${signedText(Math.round((share ?? 0) * 1_000) / 10)} %`;
