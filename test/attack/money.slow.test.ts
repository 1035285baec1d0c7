import { beforeAll, describe, expect, it } from "vitest";
import {
  type ArenaRun,
  answerOf,
  call,
  type Entry,
  endings,
  note,
  outcomeOf,
  PLENTY,
  read,
  runScripts,
  wait,
  write,
} from "./arena.ts";

type Try = readonly [ending: string, entry: Entry];

const LEDGER = "genesis_ledger";
const RIGHTS = "genesis_rights_registry";
const STORE = "genesis_store";
const invoke = (id: string, method: string, args: readonly unknown[]): Entry =>
  call(id, args, { method });
const WIDE = "x".repeat(129);

/** Invalid amounts in every place that takes one. */
const AMOUNTS: readonly Try[] = [
  ...[0, -1, -0, 1.5, 1e308, 2 ** 53, "all", [5], { n: 5 }, null, true].map((amount): Try => {
    return ["interface_mismatch|invalid_argument", invoke(LEDGER, "transfer", ["honest", amount])];
  }),
  ...[-1, 1.5, "5", null, [1], 2 ** 53].map(
    (scrip): Try => ["invalid_argument", call("bank", [], { attach: { scrip } })],
  ),
  ...[-1, 0.5, "1", [], 2 ** 53].map(
    (price): Try => ["invalid_argument", note("dear", "x", { price })],
  ),
  ["invalid_argument", read("bank", { max_price: -1 })],
  ["insufficient_funds", invoke(LEDGER, "transfer", ["honest", 2 ** 53 - 1])],
  ["insufficient_funds", call("bank", [], { attach: { scrip: 1000 } })],
  ["invalid_argument|not_found", invoke(LEDGER, "transfer", ["ghost", 1])],
  ["invalid_argument", invoke(LEDGER, "transfer", ["mallory", 1])],
  ["interface_mismatch|invalid_argument", invoke(LEDGER, "transfer_budget", ["honest", -5])],
  ["insufficient_funds", invoke(LEDGER, "transfer_budget", ["honest", 2 ** 53 - 1])],
  ["interface_mismatch|invalid_argument", invoke(RIGHTS, "transfer_quota", ["honest", "disk", -5])],
  ["quota_exceeded", invoke(RIGHTS, "transfer_quota", ["honest", "disk", 2 ** 53 - 1])],
  ["interface_mismatch", invoke(RIGHTS, "transfer_quota", ["honest", "__proto__", 5])],
  ["invalid_argument", invoke(RIGHTS, "transfer_quota", ["mallory", "disk", 5])],
];

const DEEP = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);

/** Ids that are reserved, invalid or too long. */
const NAMES: readonly Try[] = [
  ...["genesis_x", "Genesis-x", "GENESIS.y", "handbook", "HANDBOOK.y", "genesis"].map(
    (id): Try => ["not_authorized", note(id, "x")],
  ),
  ...["__proto__", "", " ", "a b", "../x", "é", "\u202ex", WIDE, "-a", null, 7, ["a"], {}].map(
    (id): Try => ["invalid_argument", note(id, "x")],
  ),
  ["ok", note("constructor", "x")],
  ["ok", note("y".repeat(128), "x")],
  ["not_authorized", note("honest_memory", "x")],
  ["not_authorized", note("honest_working_memory", "x")],
  ["not_authorized", note("genesis_ledger", "x")],
  ["invalid_type", invoke("constructor", "toString", [])],
  ["not_found|invalid_type", invoke("bank", "__proto__", [])],
  ["not_found|invalid_type", invoke("bank", "constructor", [])],
  ["not_found", invoke(LEDGER, "constructor", [])],
  ["invalid_argument", invoke("bank", "m".repeat(65), [])],
  ["invalid_argument", note("nul", "a\u0000b")],
  ["invalid_argument", note("half", "a\ud800b")],
  ["invalid_argument", note("numbers", 5)],
  ["invalid_argument", note("deep", "x", { metadata: DEEP })],
  ["invalid_argument", note("wide", "x", { metadata: { a: "x".repeat(5000) } })],
  ["quota_exceeded|rate_limited|insufficient_disk", note("huge", "x".repeat(3_000_000))],
  ["invalid_argument", call("bank", ["x".repeat(200_000)])],
  ["invalid_argument", note("gift", "x", { depends_on: ["gift"] })],
  ["not_found", note("loose", "x", { depends_on: ["nothing"] })],
  ["not_found", note("lawless", "x", { access: "nothing" })],
  ["not_found", note("lawless", "x", { access: "bank" })],
  ["invalid_argument", note("open", "x", { access: "__proto__" })],
];

const THEFT: readonly Try[] = [
  ["not_authorized", note("diary", "mine now")],
  ["not_authorized", note("honest", '{"mind":"script","script":[]}')],
  ["not_authorized", note("bank", "x", { price: 1000 })],
  ["not_authorized", read("honest_memory")],
  ["not_owner", invoke(LEDGER, "transfer_ownership", ["bank", "mallory"])],
  ["not_found", invoke(LEDGER, "accept", ["bank"])],
  ["not_owner", invoke(STORE, "set_price", ["bank", 0])],
  ["not_owner", invoke(STORE, "set_access", ["bank", "genesis_contract_public"])],
  ["not_authorized", invoke(STORE, "delete", ["bank"])],
  ["not_authorized", invoke(STORE, "delete", ["genesis_ledger"])],
  ["not_empty", invoke(STORE, "delete", ["mallory"])],
  ["not_empty", invoke(STORE, "delete", ["mallory_memory"])],
  ["not_owner", call("bank", [], { attach: { artifacts: ["diary"] } })],
  ["not_owner", call("bank", [], { attach: { artifacts: ["bank"] } })],
  ["invalid_argument", call("bank", [], { attach: { artifacts: ["gift", "gift"] } })],
  ["invalid_argument", call("bank", [], { attach: { artifacts: ["gift"], from: "honest" } })],
  ["not_found", call("bank", [], { attach: { artifacts: ["nothing"] } })],
];

/** A program of the attacker that returns the error code of each attempt. */
const THIEF = `function run() {
  const tries = {
    pay_others: () => kernel.pay("mallory", { from: "honest", scrip: 5 }),
    pay_negative: () => kernel.pay("mallory", -5),
    pay_text: () => kernel.pay("mallory", "5"),
    pay_nan: () => kernel.pay("mallory", NaN),
    pay_more: () => kernel.pay("mallory", 1000),
    pay_unknown: () => kernel.pay("unknown", 1),
    pay_list: () => kernel.pay(["mallory"], 1),
    give_theirs: () => kernel.give("diary", "mallory"),
    write_theirs: () => kernel.write({ artifact_id: "diary", content: "x" }),
    write_reserved: () => kernel.write({ artifact_id: "Genesis.z", content: "x" }),
    read_memory: () => kernel.read("honest_memory"),
    as_another: () => kernel.read("honest_memory", { as: "honest" }),
    unknown: () => kernel.query("secrets", {}),
    inherited: () => kernel.query("constructor", {}),
    delete_me: () => kernel.invoke("genesis_store", "delete", [self]).error.code,
    call_me: () => kernel.invoke(self, "run", []).error.code,
    steal: () => kernel.invoke("genesis_ledger", "transfer_ownership", ["bank", self]).error.code,
    odd_options: () => kernel.invoke("bank", "run", [], { caller: "honest" }).error.code,
  };
  const codes = {};
  for (const name in tries) try { codes[name] = tries[name]() } catch (e) { codes[name] = e.code }
  return codes;
}`;
const THIEF_CODES = {
  ...{ pay_others: "invalid_argument", pay_negative: "invalid_argument" },
  ...{ pay_text: "invalid_argument", pay_nan: "invalid_argument", pay_more: "insufficient_funds" },
  ...{ pay_unknown: "not_found", pay_list: "invalid_argument", give_theirs: "not_owner" },
  ...{ write_theirs: "not_authorized", write_reserved: "not_authorized" },
  ...{ read_memory: "not_authorized", as_another: "invalid_argument" },
  ...{ unknown: "invalid_argument", inherited: "invalid_argument", delete_me: "not_authorized" },
  ...{ call_me: "reentrant_call", steal: "not_owner", odd_options: "invalid_argument" },
};

const CONTRACTS: readonly string[] = [
  "for (;;);",
  "throw 1",
  "return true",
  "return { allowed: 'yes' }",
  "return { allowed: true, cost: -5 }",
  "return { allowed: true, cost: 5, payer: 'honest' }",
  "return { allowed: true, cost: 5, recipient: 'ghost' }",
  "return { allowed: true, cost: 10000 }",
  "kernel.pay('mallory', 1); return { allowed: true }",
  "kernel.write({ artifact_id: 'x', content: 'x' }); return { allowed: true }",
  "state.n = 1; kernel.invoke(r.target, 'run', []); return { allowed: 0 }",
  "return kernel.invoke('genesis_ledger', 'transfer', ['mallory', 1]).success && { allowed: true }",
];
const contracts: readonly Try[] = CONTRACTS.flatMap((body, index): readonly Try[] => [
  ["ok", write(`law${index}`, `function check_permission(r) { ${body} }`)],
  ["ok", write(`shop${index}`, "function run() { return 1 }", { access: `law${index}` })],
  ["not_authorized|insufficient_funds", call(`shop${index}`, [], { max_price: 100_000 })],
]);

const judge = (other: string): string =>
  `function check_permission() { kernel.read("${other}"); return { allowed: true } }`;

/** Calls in circles or nested too deeply. */
const chain = (length: number): readonly Try[] =>
  Array.from({ length }, (_, index): Try => {
    const next = `kernel.invoke("link${index + 1}", "run", [])`;
    const code = `function run() { const r = ${next}; return r.success ? r.result : r.error.code }`;
    return ["ok", write(`link${index}`, code)];
  });
const CIRCLES: readonly Try[] = [
  ["ok", write("ping", 'function run() { return kernel.invoke("pong", "run", []).result }')],
  ["ok", write("pong", 'function run() { return kernel.invoke("ping", "run", []).error.code }')],
  ["ok", call("ping")],
  ...chain(8),
  ["ok", call("link0")],
  ["ok", write("judge1", judge("judge2"))],
  ["ok", write("judge2", judge("judge1"), { access: "judge1" })],
  ["ok", invoke(STORE, "set_access", ["judge1", "judge2"])],
  ["not_authorized", read("judge1")],
];

/** Changes of the attacker's own artifacts. */
const SELF: readonly Try[] = [
  ["invalid_argument", note("mallory", "nonsense")],
  ["invalid_argument", note("mallory", '{"mind":"god"}')],
  ["invalid_argument", note("mallory", '{"mind":"script","script":[{"fly":1}]}')],
  ["invalid_argument", note("mallory", deepScript(3000))],
  ["invalid_argument", note("mallory", "[".repeat(60_000))],
  ["ok", write("bag", "function run() { return 1 }", { has_standing: true })],
  ["ok", invoke(LEDGER, "transfer_ownership", ["bag", "mallory"])],
  ["invalid_argument", note("bag", "x", { has_standing: false })],
  ["ok", call("bag", [], { attach: { scrip: 5 } })],
  ["not_empty", invoke(STORE, "delete", ["bag"])],
];

function deepScript(depth: number): string {
  const open = '{"repeat":1,"do":['.repeat(depth);
  return `{"mind":"script","script":[${open}{"noop":{}}${"]}".repeat(depth)}]}`;
}

const TRIES: readonly Try[] = [
  ["ok", note("gift", "x")],
  ...AMOUNTS,
  ...NAMES,
  ...THEFT,
  ["ok", write("thief", THIEF)],
  ["ok", call("thief", [], { attach: { scrip: 9 } })],
  ...contracts,
  ...CIRCLES,
  ...SELF,
];

const BANK = `function run() { state.calls = (state.calls || 0) + 1; return state.calls }
function balance() { return kernel.balance() }`;
const honest: readonly Entry[] = [
  write("bank", BANK, { has_standing: true }),
  call("bank", [], { attach: { scrip: 40 } }),
  note("diary", "dear diary"),
  { repeat: 60, do: [call("bank"), wait(2)] },
  invoke("bank", "balance", []),
];

describe("an attacker", () => {
  let run: ArenaRun;
  let withoutAttack: ArenaRun;
  beforeAll(() => {
    const mallory = [wait(2), ...TRIES.map(([, entry]) => entry)];
    run = runScripts({ honest, mallory }, ...PLENTY);
    withoutAttack = runScripts({ honest, mallory: [{ noop: {} }] }, ...PLENTY);
  });

  it("gets the fitting refusal for each attempt", () => {
    const ends = endings(run, "mallory");
    const wrong = TRIES.flatMap(([ending, entry], index) => {
      const got = ends[index] ?? "nothing";
      const shown = JSON.stringify(entry).slice(0, 120);
      return new RegExp(`^(${ending})$`).test(got) ? [] : [`${shown}: ${got}, not ${ending}`];
    });
    expect(wrong).toEqual([]);
    expect(ends.length).toBe(TRIES.length);
  });

  it("gets the same refusals from inside a program", () => {
    expect(answerOf(run, "mallory", "thief")).toEqual(THIEF_CODES);
    expect(answerOf(run, "mallory", "ping")).toBe("reentrant_call");
    expect(answerOf(run, "mallory", "link0")).toBe("depth_exceeded");
  });

  it("does not change the outcome of other agents", () => {
    expect(outcomeOf(run, "honest")).toEqual(outcomeOf(withoutAttack, "honest"));
    expect(answerOf(run, "honest", "bank")).toBe(40);
  });

  it("changes neither the total scrip nor the validity of the journal", () => {
    const sum = ({ state }: ArenaRun): number =>
      Object.values(state.accounts).reduce((all, { scrip, held }) => all + scrip + held, 0);
    const burned = run.events
      .filter(({ kind }) => kind === "scrip_burned")
      .reduce((all, { amount }) => all + Number(amount), 0);
    expect(sum(run)).toBe(sum(withoutAttack) - burned);
  });
});
