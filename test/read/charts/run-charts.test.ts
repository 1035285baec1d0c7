import { describe, expect, it } from "vitest";
import { overtakings, wealthLines } from "../../../src/page/browser/charts/run-charts.ts";

const wealthOf = (orders: readonly number[], agents = orders.length) =>
  wealthLines(
    {
      timeline: {
        at_ms: [0],
        wealth_p10: [1],
        wealth_p90: [3],
        wealth: orders.map((order) => ({ id: `agent_${order}`, order, scrip: [1] })),
      },
      wealth: { agents },
    },
    30,
  );

it("gives each agent its own line style, however many agents the run has", () => {
  const orders = Array.from({ length: 30 }, (_, at) => at * 8);
  const styles = wealthOf(orders).series.map(({ order }) => order);
  expect(new Set(styles).size).toBe(30);
});

it("keeps the style of an agent when another line appears", () => {
  const styleOf5 = (...orders: readonly number[]) =>
    wealthOf(orders).series.find(({ label }) => label === "agent_5")?.order;
  expect(styleOf5(5, 7)).toBe(styleOf5(1, 5, 7, 9));
});

it("does not call one agent all agents", () => {
  expect(wealthOf([0]).title).toBe("Wealth over time: 1 agent");
  expect(wealthOf([0, 1]).title).toBe("Wealth over time: all 2 agents");
});

it("has a band of all agents only if some have no line", () => {
  const label = "The grey band: 10 to 90 % of the agents at each moment";
  expect(wealthOf([0, 1], 40).spread).toMatchObject({ label, low: [1], high: [3] });
  expect(wealthOf([0, 1]).spread).toBeUndefined();
});

describe("the changes of the richest agent", () => {
  const changesOf = (...lines: readonly (readonly number[])[]) =>
    overtakings({
      at_ms: (lines[0] ?? []).map((_, at) => at * 1_000),
      wealth: lines.map((scrip, order) => ({ id: `agent_${order}`, order, scrip: [...scrip] })),
    });
  const ten = (...parts: readonly (readonly [amount: number, samples: number])[]) =>
    parts.flatMap(([amount, samples]) => Array.from({ length: samples }, () => amount));

  it("have the time when the new leader went ahead", () => {
    const rising = ten([1, 5], [9, 10]);
    expect(changesOf(ten([5, 15]), rising)).toEqual([
      { atMs: 5_000, leader: "agent_1", before: "agent_0" },
    ]);
  });

  it("name the agent that was ahead just before, also if its lead was short", () => {
    const [calm, brief, late] = [ten([5, 20]), ten([1, 5], [7, 2], [1, 13]), ten([1, 7], [9, 13])];
    const [change] = changesOf(calm, brief, late);
    expect(change).toEqual({ atMs: 7_000, leader: "agent_2", before: "agent_1" });
  });

  it("leave out a short lead and an equal one", () => {
    expect(changesOf(ten([5, 20]), ten([1, 5], [9, 3], [1, 12]))).toEqual([]);
    expect(changesOf(ten([5, 20]), ten([1, 5], [5, 15]))).toEqual([]);
  });
});
