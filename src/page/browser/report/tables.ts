import { html } from "htm/preact";
import { gainsText, type Report } from "../../../read/index.ts";
import type { ReportPage } from "../../html/html-report.ts";

import { Panel } from "../parts/parts.ts";
import { type Column, numberColumn, SortedTable, textColumn } from "../parts/table.ts";
import { dollarText, momentText, percentText } from "../parts/text.ts";

const ROWS_FIRST = 50;

export const Tables = ({
  report: { metrics, groups: byGroup, model_calls },
}: Pick<ReportPage, "report">) => [
  section("Groups", groups, byGroup.some(({ group }) => group !== null) ? byGroup : []),
  section("Principals", principals, metrics.principals),
  section("Gains from trade", gains, metrics.gains_from_trade.artifacts),
  section("Services", services, metrics.services),
  section("Errors", errors(metrics.work.actions), metrics.work.top_errors),
  section("Models", models, model_calls.by_model),
  section("Schedule", schedule, metrics.schedule),
  section("Alarms", alarms, metrics.alarms),
];

const section = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  rows.length === 0
    ? null
    : html`<${Panel} title=${title} class="is-table">
        <${SortedTable} caption=${title} columns=${columns} rows=${rows} first=${ROWS_FIRST} />
      <//>`;

type Metrics = Report["metrics"];

const groups: readonly Column<Report["groups"][number]>[] = [
  textColumn("group", ({ group }) => group ?? "none"),
  numberColumn("agents", "agents"),
  numberColumn("wealth", "wealth"),
  numberColumn("mean wealth", "mean_wealth"),
  numberColumn("Gini", "gini"),
  numberColumn("earned", "earned"),
  numberColumn("paid", "paid"),
  numberColumn("actions", "actions"),
  numberColumn("failed", ({ actions, succeeded }) => actions - succeeded),
  numberColumn("thoughts", "thoughts"),
  numberColumn("budget spent", "cost_micros", dollarText),
];

const principals: readonly Column<Metrics["principals"][number]>[] = [
  textColumn("principal", ({ id }) => id),
  textColumn("state", ({ state }) => state ?? "program"),
  numberColumn("wealth", "wealth"),
  numberColumn("in own programs", "in_own_programs"),
  numberColumn("began with", "began_with"),
  numberColumn("earned", "earned"),
  numberColumn("of it sold", "revenue"),
  numberColumn("paid", "paid"),
  numberColumn("burned", "burned"),
  numberColumn("specialised", "specialisation", percentText),
  numberColumn("thoughts", "thoughts"),
  numberColumn("actions", "actions"),
  numberColumn("failed", ({ actions, succeeded }) => actions - succeeded),
  numberColumn("budget spent", "cost_micros", dollarText),
  numberColumn("frozen", "frozen_share", percentText),
];

const services: readonly Column<Metrics["services"][number]>[] = [
  textColumn("program", ({ artifact }) => artifact),
  textColumn("seller", ({ seller }) => seller),
  numberColumn("revenue", "revenue"),
  numberColumn("calls", "sales"),
  numberColumn("customers", "customers"),
  numberColumn("first price", "first_price"),
  numberColumn("last price", "last_price"),
];

const gains: readonly Column<Metrics["gains_from_trade"]["artifacts"][number]>[] = [
  textColumn("artifact", ({ artifact }) => artifact),
  textColumn("made by", ({ maker }) => maker ?? "no one"),
  textColumn("owned by", ({ owner }) => owner ?? "no one"),
  numberColumn("price", "price"),
  textColumn("gains", gainsText),
  numberColumn("realised", "realised"),
  numberColumn("possible", "possible"),
  numberColumn("efficiency", "efficiency", percentText),
];

const errors = (actions: number): readonly Column<Metrics["work"]["top_errors"][number]>[] => [
  textColumn("code", ({ code }) => code),
  numberColumn("times", "times"),
  numberColumn("of all actions", ({ times }) => times / actions, percentText),
];

const models: readonly Column<Report["model_calls"]["by_model"][number]>[] = [
  textColumn("model", ({ model }) => model),
  numberColumn("calls", "calls"),
  numberColumn("failed", "failures"),
  numberColumn("tokens in", "input_tokens"),
  numberColumn("tokens out", "output_tokens"),
  numberColumn("owed", (row) => row.cost_usd * 1e6, dollarText),
];

const schedule: readonly Column<Metrics["schedule"][number]>[] = [
  numberColumn("at", "at_ms", (ms) => momentText(ms ?? 0)),
  { ...textColumn("change", ({ change }) => change), isProse: true },
  {
    ...textColumn("effect", ({ problem }) => (problem === null ? "done" : `not done: ${problem}`)),
    isProse: true,
  },
];

const alarms: readonly Column<Metrics["alarms"][number]>[] = [
  textColumn("alarm", ({ alarm }) => alarm),
  numberColumn("from", "from_ms", (ms) => momentText(ms ?? 0)),
  numberColumn("to", "to_ms", (ms) => (ms === null ? "the end" : momentText(ms))),
  { ...textColumn("cause", ({ cause }) => cause), isProse: true },
];
