import { describe, expect, it } from "vitest";
import { LogEntry, RunMeter, type RunMetrics } from "../../../src/figures/index.ts";
import { libraryWorlds } from "../../genesis/library-world.ts";
import { createsAgent } from "../../support/commands.ts";
import type { TestWorld } from "../../support/test-world.ts";

const newWorld = libraryWorlds();

const ESCROW = "genesis_escrow";
const DEBTS = "genesis_debt_contract";

/** A world in which alice has made two notes and has sold both to bob, for 50 each. */
const resold = (): TestWorld => {
  const v = newWorld();
  v.submit({ ...createsAgent("eve"), values: { note: 80, frame: 9 } });
  for (const id of ["note", "frame"]) {
    v.must(v.writes("alice", id, { content: "x" }));
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach: { artifacts: [id] } }));
    v.must(v.calls("bob", `${ESCROW}.purchase`, [id], { attach: { scrip: 40 } }));
  }
  return v;
};

/** The figures of a fork that starts now. */
const figuresOfFork = (v: TestWorld, happens: () => void): RunMetrics => {
  const meter = new RunMeter({ run: "parent", seq: 1, at_ms: v.atMs }, v.state);
  const before = v.committed.length;
  happens();
  const rows = v.committed.slice(before).flatMap(({ events }) => events);
  for (const [at, row] of rows.entries()) {
    meter.event(new LogEntry({ ...row, seq: at + 2, hash: "" }));
  }
  return meter.metrics();
};

describe("a good in a fork", () => {
  it("has as its maker who deposited it in the escrow, and not who first made it", () => {
    const v = resold();
    const both = { attach: { artifacts: ["frame", "note"] } };
    v.must(v.calls("bob", `${ESCROW}.deposit`, [70], both));
    const { gains_from_trade: gains } = figuresOfFork(v, () => {
      v.must(v.calls("eve", `${ESCROW}.purchase`, ["frame"], { attach: { scrip: 70 } }));
    });
    const sales = [{ at_ms: v.atMs, seller: "bob", buyer: "eve", price: 70 }];
    expect(gains.artifacts).toMatchObject([
      { artifact: "frame", maker: "bob", owner: "eve", sales },
      { artifact: "note", maker: "bob", owner: "eve" },
    ]);
  });

  it("has the price that is paid in the fork for an offer that is older", () => {
    const v = resold();
    v.must(v.calls("bob", "genesis_ledger.transfer_ownership", ["note", "eve"]));
    const { artifacts } = figuresOfFork(v, () => {
      v.must(v.calls("eve", "genesis_ledger.transfer", ["bob", 60]));
      v.must(v.calls("eve", "genesis_ledger.accept", ["note"]));
    }).gains_from_trade;
    expect(artifacts[1]).toMatchObject({ artifact: "note", maker: "bob", price: 60 });
  });

  it("has as its maker the debtor whose collateral it is", () => {
    const v = resold();
    v.must(v.calls("bob", `${DEBTS}.issue`, [10, 0, 60], { attach: { artifacts: ["note"] } }));
    const { artifacts } = figuresOfFork(v, () => {}).gains_from_trade;
    expect(artifacts).toMatchObject([
      { artifact: "frame", maker: "bob" },
      { artifact: "note", maker: "bob", owner: "bob" },
    ]);
  });
});
