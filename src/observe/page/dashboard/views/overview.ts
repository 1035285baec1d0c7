import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import type { RunJumps } from "../../../routes/index.ts";
import type { MomentFigures, RunOverview } from "../../../run-overview.ts";
import { type BarSpec, barChart, charts, lineChart, lorenzChart } from "../../charts/index.ts";
import { ChartPanel, Panel, Pending, Tiles } from "../../parts/parts.ts";
import { tilesOf } from "../../parts/run-tiles.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { momentText, signedText } from "../../parts/text.ts";
import { type Address, hashOf, periodOf } from "../address.ts";
import { useAnswer } from "../api.ts";
import { ArtifactLink, ForkNote, jumpAt, placeOf, useMoment, type ViewParts } from "../view.ts";
import { LargestPayments } from "./largest-payments.ts";
import { PeriodSummary } from "./period-summary.ts";

const WEALTH_LINES = 12;
const BARS = 10;

export const Overview = (parts: ViewParts) => {
  const { address, tick, path, agents } = parts;
  const whole = useAnswer<WholeRun>(`${path}/overview`, tick.seq);
  const past = useMoment<MomentFigures>(address.at === null ? null : `${path}/figures`, parts);
  // The lines show the whole run, and mark the moment. All other figures are those of the moment.
  const { value: answered, problem } = address.at === null ? whole : past;
  const shown = useRef<MomentFigures | null>(null);
  // Until another moment has its figures, shows the last ones.
  const value = answered ?? shown.current;
  shown.current = value;
  const { from, to } = periodOf(address);
  // The links of the marks keep the period. Another moment changes neither lines nor links.
  const lines = useMemo(
    () => whole.value && linesOf(whole.value, address),
    [whole.value, from, to],
  );
  const specs = useMemo(() => value && specsOf(value, parts), [value, agents]);
  if (value === null || specs === null || lines === null) {
    return html`<${Pending} problem=${problem ?? whole.problem} />`;
  }
  const { lorenz, bars } = specs;
  return html`
    <${ForkNote} from=${value.counted_from} />
    <${Tiles} tiles=${tilesOf(value)} />
    <${Alarms} periods=${value.alarms} atMs=${value.at_ms} />
    <h2 class="unseen">Charts</h2>
    <div class="pictures">
      ${lines.map(
        (spec, at) => html`<${ChartPanel} key=${at} make=${lineChart} spec=${spec}
          wide=${at === 0} />
          ${
            at === 0 &&
            html`<${PeriodSummary} timeline=${whole.value?.timeline} parts=${parts} />
            <div class="is-wide"><${LargestPayments} ...${parts} /></div>`
          }`,
      )}
      <${ChartPanel} make=${lorenzChart} spec=${lorenz} />
      ${bars.map((spec) => html`<${ChartPanel} key=${spec.title} make=${barChart} spec=${spec} />`)}
      <${PriceMovers} movers=${value.money.price_movers} parts=${parts} />
    </div>
  `;
};

type WholeRun = RunOverview & { readonly jumps: RunJumps };

const linesOf = (overview: WholeRun, address: Address) => [
  { ...charts.wealthLines(overview, WEALTH_LINES), jumps: wealthMarks(overview, address) },
  charts.pace(overview),
  {
    ...charts.prices(overview),
    jumps: overview.jumps.prices.map((jump) => jumpAt(jump, charts.PRICE_INDEX, address)),
  },
  charts.mint(overview),
  charts.refusals(overview),
  charts.cost(overview),
  charts.compute(overview),
];

/** The largest changes of wealth, and the changes of the richest agent. They lead to its page. */
const wealthMarks = ({ jumps, timeline }: WholeRun, address: Address) => {
  // A payment between two agents changes both curves. It has one mark.
  const changes = [...new Map(jumps.wealth.map((jump) => [jump.seq, jump])).values()].map((jump) =>
    jumpAt(jump, jump.agent, address),
  );
  const leaders = charts
    .overtakings(timeline)
    .map(({ atMs, leader, before }) => ({
      ...{ label: leader, atMs, says: leadText(leader, before) },
      href: hashOf({
        ...address,
        view: "agents",
        item: leader,
        at: null,
        moment: `${atMs / 1_000}s`,
      }),
    }));
  return [...changes, ...leaders].sort((one, other) => one.atMs - other.atMs);
};

const leadText = (leader: string, before: string | null): string =>
  before === null
    ? `${leader} becomes the richest agent`
    : `${leader} overtakes ${before} as the richest agent`;

const specsOf = (overview: MomentFigures, parts: ViewParts) => ({
  lorenz: charts.distribution(overview),
  bars: [
    linked(charts.richest(overview, BARS), parts),
    linked(charts.sellers(overview, BARS), parts),
  ],
});

const linked = (spec: BarSpec, parts: ViewParts): BarSpec => ({
  ...spec,
  rows: spec.rows.map((row) => ({ ...row, href: hashOf(placeOf(parts, row.label)) })),
});

type PriceMover = MomentFigures["money"]["price_movers"][number];

type MoverParts = { readonly movers: readonly PriceMover[]; readonly parts: ViewParts };

/** The programs whose prices moved the price index, with their part in it. */
const PriceMovers = ({ movers, parts }: MoverParts) => {
  const columns: readonly Column<PriceMover>[] = [
    { title: "program", cell: ({ artifact: id }) => ArtifactLink({ id, parts }) },
    numberColumn("moved the index by", ({ factor }) => factor - 1, movedText),
    numberColumn("first price", "first_price"),
    numberColumn("last price", "last_price"),
    numberColumn("paid calls", "sales"),
  ];
  return html`
    <${Panel} title="What moved the prices" class="is-wide"
      note="From the start of the run. The price index is the product of what all programs did.">
      <${Table} caption="What moved the prices" columns=${columns} rows=${movers} />
    <//>
  `;
};

const movedText = (share: number | null): string =>
  `${signedText(Math.round((share ?? 0) * 1_000) / 10)} %`;

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
