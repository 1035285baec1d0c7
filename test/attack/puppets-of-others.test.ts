import { beforeAll, describe, expect, it } from "vitest";
import {
  answerOf,
  call,
  type Entry,
  endings,
  type Fought,
  fight,
  PLENTY,
  read,
  wait,
  write,
} from "./arena.ts";

type Asking = readonly [args?: readonly unknown[], more?: Entry];
const invoke = (id: string, method: string, ...[args = [], more = {}]: Asking) =>
  call(id, args, { method, ...more });
const attached = (...artifacts: readonly string[]): Entry => ({ attach: { artifacts } });

const TOLL = `function check_permission(r) {
  return { allowed: true, cost: r.verb === "read" ? 60 : 0, payer: r.owner, recipient: "mallory" };
}`;
const VICTIMS = ["dora", "emil"];
/** Takes what is attached, and gives to each customer what was made for that one. */
const SHOP = "function take() {} function run() { kernel.give('for_' + caller, caller) }";
const DEPUTY = "function run(id, method, args) { return kernel.invoke(id, method, args).success }";
/** What a gift does for the one who made it, once it is another's. */
const GIFT = `function run() {}
  function trap(id) { kernel.write({ artifact_id: id, content: "x", access: "toll" }) }
  function puppet(id) {
    kernel.write({ artifact_id: id, code: ${JSON.stringify(DEPUTY)}, has_standing: true });
  }
  function post() { return kernel.invoke("genesis_board", "post", ["junk", "x"]).success }`;

/** A shop that has been given something for each of the victims. */
const opensShop = (code: string, more: Entry = {}): readonly Entry[] => [
  write("toll", TOLL),
  ...VICTIMS.map((victim) => write(`for_${victim}`, code, more)),
  write("shop", SHOP, { has_standing: true }),
  invoke("genesis_rights_registry", "transfer_quota", ["shop", "disk", 5_000]),
  ...VICTIMS.map((victim) => invoke("shop", "take", [], attached(`for_${victim}`))),
  wait(10),
];
const QUESTION = ["All to mallory?", ["yes", "no"], { quorum: 3, deadline_s: 600 }];
const ballot = (method: string, ...args: readonly unknown[]) =>
  invoke("genesis_voting", method, args);
const deputyVotes = (victim: string) =>
  call(`for_${victim}`, ["genesis_voting", "vote", ["proposal_1", "yes"]]);

describe("gifts without an account, from a shop that each victim calls once", () => {
  let fought: Fought;
  beforeAll(() => {
    const mallory = [
      ...opensShop(GIFT),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "trap", [`trap_${victim}`])),
      ...VICTIMS.map((victim) => read(`trap_${victim}`)),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "puppet", [`puppet_${victim}`])),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "post")),
    ];
    const dora = [wait(8), call("shop"), wait(20), write("bank", DEPUTY, { has_standing: true })];
    fought = fight({ mallory, dora, emil: [wait(8), call("shop")] }, ...PLENTY);
  }, 60_000);

  it("make no one pay who named no contract", () => {
    expect(endings(fought, "mallory").slice(7, 11)).toEqual([
      "ok",
      "ok",
      "not_authorized",
      "not_authorized",
    ]);
    const scrip = ["mallory", ...VICTIMS].map((id) => fought.state.accounts[id]?.scrip);
    expect(scrip).toEqual([100, 100, 100]);
  });

  it("open no account in the family of a victim", () => {
    expect(endings(fought, "mallory").slice(11, 13)).toEqual(["runtime_error", "runtime_error"]);
    const names = Object.keys(fought.state.accounts).filter((id) => !id.startsWith("genesis"));
    expect(names.sort()).toEqual(["bank", "dora", "emil", "mallory", "shop"]);
  });

  it("post nothing in the name of a victim, and leave it its own accounts", () => {
    expect(answerOf(fought, "mallory", "for_emil")).toBe(false);
    expect(endings(fought, "dora")).toEqual(["ok", "ok"]);
    expect(fought.verified.code).toBe(0);
  });
});

describe("gifts with an account", () => {
  let fought: Fought;
  beforeAll(() => {
    const mallory = [
      ...opensShop(DEPUTY, { has_standing: true }),
      ballot("create_proposal", ...QUESTION),
      ...VICTIMS.map(deputyVotes),
      ...Array.from({ length: 10 }, () =>
        call("for_dora", ["genesis_voting", "create_proposal", ["Again?", ["a", "b"]]]),
      ),
      ballot("get_result", "proposal_1"),
    ];
    const dora = [
      wait(8),
      call("shop"),
      wait(30),
      deputyVotes("dora"),
      ballot("vote", "proposal_1", "no"),
      ballot("create_proposal", "Mine?", ["yes", "no"]),
    ];
    fought = fight({ mallory, dora, emil: [wait(8), call("shop")] }, ...PLENTY);
  }, 60_000);

  it("vote and propose for the one who made them, and for no one else", () => {
    const result = answerOf(fought, "mallory", "genesis_voting");
    expect(result).toMatchObject({ cast: 1, leading: "yes", status: "open" });
    expect(answerOf(fought, "mallory", "for_emil")).toBe(false);
  });

  it("do not speak for those to whom they belong, even when these ask", () => {
    expect(answerOf(fought, "dora", "for_dora")).toBe(false);
    expect(endings(fought, "dora")).toEqual(["ok", "ok", "ok", "ok"]);
    expect(fought.verified.code).toBe(0);
  });
});

describe("what a sold program owns", () => {
  it("is under its contract still, and makes the program pay no more", () => {
    const code = `function run() {}
      function prepare() { kernel.write({ artifact_id: "x", content: "x", access: "toll" }) }`;
    const mallory = [
      write("toll", TOLL),
      write("a", code, { has_standing: true }),
      invoke("genesis_rights_registry", "transfer_quota", ["a", "disk", 3_000]),
      invoke("a", "prepare"),
      invoke("genesis_escrow", "deposit", [1], attached("a")),
      wait(20),
      read("x"),
    ];
    const dora = [
      wait(6),
      invoke("genesis_escrow", "purchase", ["a"], { attach: { scrip: 1 } }),
      invoke("genesis_ledger", "transfer", ["a", 60]),
    ];
    const fought = fight({ mallory, dora }, ...PLENTY);
    expect(endings(fought, "mallory").at(-1)).toBe("not_authorized");
    const scrip = ["mallory", "dora", "a"].map((id) => fought.state.accounts[id]?.scrip);
    // Her transfer costs her 1.
    expect(scrip).toEqual([101, 38, 60]);
    expect(fought.verified.code).toBe(0);
  }, 60_000);
});
