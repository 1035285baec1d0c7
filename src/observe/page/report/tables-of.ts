import type { Report } from "../../economy-report.ts";
import { dollarText, element, percentText, sortableTable, timeText } from "../charts/index.ts";

/** The tables of a report: those that have rows. */
export const tablesOf = (report: Report): readonly HTMLElement[] => [
  section("Principals", principals(report)),
  ...(report.metrics.services.length === 0 ? [] : [section("Services", services(report))]),
  ...(report.metrics.work.top_errors.length === 0 ? [] : [section("Errors", errors(report))]),
  ...(report.model_calls === undefined ? [] : [section("Models", models(report.model_calls))]),
  ...(report.metrics.alarms.length === 0 ? [] : [section("Alarms", alarms(report))]),
  element(
    "footer",
    {},
    "Every figure is computed from the run's journal, in run time; docs/report.md says what each " +
      "means and by what formula. The file needs no network and sends nothing anywhere.",
  ),
];

const section = (name: string, table: HTMLElement): HTMLElement =>
  element(
    "section",
    { "aria-label": name },
    element("h2", {}, name),
    element("div", { class: "panel" }, table),
  );

const principals = ({ metrics }: Report): HTMLElement =>
  sortableTable({
    caption: "Principals",
    rows: metrics.principals,
    columns: [
      { title: "principal", value: ({ id }) => id },
      {
        title: "state",
        value: ({ state }) => state ?? "program",
      },
      { title: "wealth", value: ({ wealth }) => wealth },
      { title: "in own programs", value: ({ in_own_programs: inPrograms }) => inPrograms },
      { title: "began with", value: ({ began_with }) => began_with },
      { title: "earned", value: ({ earned }) => earned },
      { title: "of it sold", value: ({ revenue }) => revenue },
      { title: "paid", value: ({ paid }) => paid },
      { title: "burned", value: ({ burned }) => burned },
      {
        title: "specialised",
        value: ({ specialisation }) => specialisation,
        text: ({ specialisation }) => (specialisation === null ? "–" : percentText(specialisation)),
      },
      { title: "thoughts", value: ({ thoughts }) => thoughts },
      { title: "actions", value: ({ actions }) => actions },
      { title: "failed", value: ({ actions, succeeded }) => actions - succeeded },
      {
        title: "cost",
        value: ({ cost_micros }) => cost_micros,
        text: ({ cost_micros }) => dollarText(cost_micros),
      },
      {
        title: "frozen",
        value: ({ frozen_share }) => frozen_share,
        text: ({ frozen_share }) => percentText(frozen_share),
      },
    ],
  }).root;

const services = ({ metrics }: Report): HTMLElement =>
  sortableTable({
    caption: "Services",
    rows: metrics.services,
    columns: [
      { title: "program", value: ({ artifact }) => artifact },
      { title: "seller", value: ({ seller }) => seller },
      { title: "revenue", value: ({ revenue }) => revenue },
      { title: "calls", value: ({ sales }) => sales },
      { title: "customers", value: ({ customers }) => customers },
      { title: "first price", value: ({ first_price }) => first_price },
      { title: "last price", value: ({ last_price }) => last_price },
    ],
  }).root;

const errors = ({ metrics }: Report): HTMLElement =>
  sortableTable({
    caption: "Errors",
    rows: metrics.work.top_errors,
    columns: [
      { title: "code", value: ({ code }) => code },
      { title: "times", value: ({ times }) => times },
      {
        title: "of all actions",
        value: ({ times }) => times,
        text: ({ times }) => percentText(times / metrics.work.actions),
      },
    ],
  }).root;

const models = (calls: NonNullable<Report["model_calls"]>): HTMLElement =>
  sortableTable({
    caption: "Calls of language models",
    rows: calls.by_model,
    columns: [
      { title: "model", value: ({ model }) => model },
      { title: "calls", value: ({ calls: count }) => count },
      { title: "without answer", value: ({ failures }) => failures },
      { title: "tokens in", value: ({ input_tokens }) => input_tokens },
      { title: "tokens out", value: ({ output_tokens }) => output_tokens },
      {
        title: "cost",
        value: ({ cost_usd }) => cost_usd,
        text: ({ cost_usd }) => dollarText(cost_usd * 1e6),
      },
    ],
  }).root;

const alarms = ({ metrics }: Report): HTMLElement =>
  sortableTable({
    caption: "Alarms",
    rows: metrics.alarms,
    columns: [
      { title: "alarm", value: ({ alarm }) => alarm },
      {
        title: "from",
        value: ({ from_ms }) => from_ms,
        text: ({ from_ms }) => timeText(from_ms / 1_000),
      },
      {
        title: "to",
        value: ({ to_ms }) => to_ms,
        text: ({ to_ms }) => (to_ms === null ? "the end" : timeText(to_ms / 1_000)),
      },
      { title: "cause", value: ({ cause }) => cause },
    ],
  }).root;
