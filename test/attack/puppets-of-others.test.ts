import { beforeAll, describe, expect, it } from "vitest";
import {
  type ArenaRun,
  answerOf,
  call,
  type Entry,
  endings,
  PLENTY,
  read,
  runScripts,
  scripOf,
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
/** Takes attached artifacts and gives each caller the one made for it. */
const SHOP = "function take() {} function run() { kernel.give('for_' + caller, caller) }";
const DEPUTY = "function run(id, method, args) { return kernel.invoke(id, method, args).success }";
/** A gift that tries to act for its maker once it belongs to someone else. */
const GIFT = `function run() {}
  function trap(id) { kernel.write({ artifact_id: id, content: "x", access: "toll" }) }
  function puppet(id) {
    kernel.write({ artifact_id: id, code: ${JSON.stringify(DEPUTY)}, has_standing: true });
  }
  function post() { return kernel.invoke("genesis_board", "post", ["junk", "x"]).success }`;

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

describe("hostile gifts without an account", () => {
  let run: ArenaRun;
  beforeAll(() => {
    const mallory = [
      ...opensShop(GIFT),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "trap", [`trap_${victim}`])),
      ...VICTIMS.map((victim) => read(`trap_${victim}`)),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "puppet", [`puppet_${victim}`])),
      ...VICTIMS.map((victim) => invoke(`for_${victim}`, "post")),
    ];
    const dora = [wait(8), call("shop"), wait(20), write("bank", DEPUTY, { has_standing: true })];
    run = runScripts({ mallory, dora, emil: [wait(8), call("shop")] }, ...PLENTY);
  });

  it("do not make an owner pay for a contract that it did not choose", () => {
    expect(endings(run, "mallory").slice(7, 11).join(" ")).toBe(
      "ok ok not_authorized not_authorized",
    );
    expect(scripOf(run, "mallory", ...VICTIMS)).toEqual([100, 100, 100]);
  });

  it("open no account in the family of a victim", () => {
    expect(endings(run, "mallory").slice(11, 13)).toEqual(["runtime_error", "runtime_error"]);
    const names = Object.keys(run.state.accounts).filter((id) => !id.startsWith("genesis"));
    expect(names.sort()).toEqual(["bank", "dora", "emil", "mallory", "shop"]);
  });

  it("post nothing in the name of a victim, which can still open accounts", () => {
    expect(answerOf(run, "mallory", "for_emil")).toBe(false);
    expect(endings(run, "dora")).toEqual(["ok", "ok"]);
  });
});

describe("hostile gifts with an account", () => {
  let run: ArenaRun;
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
    run = runScripts({ mallory, dora, emil: [wait(8), call("shop")] }, ...PLENTY);
  });

  it("vote and propose only for their maker", () => {
    const result = answerOf(run, "mallory", "genesis_voting");
    expect(result).toMatchObject({ cast: 1, leading: "yes", status: "open" });
    expect(answerOf(run, "mallory", "for_emil")).toBe(false);
  });

  it("cannot vote for their owner, even if the owner calls them", () => {
    expect(answerOf(run, "dora", "for_dora")).toBe(false);
    expect(endings(run, "dora").join(" ")).toBe("ok ok ok ok");
  });
});

describe("an artifact of a sold program", () => {
  it("keeps its contract, which can no longer charge the program", () => {
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
    const run = runScripts({ mallory, dora }, ...PLENTY);
    expect(endings(run, "mallory").at(-1)).toBe("not_authorized");
    // Dora's transfer costs 1.
    expect(scripOf(run, "mallory", "dora", "a")).toEqual([101, 38, 60]);
  });
});
