/**
 * What an action costs through `world.submit` with a durable journal, by kind, and how the cost
 * grows with the world. Run: `node bench/actions.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../src/kernel/index.ts";
import { type BenchWorld, benchWorld } from "./bench-world.ts";
import { microsEach, shown } from "./stopwatch.ts";

const DOUBLE = "function run(a) { return a * 2 }";
const COUNT = "function run() { state.n = (state.n || 0) + 1; return state.n }";

const ACTIONS: { readonly [kind: string]: (turn: number) => Json } = {
  noop: () => ({ noop: {} }),
  read: () => ({ read_artifact: { artifact_id: "a0" } }),
  "write 500 B": (turn) => ({
    write_artifact: { artifact_id: "a0", content: `${turn}`.padEnd(500, "x") },
  }),
  transfer: () => ({
    invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args: ["p1", 1] },
  }),
  "invoke, pure": (turn) => ({ invoke_artifact: { artifact_id: "double", args: [turn] } }),
  "invoke, paid": (turn) => ({ invoke_artifact: { artifact_id: "paid", args: [turn] } }),
  "invoke, state": () => ({ invoke_artifact: { artifact_id: "count" } }),
  search: () => ({
    invoke_artifact: { artifact_id: "genesis_store", method: "search", args: ["double"] },
  }),
};

const prepare = ({ act }: BenchWorld): void => {
  act("p0", { write_artifact: { artifact_id: "double", code: DOUBLE } });
  act("p1", { write_artifact: { artifact_id: "paid", code: DOUBLE, price: 1 } });
  act("p0", { write_artifact: { artifact_id: "count", code: COUNT } });
};

const measure = (world: BenchWorld): ReadonlyMap<string, number> => {
  prepare(world);
  return new Map(
    Object.entries(ACTIONS).map(([kind, action]) => [
      kind,
      microsEach((turn) => world.act("p0", action(turn)), { turns: 1_000 }),
    ]),
  );
};

const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
const small = benchWorld({ principals: 10, artifacts: 1_000, folder });
const smallFigures = measure(small);
await small.close();
const large = benchWorld({ principals: 1_000, artifacts: 100_000, folder });
const largeFigures = measure(large);
await large.close();
rmSync(folder, { recursive: true });

console.log("one action through world.submit, journal durable (sync full, groups of 5 ms)");
console.log("kind              10 principals       1,000 principals   ratio   actions/s");
console.log("                  1,000 artifacts     100,000 artifacts");
for (const [kind, micros] of smallFigures) {
  const grown = largeFigures.get(kind) ?? Number.NaN;
  const ratio = (grown / micros).toFixed(2);
  const rate = Math.round(1e6 / micros);
  console.log(
    `${kind.padEnd(14)} ${shown(micros)}       ${shown(grown)}   ${ratio.padStart(8)}   ${rate}`,
  );
}
