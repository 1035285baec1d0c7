import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import type { MomentFigures, RunOverview } from "../../../figures/index.ts";
import {
  type Change,
  type ExplainedJump,
  type ExplainedMover,
  type LineSpec,
  type PeriodChanges,
  type RowsSpec,
  type RunJumps,
  WEALTH_LINES,
} from "../../../read/index.ts";
import {
  capitalised,
  isInPeriod,
  momentText,
  numberText,
  signedText,
} from "../../../text/index.ts";
import type { PaymentRow } from "../../routes/index.ts";
import { charts, LineChart, LorenzChart, RowsChart } from "../charts/index.ts";
import { Alert, Panel, Pending, Tiles } from "../parts/parts.ts";
import { type Column, numberColumn, proseColumn, Table, textColumn } from "../parts/table.ts";
import { hashOf, periodOf } from "./core/address.ts";
import { type Answer, useAnswer } from "./core/api.ts";
import {
  artifactColumn,
  ForkNote,
  jumpAt,
  Link,
  MOMENT_COLUMN,
  PrincipalLink,
  periodQuery,
  periodText,
  placeOf,
  principalColumn,
  shownPeriod,
  useMoment,
  useView,
  type ViewParts,
} from "./core/view.ts";

const BARS = 10;

type Moment = MomentFigures & { readonly movers: readonly ExplainedMover[] };
type WholeRun = RunOverview & Moment & { readonly jumps: RunJumps };
/** What the server says of the period of the page. */
type OfPeriod = { readonly changes: Answer<PeriodChanges>; readonly jumps: Answer<RunJumps> };

export const Overview = () => {
  const view = useView();
  const { address, tick, path, agents } = view;
  const whole = useAnswer<WholeRun>(`${path}/overview`, tick.seq);
  const past = useMoment<Moment>(address.at === null ? null : "/figures");
  const query = periodQuery(view);
  const changes = useMoment<PeriodChanges>(query === null ? null : `/period?${query}`);
  const jumps = useAnswer<RunJumps>(query === null ? null : `${path}/jumps?${query}`, tick.seq);
  const ofPeriod = query === null ? null : { changes, jumps };
  // The lines show the whole run, and mark the moment. All other figures are those of the moment.
  const { value: answered, problem } = address.at === null ? whole : past;
  const shown = useRef<Moment | null>(null);
  // Until another moment has its figures, shows the last ones.
  const value = answered ?? shown.current;
  shown.current = value;
  const { from, to } = periodOf(address);
  const periodJumps = ofPeriod?.jumps.value ?? null;
  // The links of the marks keep the period. Another moment changes neither lines nor links.
  const lines = useMemo(
    () => whole.value && linesOf(whole.value, view, periodJumps),
    [whole.value, from, to, periodJumps],
  );
  const specs = useMemo(() => value && specsOf(value, view), [value, agents]);
  if (value === null || specs === null || lines === null) {
    return html`<${Pending} problem=${problem ?? whole.problem} />`;
  }
  const [wealth, ...others] = lines;
  return html`
    <${ForkNote} from=${value.counted_from} />
    <p class="note">Figures at ${momentText(value.at_ms)}</p>
    <${Tiles} tiles=${charts.tilesOf(value)} />
    <${Alarms} periods=${value.alarms} atMs=${value.at_ms} />
    <h2 class="unseen">Charts</h2>
    <div class="pictures">
      <${LineChart} spec=${wealth} wide=${true} />
      ${ofPeriod !== null && html`<${PeriodSummary} ...${ofPeriod} />`}
      <div class="is-wide"><${LargestPayments} /></div>
      ${others.map((spec) => html`<${LineChart} key=${spec.title} spec=${spec} />`)}
      <${LorenzChart} spec=${specs.lorenz} />
      ${specs.bars.map((spec) => html`<${RowsChart} key=${spec.title} spec=${spec} />`)}
      ${
        ofPeriod === null
          ? html`<${PriceMovers} movers=${value.movers}
              when=${`up to ${momentText(value.at_ms)}`} />`
          : changes.value !== null &&
            html`<${PriceMovers} movers=${changes.value.movers}
              when=${periodText(changes.value)} />`
      }
    </div>
  `;
};

const linesOf = (overview: WholeRun, view: ViewParts, ofPeriod: RunJumps | null) => {
  const { address } = view;
  const period = shownPeriod(view);
  const isShown = ({ at_ms: atMs }: ExplainedJump): boolean => isInPeriod(period, atMs);
  const { wealth, prices } = ofPeriod ?? overview.jumps;
  const when =
    period === null
      ? {}
      : { jumpsWhen: periodText({ from_ms: period.fromMs, to_ms: period.toMs }) };
  // A payment between two agents changes both curves. It has one mark.
  const payments = new Map(wealth.filter(isShown).map((jump) => [jump.seq, jump]));
  const marks = [
    ...[...payments.values()].map((jump) => jumpAt(jump, jump.agent, address)),
    // The changes of the richest agent lead to its page.
    ...charts.overtakings(overview.timeline, period).map(({ atMs, leader, before }) => {
      const place = { ...address, view: "agents", item: leader, at: null };
      const says =
        before === null
          ? `${leader} becomes the richest agent`
          : `${leader} overtakes ${before} as the richest agent`;
      const href = hashOf({ ...place, moment: `${atMs / 1_000}s` });
      return { label: leader, atMs, says, href };
    }),
  ].sort((one, other) => one.atMs - other.atMs);
  const first: LineSpec = { ...charts.wealthLines(overview, WEALTH_LINES), ...when, jumps: marks };
  const others = charts.RUN_LINES.filter(({ isLive }) => isLive).map(({ specOf }): LineSpec => {
    if (specOf !== charts.prices) return specOf(overview);
    const jumps = prices.filter(isShown).map((jump) => jumpAt(jump, charts.PRICE_INDEX, address));
    return { ...specOf(overview), ...when, jumps };
  });
  return [first, ...others] as const;
};

/** The charts of the moment of the page, which say so. */
const specsOf = (figures: MomentFigures, view: ViewParts) => {
  const atMoment = <Spec extends { readonly note: string }>(spec: Spec): Spec => ({
    ...spec,
    note: `${spec.note} At ${momentText(figures.at_ms)}.`,
  });
  const linked = (spec: RowsSpec): RowsSpec => ({
    ...spec,
    rows: spec.rows.map((row) => ({ ...row, href: hashOf(placeOf(view, row.label)) })),
  });
  const bars = [charts.richest(figures, BARS), charts.sellers(figures, BARS)];
  return {
    lorenz: atMoment(charts.distribution(figures)),
    bars: bars.map((spec) => atMoment(linked(spec))),
  };
};

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

/** The largest payments of the run or of the period, each with the way to the thought behind it. */
const LargestPayments = () => {
  const query = periodQuery(useView());
  const asked = useMoment<{ readonly payments: readonly PaymentRow[] }>(`/payments?${query ?? ""}`);
  const { value, problem } = asked;
  const of = query === null ? "run" : "period";
  return html`
    <${Panel} title="Largest payments">
      <p class="note">Of the ${of}, between principals and from the mint. <em>Explain</em> leads to
        the thought behind a payment.</p>
      ${
        value === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Table} caption=${`Largest payments of the ${of}`} columns=${PAYMENTS}
                rows=${value.payments} />`
      }
    <//>
  `;
};

const PAYMENTS: readonly Column<PaymentRow>[] = [
  MOMENT_COLUMN,
  numberColumn("scrip", "amount"),
  {
    title: "from → to",
    cell: ({ from, to }) => html`
      ${from === null ? "the mint" : html`<${PrincipalLink} id=${from} />`} →
      ${" "}<${PrincipalLink} id=${to} />
    `,
  },
  artifactColumn(
    "for",
    ({ artifact }) => artifact,
    ({ what }) => what,
  ),
  proseColumn("what happened", ({ says }) => says),
  { title: "why", cell: (payment) => html`<${Explain} ...${payment} />` },
];

/** The trail of a payment on the page of the agent that received it, or else that paid it. */
const Explain = ({ seq, from, to }: PaymentRow) => {
  const { address, agents } = useView();
  const item = [to, from].find((id) => id !== null && agents.has(id)) ?? null;
  const filter = { ...periodOf(address), payment: String(seq) };
  return item === null
    ? "–"
    : html`<${Link} to=${{ ...address, view: "agents", item, filter }}>Explain<//>`;
};

const ENDS: readonly Column<Change>[] = [
  numberColumn("at the start", "from"),
  numberColumn("at the end", "to"),
  numberColumn("change", ({ from, to }) => to - from, signedText),
];

/** What changed in the period that the page shows. */
const PeriodSummary = ({ changes, jumps }: OfPeriod) => {
  const problems = new Set([changes.problem, jumps.problem].filter((each) => each !== null));
  const { value } = changes;
  return html`
    ${[...problems].map((each) => html`<div class="is-wide"><${Alert} problem=${each} /></div>`)}
    ${
      value === null
        ? problems.size === 0 && html`<div class="is-wide"><${Pending} problem=${null} /></div>`
        : html`
          <${Panel} title="What changed in the period" class="is-wide" note=${noteOf(value)}>
            <${Table} caption="Figures" rows=${value.figures.map(rounded)}
              columns=${[textColumn<Change>("figure", ({ name }) => name), ...ENDS]} />
            <${Table} caption="The largest changes of wealth" rows=${value.wealth}
              columns=${[principalColumn<Change>("agent", ({ name }) => name), ...ENDS]} />
          <//>`
    }
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

type MoverParts = {
  readonly movers: readonly ExplainedMover[];
  /** Of which events, such as `from 2:00.0 to 2:30.0`. */
  readonly when: string;
};

const MOVERS: readonly Column<ExplainedMover>[] = [
  artifactColumn("program", ({ artifact }) => artifact),
  numberColumn(
    "moved the index by",
    ({ factor }) => factor - 1,
    (share) => `${signedText(Math.round((share ?? 0) * 1_000) / 10)} %`,
  ),
  numberColumn("first paid", "first_price"),
  numberColumn("last paid", "last_price"),
  numberColumn("paid calls", "sales"),
  { title: "largest change set by", cell: (mover) => html`<${PriceEdit} ...${mover} />` },
];

const MOVERS_NOTE =
  "The five programs of each direction. The change of the price index is the product of what all " +
  "programs did. A price counts when it is paid, in proportion to what the program sells, so it " +
  "can be set some time before. The last column leads to the program just after its price was set.";

/** The programs whose prices moved the price index, by how much, and who set the price. */
const PriceMovers = ({ movers, when }: MoverParts) => html`
  <${Panel} title=${`What moved the prices ${when}`} class="is-wide" note=${MOVERS_NOTE}>
    <${Table} caption="What moved the prices" columns=${MOVERS} rows=${movers} />
  <//>
`;

/** The write that set the price, with a link to the program just after it. */
const PriceEdit = ({ artifact, edit }: ExplainedMover) => {
  const { address } = useView();
  if (edit === null) return "–";
  const place = { ...address, view: "artifacts", item: artifact, filter: periodOf(address) };
  const prices = [edit.from, edit.to].filter((price) => price !== null).map(numberText);
  return html`
    <${Link} to=${{ ...place, at: edit.seq }}>${momentText(edit.at_ms)}<//>
    ${" "}<${PrincipalLink} id=${edit.by} />: ${prices.join(" → ")}
  `;
};
