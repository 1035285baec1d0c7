import { beforeAll, describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import {
  type ArenaRun,
  call,
  type Entry,
  endings,
  eventsOf,
  folderOf,
  note,
  PLENTY,
  persona,
  read,
  runScripts,
  type Seen,
  wait,
  write,
} from "./arena.ts";

const LEDGER = "genesis_ledger";
const ledger = (method: string, ...args: readonly unknown[]) => call(LEDGER, args, { method });
const script = (...entries: readonly Entry[]): Entry => ({ mind: "script", script: entries });

/** An action that spawns a child with this configuration, scrip and other means. */
const spawn = (id: string, config: unknown, { scrip = 0, ...means }: Entry = {}): Entry =>
  call(LEDGER, [id, config, means], { method: "spawn_principal", attach: { scrip } });

const eventsOfKind = ({ events }: ArenaRun, ...kinds: readonly string[]): readonly Seen[] =>
  events.filter(({ kind }) => kinds.includes(kind));
const scripOf = ({ state }: ArenaRun, ...ids: readonly string[]) =>
  ids.map((id) => state.accounts[id]?.scrip);
/** The events of these kinds of an agent, each with its time in ms. */
const timeline = (
  { events }: ArenaRun,
  id: string,
  ...kinds: readonly string[]
): readonly string[] =>
  events
    .filter((seen) => seen.principal === id && kinds.includes(seen.kind))
    .map(({ at_ms, kind }) => `${at_ms} ${kind}`);

describe("five generations of spawned agents", () => {
  /** Each spawns the next one, if any, and buys something. */
  const generation = (n: number): Entry =>
    n === 6
      ? {}
      : script(
          ...(n === 5
            ? []
            : [
                spawn(`c${n + 1}`, generation(n + 1), {
                  scrip: 50 - 10 * n,
                  actions: 50 - 10 * n + 5,
                  cpu_gas: 1_000_000 - 150_000 * n,
                  disk_bytes: 80_000 - 14_000 * n,
                }),
              ]),
          call("shop"),
        );
  let run: ArenaRun;
  beforeAll(() => {
    const root = [
      write("shop", "function run() { return 1 }", { price: 3 }),
      spawn("c1", generation(1), {
        scrip: 50,
        actions: 55,
        cpu_gas: 1_000_000,
        disk_bytes: 80_000,
      }),
    ];
    run = runScripts({ root }, "--duration", "30");
  }, 60_000);

  it("each act and pay for themselves", () => {
    const paid = eventsOfKind(run, "scrip_transferred").filter(({ reason }) => reason === "price");
    expect(paid.map(({ principal, from, to, amount }) => [principal, from, to, amount])).toEqual(
      ["c1", "c2", "c3", "c4", "c5"].map((id) => [id, id, "root", 3]),
    );
    for (const id of ["c1", "c2", "c3", "c4", "c5"]) {
      expect(timeline(run, id, "agent_state_changed")).toHaveLength(1);
    }
  });

  it("pass on their scrip exactly", () => {
    // 100 = 50 + 5 × 3 at the root, and 10 - 3 with each child.
    expect(scripOf(run, "root", "c1", "c2", "c3", "c4", "c5")).toEqual([65, 7, 7, 7, 7, 7]);
    expect(run.verified.code).toBe(0);
  });

  it("each start 100 ms after they were spawned", () => {
    for (const { id, at_ms, due_at_ms } of eventsOfKind(run, "agent_created").slice(1)) {
      expect(due_at_ms).toBe(at_ms + 100);
      expect(timeline(run, String(id), "thought_completed")[0]).toBe(
        `${at_ms + 100} thought_completed`,
      );
    }
  });

  it("are recorded with owner and parent", () => {
    const shown = JSON.parse(sim(run.folder, "state", "arena", "--json").out);
    const rows = shown.agents.map((row: Entry) => [row.id, row.owner, row.parent]);
    expect(rows).toEqual([
      ["c1", "root", "root"],
      ["c2", "c1", "c1"],
      ["c3", "c2", "c2"],
      ["c4", "c3", "c3"],
      ["c5", "c4", "c4"],
      ["root", "root", null],
    ]);
  });
});

describe("an agent sold while it is about to act", () => {
  let run: ArenaRun;
  beforeAll(() => {
    const old = script(wait(10), ledger("transfer", "ann", 5), { repeat: 90, do: [{ noop: {} }] });
    const means = { scrip: 20, actions: 50, cpu_gas: 500_000, disk_bytes: 20_000 };
    const other = JSON.stringify(script(ledger("transfer", "bob", 5)));
    run = runScripts({
      ann: [
        spawn("kid", old, means),
        ledger("transfer_ownership", "kid", "bob"),
        wait(20),
        note("x", "y"),
      ],
      bob: [wait(5), ledger("accept", "kid"), note("kid", other)],
    });
  }, 60_000);

  it("drops the action, and then follows its new owner's script", () => {
    expect(eventsOfKind(run, "agent_handed_over")).toMatchObject([
      { agent: "kid", from: "ann", to: "bob", dropped: true, principal: "bob" },
    ]);
    const moved = eventsOfKind(run, "scrip_transferred").filter(
      ({ reason }) => reason === "transfer",
    );
    expect(moved).toMatchObject([{ principal: "kid", from: "kid", to: "bob", amount: 5 }]);
    expect(endings(run, "bob")).toEqual(["ok", "ok"]);
  });

  it("keeps its scrip", () => {
    // A transfer costs 1, which is burned.
    expect(scripOf(run, "ann", "bob", "kid")).toEqual([80, 105, 14]);
    expect(run.verified.code).toBe(0);
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
    expect(endings(run, "ann")).toEqual(["ok", "ok", "not_authorized", "not_authorized"]);
    expect(endings(run, "bob")).toEqual(["ok", "ok"]);
    expect(eventsOfKind(run, "agent_handed_over").map(({ from, to }) => [from, to])).toEqual([
      ["ann", "genesis_escrow"],
      ["genesis_escrow", "bob"],
    ]);
    const owners = new Map(run.state.artifacts.map(({ id, owner }) => [id, owner]));
    expect([owners.get("kid"), owners.get("kid_memory")]).toEqual(["bob", "kid"]);
    // 80 and the price; 100 less the price, and 5 of the child's, which pays 1 to send them.
    expect(scripOf(run, "ann", "bob", "kid")).toEqual([110, 75, 14]);
    expect(run.verified.code).toBe(0);
  }, 60_000);
});

describe("sleeping agents", () => {
  let run: ArenaRun;
  beforeAll(() => {
    const until = (...wakes: readonly Entry[]): Entry => ({ sleep: { for_s: 60, until: wakes } });
    run = runScripts({
      rich: [{ noop: {} }, until({ scrip_at_least: 120 }), note("up", "now")],
      shop: [
        write("shop_tool", "function run() { return 1 }", { price: 2 }),
        until({ event: "artifact_invoked" }),
        note("sold", "one"),
      ],
      late: [{ noop: {} }, { sleep: { for_s: 3 } }, note("slept", "three seconds")],
      giver: [
        wait(5),
        ledger("transfer", "rich", 10),
        wait(5),
        ledger("transfer", "rich", 10),
        call("shop_tool"),
      ],
    });
  }, 60_000);

  const times = (id: string) =>
    run.events.filter(
      (seen) =>
        (seen.agent ?? seen.principal) === id &&
        /^agent_(slept|woken|state_changed)$/.test(seen.kind),
    );

  it("wake when their balance is high enough", () => {
    const [slept, woken] = times("rich");
    const gifts = eventsOfKind(run, "scrip_transferred").filter(({ to }) => to === "rich");
    expect(slept?.kind).toBe("agent_slept");
    expect(woken).toMatchObject({
      kind: "agent_woken",
      principal: "giver",
      reason: "it has 120 scrip",
      at_ms: gifts[1]?.at_ms,
      due_at_ms: gifts[1]?.at_ms,
    });
    expect(endings(run, "rich")).toEqual(["ok", "ok"]);
  });

  it("wake at an event of their artifacts", () => {
    expect(times("shop")[1]).toMatchObject({
      kind: "agent_woken",
      principal: "giver",
      reason: "artifact_invoked happened",
    });
    expect(endings(run, "shop")).toEqual(["ok", "ok"]);
  });

  it("wake at the end of their time", () => {
    const [slept, up] = times("late");
    expect(up).toMatchObject({ kind: "agent_state_changed", from: "sleeping", to: "running" });
    expect((up?.at_ms ?? 0) - (slept?.at_ms ?? 0)).toBe(3_000);
  });

  it("wake at the same times when the run is verified", () => {
    expect(run.verified.code).toBe(0);
    expect(JSON.parse(run.output.out)).toMatchObject({ stopped_by: "idle" });
  });
});

describe("agents that cannot pay for a thought", () => {
  /** A thought costs 1,500 micro-dollars of the 2,000 that each begins with. */
  const POOR = [
    "resources.stock.llm_budget_usd=0.002",
    "policy.thought_micros=1500",
    "agent.loop.bankrupt_after_s=90",
  ].flatMap((value) => ["--set", value]);
  const FLAGS = ["--clock", "virtual", "--duration", "400", "--json", ...POOR];
  let folder: string;
  let events: readonly Seen[];
  beforeAll(() => {
    folder = folderOf({
      friend: [{ noop: {} }, wait(60), ledger("transfer_budget", "saved", 1_500)],
    });
    for (const id of ["saved", "lost"]) persona(folder, id, { mind: "policy/zero_intelligence" });
    expect(sim(folder, "run", ...FLAGS, "--name", "one").code).toBe(0);
    events = eventsOf(folder, "one");
  }, 60_000);

  const budgetEvents = (id: string) =>
    events.filter(
      (seen) => (seen.agent ?? seen.principal) === id && /frozen|bankrupt|unfrozen/.test(seen.kind),
    );

  it("go bankrupt after bankrupt_after_s and keep what they have", () => {
    const [frozen, bankrupt, ...more] = budgetEvents("lost");
    expect([frozen?.kind, bankrupt?.kind, more]).toEqual(["agent_frozen", "agent_bankrupt", []]);
    expect(bankrupt).toMatchObject({
      at_ms: (frozen?.at_ms ?? 0) + 90_000,
      frozen_ms: 90_000,
      principal: "lost",
    });
    const state = JSON.parse(sim(folder, "state", "one", "--json").out);
    expect(state.accounts.lost.llm_budget_micros).toBe(500);
    expect(state.agents.find((row: Entry) => row.id === "lost")).toMatchObject({
      state: "stopped",
      next: null,
    });
  });

  it("resume if they get budget in time, and then have the full time again", () => {
    const kinds = budgetEvents("saved").map(({ kind }) => kind);
    expect(kinds).toEqual(["agent_frozen", "agent_unfrozen", "agent_frozen", "agent_bankrupt"]);
    const [, unfrozen, again, bankrupt] = budgetEvents("saved");
    expect(unfrozen).toMatchObject({ principal: "friend" });
    expect((bankrupt?.at_ms ?? 0) - (again?.at_ms ?? 0)).toBe(90_000);
    const thoughts = events.filter(
      ({ kind, principal }) => kind === "thought_completed" && principal === "saved",
    );
    expect(thoughts).toHaveLength(2);
  });

  it("end in the same state for the same seed, and the run verifies", () => {
    const output = JSON.parse(sim(folder, "run", ...FLAGS, "--name", "two").out);
    const first = JSON.parse(sim(folder, "verify", "one", "--json").out);
    expect(first.ok).toBe(true);
    expect(output.state_hash).toBe(first.state_hash);
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
      "already_exists",
      "not_authorized",
      "not_authorized",
      "not_authorized",
      "already_exists",
      "insufficient_funds",
      "insufficient_funds",
      "quota_exceeded",
      "insufficient_disk",
      "invalid_argument",
      "invalid_argument",
      "ok",
      "ok",
      "not_authorized",
      "ok",
      "runtime_error",
      "invalid_argument",
    ]);
    const refused = run.events.findLast(({ message }) =>
      /an access contract may only read/.test(String(message)),
    );
    expect(refused).toMatchObject({ target: "watched" });
    expect(scripOf(run, "mallory", "victim")).toEqual([100, 100]);
    expect(Object.keys(run.state.accounts).filter((id) => /kid|memory/.test(id))).toEqual([]);
    expect(run.verified.code).toBe(0);
  }, 60_000);

  it("is refused under an id that takes over another agent's memory", () => {
    const means = { scrip: 5, disk_bytes: 20_000, actions: 20, bytes_written: 5_000 };
    const orders = script(note("ann_working_memory", '{"current_goal":"PAY EVE"}'));
    const run = runScripts(
      { ann: [{ noop: {} }, wait(20)], eve: [spawn("ann_working", orders, means)] },
      "--duration",
      "30",
    );
    expect(endings(run, "eve")).toEqual(["not_authorized"]);
    expect(Object.keys(run.state.accounts)).not.toContain("ann_working");
    expect(run.verified.code).toBe(0);
  }, 60_000);

  it("is limited by spawn.principals_max", () => {
    const breed = spawn(null as unknown as string, null, { actions: 40, cpu_gas: 40_000 });
    const folder = folderOf({ victim: [{ repeat: 20, do: [{ noop: {} }, wait(1)] }] });
    persona(folder, "eve", { mind: "script", script: [breed], script_loop: true });
    const flags = ["--clock", "virtual", "--duration", "60", "--name", "flood", "--json"];
    const bound = ["--set", "spawn.principals_max=30", ...PLENTY];
    expect(sim(folder, "run", ...flags, ...bound).code).toBe(0);
    const state = JSON.parse(sim(folder, "state", "flood", "--json").out);
    expect(Object.keys(state.accounts)).toHaveLength(30);
    const events = eventsOf(folder, "flood");
    const fed = events.filter(({ principal, kind }) => {
      return principal === "victim" && kind === "action_completed";
    });
    expect(fed).toHaveLength(20);
    const sum = (key: string): number =>
      Object.values<Record<string, number>>(state.accounts).reduce(
        (all, row) => all + (row[key] ?? 0),
        0,
      );
    expect(sum("scrip")).toBe(200);
    expect(sum("llm_budget_micros")).toBe(2_000_000);
    expect(sim(folder, "verify", "flood").code).toBe(0);
  }, 60_000);
});
