import type { UserMind } from "catallaxy";
import { MONTHS } from "./lake.ts";

const MONTH_MS = 20_000;
const FISHERS = 5;

/**
 * Harvests once a month by the setting `rule`:
 * - sustainable: a fifth of half the stock, so that the rest grows back; in the last month a fifth of
 *   the stock, because nothing grows back in time.
 * - greedy: all of the stock.
 * - random: any number up to a fifth of the stock.
 */
const mind: UserMind = {
  decide({ view, memory, settings, random }) {
    const month = Math.floor(view.now / MONTH_MS);
    const sleep = { for_s: ((month + 1) * MONTH_MS - view.now) / 1_000 };
    const call = { artifact_id: "lake" };
    const hasLooked = memory === month;
    if (!hasLooked) {
      const look = { ...call, method: "status" };
      return { action: { invoke_artifact: look }, memory: month };
    }
    const { stock } = JSON.parse(view.agent.last?.result ?? '{ "stock": 0 }') as { stock: number };
    if (month >= MONTHS || stock === 0) return { action: { noop: {} }, sleep };
    const harvest = { ...call, method: "harvest", args: [units(stock)] };
    return { action: { invoke_artifact: harvest }, sleep };

    function units(stock: number): number {
      if (settings.rule === "greedy") return stock;
      const share = Math.floor(stock / FISHERS);
      if (settings.rule === "random") return Math.floor((share + 1) * random());
      return month === MONTHS - 1 ? share : Math.floor(stock / 2 / FISHERS);
    }
  },
};

export default mind;
