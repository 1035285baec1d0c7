import {
  type CsvCell as Cell,
  csvLine,
  type Report,
  type ReportHeader,
  type RunMetrics,
} from "../../figures/index.ts";
import { FLOW_KINDS, INCOME_SOURCES } from "../../run/index.ts";
import { metricNumbers, timelineRows } from "../export/figure-tables.ts";

type CsvFile = { readonly name: string; readonly text: string };

export const csvFiles = (report: Report, header: ReportHeader): readonly CsvFile[] => {
  const { metrics, model_calls } = report;
  const { timeline, network, services, wealth, work, schedule, alarms } = metrics;
  const models = model_calls.by_model;
  const gains = gainRows(metrics.gains_from_trade);
  return [
    csvFile("figures", ["figure", "value"], [...headerRows(report, header), ...figuresOf(report)]),
    csvFile("principals", ...principalTable(report)),
    csvFile("groups", ...tableOf(report.groups)),
    csvFile("timeline", ...tableOf(timelineRows(timeline))),
    csvFile(
      "wealth",
      ["at_ms", ...timeline.wealth.map(({ id }) => id)],
      timeline.at_ms.map((at, row) => [at, ...timeline.wealth.map(({ scrip }) => scrip[row])]),
    ),
    csvFile(
      "errors",
      ["at_ms", ...timeline.errors.map(({ code }) => code)],
      timeline.at_ms.map((at, row) => [at, ...timeline.errors.map(({ times }) => times[row])]),
    ),
    csvFile("error_totals", ...tableOf(work.top_errors, ["code", "times"])),
    csvFile("lorenz", ...tableOf(wealth.lorenz)),
    csvFile("trade_nodes", ...tableOf(network.nodes, NODE)),
    csvFile("trade_edges", ...tableOf(network.edges, EDGE)),
    csvFile("services", ...tableOf(services, SERVICE)),
    csvFile("schedule", ...tableOf(schedule, SCHEDULE)),
    csvFile("alarms", ...tableOf(alarms, ALARM)),
    ...(gains.length === 0 ? [] : [csvFile("gains", ...tableOf(gains))]),
    ...(models.length === 0 ? [] : [csvFile("models", ...tableOf(models))]),
  ];
};

/** One row for each artifact and agent. The figures of the artifact repeat. */
const gainRows = ({ artifacts }: RunMetrics["gains_from_trade"]): readonly Row[] =>
  artifacts.flatMap(({ gains, sales: _sales, ...artifact }) =>
    gains.map((gain) => ({ ...artifact, ...gain })),
  );

const NODE = ["id", "agent", "paid", "received", "partners"];
const EDGE = ["from", "to", "payments", "amount"];
const SERVICE = "artifact seller sales revenue customers first_price last_price".split(" ");
const ALARM = ["alarm", "from_ms", "to_ms", "cause"];
const SCHEDULE = ["at_ms", "change", "problem"];

type Table = readonly [head: readonly string[], rows: readonly (readonly Cell[])[]];

const headerRows = (
  { counted_from: from, at_ms }: Report,
  { seed, clock, version, settings }: ReportHeader,
): readonly (readonly Cell[])[] => [
  ["seed", seed],
  ["clock", clock],
  ["version", version],
  ["at_ms", at_ms],
  ["forked_from", from.run],
  ["counted_from_seq", from.seq],
  ...(settings ?? []).map(({ key, value }) => [`settings.${key}`, value]),
];

/** All single-number figures. A figure's name is its path in the output of `sim report --json`. */
const figuresOf = ({ economy, metrics }: Report): readonly (readonly Cell[])[] => [
  ["economy.artifacts", economy.artifacts],
  ["economy.principals", economy.principals],
  ...metricNumbers(metrics),
];

const RECEIVED = FLOW_KINDS.filter(
  (kind) => kind !== "mint_price" && kind !== "compute_price" && kind !== "burned",
);
const GIVEN = FLOW_KINDS.filter((kind) => kind !== "mint" && kind !== "proceeds");

const principalTable = ({ metrics }: Report): Table => {
  const flat = metrics.principals.map(({ income, received_by, given_by, ...about }) => ({
    ...about,
    ...Object.fromEntries(INCOME_SOURCES.map((source) => [`income_${source}`, income[source]])),
    ...Object.fromEntries(RECEIVED.map((kind) => [`received_${kind}`, received_by[kind] ?? 0])),
    ...Object.fromEntries(GIVEN.map((kind) => [`given_${kind}`, given_by[kind] ?? 0])),
  }));
  return tableOf(flat);
};

type Row = { readonly [key: string]: Cell };

/** Returns a table. All rows must have the same keys. Pass `keys` if `rows` may be empty. */
const tableOf = (rows: readonly Row[], keys = Object.keys(rows[0] ?? {})): Table => [
  keys,
  rows.map((row) => keys.map((key) => row[key])),
];

const csvFile = (name: string, head: Table[0], rows: Table[1]): CsvFile => ({
  name: `${name}.csv`,
  text: [head, ...rows].map(csvLine).join(""),
});
