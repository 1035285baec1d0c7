import { afterAll, describe, expect, it } from "vitest";
import { sandboxFor } from "../../src/world/index.ts";
import type { Village } from "../support/world.ts";
import { LIBRARY_PHYSICS, libraryVillage, reasonOf } from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const DEBT = "genesis_debt_contract";
const WEEK_S = 604_800;
const HOUR_MS = 3_600_000;

type Loan = { readonly due_in_s: number; readonly pledge?: string | null };

/** Asks for one scrip. */
const issues = (v: Village, who: string, { due_in_s, pledge = null }: Loan) => {
  const attach = { artifacts: pledge === null ? [] : [pledge] };
  return v.calls(who, `${DEBT}.issue`, [1, 0, due_in_s], { attach });
};
const idOf = (outcome: { readonly result: string | null }): string =>
  JSON.parse(outcome.result ?? "null").debt_id;
const bandit = (n: number): string => `bandit_${n}`.padEnd(100, "x");
/** Somebody whose debts take as much of the book as theirs. */
const ANN = "ann".padEnd(100, "x");

/**
 * Ten families lend one another one scrip at a time, each on a pledge of its own or on none, until
 * the books take no more. Returns how many such debts there are.
 */
const fill = (
  v: Village,
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
      v.must(v.calls(lender, `${DEBT}.accept`, [idOf(asked)], { attach: { scrip: 1 } }));
      made += 1;
    }
  }
  return made;
};

const village = (): Village => {
  const v = libraryVillage(sandbox);
  for (const id of [...Array.from({ length: 10 }, (_, n) => bandit(n)), ANN]) {
    v.agent(id, { disk: 3_000 });
  }
  return v;
};

describe("a group of families that fills the book of debts", () => {
  it("with long loans gets half of it, and short ones continue", () => {
    const v = village();
    expect(fill(v, { due_in_s: WEEK_S, pledges: false })).toBeGreaterThan(20);
    expect(reasonOf(issues(v, ANN, { due_in_s: 3_601 }))).toBe("full");
    v.must(issues(v, ANN, { due_in_s: 3_600 }));
  });

  it("with short loans holds it for two hours at most", () => {
    const v = village();
    fill(v, { due_in_s: 3_600, pledges: false });
    expect(reasonOf(issues(v, ANN, { due_in_s: 60 }))).toBe("full");
    v.atMs += 2 * HOUR_MS - 1;
    expect(reasonOf(issues(v, ANN, { due_in_s: 60 }))).toBe("full");
    v.atMs += 1;
    v.must(issues(v, ANN, { due_in_s: 60 }));
    expect(v.stateOf(DEBT)).toMatchObject({ open: [{ debtor: ANN }] });
  });

  it("loses its collateral to any agent if the creditor does not collect", () => {
    const v = village();
    fill(v, { due_in_s: 3_600, pledges: true });
    const asks = () => issues(v, ANN, { due_in_s: 60, pledge: "mine_0" });
    v.must(v.writes(ANN, "mine_0", { content: "x" }));
    v.atMs += HOUR_MS;
    expect(reasonOf(v.calls("bob", `${DEBT}.reclaim`, ["debt_1"]))).toBe("not_yours");
    v.atMs += HOUR_MS;
    expect(reasonOf(asks())).toBe("full");
    for (const id of ["debt_1", "debt_2"]) v.must(v.calls("bob", `${DEBT}.reclaim`, [id]));
    expect(v.owner("p0_0")).toBe("bob");
    v.must(asks());
    v.must(v.calls(bandit(1), `${DEBT}.collect`, ["debt_3"]));
  }, 20_000);

  it("keeps no offer with collateral open for longer than an hour after it is over", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", "function run() {}");
    v.must(issues(v, "alice", { due_in_s: 60, pledge: "tool" }));
    const takes = (who: string) => v.calls(who, `${DEBT}.reclaim`, ["debt_1"]);
    v.atMs += 600_000 + HOUR_MS - 1;
    expect([reasonOf(takes("bob")), reasonOf(takes("alice"))]).toEqual([
      "not_yours",
      "wrong_status",
    ]);
    v.atMs += 1;
    v.must(takes("bob"));
    expect(v.owner("tool")).toBe("bob");
    const check = v.calls("bob", `${DEBT}.check`, ["debt_1"]);
    expect(JSON.parse(check.result ?? "")).toMatchObject({ status: "cancelled", collateral: [] });
  });
});

describe("a pledge of a paid debt that was not reclaimed", () => {
  it("waits for its debtor for a day", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", "function run() {}");
    v.must(issues(v, "alice", { due_in_s: 60, pledge: "tool" }));
    v.must(v.calls("bob", `${DEBT}.accept`, ["debt_1"], { attach: { scrip: 1 } }));
    v.must(v.calls("carol", `${DEBT}.repay`, ["debt_1"], { attach: { scrip: 1 } }));
    const takes = (who: string) => v.calls(who, `${DEBT}.reclaim`, ["debt_1"]);
    v.atMs += 24 * HOUR_MS - 1;
    expect(reasonOf(takes("carol"))).toBe("not_yours");
    v.atMs += 1;
    v.must(takes("carol"));
    expect(v.owner("tool")).toBe("carol");
  });
});

describe("a loan request of a debtor that was sold since", () => {
  it("is not made, so that the seller cannot have its pledge for a scrip", () => {
    const v = libraryVillage(sandbox);
    const code = `
      function ask() {
        kernel.write({ artifact_id: "gem", content: "x" });
        const attach = { artifacts: ["gem"] };
        return kernel.invoke("${DEBT}", "issue", [1, 0, 1, "alice"], { attach }).success;
      }
      function back() { return kernel.invoke("${DEBT}", "cancel", ["debt_1"]).success }`;
    v.standing("alice", "firm", { code });
    expect(v.calls("alice", "firm.ask").result).toBe("true");
    v.must(v.calls("alice", "genesis_ledger.transfer_ownership", ["firm", "bob"]));
    v.must(v.calls("bob", "genesis_ledger.accept", ["firm"]));
    const lends = v.calls("alice", `${DEBT}.accept`, ["debt_1"], { attach: { scrip: 1 } });
    expect(reasonOf(lends)).toBe("void");
    expect(v.calls("bob", "firm.back").result).toBe("true");
    expect(v.owner("gem")).toBe("firm");
  });
});

describe("a claim", () => {
  it("without collateral is kept for as long as there is room", () => {
    const v = libraryVillage(sandbox);
    v.must(issues(v, "alice", { due_in_s: 60 }));
    v.must(v.calls("bob", `${DEBT}.accept`, ["debt_1"], { attach: { scrip: 1 } }));
    v.atMs += 24 * HOUR_MS;
    const taken = v.calls("carol", `${DEBT}.reclaim`, ["debt_1"]);
    expect(reasonOf(taken)).toBe("not_yours");
    v.must(issues(v, "dave", { due_in_s: 60 }));
    v.must(v.calls("bob", `${DEBT}.collect`, ["debt_1"]));
  });
});
