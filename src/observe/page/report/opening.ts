import type { ReportPage } from "../../html-report.ts";
import { dollarText, element, numberText, percentText, timeText } from "../charts/index.ts";

/** The head of the page: what run it is, the run in words, and the figures that matter most. */
export const opening = ({ run, header, report }: ReportPage): readonly HTMLElement[] => {
  const { metrics, reading } = report;
  const from = report.counted_from;
  const since =
    from.run === null
      ? ""
      : ` · forked from ${from.run}: figures count from event ${numberText(from.seq)}, ` +
        timeText(from.at_ms / 1_000);
  const about =
    `${numberText(metrics.wealth.agents)} agents · ` +
    `${timeText(metrics.at_ms / 1_000)} of run time · ` +
    `${numberText(metrics.events)} events · seed ${header.seed} · ${header.clock} clock · ` +
    `version ${header.version}${since}`;
  return [
    element(
      "header",
      {},
      element("p", { class: "kicker" }, "catallaxy · report of a run"),
      element("h1", {}, element("bdi", {}, run)),
      element("p", { class: "about" }, about),
      changedSettings(header),
    ),
    element(
      "section",
      { class: "story", "aria-label": "The run in plain words" },
      ...reading.map((text) => element("p", {}, text)),
    ),
    tiles(report),
  ];
};

/** A list among the settings can be as long as all of them. */
const SETTING_CHARS_MAX = 80;

/** What was set otherwise than it is shipped: two runs that differ, differ by that or by chance. */
const changedSettings = ({ settings }: ReportPage["header"]): HTMLElement => {
  if (settings === null || settings.length === 0) {
    const says = settings === null ? "settings unknown" : "all settings as they are shipped";
    return element("p", { class: "about" }, says);
  }
  return element(
    "dl",
    { class: "settings", "aria-label": "Settings that are not as they are shipped" },
    ...settings.map(({ key, value, shipped }) =>
      element(
        "div",
        {},
        element("dt", {}, element("bdi", {}, key)),
        element("dd", { class: "setting-value" }, element("bdi", {}, cut(value))),
        element("dd", {}, shipped === null ? "added" : `instead of ${cut(shipped)}`),
      ),
    ),
  );
};

const cut = (text: string): string =>
  text.length > SETTING_CHARS_MAX ? `${text.slice(0, SETTING_CHARS_MAX)}…` : text;

const tiles = ({ metrics, economy }: ReportPage["report"]): HTMLElement => {
  const { money, wealth, work, revenue, lives, trades, capital } = metrics;
  const cost =
    work.api_cost_micros > 0
      ? tile("paid for models", dollarText(work.api_cost_micros), "owed to providers")
      : tile("cost of thinking", dollarText(work.cost_micros), "of the agents' model budgets");
  return element(
    "dl",
    { class: "tiles" },
    tile("trades", numberText(trades.total), "calls, reads, sales, loans, tasks"),
    tile(
      "scrip",
      numberText(economy.scrip_total),
      `${money.minted} minted, ${money.burned} burned`,
    ),
    tile("Gini", numberText(wealth.gini), "of the agents' scrip; 0 is even"),
    tile("velocity", numberText(money.velocity_per_min), "times a minute a scrip is spent"),
    tile("prices", numberText(money.price_index), "of services; 1 at the beginning"),
    tile("HHI", numberText(revenue.hhi), "concentration of revenue"),
    tile("success", percentText(work.success_rate), `of ${numberText(work.actions)} actions`),
    tile("frozen", percentText(lives.frozen_share), "of the agents' time"),
    tile("reuse", percentText(capital.reuse_share), `of ${capital.programs} programs`),
    cost,
  );
};

const tile = (name: string, value: string, says: string): HTMLElement =>
  element(
    "div",
    { class: "tile" },
    element("dt", {}, name),
    element("dd", { class: "tile-value" }, value),
    element("dd", { class: "tile-says" }, says),
  );
