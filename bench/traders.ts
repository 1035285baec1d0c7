/**
 * Zero-intelligence traders in an order book on the virtual clock, with the journal: actions a
 * second of one core. Each action is a call of the book's program; some of them pay a seller.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPersonas, type Persona } from "../src/run/index.ts";
import { benchRun } from "./bench-run.ts";
import type { Figure } from "./figure.ts";

const RUN_S = 600;
const BAR = 10_000;
const TRADERS = 40;

/** A continuous double auction of one unit per order. Buyers attach their price. */
const BOOK = `
function _side(name) { return (state[name] ??= []); }
function _add(list, order, better) {
  let at = 0;
  while (at < list.length && !better(order, list[at])) at++;
  list.splice(at, 0, order);
}
function buy(price) {
  const asks = _side("asks");
  const n = (state.made = (state.made ?? 0) + 1);
  if (asks.length > 0 && asks[0].price <= price) {
    const { by, price: paid } = asks.shift();
    kernel.pay(by, paid);
    if (price > paid) kernel.pay(caller, price - paid);
    return { order: n, filled: 1, waiting: 0 };
  }
  _add(_side("bids"), { n, by: caller, price }, (a, b) => a.price > b.price);
  return { order: n, filled: 0, waiting: 1 };
}
function sell(price) {
  const bids = _side("bids");
  const n = (state.made = (state.made ?? 0) + 1);
  if (bids.length > 0 && bids[0].price >= price) {
    kernel.pay(caller, bids.shift().price);
    return { order: n, filled: 1, waiting: 0 };
  }
  _add(_side("asks"), { n, by: caller, price }, (a, b) => a.price < b.price);
  return { order: n, filled: 0, waiting: 1 };
}
function cancel(n) {
  for (const name of ["bids", "asks"]) {
    const at = _side(name).findIndex((order) => order.n === n && order.by === caller);
    if (at < 0) continue;
    const [order] = state[name].splice(at, 1);
    if (name === "bids") kernel.pay(caller, order.price);
    return { order: n };
  }
  kernel.fail("not_found", "there is no such order");
}`;

/** The worth of 20 units to a buyer, and their costs to a seller; they cross near 100. */
const unitsOf = (trader: number, side: "buyer" | "seller"): readonly number[] =>
  Array.from({ length: 20 }, (_, unit) => {
    const away = (7 * unit + 3 * trader) % 80;
    return side === "buyer" ? 160 - away : 40 + away;
  });

const traderOf = (index: number) => {
  const side = index % 2 === 0 ? "buyer" : "seller";
  const policy = { side, units: unitsOf(index, side), period_s: 10 };
  return {
    id: `t${index}`,
    mind: "policy/zero_intelligence_trader",
    starting_scrip: 5_000,
    policy,
  };
};

const HOUSE = {
  id: "house",
  mind: "script",
  script: [
    {
      write_artifact: {
        artifact_id: "market",
        artifact_type: "program",
        content: "an order book",
        code: BOOK,
        has_standing: true,
      },
    },
  ],
};

const personasIn = (folder: string): readonly Persona[] => {
  for (const persona of [HOUSE, ...Array.from({ length: TRADERS }, (_, n) => traderOf(n))]) {
    mkdirSync(join(folder, persona.id));
    writeFileSync(join(folder, persona.id, "agent.yaml"), JSON.stringify(persona));
  }
  const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.personas;
};

/** The settings of an experiment on a market: thoughts are free, and nothing is scarce. */
export const TRADERS_SETS = [
  "run.clock=virtual",
  "policy.thought_micros=0",
  "policy.thought_tokens=0",
  "resources.windows.actions=1000000",
  "resources.windows.cpu_gas=1000000000",
  "agent.loop.min_delay_s=0.001",
  "virtual.think_ms.policy=[50,350]",
  "mint.tasks=[]",
];

export const tradersRun = (runS: number, seed = 1) => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const sets = [...TRADERS_SETS, `run.duration_s=${runS}`, `run.seed=${seed}`];
  const agents = join(folder, "agents");
  mkdirSync(agents);
  const launch = benchRun({ out: join(folder, "runs"), sets, personas: personasIn(agents) });
  return { launch, folder };
};

export const figures = async (): Promise<readonly Figure[]> => {
  const { launch, folder } = tradersRun(RUN_S);
  let actions = 0;
  launch.runner.follow((rows) => {
    for (const { kind } of rows) if (kind.startsWith("action_")) actions += 1;
  });
  const used = process.cpuUsage();
  await launch.run();
  const { user, system } = process.cpuUsage(used);
  rmSync(folder, { recursive: true, force: true });
  const value = (actions * 1e6) / (user + system);
  return [{ name: "actions, per core", value, unit: "1/s", bar: BAR, limit: null }];
};
