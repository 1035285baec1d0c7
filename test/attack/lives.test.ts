import { beforeAll, describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import {
  type ArenaRun,
  call,
  type Entry,
  endings,
  note,
  PLENTY,
  read,
  runScripts,
  type Seen,
  scripOf,
  wait,
  write,
} from "./arena.ts";

const LEDGER = "genesis_ledger";
const ledger = (method: string, ...args: readonly unknown[]) => call(LEDGER, args, { method });
const script = (...entries: readonly Entry[]): Entry => ({ mind: "script", script: entries });

/** An action that spawns a child with this configuration, scrip and other means. */
const spawn = (id: string, config: unknown, { scrip = 0, ...means }: Entry = {}): Entry =>
  call(LEDGER, [id, config, means], { method: "spawn_principal", attach: { scrip } });

const eventsOfKind = ({ events }: ArenaRun, wanted: string): readonly Seen[] =>
  events.filter(({ kind }) => kind === wanted);

describe("five generations of spawned agents", () => {
  /** Each spawns the next one, if any, and buys something. */
  const generation = (n: number): Entry => {
    const next = n < 5 ? [spawn(`c${n + 1}`, generation(n + 1), means(n))] : [];
    return script(...next, call("shop"));
  };
  const means = (n: number): Entry => ({
    ...{ scrip: 50 - 10 * n, actions: 55 - 10 * n },
    ...{ cpu_gas: 1_000_000 - 150_000 * n, disk_bytes: 80_000 - 14_000 * n },
  });
  let run: ArenaRun;
  beforeAll(() => {
    const shop = write("shop", "function run() { return 1 }", { price: 3 });
    run = runScripts({ root: [shop, spawn("c1", generation(1), means(0))] }, "--duration", "30");
  });

  it("each act and pay for themselves", () => {
    const paid = eventsOfKind(run, "scrip_transferred").filter(({ reason }) => reason === "price");
    expect(paid.map(({ principal, from, to, amount }) => [principal, from, to, amount])).toEqual(
      ["c1", "c2", "c3", "c4", "c5"].map((id) => [id, id, "root", 3]),
    );
  });

  it("pass on their scrip exactly", () => {
    // 100 = 50 + 5 × 3 at the root, and 10 - 3 with each child.
    expect(scripOf(run, "root", "c1", "c2", "c3", "c4", "c5")).toEqual([65, 7, 7, 7, 7, 7]);
  });

  it("are recorded with owner and parent", () => {
    const shown = JSON.parse(sim(run.folder, "state", "arena", "--json").out);
    const rows = shown.agents.map((row: Entry) => [row.id, row.owner, row.parent]);
    const child = ([id, parent]: readonly string[]) => [id, parent, parent];
    const pairs = ["c1 root", "c2 c1", "c3 c2", "c4 c3", "c5 c4"].map((pair) => pair.split(" "));
    expect(rows).toEqual([...pairs.map(child), ["root", "root", null]]);
  });
});

describe("an agent sold through the escrow", () => {
  it("cannot be changed by the seller, then belongs to the buyer and keeps its own memory", () => {
    const means = { scrip: 20, actions: 50, cpu_gas: 500_000, disk_bytes: 20_000 };
    const idle = script({ repeat: 100, do: [{ noop: {} }, wait(1)] });
    const other = JSON.stringify(script(ledger("transfer", "bob", 5)));
    const deposit = { method: "deposit", attach: { artifacts: ["kid"] } };
    const purchase = { method: "purchase", attach: { scrip: 30 } };
    const run = runScripts({
      ann: [
        spawn("kid", idle, means),
        call("genesis_escrow", [30], deposit),
        note("kid", other),
        wait(20),
        note("kid", other),
      ],
      bob: [wait(8), call("genesis_escrow", ["kid"], purchase), note("kid", other)],
    });
    expect(endings(run, "ann").join(" ")).toBe("ok ok not_authorized not_authorized");
    expect(endings(run, "bob")).toEqual(["ok", "ok"]);
    expect(eventsOfKind(run, "agent_handed_over").map(({ from, to }) => [from, to])).toEqual([
      ["ann", "genesis_escrow"],
      ["genesis_escrow", "bob"],
    ]);
    const owners = new Map(run.state.artifacts.map(({ id, owner }) => [id, owner]));
    expect([owners.get("kid"), owners.get("kid_memory")]).toEqual(["bob", "kid"]);
    // 80 and the price; 100 less the price, and 5 of the child's, which pays 1 to send them.
    expect(scripOf(run, "ann", "bob", "kid")).toEqual([110, 75, 14]);
  });
});

describe("spawning without the means or the right", () => {
  it("is refused beyond one's means, under a reserved id and in a contract", () => {
    const SPY = `function check_permission() {
      try { kernel.create_principal({ config: {} }); return { allowed: true } }
      catch (e) { return { allowed: false, reason: e.code + ": " + e.message } }
    }`;
    const HAND = "function run(fields) { return kernel.create_principal(fields) }";
    const kid = script({ noop: {} });
    const run = runScripts(
      {
        victim: [write("bank", "function run() {}", { has_standing: true }), wait(30)],
        mallory: [
          wait(2),
          spawn("victim_memory", kid),
          spawn("victim_working_memory", kid),
          spawn("bank_memory", kid),
          spawn("genesis_kid", kid),
          spawn("victim", kid),
          spawn("kid", kid, { scrip: 101 }),
          spawn("kid", kid, { llm_budget_micros: 1_000_001 }),
          spawn("kid", kid, { actions: 100_001 }),
          spawn("kid", kid, { disk_bytes: 50_000_001 }),
          spawn("kid", kid, { actions: 1 }),
          spawn("kid", { mind: "policy/god" }),
          write("spy", SPY),
          note("watched", "x", { access: "spy" }),
          read("watched"),
          write("hand", HAND),
          call("hand", [{ id: "kid", config: kid }]),
          ledger("transfer_ownership", "mallory", "hand"),
        ],
      },
      ...PLENTY,
    );
    expect(endings(run, "mallory")).toEqual([
      ...["already_exists", "not_authorized", "not_authorized", "not_authorized"],
      ...["already_exists", "insufficient_funds", "insufficient_funds", "quota_exceeded"],
      ...["insufficient_disk", "invalid_argument", "invalid_argument", "ok", "ok"],
      ...["not_authorized", "ok", "runtime_error", "invalid_argument"],
    ]);
    const refused = run.events.findLast(({ message }) =>
      /an access contract may only read/.test(String(message)),
    );
    expect(refused).toMatchObject({ target: "watched" });
    expect(scripOf(run, "mallory", "victim")).toEqual([100, 100]);
    expect(Object.keys(run.state.accounts).filter((id) => /kid|memory/.test(id))).toEqual([]);
  });
});
