/**
 * What an action costs through `world.submit` with a durable journal, by kind, how that compares
 * with the bare insert of a row of its size, and how it grows with the world and with the calls
 * that are in the rate window.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../src/kernel/index.ts";

import { bareInsertMicros } from "./bare-insert.ts";
import { type BenchWorld, benchWorld } from "./bench-world.ts";
import type { Figure } from "./figure.ts";
import { microsEach } from "./stopwatch.ts";

const DOUBLE = "function run(a) { return a * 2 }";
const COUNT = "function run() { state.n = (state.n || 0) + 1; return state.n }";

type Kind = { readonly barMicros: number | null; readonly action: (turn: number) => Json };

const KINDS: { readonly [kind: string]: Kind } = {
  noop: { barMicros: 10, action: () => ({ noop: {} }) },
  read: { barMicros: 12, action: () => ({ read_artifact: { artifact_id: "a0" } }) },
  "write of 500 B": {
    barMicros: 20,
    action: (turn) => ({
      write_artifact: { artifact_id: "a0", content: `${turn}`.padEnd(500, "x") },
    }),
  },
  transfer: {
    barMicros: 15,
    action: () => ({
      invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args: ["p1", 1] },
    }),
  },
  invocation: {
    barMicros: 40,
    action: (turn) => ({ invoke_artifact: { artifact_id: "double", args: [turn] } }),
  },
  "invocation, paid": {
    barMicros: null,
    action: (turn) => ({ invoke_artifact: { artifact_id: "paid", args: [turn] } }),
  },
  "invocation that keeps state": {
    barMicros: null,
    action: () => ({ invoke_artifact: { artifact_id: "count" } }),
  },
};

/** Calls that stand in the rate windows of the large world before anything is measured. */
const CALLS_BEFORE = 20_000;
const ROUNDS = 7;
const TURNS = 2_000;
const GROWTH_MAX = 1.2;

const prepare = ({ act }: BenchWorld): void => {
  act("p0", { write_artifact: { artifact_id: "double", code: DOUBLE } });
  act("p1", { write_artifact: { artifact_id: "paid", code: DOUBLE, price: 1 } });
  act("p0", { write_artifact: { artifact_id: "count", code: COUNT } });
};

const microsOf = (world: BenchWorld, { action }: Kind): number =>
  microsEach((turn) => world.act("p0", action(turn)), { rounds: ROUNDS, turns: TURNS });

export const figures = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const small = benchWorld({ principals: 10, artifacts: 1_000, folder });
  const large = benchWorld({ principals: 1_000, artifacts: 100_000, folder });
  const limit = { name: "a bare row of a transaction", value: bareInsertMicros(folder, "FULL") };
  prepare(small);
  prepare(large);
  for (let n = 0; n < CALLS_BEFORE; n++) {
    large.act("p0", { invoke_artifact: { artifact_id: "double", args: [n] } });
  }
  const measured: Figure[] = [];
  for (const [name, kind] of Object.entries(KINDS)) {
    const [one, other] = [microsOf(small, kind), microsOf(large, kind)];
    measured.push(
      { name, value: one, unit: "us", bar: kind.barMicros, limit },
      { name: `${name}, large world`, value: other / one, unit: "x", bar: GROWTH_MAX, limit: null },
    );
  }
  await small.close();
  await large.close();
  rmSync(folder, { recursive: true });
  return measured;
};
