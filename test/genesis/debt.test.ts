import { afterAll, describe, expect, it } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import type { CallOptions, Village } from "../support/world.ts";
import {
  accessOf,
  allScrip,
  answerOf,
  DAY_MS,
  family,
  LIBRARY_PHYSICS,
  libraryVillage,
  purses,
  reasonOf,
} from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const DEBT = "genesis_debt_contract";
const TOOL = "function run() { return 1 }";
const ID = "debt_1";

type Asking = readonly [method: string, args: readonly Json[], more?: CallOptions];
const debt = (v: Village, who: string, ...[method, ...rest]: Asking) =>
  v.calls(who, `${DEBT}.${method}`, ...rest);
const repays = (v: Village, who: string, scrip: number) =>
  debt(v, who, "repay", [ID], { attach: { scrip } });
const owed = (v: Village): unknown =>
  (answerOf(v, "dave", "debt_contract.check", [ID]) as { owed: number }).owed;
const statusOf = (v: Village): unknown =>
  (answerOf(v, "dave", "debt_contract.check", [ID]) as { status: string }).status;

type Loan = { readonly terms?: readonly Json[]; readonly collateral?: boolean };

/** Alice asks for 60 at 10 % a day, due in two days, unless other terms are given. */
const offered = ({ terms = [60, 10, 172_800], collateral = false }: Loan = {}): Village => {
  const v = libraryVillage(sandbox).program("alice", "tool", TOOL, { price: 2 });
  const attach = collateral ? { artifacts: ["tool"] } : {};
  v.must(debt(v, "alice", "issue", terms, { attach }));
  return v;
};

/** Bob has lent it to her. */
const lent = (loan: Loan = {}): Village => {
  const v = offered(loan);
  v.must(debt(v, "bob", "accept", [ID], { attach: { scrip: 60 } }));
  return v;
};

describe("a loan", () => {
  it("reaches the debtor at once, and what is over comes back to the lender", () => {
    const v = offered();
    v.must(debt(v, "bob", "accept", [ID], { attach: { scrip: 75 } }));
    expect(purses(v, "alice", "bob", DEBT)).toEqual([160, 40, 0]);
    expect(answerOf(v, "dave", "debt_contract.check", [ID])).toEqual({
      n: 1,
      debt_id: ID,
      status: "active",
      debtor: "alice",
      creditor: "bob",
      lender: null,
      amount: 60,
      due_in_s: 172_800,
      offered_until_ms: v.atMs + 600_000,
      due_at_ms: v.atMs + 2 * DAY_MS,
      unpaid: 0,
      rate_percent_per_day: 10,
      owed: 60,
      overdue: false,
      collateral: [],
    });
    expect(allScrip(v)).toBe(400);
  });

  it("bears simple interest, rounded up to whole scrip", () => {
    const v = lent();
    v.atMs += 1;
    expect(owed(v)).toBe(61);
    v.atMs += DAY_MS - 1;
    expect(owed(v)).toBe(66);
    v.atMs += 1;
    expect(owed(v)).toBe(67);
    v.atMs += 9 * DAY_MS - 1;
    expect(owed(v)).toBe(120);
  });

  it("is repaid in parts, interest first, straight to the creditor", () => {
    const v = lent();
    v.atMs += DAY_MS;
    // 66 are owed: 6 of the 26 are interest, and 40 of the loan are left.
    expect(JSON.parse(v.must(repays(v, "alice", 26)).result ?? "")).toEqual({
      debt_id: ID,
      paid: 26,
      still_owed: 40,
      status: "active",
    });
    expect(purses(v, "alice", "bob", DEBT)).toEqual([134, 66, 0]);
    v.atMs += DAY_MS;
    // A day later 4 more: 44, of which 44 are taken and 6 come back.
    v.must(repays(v, "alice", 50));
    expect(purses(v, "alice", "bob", DEBT)).toEqual([90, 110, 0]);
    expect([owed(v), statusOf(v)]).toEqual([0, "paid"]);
    expect(reasonOf(repays(v, "alice", 1))).toBe("wrong_status");
  });

  it("costs no more interest for being repaid in many small parts", () => {
    const v = lent();
    // 10 payments of 1, an hour apart, of which only whole scrip of interest is taken.
    for (let n = 0; n < 10; n++) {
      v.atMs += DAY_MS / 24;
      v.must(repays(v, "alice", 1));
    }
    // At 6 a day, ten hours cost at most 2.5: three of the ten were interest.
    expect(owed(v)).toBe(53);
  });

  it("can be repaid by another agent, who gets change", () => {
    const v = lent();
    v.must(repays(v, "carol", 70));
    expect(purses(v, "alice", "bob", "carol")).toEqual([160, 100, 40]);
    expect(statusOf(v)).toBe("paid");
  });

  it("is kept for one lender where the offer says so", () => {
    const v = offered({ terms: [60, 0, 100, "bob"] });
    const attach = { scrip: 60 };
    expect(reasonOf(debt(v, "carol", "accept", [ID], { attach }))).toBe("not_for_you");
    v.must(debt(v, "bob", "accept", [ID], { attach }));
    expect(reasonOf(debt(v, "carol", "accept", [ID], { attach }))).toBe("wrong_status");
    expect(purses(v, "alice", "bob", "carol")).toEqual([160, 40, 100]);
  });

  it("is not made for less than was asked, nor to oneself, nor by who could not be repaid", () => {
    const v = offered();
    const accept = (who: string, scrip: number) =>
      reasonOf(debt(v, who, "accept", [ID], { attach: { scrip } }));
    expect(accept("bob", 59)).toBe("too_little");
    expect(accept("alice", 60)).toBe("own_offer");
    v.program(
      "carol",
      "poor",
      `function run() {
        const attach = { scrip: 60 };
        return kernel.invoke("${DEBT}", "accept", ["${ID}"], { attach }).error.data.code;
      }`,
    );
    expect(v.calls("carol", "poor", [], { attach: { scrip: 60 } }).result).toBe('"no_standing"');
    expect(purses(v, "alice", "bob", "carol", DEBT)).toEqual([100, 100, 100, 0]);
  });

  it("can be sold on: the new creditor is repaid and collects", () => {
    const v = lent();
    expect(reasonOf(debt(v, "carol", "transfer_creditor", [ID, "carol"]))).toBe("not_yours");
    expect(reasonOf(debt(v, "bob", "transfer_creditor", [ID, "alice"]))).toBe("own_debt");
    for (const nobody of ["nobody", DEBT, "genesis_escrow", "handbook_toc", "tool"]) {
      const passed = debt(v, "bob", "transfer_creditor", [ID, nobody]);
      expect([nobody, reasonOf(passed)]).toEqual([nobody, "unknown_creditor"]);
    }
    v.must(debt(v, "bob", "transfer_creditor", [ID, "carol"]));
    v.must(repays(v, "alice", 10));
    expect(purses(v, "alice", "bob", "carol")).toEqual([150, 40, 110]);
    v.atMs += 2 * DAY_MS;
    expect(reasonOf(debt(v, "bob", "collect", [ID]))).toBe("not_yours");
    v.must(debt(v, "carol", "collect", [ID]));
  });
});

describe("collateral", () => {
  it("is safe with the contract until the debt is paid, and comes back as it was", () => {
    const v = lent({ collateral: true });
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual([DEBT, "genesis_contract_private"]);
    expect(v.calls("bob", "tool", [], { max_price: 2 }).error_code).toBe("not_authorized");
    expect(v.writes("alice", "tool", { content: "x" }).error_code).toBe("not_authorized");
    expect(v.calls("alice", "genesis_store.delete", ["tool"]).error_code).toBe("not_authorized");
    v.must(repays(v, "alice", 60));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["alice", "genesis_contract_freeware"]);
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("wrong_status");
  });

  it("waits for its debtor if another agent paid", () => {
    const v = lent({ collateral: true });
    v.must(repays(v, "carol", 60));
    expect([statusOf(v), v.owner("tool")]).toEqual(["paid", DEBT]);
    expect(reasonOf(debt(v, "carol", "reclaim", [ID]))).toBe("not_yours");
    v.must(debt(v, "alice", "reclaim", [ID]));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["alice", "genesis_contract_freeware"]);
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("wrong_status");
  });

  it("comes back when the offer is withdrawn before acceptance", () => {
    const v = offered({ collateral: true });
    expect(reasonOf(debt(v, "bob", "cancel", [ID]))).toBe("not_yours");
    v.must(debt(v, "alice", "cancel", [ID]));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["alice", "genesis_contract_freeware"]);
    const outcome = debt(v, "bob", "accept", [ID], { attach: { scrip: 60 } });
    expect(reasonOf(outcome)).toBe("wrong_status");
    expect(purses(v, "alice", "bob")).toEqual([100, 100]);
  });

  it("cannot be withdrawn once the money is there", () => {
    const v = lent({ collateral: true });
    expect(reasonOf(debt(v, "alice", "cancel", [ID]))).toBe("wrong_status");
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("not_paid");
  });

  it("goes to the creditor in place of what is missing when the debt is due", () => {
    const v = lent({ collateral: true });
    v.atMs += 2 * DAY_MS - 1;
    expect(reasonOf(debt(v, "bob", "collect", [ID]))).toBe("not_due");
    v.atMs += 1;
    v.must(repays(v, "alice", 20));
    // 60 and two days' interest of 12, less 20.
    const collected = v.must(debt(v, "bob", "collect", [ID]));
    expect(JSON.parse(collected.result ?? "")).toEqual({
      debt_id: ID,
      charged: 0,
      collateral: ["tool"],
      waits: [],
      unpaid: 52,
      status: "defaulted",
    });
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["bob", "genesis_contract_freeware"]);
    expect(purses(v, "alice", "bob", DEBT)).toEqual([140, 60, 0]);
    expect(owed(v)).toBe(0);
    expect(reasonOf(debt(v, "bob", "collect", [ID]))).toBe("wrong_status");
  });

  it("comes back at last when the creditor no longer exists", () => {
    const v = offered({ collateral: true });
    const code = `
      function lend() {
        return kernel.invoke("${DEBT}", "accept", ["${ID}"], { attach: { scrip: 60 } });
      }`;
    v.standing("bob", "bank", { code, scrip: 60 });
    expect(v.calls("bob", "bank.lend").result).toContain('"success":true');
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("not_paid");
    v.must(v.calls("bob", "genesis_store.delete", ["bank"]));
    expect(v.scrip("bank")).toBeUndefined();
    v.must(debt(v, "alice", "reclaim", [ID]));
    expect(v.owner("tool")).toBe("alice");
  });

  it("is not locked up with a copy of the contract as its own creditor", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL);
    const code = v.state.artifacts.get(asId(DEBT))?.code ?? "";
    v.standing("dave", "daves_debts", { code, disk: 5_000 });
    const ask = (who: string, ...[method, ...rest]: Asking) =>
      v.calls(who, `daves_debts.${method}`, ...rest);
    v.must(ask("alice", "issue", [60, 0, 60], { attach: { artifacts: ["tool"] } }));
    v.must(ask("bob", "accept", [ID], { attach: { scrip: 60 } }));
    const passed = ask("bob", "transfer_creditor", [ID, "daves_debts"]);
    expect(reasonOf(passed)).toBe("unknown_creditor");
    v.must(ask("alice", "repay", [ID], { attach: { scrip: 60 } }));
    expect(v.owner("tool")).toBe("alice");
  });

  describe("of a debtor that exists no more", () => {
    const FIRM = `
      function make() {
        kernel.write({ artifact_id: "gem", content: "x" });
        const attach = { artifacts: ["gem"] };
        return kernel.invoke("${DEBT}", "issue", [10, 0, 60], { attach }).success;
      }
      function out() { kernel.pay(caller, kernel.balance()) }`;
    /** Alice's firm is gone; bob has lent it something, and carol paid that back, or not. */
    const gone = (stage: "offered" | "active" | "paid"): Village => {
      const v = libraryVillage(sandbox);
      v.standing("alice", "firm", { code: FIRM });
      expect(v.calls("alice", "firm.make").result).toBe("true");
      const attach = { scrip: 10 };
      if (stage !== "offered") {
        v.must(debt(v, "bob", "accept", [ID], { attach }));
        v.must(v.calls("alice", "firm.out"));
      }
      if (stage === "paid") v.must(debt(v, "carol", "repay", [ID], { attach }));
      v.must(v.calls("alice", "genesis_store.delete", ["firm"]));
      return v;
    };

    it("can be taken back by its family once there is no claim to it", () => {
      for (const [stage, method] of [
        ["offered", "cancel"],
        ["paid", "reclaim"],
      ] as const) {
        const v = gone(stage);
        expect(reasonOf(debt(v, "bob", method, [ID]))).toBe("not_yours");
        v.must(debt(v, "alice", method, [ID]));
        expect([stage, v.owner("gem")]).toEqual([stage, "alice"]);
      }
    });

    it("waits for its creditor first, and the family can pay", () => {
      const v = gone("active");
      expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("not_paid");
      v.must(debt(v, "alice", "repay", [ID], { attach: { scrip: 10 } }));
      v.must(debt(v, "alice", "reclaim", [ID]));
      expect(v.owner("gem")).toBe("alice");
      const late = gone("active");
      late.atMs += 60_000;
      late.must(debt(late, "bob", "collect", [ID]));
      expect(late.owner("gem")).toBe("bob");
    });

    it("cannot be lent upon any more", () => {
      const lends = debt(gone("offered"), "bob", "accept", [ID], { attach: { scrip: 10 } });
      expect(reasonOf(lends)).toBe("void");
    });
  });

  it("is nothing that could not be kept safe, and no more than five things", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL, { access_locked: true });
    const issue = (artifacts: readonly string[]) =>
      reasonOf(debt(v, "alice", "issue", [60, 0, 10], { attach: { artifacts } }));
    expect(issue(["tool"])).toBe("cannot_hold");
    const many = ["n1", "n2", "n3", "n4", "n5", "n6"];
    for (const id of many) v.must(v.writes("alice", id, { content: "x" }));
    expect(issue(many)).toBe("too_many");
    expect(many.map((id) => v.owner(id))).toEqual(many.map(() => "alice"));
  });
});

describe("a delegation to the debt contract", () => {
  const granted = (perCall: number, perWindow: number, loan: Loan = {}): Village => {
    const v = lent(loan);
    v.must(v.calls("alice", "genesis_ledger.grant", [DEBT, perCall, perWindow]));
    v.atMs += 2 * DAY_MS;
    return v;
  };

  it("pays a debt that is due, all of it", () => {
    const v = granted(100, 100, { collateral: true });
    const collected = v.must(debt(v, "bob", "collect", [ID]));
    expect(JSON.parse(collected.result ?? "")).toMatchObject({ charged: 72, unpaid: 0 });
    expect(purses(v, "alice", "bob", DEBT)).toEqual([88, 112, 0]);
    expect(v.kinds).toContain("delegation_used");
    // The collateral is the debtor's, who was not there: it waits.
    expect([statusOf(v), v.owner("tool")]).toEqual(["paid", DEBT]);
    v.must(debt(v, "alice", "reclaim", [ID]));
    expect(v.owner("tool")).toBe("alice");
  });

  it("pays as far as its bounds go; what is left is a default that runs up no more", () => {
    const v = granted(30, 50);
    const collect = () => JSON.parse(v.must(debt(v, "bob", "collect", [ID])).result ?? "");
    expect(collect()).toMatchObject({ charged: 30, unpaid: 42, status: "defaulted" });
    expect(collect()).toMatchObject({ charged: 20, unpaid: 22 });
    expect(collect()).toMatchObject({ charged: 0, unpaid: 22 });
    v.atMs += 60_000;
    expect(owed(v)).toBe(22);
    expect(collect()).toMatchObject({ charged: 22, unpaid: 0, status: "paid" });
    expect(purses(v, "alice", "bob", DEBT)).toEqual([88, 112, 0]);
    // That it was in default stays on record.
    expect(answerOf(v, "dave", "debt_contract.check", [ID])).toMatchObject({
      status: "paid",
      unpaid: 22,
    });
  });

  it("pays what there is, of a debtor who has less", () => {
    const v = granted(100, 100);
    v.must(v.calls("alice", "genesis_ledger.transfer", ["carol", 150]));
    const collected = v.must(debt(v, "bob", "collect", [ID]));
    expect(JSON.parse(collected.result ?? "")).toMatchObject({ charged: 10, unpaid: 62 });
    expect(purses(v, "alice", "bob", "carol", DEBT)).toEqual([0, 50, 250, 0]);
    expect(answerOf(v, "dave", "debt_contract.list_all", ["defaulted"])).toMatchObject({
      debts: [{ debt_id: ID, debtor: "alice", unpaid: 62, owed: 62 }],
    });
    v.must(repays(v, "carol", 62));
    expect(purses(v, "bob", "carol")).toEqual([112, 188]);
  });

  it("pays what is free, of a debtor who has bid the rest", () => {
    const v = granted(100, 100);
    const attach = { scrip: 123 };
    v.must(v.calls("alice", "genesis_mint.bid", ["tool"], { attach }));
    expect([v.scrip("alice"), v.held("alice")]).toEqual([37, 123]);
    const collected = v.must(debt(v, "bob", "collect", [ID]));
    expect(JSON.parse(collected.result ?? "")).toMatchObject({ charged: 37, unpaid: 35 });
    expect([...purses(v, "alice", "bob", DEBT), v.held("alice")]).toEqual([0, 77, 0, 123]);
    expect(allScrip(v)).toBe(400);
  });

  it("cannot be used by others", () => {
    const v = granted(100, 100);
    expect(reasonOf(debt(v, "carol", "collect", [ID]))).toBe("not_yours");
    v.standing("carol", "thug", { code: "function run() { kernel.charge('alice', 5) }" });
    expect(reasonOf(v.calls("carol", "thug"))).toBe("not_authorized");
    expect(v.scrip("alice")).toBe(160);
  });
});

describe("collateral that does not fit on its creditor's disk", () => {
  /** Bob has lent alice 60 on a big thing and a small one, and has no room for the big one. */
  const pledged = (): Village => {
    const v = libraryVillage(sandbox).agent("eve", { disk: 300 });
    v.must(v.writes("alice", "big", { content: "x".repeat(5_000) }));
    v.must(v.writes("alice", "small", { content: "x" }));
    v.must(v.calls("alice", "genesis_ledger.grant", [DEBT, 50, 50]));
    const attach = { artifacts: ["big", "small"] };
    v.must(debt(v, "alice", "issue", [60, 0, 60], { attach }));
    v.must(debt(v, "eve", "accept", [ID], { attach: { scrip: 60 } }));
    v.atMs += 60_000;
    return v;
  };
  const collect = (v: Village) => JSON.parse(v.must(debt(v, "eve", "collect", [ID])).result ?? "");
  const frees = (v: Village) =>
    v.must(v.calls("alice", "genesis_rights_registry.transfer_quota", ["eve", "disk", 6_000]));

  it("does not undo the charge, and waits until there is room", () => {
    const v = pledged();
    expect(collect(v)).toEqual({
      debt_id: ID,
      charged: 50,
      collateral: ["small"],
      waits: ["big"],
      unpaid: 10,
      status: "defaulted",
    });
    expect([...purses(v, "alice", "eve"), v.owner("small"), v.owner("big")]).toEqual([
      110,
      90,
      "eve",
      DEBT,
    ]);
    expect(accessOf(v, "big")).toBe("genesis_contract_private");
    // The debt is settled: no one can pay it or be charged for it.
    expect([owed(v), reasonOf(repays(v, "alice", 10))]).toEqual([0, "settled"]);
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("not_paid");
    v.atMs += 60_000;
    expect(collect(v)).toMatchObject({ charged: 0, collateral: [], waits: ["big"] });
    frees(v);
    expect(collect(v)).toMatchObject({ charged: 0, collateral: ["big"], waits: [], unpaid: 10 });
    expect([v.owner("big"), accessOf(v, "big")]).toEqual(["eve", "genesis_contract_freeware"]);
    expect(reasonOf(debt(v, "eve", "collect", [ID]))).toBe("wrong_status");
  });

  it("can be passed on to an agent with room, and waits for at most an hour", () => {
    const v = pledged();
    collect(v);
    v.must(debt(v, "eve", "transfer_creditor", [ID, "bob"]));
    v.must(debt(v, "bob", "collect", [ID]));
    expect(v.owner("big")).toBe("bob");
    const left = pledged();
    collect(left);
    left.atMs += 3_599_999;
    expect(reasonOf(debt(left, "carol", "reclaim", [ID]))).toBe("not_yours");
    left.atMs += 1;
    left.must(debt(left, "carol", "reclaim", [ID]));
    expect([left.owner("big"), statusOf(left)]).toEqual(["carol", "defaulted"]);
  });

  it("stops no debtor without room from paying", () => {
    const v = pledged();
    v.must(v.writes("alice", "more", { content: "x".repeat(29_000) }));
    v.must(repays(v, "alice", 60));
    expect([statusOf(v), v.owner("big"), v.owner("small")]).toEqual(["paid", DEBT, "alice"]);
    expect(reasonOf(debt(v, "alice", "reclaim", [ID]))).toBe("no_room");
    v.must(v.calls("alice", "genesis_store.delete", ["more"]));
    v.must(debt(v, "alice", "reclaim", [ID]));
    expect(v.owner("big")).toBe("alice");
  });
});

describe("the debt contract's books", () => {
  it("can be looked through by principal and by status", () => {
    const v = lent();
    v.must(debt(v, "bob", "issue", [5, 0.25, 10]));
    v.must(debt(v, "carol", "issue", [7, 0, 10]));
    v.must(debt(v, "carol", "cancel", ["debt_3"]));
    const idsOf = (found: Json) => (found as { debt_id: string }[]).map(({ debt_id }) => debt_id);
    expect(idsOf(answerOf(v, "bob", "debt_contract.list_debts"))).toEqual([ID, "debt_2"]);
    expect(idsOf(answerOf(v, "dave", "debt_contract.list_debts", ["alice"]))).toEqual([ID]);
    expect(answerOf(v, "dave", "debt_contract.list_debts", ["constructor"])).toEqual([]);
    const all = answerOf(v, "dave", "debt_contract.list_all") as { debts: Json; next: null };
    expect([idsOf(all.debts), all.next]).toEqual([[ID, "debt_2", "debt_3"], null]);
    expect(answerOf(v, "dave", "debt_contract.list_all", ["offered", 1])).toMatchObject({
      debts: [{ debt_id: "debt_2", status: "offered", owed: 0, rate_percent_per_day: 0.25 }],
    });
    expect(answerOf(v, "dave", "debt_contract.check", ["debt_3"])).toEqual({
      n: 3,
      debt_id: "debt_3",
      status: "cancelled",
      debtor: "carol",
      creditor: null,
      lender: null,
      amount: 7,
      due_in_s: 10,
      offered_until_ms: v.atMs + 600_000,
      due_at_ms: null,
      unpaid: 0,
      rate_percent_per_day: 0,
      owed: 0,
      overdue: false,
      collateral: [],
    });
  });

  it("remember the latest fifteen that are over", () => {
    const v = libraryVillage(sandbox);
    for (let n = 1; n <= 17; n++) {
      v.must(debt(v, "alice", "issue", [5, 0, 10]));
      v.must(debt(v, "alice", "cancel", [`debt_${n}`]));
    }
    const check = (n: number) => v.calls("bob", "genesis_debt_contract.check", [`debt_${n}`]);
    expect(reasonOf(check(2))).toBe("not_found");
    v.must(check(3));
  });

  it("refuse an invalid loan", () => {
    const v = libraryVillage(sandbox);
    const issue = (...terms: readonly Json[]) => reasonOf(debt(v, "alice", "issue", terms));
    expect(issue(0, 1, 10)).toBe("interface_mismatch");
    expect(issue(2 ** 53, 1, 10)).toBe("interface_mismatch");
    expect(issue(5, -1, 10)).toBe("interface_mismatch");
    expect(issue(5, 0.001, 10)).toBe("bad_rate");
    expect(issue(5, 1, 0)).toBe("interface_mismatch");
    expect(issue(5, 1, 7 * 86_400 + 1)).toBe("interface_mismatch");
    expect(issue(5, 1, 10, "nobody")).toBe("unknown_lender");
    expect(issue(5, 1, 10, DEBT)).toBe("unknown_lender");
    expect(issue(5, 1, 10, "__proto__")).toBe("unknown_lender");
    expect(issue(5, 1, 10, "bob", "carol")).toBe("interface_mismatch");
    v.program(
      "alice",
      "poor",
      `function run() { return kernel.invoke("${DEBT}", "issue", [5, 1, 9]) }`,
    );
    expect(v.calls("alice", "poor").result).toContain("no_standing");
  });

  it.each([
    ["check", "no_scrip"],
    ["cancel", "no_scrip"],
    ["reclaim", "no_scrip"],
    ["collect", "no_scrip"],
    ["accept", "too_little"],
    ["repay", "wrong_status"],
  ])("do not %s an unknown debt, and return what is attached", (method, reason) => {
    const v = offered().program("bob", "gift", TOOL);
    for (const id of ["debt_2", "__proto__", "constructor", "0", ""]) {
      expect(reasonOf(debt(v, "bob", method, [id]))).toBe("not_found");
    }
    const swallowed = debt(v, "bob", method, [ID], { attach: { artifacts: ["gift"] } });
    expect(reasonOf(swallowed)).toBe("no_artifacts");
    expect(reasonOf(debt(v, "bob", method, [ID], { attach: { scrip: 5 } }))).toBe(reason);
    expect([v.owner("gift"), v.scrip("bob"), v.scrip(DEBT)]).toEqual(["bob", 100, 0]);
  });

  it("have room for so many of one family", () => {
    const v = libraryVillage(sandbox);
    for (let n = 0; n < 20; n++) v.must(debt(v, "alice", "issue", [5, 1, 10]));
    expect(reasonOf(debt(v, "alice", "issue", [5, 1, 10]))).toBe("full");
    v.must(debt(v, "bob", "issue", [5, 1, 10]));
    // Expired offers make room, for her and for her child.
    family(v, "alice", "kid");
    expect(reasonOf(debt(v, "kid", "issue", [5, 1, 10]))).toBe("full");
    v.atMs += 600_000;
    expect(reasonOf(debt(v, "bob", "accept", [ID], { attach: { scrip: 5 } }))).toBe("expired");
    v.must(debt(v, "kid", "issue", [5, 1, 10]));
    expect(answerOf(v, "dave", "debt_contract.list_all", ["offered"])).toMatchObject({
      debts: [{ debtor: "kid" }],
    });
  });

  it("have room for so much collateral of one family, and keep it when an offer is over", () => {
    const v = libraryVillage(sandbox);
    v.agent("rich", { disk: 90_000 });
    for (let n = 0; n < 7; n++) {
      v.must(v.writes("rich", `n${n}`, { content: "x".repeat(9_000) }));
    }
    const pledge = (n: number) => {
      const attach = { artifacts: [`n${n}`] };
      return debt(v, "rich", "issue", [5, 1, 10], { attach });
    };
    for (let n = 0; n < 6; n++) v.must(pledge(n));
    expect([reasonOf(pledge(6)), v.owner("n6")]).toEqual(["full", "rich"]);
    v.atMs += 600_000;
    expect([reasonOf(pledge(6)), v.owner("n0")]).toEqual(["full", DEBT]);
    v.must(debt(v, "rich", "cancel", [ID]));
    expect(v.owner("n0")).toBe("rich");
    v.must(pledge(6));
  });
});
