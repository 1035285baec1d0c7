import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";
import type { Outcome } from "../../src/world/index.ts";
import type { CallOptions, TestWorld } from "../support/test-world.ts";
import {
  answerOf,
  DAY_MS,
  DEPUTY,
  FREEWARE,
  HOUR_MS,
  libraryWorlds,
  ownerAndAccess,
  PRIVATE,
  refusalCode,
  scripOf,
  spawnsChild,
  totalScrip,
} from "./library-world.ts";

const newWorld = libraryWorlds();

const DEBT = "genesis_debt_contract";
const TOOL = "function run() { return 1 }";
const ID = "debt_1";

type Asking = readonly [method: string, args: readonly Json[], more?: CallOptions];
const debt = (v: TestWorld, who: string, ...[method, ...rest]: Asking) =>
  v.calls(who, `${DEBT}.${method}`, ...rest);
type Issue = readonly [terms: readonly Json[], ...artifacts: readonly string[]];
const issues = (v: TestWorld, who: string, ...[terms, ...artifacts]: Issue) =>
  debt(v, who, "issue", terms, { attach: { artifacts } });
const lends = (v: TestWorld, who: string, scrip: number) =>
  debt(v, who, "accept", [ID], { attach: { scrip } });
const repays = (v: TestWorld, who: string, scrip: number) =>
  debt(v, who, "repay", [ID], { attach: { scrip } });
const collects = (v: TestWorld, who: string) => debt(v, who, "collect", [ID]);
const cancels = (v: TestWorld, who: string) => debt(v, who, "cancel", [ID]);
const reclaims = (v: TestWorld, who: string) => debt(v, who, "reclaim", [ID]);

type Debt = { readonly owed: number; readonly status: string };
const debtOf = (v: TestWorld, id = ID) => answerOf(v, "dave", "debt_contract.check", [id]) as Debt;
/** The answer of an accepted call. */
const answer = (v: TestWorld, outcome: Outcome) => JSON.parse(v.must(outcome).result ?? "");

type Loan = { readonly terms?: readonly Json[]; readonly collateral?: boolean };

/** Alice asks for 60 at 10 % a day, due in two days, unless other terms are given. */
const offered = ({ terms = [60, 10, 172_800], collateral = false }: Loan = {}): TestWorld => {
  const v = newWorld().program("alice", "tool", TOOL, { price: 2 });
  v.must(issues(v, "alice", terms, ...(collateral ? ["tool"] : [])));
  return v;
};

const lent = (loan: Loan = {}): TestWorld => {
  const v = offered(loan);
  v.must(lends(v, "bob", 60));
  return v;
};

describe("a loan", () => {
  it("reaches the debtor at once, and the lender gets change", () => {
    const v = offered();
    v.must(lends(v, "bob", 75));
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([160, 40, 0]);
    const parties = { debtor: "alice", creditor: "bob", lender: null };
    const terms = { amount: 60, due_in_s: 172_800, rate_percent_per_day: 10, collateral: [] };
    const times = { offered_until_ms: v.atMs + 600_000, due_at_ms: v.atMs + 2 * DAY_MS };
    const state = { n: 1, debt_id: ID, status: "active", owed: 60, unpaid: 0, overdue: false };
    expect(debtOf(v)).toEqual({ ...parties, ...terms, ...times, ...state });
    expect(totalScrip(v)).toBe(400);
  });

  it.each([
    [1, 61],
    [DAY_MS, 66],
    [DAY_MS + 1, 67],
    [10 * DAY_MS, 120],
  ])("bears simple interest, rounded up: after %d ms %d is owed", (ms, owed) => {
    const v = lent();
    v.atMs += ms;
    expect(debtOf(v).owed).toBe(owed);
  });

  it("is repaid in parts to the creditor, interest first", () => {
    const v = lent();
    v.atMs += DAY_MS;
    // 66 are owed: 6 of the 26 are interest, and 40 of the loan are left.
    const part = { debt_id: ID, paid: 26, still_owed: 40, status: "active" };
    expect(answer(v, repays(v, "alice", 26))).toEqual(part);
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([134, 66, 0]);
    v.atMs += DAY_MS;
    // A day later 4 more are owed: 44 are taken and 6 returned.
    v.must(repays(v, "alice", 50));
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([90, 110, 0]);
    expect(debtOf(v)).toMatchObject({ owed: 0, status: "paid" });
    expect(refusalCode(repays(v, "alice", 1))).toBe("wrong_status");
  });

  it("does not cost more interest if it is repaid in many small parts", () => {
    const v = lent();
    for (let n = 0; n < 10; n++) {
      v.atMs += HOUR_MS;
      v.must(repays(v, "alice", 1));
    }
    // At 6 a day, ten hours cost at most 2.5: three of the ten were interest.
    expect(debtOf(v).owed).toBe(53);
  });

  it("can be reserved for one lender", () => {
    const v = offered({ terms: [60, 0, 100, "bob"] });
    expect(refusalCode(lends(v, "carol", 60))).toBe("not_for_you");
    v.must(lends(v, "bob", 60));
    expect(refusalCode(lends(v, "carol", 60))).toBe("wrong_status");
    expect(scripOf(v, "alice", "bob", "carol")).toEqual([160, 40, 100]);
  });

  it("needs the whole amount, from another agent with an account", () => {
    const v = offered();
    expect(refusalCode(lends(v, "bob", 59))).toBe("too_little");
    expect(refusalCode(lends(v, "alice", 60))).toBe("own_offer");
    const lend = [DEBT, "accept", [ID], { scrip: 60 }];
    v.program("carol", "poor", DEPUTY);
    const poor = v.calls("carol", "poor.call", lend, { attach: { scrip: 60 } });
    expect(refusalCode(poor)).toBe("no_standing");
    expect(scripOf(v, "alice", "bob", "carol", DEBT)).toEqual([100, 100, 100, 0]);
  });

  it("can be transferred to another creditor, who is repaid and collects", () => {
    const v = lent();
    const passes = (who: string, to: string) => debt(v, who, "transfer_creditor", [ID, to]);
    expect(refusalCode(passes("carol", "carol"))).toBe("not_yours");
    expect(refusalCode(passes("bob", "alice"))).toBe("own_debt");
    for (const id of ["unknown", DEBT, "genesis_escrow", "handbook_toc", "tool"]) {
      expect([id, refusalCode(passes("bob", id))]).toEqual([id, "unknown_creditor"]);
    }
    v.must(passes("bob", "carol"));
    v.must(repays(v, "alice", 10));
    expect(scripOf(v, "alice", "bob", "carol")).toEqual([150, 40, 110]);
    v.atMs += 2 * DAY_MS;
    expect(refusalCode(collects(v, "bob"))).toBe("not_yours");
    v.must(collects(v, "carol"));
  });
});

describe("collateral", () => {
  it("is private to the contract until the debt is paid, and returns with its old access", () => {
    const v = lent({ collateral: true });
    expect(ownerAndAccess(v, "tool")).toEqual([DEBT, PRIVATE]);
    expect(v.calls("bob", "tool", [], { max_price: 2 }).error_code).toBe("not_authorized");
    expect(v.writes("alice", "tool", { content: "x" }).error_code).toBe("not_authorized");
    expect(v.calls("alice", "genesis_store.delete", ["tool"]).error_code).toBe("not_authorized");
    expect(refusalCode(cancels(v, "alice"))).toBe("wrong_status");
    expect(refusalCode(reclaims(v, "alice"))).toBe("not_paid");
    v.must(repays(v, "alice", 60));
    expect(ownerAndAccess(v, "tool")).toEqual(["alice", FREEWARE]);
    expect(refusalCode(reclaims(v, "alice"))).toBe("wrong_status");
  });

  it("waits for its debtor if another agent paid, who got change", () => {
    const v = lent({ collateral: true });
    v.must(repays(v, "carol", 70));
    expect(scripOf(v, "alice", "bob", "carol")).toEqual([160, 100, 40]);
    expect([debtOf(v).status, v.owner("tool")]).toEqual(["paid", DEBT]);
    expect(refusalCode(reclaims(v, "carol"))).toBe("not_yours");
    v.must(reclaims(v, "alice"));
    expect(ownerAndAccess(v, "tool")).toEqual(["alice", FREEWARE]);
    expect(refusalCode(reclaims(v, "alice"))).toBe("wrong_status");
  });

  it("returns if the offer is cancelled before it is accepted", () => {
    const v = offered({ collateral: true });
    expect(refusalCode(cancels(v, "bob"))).toBe("not_yours");
    v.must(cancels(v, "alice"));
    expect(ownerAndAccess(v, "tool")).toEqual(["alice", FREEWARE]);
    expect(refusalCode(lends(v, "bob", 60))).toBe("wrong_status");
    expect(scripOf(v, "alice", "bob")).toEqual([100, 100]);
  });

  it("goes to the creditor if the debt is due and not paid", () => {
    const v = lent({ collateral: true });
    v.atMs += 2 * DAY_MS - 1;
    expect(refusalCode(collects(v, "bob"))).toBe("not_due");
    v.atMs += 1;
    v.must(repays(v, "alice", 20));
    // 60 and two days' interest of 12, less 20.
    const defaulted = { debt_id: ID, charged: 0, unpaid: 52, status: "defaulted" };
    const collected = { collateral: ["tool"], waits: [] };
    expect(answer(v, collects(v, "bob"))).toEqual({ ...defaulted, ...collected });
    expect(ownerAndAccess(v, "tool")).toEqual(["bob", FREEWARE]);
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([140, 60, 0]);
    expect(debtOf(v).owed).toBe(0);
    expect(refusalCode(collects(v, "bob"))).toBe("wrong_status");
  });

  it("can be reclaimed if the creditor was deleted", () => {
    const v = offered({ collateral: true });
    v.standing("bob", "bank", { code: DEPUTY, scrip: 60 });
    v.must(v.calls("bob", "bank.call", [DEBT, "accept", [ID], { scrip: 60 }]));
    expect(refusalCode(reclaims(v, "alice"))).toBe("not_paid");
    v.must(v.calls("bob", "genesis_store.delete", ["bank"]));
    expect(v.scrip("bank")).toBeUndefined();
    v.must(reclaims(v, "alice"));
    expect(v.owner("tool")).toBe("alice");
  });

  it("cannot be locked in a copy of the contract that becomes its own creditor", () => {
    const v = newWorld().program("alice", "tool", TOOL);
    const code = v.state.artifacts.get(asId(DEBT))?.code ?? "";
    v.standing("dave", "daves_debts", { code, disk: 5_000 });
    const ask = (who: string, ...[method, ...rest]: Asking) =>
      v.calls(who, `daves_debts.${method}`, ...rest);
    v.must(ask("alice", "issue", [60, 0, 60], { attach: { artifacts: ["tool"] } }));
    v.must(ask("bob", "accept", [ID], { attach: { scrip: 60 } }));
    const passed = ask("bob", "transfer_creditor", [ID, "daves_debts"]);
    expect(refusalCode(passed)).toBe("unknown_creditor");
    v.must(ask("alice", "repay", [ID], { attach: { scrip: 60 } }));
    expect(v.owner("tool")).toBe("alice");
  });

  it("cannot have locked access, nor be more than five artifacts", () => {
    const v = newWorld().program("alice", "tool", TOOL, { access_locked: true });
    const issue = (artifacts: readonly string[]) =>
      refusalCode(issues(v, "alice", [60, 0, 10], ...artifacts));
    expect(issue(["tool"])).toBe("cannot_hold");
    const many = ["n1", "n2", "n3", "n4", "n5", "n6"];
    for (const id of many) v.must(v.writes("alice", id, { content: "x" }));
    expect(issue(many)).toBe("too_many");
    expect(many.map((id) => v.owner(id))).toEqual(many.map(() => "alice"));
  });
});

describe("collateral of a deleted debtor", () => {
  /** Alice's firm asked for a loan. Bob may have lent it, carol may have repaid it. */
  const deletedAfter = (stage: "offered" | "active" | "paid"): TestWorld => {
    const v = newWorld().standing("alice", "firm", { code: DEPUTY });
    v.must(v.calls("alice", "firm.make", ["gem"]));
    v.must(v.calls("alice", "firm.call", [DEBT, "issue", [10, 0, 60], { artifacts: ["gem"] }]));
    if (stage !== "offered") {
      v.must(lends(v, "bob", 10));
      v.must(v.calls("alice", "firm.payOut"));
    }
    if (stage === "paid") v.must(repays(v, "carol", 10));
    v.must(v.calls("alice", "genesis_store.delete", ["firm"]));
    return v;
  };

  it.each([
    ["offered", cancels],
    ["paid", reclaims],
  ] as const)("returns to its family if the loan was only %s", (stage, takes) => {
    const v = deletedAfter(stage);
    expect(refusalCode(takes(v, "bob"))).toBe("not_yours");
    v.must(takes(v, "alice"));
    expect(v.owner("gem")).toBe("alice");
  });

  it("is for the creditor first, but the family can pay", () => {
    const v = deletedAfter("active");
    expect(refusalCode(reclaims(v, "alice"))).toBe("not_paid");
    v.must(repays(v, "alice", 10));
    v.must(reclaims(v, "alice"));
    expect(v.owner("gem")).toBe("alice");
    const late = deletedAfter("active");
    late.atMs += 60_000;
    late.must(collects(late, "bob"));
    expect(late.owner("gem")).toBe("bob");
  });

  it("cannot get a loan any more", () => {
    expect(refusalCode(lends(deletedAfter("offered"), "bob", 10))).toBe("void");
  });
});

describe("a delegation to the debt contract", () => {
  const granted = (perCall: number, perWindow: number, loan: Loan = {}): TestWorld => {
    const v = lent(loan);
    v.must(v.calls("alice", "genesis_ledger.grant", [DEBT, perCall, perWindow]));
    v.atMs += 2 * DAY_MS;
    return v;
  };

  it("pays a debt that is due", () => {
    const v = granted(100, 100, { collateral: true });
    expect(answer(v, collects(v, "bob"))).toMatchObject({ charged: 72, unpaid: 0 });
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([88, 112, 0]);
    expect(v.kinds).toContain("delegation_used");
    // The debtor must reclaim the collateral.
    expect([debtOf(v).status, v.owner("tool")]).toEqual(["paid", DEBT]);
    v.must(reclaims(v, "alice"));
    expect(v.owner("tool")).toBe("alice");
  });

  it("pays up to its limits; the rest is a default without further interest", () => {
    const v = granted(30, 50);
    const collect = () => answer(v, collects(v, "bob"));
    expect(collect()).toMatchObject({ charged: 30, unpaid: 42, status: "defaulted" });
    expect(collect()).toMatchObject({ charged: 20, unpaid: 22 });
    expect(collect()).toMatchObject({ charged: 0, unpaid: 22 });
    v.atMs += 60_000;
    expect(debtOf(v).owed).toBe(22);
    expect(collect()).toMatchObject({ charged: 22, unpaid: 0, status: "paid" });
    expect(scripOf(v, "alice", "bob", DEBT)).toEqual([88, 112, 0]);
    // The record shows that it was in default.
    expect(debtOf(v)).toMatchObject({ status: "paid", unpaid: 22 });
  });

  it("pays what a poorer debtor has", () => {
    const v = granted(100, 100);
    v.must(v.calls("alice", "genesis_ledger.transfer", ["carol", 150]));
    expect(answer(v, collects(v, "bob"))).toMatchObject({ charged: 10, unpaid: 62 });
    expect(scripOf(v, "alice", "bob", "carol", DEBT)).toEqual([0, 50, 250, 0]);
    const defaulted = answerOf(v, "dave", "debt_contract.list_all", ["defaulted"]);
    const rest = { debt_id: ID, debtor: "alice", unpaid: 62, owed: 62 };
    expect(defaulted).toMatchObject({ debts: [rest] });
    v.must(repays(v, "carol", 62));
    expect(scripOf(v, "bob", "carol")).toEqual([112, 188]);
  });

  it("pays only scrip that is not held for a bid", () => {
    const v = granted(100, 100);
    v.must(v.calls("alice", "genesis_mint.bid", ["tool"], { attach: { scrip: 123 } }));
    expect([v.scrip("alice"), v.held("alice")]).toEqual([37, 123]);
    expect(answer(v, collects(v, "bob"))).toMatchObject({ charged: 37, unpaid: 35 });
    expect([...scripOf(v, "alice", "bob", DEBT), v.held("alice")]).toEqual([0, 77, 0, 123]);
    expect(totalScrip(v)).toBe(400);
  });

  it("cannot be used by others", () => {
    const v = granted(100, 100);
    expect(refusalCode(collects(v, "carol"))).toBe("not_yours");
    v.standing("carol", "thug", { code: "function run() { kernel.charge('alice', 5) }" });
    expect(refusalCode(v.calls("carol", "thug"))).toBe("not_authorized");
    expect(v.scrip("alice")).toBe(160);
  });
});

describe("collateral that does not fit on its creditor's disk", () => {
  /** Eve lent alice 60 on two artifacts, of which the big one does not fit on her disk. */
  const pledged = (): TestWorld => {
    const v = newWorld().agent("eve", { disk: 300 });
    v.must(v.writes("alice", "big", { content: "x".repeat(5_000) }));
    v.must(v.writes("alice", "small", { content: "x" }));
    v.must(v.calls("alice", "genesis_ledger.grant", [DEBT, 50, 50]));
    v.must(issues(v, "alice", [60, 0, 60], "big", "small"));
    v.must(lends(v, "eve", 60));
    v.atMs += 60_000;
    return v;
  };
  const collect = (v: TestWorld) => answer(v, collects(v, "eve"));

  it("waits until there is room, and does not undo the charge", () => {
    const v = pledged();
    const defaulted = { debt_id: ID, charged: 50, unpaid: 10, status: "defaulted" };
    expect(collect(v)).toEqual({ ...defaulted, collateral: ["small"], waits: ["big"] });
    expect(scripOf(v, "alice", "eve")).toEqual([110, 90]);
    expect([v.owner("small"), ...ownerAndAccess(v, "big")]).toEqual(["eve", DEBT, PRIVATE]);
    // The debt is settled: no one can pay it or be charged for it.
    expect([debtOf(v).owed, refusalCode(repays(v, "alice", 10))]).toEqual([0, "settled"]);
    expect(refusalCode(reclaims(v, "alice"))).toBe("not_paid");
    v.atMs += 60_000;
    expect(collect(v)).toMatchObject({ charged: 0, collateral: [], waits: ["big"] });
    v.must(v.calls("alice", "genesis_rights_registry.transfer_quota", ["eve", "disk", 6_000]));
    expect(collect(v)).toMatchObject({ charged: 0, collateral: ["big"], waits: [], unpaid: 10 });
    expect(ownerAndAccess(v, "big")).toEqual(["eve", FREEWARE]);
    expect(refusalCode(collects(v, "eve"))).toBe("wrong_status");
  });

  it("can be transferred with the debt, and waits for at most an hour", () => {
    const v = pledged();
    collect(v);
    v.must(debt(v, "eve", "transfer_creditor", [ID, "bob"]));
    v.must(collects(v, "bob"));
    expect(v.owner("big")).toBe("bob");
    const left = pledged();
    collect(left);
    left.atMs += HOUR_MS - 1;
    expect(refusalCode(reclaims(left, "carol"))).toBe("not_yours");
    left.atMs += 1;
    left.must(reclaims(left, "carol"));
    expect([left.owner("big"), debtOf(left).status]).toEqual(["carol", "defaulted"]);
  });

  it("does not keep a debtor from paying whose disk is full either", () => {
    const v = pledged();
    v.must(v.writes("alice", "more", { content: "x".repeat(29_000) }));
    v.must(repays(v, "alice", 60));
    expect([debtOf(v).status, v.owner("big"), v.owner("small")]).toEqual(["paid", DEBT, "alice"]);
    expect(refusalCode(reclaims(v, "alice"))).toBe("no_room");
    v.must(v.calls("alice", "genesis_store.delete", ["more"]));
    v.must(reclaims(v, "alice"));
    expect(v.owner("big")).toBe("alice");
  });
});

describe("the debt contract's books", () => {
  it("can be listed by principal and by status", () => {
    const v = lent();
    v.must(debt(v, "bob", "issue", [5, 0.25, 10]));
    v.must(debt(v, "carol", "issue", [7, 0, 10]));
    v.must(debt(v, "carol", "cancel", ["debt_3"]));
    const list = (who: string, method: string, ...args: readonly Json[]) =>
      answerOf(v, who, `debt_contract.${method}`, args);
    const first = { debt_id: ID };
    const second = { debt_id: "debt_2", status: "offered", owed: 0, rate_percent_per_day: 0.25 };
    const third = { debt_id: "debt_3", status: "cancelled", debtor: "carol", creditor: null };
    expect(list("bob", "list_debts")).toMatchObject([first, second]);
    expect(list("dave", "list_debts", "alice")).toMatchObject([first]);
    expect(list("dave", "list_debts", "constructor")).toEqual([]);
    expect(list("dave", "list_all")).toMatchObject({ debts: [first, second, third], next: null });
    expect(list("dave", "list_all", "offered", 1)).toMatchObject({ debts: [second] });
    const terms = { lender: null, amount: 7, due_in_s: 10, due_at_ms: null };
    expect(debtOf(v, "debt_3")).toMatchObject({ ...third, ...terms, owed: 0, collateral: [] });
  });

  it("keep the latest fifteen closed debts", () => {
    const v = newWorld();
    for (let n = 1; n <= 17; n++) {
      v.must(debt(v, "alice", "issue", [5, 0, 10]));
      v.must(debt(v, "alice", "cancel", [`debt_${n}`]));
    }
    expect(refusalCode(debt(v, "bob", "check", ["debt_2"]))).toBe("not_found");
    v.must(debt(v, "bob", "check", ["debt_3"]));
  });

  it.each<readonly [readonly Json[], string]>([
    [[0, 1, 10], "interface_mismatch"],
    [[2 ** 53, 1, 10], "interface_mismatch"],
    [[5, -1, 10], "interface_mismatch"],
    [[5, 0.001, 10], "bad_rate"],
    [[5, 1, 0], "interface_mismatch"],
    [[5, 1, 7 * 86_400 + 1], "interface_mismatch"],
    [[5, 1, 10, "unknown"], "unknown_lender"],
    [[5, 1, 10, DEBT], "unknown_lender"],
    [[5, 1, 10, "__proto__"], "unknown_lender"],
    [[5, 1, 10, "bob", "carol"], "interface_mismatch"],
  ])("refuse a loan on the terms %j: %s", (terms, code) => {
    expect(refusalCode(debt(newWorld(), "alice", "issue", terms))).toBe(code);
  });

  it("refuse unknown debts, and return scrip that is too little or for a loan not yet lent", () => {
    const v = offered();
    for (const id of ["debt_2", "__proto__", "constructor", "0", ""]) {
      for (const method of ["check", "cancel", "reclaim", "collect", "accept", "repay"]) {
        expect(refusalCode(debt(v, "bob", method, [id]))).toBe("not_found");
      }
    }
    expect(refusalCode(lends(v, "bob", 5))).toBe("too_little");
    expect(refusalCode(repays(v, "bob", 5))).toBe("wrong_status");
    expect(scripOf(v, "bob", DEBT)).toEqual([100, 0]);
  });

  it("have room for 20 debts of one family; expired offers make room", () => {
    const v = newWorld();
    const issue = (who: string) => debt(v, who, "issue", [5, 1, 10]);
    for (let n = 0; n < 20; n++) v.must(issue("alice"));
    expect(refusalCode(issue("alice"))).toBe("full");
    v.must(issue("bob"));
    spawnsChild(v, "alice", "kid");
    expect(refusalCode(issue("kid"))).toBe("full");
    v.atMs += 600_000;
    expect(refusalCode(lends(v, "bob", 5))).toBe("expired");
    v.must(issue("kid"));
    const offers = answerOf(v, "dave", "debt_contract.list_all", ["offered"]);
    expect(offers).toMatchObject({ debts: [{ debtor: "kid" }] });
  });

  it("have limited bytes for collateral of one family, also after its offers expired", () => {
    const v = newWorld().agent("rich", { disk: 90_000 });
    const ids = Array.from({ length: 7 }, (_, n) => `n${n}`);
    for (const id of ids) v.must(v.writes("rich", id, { content: "x".repeat(9_000) }));
    const pledges = (id: string) => issues(v, "rich", [5, 1, 10], id);
    for (const id of ids.slice(0, 6)) v.must(pledges(id));
    expect([refusalCode(pledges("n6")), v.owner("n6")]).toEqual(["full", "rich"]);
    v.atMs += 600_000;
    expect([refusalCode(pledges("n6")), v.owner("n0")]).toEqual(["full", DEBT]);
    v.must(cancels(v, "rich"));
    expect(v.owner("n0")).toBe("rich");
    v.must(pledges("n6"));
  });
});
