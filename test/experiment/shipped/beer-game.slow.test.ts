import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { sim } from "../../support/sim.ts";
import { folderWith, sharedFolder } from "../../support/temporary-folder.ts";
import {
  averageOf,
  copyExperiments,
  meanOf,
  modelRuns,
  smallResult,
} from "./shipped-experiment.ts";

const WEEKS = 36;
type Rule = {
  readonly alpha: number;
  readonly beta: number;
  readonly theta: number;
  readonly targets: readonly [number, number, number, number];
};
const BENCHMARK: Rule = { alpha: 1, beta: 1, theta: 0, targets: [28, 28, 28, 20] };
const PEOPLE: Rule = { alpha: 0.26, beta: 0.34, theta: 0.36, targets: [17, 17, 17, 17] };

/**
 * The game as flows with delays (Edali and Yasarcan, 2014), independent of the program: an order of
 * week t is filled in week t + 2, and a shipment of week t arrives in week t + 2. What the factory
 * orders in week t arrives in week t + 3. Flows before week 1 are 4.
 */
const game = ({ alpha, beta, theta, targets }: Rule) => {
  const flow = () => new Map<number, number>();
  const players = targets.map((target) => {
    return {
      target,
      orders: flow(),
      shipments: flow(),
      net: 12,
      expected: 4,
      cost: 0,
      got: flow(),
    };
  });
  const at = (map: Map<number, number>, week: number): number =>
    week < 1 ? 4 : (map.get(week) ?? 0);
  for (let week = 1; week <= WEEKS; week += 1) {
    for (const [n, player] of players.entries()) {
      const supplier = players[n + 1];
      const arrived =
        supplier === undefined ? at(player.orders, week - 3) : at(supplier.shipments, week - 2);
      player.got.set(week, arrived);
      const asked = askedOf(players[n - 1]?.orders ?? null, week);
      const owed = Math.max(0, -player.net) + asked;
      player.shipments.set(week, Math.min(Math.max(0, player.net) + arrived, owed));
      player.net += arrived - asked;
      player.cost += player.net > 0 ? 0.5 * player.net : -player.net;
      player.expected += theta * (asked - player.expected);
    }
    for (const [n, player] of players.entries()) {
      // Before week 1, four weeks of orders were on their way (three to the factory).
      let line = n === 3 ? 12 : 16;
      for (let past = 1; past <= week; past += 1) line -= at(player.got, past);
      for (let past = 1; past < week; past += 1) line += at(player.orders, past);
      const gap = player.target - player.net - beta * line;
      const order = Math.max(0, Math.round(player.expected + alpha * gap));
      player.orders.set(week, week <= 4 ? 4 : order);
    }
  }
  function askedOf(orders: Map<number, number> | null, week: number): number {
    if (orders !== null) return at(orders, week - 2);
    return week <= 4 ? 4 : 8;
  }
  const weeks = Array.from({ length: WEEKS - 1 }, (_, past) => past + 1);
  const series = players.map(({ orders }) => weeks.map((week) => at(orders, week)));
  const demand = [weeks.map((week) => (week <= 4 ? 4 : 8)), ...series];
  return {
    costs: players.map(({ cost }) => cost),
    amplification: series.map((orders, n) => variance(orders) / variance(demand[n] ?? [])),
  };
};

const variance = (numbers: readonly number[]): number => {
  const mean = averageOf(numbers);
  return averageOf(numbers.map((each) => (each - mean) ** 2));
};

const totalOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0);

it("costs 46, 50, 54 and 54 with the best rule, in an independent simulation", () => {
  expect(game(BENCHMARK).costs).toEqual([46, 50, 54, 54]);
});

describe("the experiment on the beer game, with one seed", () => {
  const folder = sharedFolder();
  let result: ExperimentResult;
  beforeAll(() => {
    copyExperiments(folder);
    result = smallResult(folder, "beer-game", "1..1");
  });

  it.each([
    ["benchmark", BENCHMARK],
    ["sterman", PEOPLE],
  ])("has exactly the costs and orders of the independent simulation in %s", (arm, rule) => {
    const { costs, amplification } = game(rule);
    const measures = ["retailer_cost", "wholesaler_cost", "distributor_cost", "factory_cost"];
    expect(measures.map((measure) => meanOf(result, measure, arm))).toEqual(costs);
    expect(meanOf(result, "cost", arm)).toBe(totalOf(costs));
    expect(meanOf(result, "amplification", arm)).toBeCloseTo(Math.min(...amplification), 9);
  });

  it("amplifies orders at each step with the rule of people, at ten times the cost", () => {
    expect(meanOf(result, "amplification", "sterman")).toBeGreaterThan(1);
    expect(meanOf(result, "cost", "sterman")).toBeGreaterThan(2000);
  });

  it("is costly with random orders, which do not follow those of the customer", () => {
    expect(meanOf(result, "cost", "random")).toBeGreaterThan(1000);
  });

  it("also runs with language models", () => {
    expect(modelRuns(folder, "beer-game")).toBe(1);
  });
});

const call = (id: string, method: string, args = ""): string =>
  `  - invoke_artifact: { artifact_id: ${id}, method: ${method}${args} }\n`;

it("refuses orders in the fixed weeks and those of others, and keeps the last of a week", () => {
  const lines = [
    call("chain", "look"),
    call("chain", "order", ", args: [9]"),
    "  - wait: 85\n",
    call("chain", "order", ", args: [50]"),
    call("chain", "order", ", args: [7]"),
    "  - wait: 20\n",
    call("chain", "look"),
    "  - wait: 640\n",
    call("chain", "order", ", args: [7]"),
    call("chain", "status"),
  ];
  const script = (id: string) => `id: ${id}\nmind: script\nscript:\n${lines.join("")}`;
  const cwd = folderWith({
    "agents/echelon_1/agent.yaml": script("echelon_1"),
    "agents/eve/agent.yaml": script("eve"),
  });
  const config = join(import.meta.dirname, "../../../experiments/beer-game/config.yaml");
  const flags = ["--config", config, "--agents", "agents", "--name", "r", "--out", "runs"];
  expect(sim(cwd, "run", ...flags, "--duration", "760")).toMatchObject({ code: 0 });
  const text = (id: string) =>
    sim(cwd, "events", "r", "--out", "runs", "--principal", id, "--json").out.replaceAll("\\", "");
  expect(text("eve")).toContain("not_player: eve is not a player");
  const own = text("echelon_1");
  expect(own).toContain("ended: the game ended after week 36");
  expect(own).toContain('{"week":36,"weeks":36,"ended":true}');
  expect(own).toContain("fixed: all orders are 4 until week 5");
  expect(own).toContain('"stock":12,"asked":4,"on_order":12,"cost":6');
  // In week 6 it has ordered 7 instead of 50: of 16 on order in week 5, 4 arrived and 7 were added.
  expect(own).toContain('{"week":6,"place":"retailer","stock":4,"asked":8,"on_order":15');
});
