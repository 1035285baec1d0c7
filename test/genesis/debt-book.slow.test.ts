import { describe, expect, it } from "vitest";
import type { TestWorld } from "../support/test-world.ts";
import { DAY_MS, DEPUTY, HOUR_MS, libraryWorlds, refusalCode, transfers } from "./library-world.ts";

const newWorld = libraryWorlds();

const DEBT = "genesis_debt_contract";
const WEEK_S = 604_800;

type Loan = { readonly due_in_s: number; readonly pledge?: string | null };

/** Asks for a loan of one scrip. */
const issues = (v: TestWorld, who: string, { due_in_s, pledge = null }: Loan) => {
  const attach = { artifacts: pledge === null ? [] : [pledge] };
  return v.calls(who, `${DEBT}.issue`, [1, 0, due_in_s], { attach });
};
const lends = (v: TestWorld, who: string, id = "debt_1") =>
  v.calls(who, `${DEBT}.accept`, [id], { attach: { scrip: 1 } });
const reclaims = (v: TestWorld, who: string, id = "debt_1") =>
  v.calls(who, `${DEBT}.reclaim`, [id]);
const idOf = (outcome: { readonly result: string | null }): string =>
  JSON.parse(outcome.result ?? "null").debt_id;
const bandit = (n: number): string => `bandit_${n}`.padEnd(100, "x");
/** An agent whose debts take as many bytes as those of a bandit. */
const ANN = "ann".padEnd(100, "x");

/**
 * Ten families lend one another one scrip at a time, each with a pledge or without, until the
 * contract is full. Returns the number of these debts.
 */
const fill = (
  v: TestWorld,
  { due_in_s, pledges }: { due_in_s: number; pledges: boolean },
): number => {
  let made = 0;
  for (let family = 0; family < 10; family++) {
    const [debtor, lender] = [bandit(family), bandit((family + 1) % 10)];
    for (let n = 0; n < 20; n++) {
      const pledge = pledges ? `p${family}_${n}` : null;
      if (pledge !== null) v.must(v.writes(debtor, pledge, { content: "x" }));
      const asked = issues(v, debtor, { due_in_s, pledge });
      if (!asked.success) break;
      v.must(lends(v, lender, idOf(asked)));
      made += 1;
    }
  }
  return made;
};

const worldOfBandits = (): TestWorld => {
  const v = newWorld();
  for (const id of [...Array.from({ length: 10 }, (_, n) => bandit(n)), ANN]) {
    v.agent(id, { disk: 3_000 });
  }
  return v;
};

describe("a group of families that fills the debt contract", () => {
  it("with long loans leaves half of it to short loans", () => {
    const v = worldOfBandits();
    expect(fill(v, { due_in_s: WEEK_S, pledges: false })).toBeGreaterThan(20);
    expect(refusalCode(issues(v, ANN, { due_in_s: 3_601 }))).toBe("full");
    v.must(issues(v, ANN, { due_in_s: 3_600 }));
  });

  it("with short loans fills it for at most two hours", () => {
    const v = worldOfBandits();
    fill(v, { due_in_s: 3_600, pledges: false });
    expect(refusalCode(issues(v, ANN, { due_in_s: 60 }))).toBe("full");
    v.atMs += 2 * HOUR_MS - 1;
    expect(refusalCode(issues(v, ANN, { due_in_s: 60 }))).toBe("full");
    v.atMs += 1;
    v.must(issues(v, ANN, { due_in_s: 60 }));
    expect(v.stateOf(DEBT)).toMatchObject({ open: [{ debtor: ANN }] });
  });

  it("loses its collateral to any agent after the creditor's hour to collect", () => {
    const v = worldOfBandits();
    fill(v, { due_in_s: 3_600, pledges: true });
    const asks = () => issues(v, ANN, { due_in_s: 60, pledge: "mine_0" });
    v.must(v.writes(ANN, "mine_0", { content: "x" }));
    v.atMs += HOUR_MS;
    expect(refusalCode(reclaims(v, "bob"))).toBe("not_yours");
    v.atMs += HOUR_MS;
    expect(refusalCode(asks())).toBe("full");
    for (const id of ["debt_1", "debt_2"]) v.must(reclaims(v, "bob", id));
    expect(v.owner("p0_0")).toBe("bob");
    v.must(asks());
    v.must(v.calls(bandit(1), `${DEBT}.collect`, ["debt_3"]));
  });

  it("loses the collateral of an expired offer after an hour", () => {
    const v = newWorld().program("alice", "tool", "function run() {}");
    v.must(issues(v, "alice", { due_in_s: 60, pledge: "tool" }));
    v.atMs += 600_000 + HOUR_MS - 1;
    expect([refusalCode(reclaims(v, "bob")), refusalCode(reclaims(v, "alice"))]).toEqual([
      "not_yours",
      "wrong_status",
    ]);
    v.atMs += 1;
    v.must(reclaims(v, "bob"));
    expect(v.owner("tool")).toBe("bob");
    const check = v.calls("bob", `${DEBT}.check`, ["debt_1"]);
    expect(JSON.parse(check.result ?? "")).toMatchObject({ status: "cancelled", collateral: [] });
  });
});

describe("the debt contract", () => {
  it("keeps the collateral of a paid debt for a day", () => {
    const v = newWorld().program("alice", "tool", "function run() {}");
    v.must(issues(v, "alice", { due_in_s: 60, pledge: "tool" }));
    v.must(lends(v, "bob"));
    v.must(v.calls("carol", `${DEBT}.repay`, ["debt_1"], { attach: { scrip: 1 } }));
    v.atMs += DAY_MS - 1;
    expect(refusalCode(reclaims(v, "carol"))).toBe("not_yours");
    v.atMs += 1;
    v.must(reclaims(v, "carol"));
    expect(v.owner("tool")).toBe("carol");
  });

  it("refuses a loan to a program that was sold, so that its seller cannot get the collateral", () => {
    const v = newWorld();
    v.standing("alice", "firm", { code: DEPUTY });
    v.must(v.calls("alice", "firm.make", ["gem"]));
    const issue = [DEBT, "issue", [1, 0, 1, "alice"], { artifacts: ["gem"] }];
    v.must(v.calls("alice", "firm.call", issue));
    transfers(v, "firm", { from: "alice", to: "bob" });
    expect(refusalCode(lends(v, "alice"))).toBe("void");
    v.must(v.calls("bob", "firm.call", [DEBT, "cancel", ["debt_1"]]));
    expect(v.owner("gem")).toBe("firm");
  });

  it("keeps a debt without collateral while it has room", () => {
    const v = newWorld();
    v.must(issues(v, "alice", { due_in_s: 60 }));
    v.must(lends(v, "bob"));
    v.atMs += DAY_MS;
    expect(refusalCode(reclaims(v, "carol"))).toBe("not_yours");
    v.must(issues(v, "dave", { due_in_s: 60 }));
    v.must(v.calls("bob", `${DEBT}.collect`, ["debt_1"]));
  });
});
