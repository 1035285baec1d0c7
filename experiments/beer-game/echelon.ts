import type { UserMind } from "catallaxy";

const WEEK_MS = 20_000;
const FIRST_FREE_WEEK = 5;
/** The largest random order: twice what customers want in the end. */
const RANDOM_MAX = 16;

type Look = {
  readonly week: number;
  readonly stock: number;
  readonly asked: number;
  readonly on_order: number;
};

/**
 * Orders once a week by the rule of Sterman (1989): it replaces the expected loss of stock, and closes
 * the share `alpha` of the gap between the stock that it wants (`target`) and what it has, of which
 * it counts the share `beta` of its outstanding orders. `theta` is the weight of the last order in its
 * expectation. With the setting `isRandom`, it orders any number of units.
 */
const mind: UserMind = {
  decide({ view, memory, settings, random }) {
    const week = 1 + Math.floor(view.now / WEEK_MS);
    const sleep = { for_s: (week * WEEK_MS - view.now) / 1_000 };
    const known = (memory as { expected: number; looked: number } | null) ?? {
      expected: 4,
      looked: 0,
    };
    const call = { artifact_id: "chain" };
    if (known.looked < week) {
      const look = { ...call, method: "look" };
      return { action: { invoke_artifact: look }, memory: { ...known, looked: week } };
    }
    const { stock, asked, on_order } = JSON.parse(view.agent.last?.result ?? "{}") as Look;
    const { expected, units } = settings.isRandom === true ? chance() : rule();
    const next = { expected, looked: week };
    if (week < FIRST_FREE_WEEK) return { action: { noop: {} }, memory: next, sleep };
    const order = { ...call, method: "order", args: [units] };
    return { action: { invoke_artifact: order }, memory: next, sleep };

    function rule() {
      const weight = Number(settings.theta);
      const expected = weight * asked + (1 - weight) * known.expected;
      const gap = Number(settings.target) - stock - Number(settings.beta) * on_order;
      const wanted = Math.round(expected + Number(settings.alpha) * gap);
      return { expected, units: Math.max(0, wanted) };
    }

    function chance() {
      return { expected: known.expected, units: Math.floor((RANDOM_MAX + 1) * random()) };
    }
  },
};

export default mind;
