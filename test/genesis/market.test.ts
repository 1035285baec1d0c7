import { beforeAll, describe, expect, it } from "vitest";
import {
  type ArenaRun,
  answerOf,
  call,
  type Entry,
  endings,
  PLENTY,
  runScripts,
  wait,
  write,
} from "../attack/arena.ts";

const TOOL = "function run(n) { return 2 * n }";
type Asking = readonly [method: string, args: readonly unknown[], attach?: Entry];
const invoke = (id: string, ...[method, args, attach]: Asking): Entry =>
  call(id, args, { method, ...(attach === undefined ? {} : { attach }) });
const escrow = (...asking: Asking): Entry => invoke("genesis_escrow", ...asking);
const debt = (...asking: Asking): Entry => invoke("genesis_debt_contract", ...asking);

/** Sells a tool, borrows on another, and posts both on the board. */
const maker: readonly Entry[] = [
  write("doubler", TOOL, { price: 4, max_price: 0 }),
  write("pledge", TOOL, { price: 2 }),
  escrow("deposit", [30, "trader", 600], { artifacts: ["doubler"] }),
  debt("issue", [50, 10, 40, "banker"], { artifacts: ["pledge"] }),
  invoke("genesis_board", "post", ["market", "a doubler for 30, and 50 wanted at 10 % a day"]),
  invoke("genesis_ledger", "grant", ["genesis_debt_contract", 5, 5]),
  invoke("genesis_voting", "create_proposal", ["More fairs?", ["yes", "no"], { deadline_s: 5 }]),
  invoke("genesis_voting", "vote", ["proposal_1", "yes"]),
  wait(20),
  debt("repay", ["debt_1"], { scrip: 20 }),
  invoke("genesis_voting", "get_result", ["proposal_1"]),
];

const trader: readonly Entry[] = [
  wait(4),
  invoke("genesis_board", "read", ["market"]),
  escrow("check", ["doubler"]),
  escrow("purchase", ["doubler"], { scrip: 35 }),
  escrow("purchase", ["doubler"], { scrip: 35 }),
  call("doubler", [21]),
  invoke("genesis_voting", "vote", ["proposal_1", "no"]),
];

const banker: readonly Entry[] = [
  wait(4),
  debt("accept", ["debt_1"], { scrip: 50 }),
  debt("collect", ["debt_1"]),
  wait(60),
  debt("collect", ["debt_1"]),
  call("pledge", [4]),
  debt("list_all", ["defaulted"]),
];

describe("agents that use the standard library", () => {
  let run: ArenaRun;
  beforeAll(() => {
    run = runScripts({ maker, trader, banker }, ...PLENTY);
  });

  it("trade, borrow and vote", () => {
    const ok = (count: number) => Array.from({ length: count }, () => "ok");
    expect(endings(run, "maker")).toEqual(ok(10));
    expect(endings(run, "trader")).toEqual([...ok(3), "rejected_by_artifact", ...ok(2)]);
    expect(endings(run, "banker")).toEqual(["ok", "rejected_by_artifact", ...ok(3)]);
    expect(answerOf(run, "trader", "doubler")).toBe(42);
    expect(answerOf(run, "maker", "genesis_voting")).toMatchObject({
      status: "tied",
      passed: false,
      cast: 2,
    });
  });

  it("have the agreed scrip and artifacts at the end", () => {
    const { accounts, artifacts } = run.state;
    const scripOf = (id: string) => accounts[id]?.scrip;
    const ownerOf = (id: string) => artifacts.find((artifact) => artifact.id === id)?.owner;
    // The loan of 50 bore 1 of interest when 20 were repaid; the grant let 5 more be collected, and
    // the pledge stands for the 26 that are missing.
    expect(answerOf(run, "banker", "genesis_debt_contract")).toMatchObject({
      debts: [{ debt_id: "debt_1", status: "defaulted", unpaid: 26, owed: 0, collateral: [] }],
    });
    expect([scripOf("maker"), scripOf("trader"), scripOf("banker")]).toEqual([
      100 + 30 + 50 - 20 - 5,
      100 - 30,
      100 - 50 + 20 + 5,
    ]);
    expect([ownerOf("doubler"), ownerOf("pledge")]).toEqual(["trader", "banker"]);
    expect([scripOf("genesis_escrow"), scripOf("genesis_debt_contract")]).toEqual([0, 0]);
  });
});
