import { beforeAll, describe, expect, it } from "vitest";
import {
  type ArenaRun,
  answerOf,
  call,
  endings,
  note,
  PLENTY,
  read,
  runScripts,
  wait,
  write,
} from "./arena.ts";

const STORE = "genesis_store";
const LEDGER = "genesis_ledger";
const invoke = (id: string, method: string, args: readonly unknown[]) => call(id, args, { method });
const setPrice = (price: number) => invoke(STORE, "set_price", ["shop", price]);

/** Tries to spend the attached scrip more than once. */
const OVERSPENDER = `function run() {
  const results = [kernel.balance()];
  for (let i = 0; i < 3; i++) try { kernel.pay(caller, 6); results.push("paid") }
  catch (e) { results.push(e.code) }
  const r = kernel.invoke("spender2", "run", [], { attach: { scrip: 6 } });
  results.push(r.success ? "nested" : r.error.code, kernel.balance());
  return results;
}`;

const LAW = "function check_permission() { return { allowed: true } }";
const TOLL =
  "function check_permission(r) { return { allowed: true, cost: 7, recipient: 'mallory' } }";

/** Changes the terms just before each call of the buyer below. */
const seller = [
  write("shop", "function run() { return 1 }", { price: 3 }),
  write("law", LAW),
  write("toll", TOLL),
  note("law_shop", "goods", { access: "law" }),
  wait(10),
  setPrice(50),
  wait(10),
  setPrice(3),
  invoke(STORE, "set_access", ["shop", "toll"]),
  wait(10),
  invoke(STORE, "set_access", ["shop", "genesis_contract_private"]),
  invoke(STORE, "delete", ["law"]),
  wait(10),
  invoke(STORE, "delete", ["shop"]),
  note("shop", "back again"),
  write("spender", OVERSPENDER),
  write("spender2", "function run() { return 1 }"),
  call("spender", [], { attach: { scrip: 9 } }),
];

const buyer = [
  wait(5),
  call("shop", [], { max_price: 3 }),
  read("law_shop"),
  wait(10),
  call("shop", [], { max_price: 3 }),
  wait(10),
  call("shop", [], { max_price: 3 }),
  call("shop", [], { max_price: 10 }),
  wait(10),
  call("shop", [], { max_price: 3 }),
  read("law_shop"),
  wait(12),
  call("shop", [], { max_price: 3 }),
];

describe("a seller who changes the terms", () => {
  let run: ArenaRun;
  beforeAll(() => {
    run = runScripts({ mallory: seller, buyer }, ...PLENTY);
  });

  it("gets no more than the buyer agreed to", () => {
    expect(endings(run, "buyer").join(" ")).toBe(
      "ok ok price_exceeded price_exceeded ok not_authorized not_authorized deleted",
    );
    expect(run.state.accounts.buyer?.scrip).toBe(100 - 3 - 10);
    expect(run.state.accounts.mallory?.scrip).toBe(100 + 3 + 10);
  });

  it("cannot recreate a deleted artifact", () => {
    expect(endings(run, "mallory").at(-4)).toBe("deleted");
  });

  it("has programs that can spend attached scrip only once", () => {
    const refused = Array(3).fill("insufficient_funds");
    expect(answerOf(run, "mallory", "spender")).toEqual([9, "paid", ...refused, 3]);
  });
});

describe("artifacts that own one another", () => {
  it("form a chain without circles, within the disk quota", () => {
    const links = Array.from({ length: 12 }, (_, n) => note(`o${n}`, "x", { has_standing: true }));
    const quota = Array.from({ length: 12 }, (_, n) =>
      invoke("genesis_rights_registry", "transfer_quota", [`o${n}`, "disk", 1000]),
    );
    const carry = "function run() { return 1 }";
    const give = [
      write("holder", carry, { has_standing: true }),
      call("holder", [], { attach: { artifacts: ["o0"] } }),
      invoke("genesis_rights_registry", "transfer_quota", ["holder", "disk", 1000]),
      call("holder", [], { attach: { artifacts: ["o0"] } }),
      call("holder", [], { attach: { artifacts: ["holder"] } }),
      invoke(LEDGER, "transfer_ownership", ["holder", "o0"]),
      invoke(STORE, "delete", ["holder"]),
    ];
    const run = runScripts({ mallory: [...links, ...quota, ...give] }, ...PLENTY);
    expect(endings(run, "mallory").slice(24).join(" ")).toBe(
      "ok insufficient_disk ok ok ok not_owner not_authorized",
    );
  });
});

describe("a price that rises between percept and call", () => {
  it("is refused without a max_price, which defaults to the price shown", () => {
    const run = runScripts(
      {
        mallory: [
          write("shop", "function run() { return 1 }", { price: 3 }),
          write("book", "function run() {}", { read_price: 2 }),
          wait(10),
          setPrice(50),
          note("book", "dear", { read_price: 40 }),
        ],
        buyer: [wait(2), { noop: {} }, wait(20), call("shop"), wait(2), call("shop"), read("book")],
        reader: [wait(2), { noop: {} }, wait(20), read("book")],
      },
      ...PLENTY,
    );
    expect(endings(run, "buyer").join(" ")).toBe("ok price_exceeded ok ok");
    expect(endings(run, "reader")).toEqual(["ok", "price_exceeded"]);
    const agreed = run.events
      .filter(({ kind, principal }) => kind === "thought_completed" && principal === "buyer")
      .map(({ action }) => action);
    expect(agreed[1]).toEqual({ invoke_artifact: { artifact_id: "shop", args: [], max_price: 3 } });
    expect(run.state.accounts.buyer?.scrip).toBe(100 - 50 - 40);
    expect(run.state.accounts.reader?.scrip).toBe(100);
  });
});
