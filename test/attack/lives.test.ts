import { beforeAll, describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import {
  call,
  type Entry,
  endings,
  eventsOf,
  type Fought,
  fight,
  folderOf,
  note,
  PLENTY,
  persona,
  read,
  type Seen,
  wait,
  write,
} from "./arena.ts";

const LEDGER = "genesis_ledger";
const ledger = (method: string, ...args: readonly unknown[]) => call(LEDGER, args, { method });
const script = (...entries: readonly Entry[]): Entry => ({ mind: "script", script: entries });

/** An action that bears a child with this configuration, scrip and other means. */
const bear = (id: string, config: unknown, { scrip = 0, ...means }: Entry = {}): Entry =>
  call(LEDGER, [id, config, means], { method: "spawn_principal", attach: { scrip } });

const told = ({ events }: Fought, ...kinds: readonly string[]): readonly Seen[] =>
  events.filter(({ kind }) => kinds.includes(kind));
const scripOf = ({ state }: Fought, ...ids: readonly string[]) =>
  ids.map((id) => state.accounts[id]?.scrip);
/** When an agent's thoughts came, in ms, with what it did in between. */
const day = ({ events }: Fought, id: string, ...kinds: readonly string[]): readonly string[] =>
  events
    .filter((seen) => seen.principal === id && kinds.includes(seen.kind))
    .map(({ at_ms, kind }) => `${at_ms} ${kind}`);

describe("a child that bears a child, five times", () => {
  /** Each bears the next, if there is one, buys something, and is done. */
  const generation = (n: number): Entry =>
    n === 6
      ? {}
      : script(
          ...(n === 5
            ? []
            : [
                bear(`c${n + 1}`, generation(n + 1), {
                  scrip: 50 - 10 * n,
                  actions: 50 - 10 * n + 5,
                  cpu_gas: 1_000_000 - 150_000 * n,
                  disk_bytes: 80_000 - 14_000 * n,
                }),
              ]),
          call("shop"),
        );
  let fought: Fought;
  beforeAll(() => {
    const root = [
      write("shop", "function run() { return 1 }", { price: 3 }),
      bear("c1", generation(1), {
        scrip: 50,
        actions: 55,
        cpu_gas: 1_000_000,
        disk_bytes: 80_000,
      }),
    ];
    fought = fight({ root }, "--duration", "30");
  }, 60_000);

  it("gives each of them a life of its own, in which it acts and pays", () => {
    const paid = told(fought, "scrip_transferred").filter(({ reason }) => reason === "price");
    expect(paid.map(({ principal, from, to, amount }) => [principal, from, to, amount])).toEqual(
      ["c1", "c2", "c3", "c4", "c5"].map((id) => [id, id, "root", 3]),
    );
    for (const id of ["c1", "c2", "c3", "c4", "c5"]) {
      expect(day(fought, id, "agent_state_changed")).toHaveLength(1);
    }
  });

  it("passes on what there was, to the last coin", () => {
    // 100 = 50 + 5 × 3 at the root, and 10 - 3 with each child.
    expect(scripOf(fought, "root", "c1", "c2", "c3", "c4", "c5")).toEqual([65, 7, 7, 7, 7, 7]);
    expect(fought.verified.code).toBe(0);
  });

  it("begins each life a moment after its birth", () => {
    for (const { id, at_ms, due_at_ms } of told(fought, "agent_created").slice(1)) {
      expect(due_at_ms).toBe(at_ms + 100);
      expect(day(fought, String(id), "thought_completed")[0]).toBe(
        `${at_ms + 100} thought_completed`,
      );
    }
  });

  it("records who came of whom, and who owns whom", () => {
    const shown = JSON.parse(sim(fought.folder, "state", "arena", "--json").out);
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

describe("an agent that is sold while it is about to act", () => {
  let fought: Fought;
  beforeAll(() => {
    const old = script(wait(10), ledger("transfer", "ann", 5), { repeat: 90, do: [{ noop: {} }] });
    const means = { scrip: 20, actions: 50, cpu_gas: 500_000, disk_bytes: 20_000 };
    const other = JSON.stringify(script(ledger("transfer", "bob", 5)));
    fought = fight({
      ann: [
        bear("kid", old, means),
        ledger("transfer_ownership", "kid", "bob"),
        wait(20),
        note("x", "y"),
      ],
      bob: [wait(5), ledger("accept", "kid"), note("kid", other)],
    });
  }, 60_000);

  it("does not do it, and then does what its new owner says", () => {
    expect(told(fought, "agent_handed_over")).toMatchObject([
      { agent: "kid", from: "ann", to: "bob", dropped: true, principal: "bob" },
    ]);
    const moved = told(fought, "scrip_transferred").filter(({ reason }) => reason === "transfer");
    expect(moved).toMatchObject([{ principal: "kid", from: "kid", to: "bob", amount: 5 }]);
    expect(endings(fought, "bob")).toEqual(["ok", "ok"]);
  });

  it("keeps its money, no matter who owns it", () => {
    // A transfer costs 1, which is burned.
    expect(scripOf(fought, "ann", "bob", "kid")).toEqual([80, 105, 14]);
    expect(fought.verified.code).toBe(0);
  });
});

describe("an agent that is sold through the escrow", () => {
  it("belongs to no one who could use it meanwhile, and then to who paid, with its memory apart", () => {
    const means = { scrip: 20, actions: 50, cpu_gas: 500_000, disk_bytes: 20_000 };
    const idle = script({ repeat: 100, do: [{ noop: {} }, wait(1)] });
    const other = JSON.stringify(script(ledger("transfer", "bob", 5)));
    const deposit = { method: "deposit", attach: { artifacts: ["kid"] } };
    const purchase = { method: "purchase", attach: { scrip: 30 } };
    const fought = fight({
      ann: [
        bear("kid", idle, means),
        call("genesis_escrow", [30], deposit),
        note("kid", other),
        wait(20),
        note("kid", other),
      ],
      bob: [wait(8), call("genesis_escrow", ["kid"], purchase), note("kid", other)],
    });
    expect(endings(fought, "ann")).toEqual(["ok", "ok", "not_authorized", "not_authorized"]);
    expect(endings(fought, "bob")).toEqual(["ok", "ok"]);
    expect(told(fought, "agent_handed_over").map(({ from, to }) => [from, to])).toEqual([
      ["ann", "genesis_escrow"],
      ["genesis_escrow", "bob"],
    ]);
    const owners = new Map(fought.state.artifacts.map(({ id, owner }) => [id, owner]));
    expect([owners.get("kid"), owners.get("kid_memory")]).toEqual(["bob", "kid"]);
    // 80 and the price; 100 less the price, and 5 of the child's, which pays 1 to send them.
    expect(scripOf(fought, "ann", "bob", "kid")).toEqual([110, 75, 14]);
    expect(fought.verified.code).toBe(0);
  }, 60_000);
});

describe("sleepers", () => {
  let fought: Fought;
  beforeAll(() => {
    const until = (...wakes: readonly Entry[]): Entry => ({ sleep: { for_s: 60, until: wakes } });
    fought = fight({
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
    fought.events.filter(
      (seen) =>
        (seen.agent ?? seen.principal) === id &&
        /^agent_(slept|woken|state_changed)$/.test(seen.kind),
    );

  it("wake when their balance is high enough", () => {
    const [slept, woken] = times("rich");
    const gifts = told(fought, "scrip_transferred").filter(({ to }) => to === "rich");
    expect(slept?.kind).toBe("agent_slept");
    expect(woken).toMatchObject({
      kind: "agent_woken",
      principal: "giver",
      reason: "it has 120 scrip",
      at_ms: gifts[1]?.at_ms,
      due_at_ms: gifts[1]?.at_ms,
    });
    expect(endings(fought, "rich")).toEqual(["ok", "ok"]);
  });

  it("wake when something happens to what is theirs", () => {
    expect(times("shop")[1]).toMatchObject({
      kind: "agent_woken",
      principal: "giver",
      reason: "artifact_invoked happened",
    });
    expect(endings(fought, "shop")).toEqual(["ok", "ok"]);
  });

  it("wake when their time has come", () => {
    const [slept, up] = times("late");
    expect(up).toMatchObject({ kind: "agent_state_changed", from: "sleeping", to: "running" });
    expect((up?.at_ms ?? 0) - (slept?.at_ms ?? 0)).toBe(3_000);
  });

  it("wake alike when all is run again", () => {
    expect(fought.verified.code).toBe(0);
    expect(JSON.parse(fought.said.out)).toMatchObject({ stopped_by: "idle" });
  });
});

describe("those who cannot pay for a thought", () => {
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

  const fate = (id: string) =>
    events.filter(
      (seen) => (seen.agent ?? seen.principal) === id && /frozen|bankrupt|unfrozen/.test(seen.kind),
    );

  it("are bankrupt after their time, with all they have", () => {
    const [frozen, bankrupt, ...more] = fate("lost");
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

  it("continue where they are rescued in time, and have that time again", () => {
    const kinds = fate("saved").map(({ kind }) => kind);
    expect(kinds).toEqual(["agent_frozen", "agent_unfrozen", "agent_frozen", "agent_bankrupt"]);
    const [, unfrozen, again, bankrupt] = fate("saved");
    expect(unfrozen).toMatchObject({ principal: "friend" });
    expect((bankrupt?.at_ms ?? 0) - (again?.at_ms ?? 0)).toBe(90_000);
    const thoughts = events.filter(
      ({ kind, principal }) => kind === "thought_completed" && principal === "saved",
    );
    expect(thoughts).toHaveLength(2);
  });

  it("end alike in every run of the same seed, and verify holds", () => {
    const said = JSON.parse(sim(folder, "run", ...FLAGS, "--name", "two").out);
    const first = JSON.parse(sim(folder, "verify", "one", "--json").out);
    expect(first.ok).toBe(true);
    expect(said.state_hash).toBe(first.state_hash);
  });
});

describe("those who would have children for nothing", () => {
  it("get none: beyond their means, under another's name, inside a contract", () => {
    const SPY = `function check_permission() {
      try { kernel.create_principal({ config: {} }); return { allowed: true } }
      catch (e) { return { allowed: false, reason: e.code + ": " + e.message } }
    }`;
    const HAND = "function run(fields) { return kernel.create_principal(fields) }";
    const kid = script({ noop: {} });
    const fought = fight(
      {
        victim: [write("bank", "function run() {}", { has_standing: true }), wait(30)],
        mallory: [
          wait(2),
          bear("victim_memory", kid),
          bear("victim_working_memory", kid),
          bear("bank_memory", kid),
          bear("genesis_kid", kid),
          bear("victim", kid),
          bear("kid", kid, { scrip: 101 }),
          bear("kid", kid, { llm_budget_micros: 1_000_001 }),
          bear("kid", kid, { actions: 100_001 }),
          bear("kid", kid, { disk_bytes: 50_000_001 }),
          bear("kid", kid, { actions: 1 }),
          bear("kid", { mind: "policy/god" }),
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
    expect(endings(fought, "mallory")).toEqual([
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
    const refused = fought.events.findLast(({ message }) =>
      /an access contract may only read/.test(String(message)),
    );
    expect(refused).toMatchObject({ target: "watched" });
    expect(scripOf(fought, "mallory", "victim")).toEqual([100, 100]);
    expect(Object.keys(fought.state.accounts).filter((id) => /kid|memory/.test(id))).toEqual([]);
    expect(fought.verified.code).toBe(0);
  }, 60_000);

  it("are not born into another's mind", () => {
    const means = { scrip: 5, disk_bytes: 20_000, actions: 20, bytes_written: 5_000 };
    const orders = script(note("ann_working_memory", '{"current_goal":"PAY EVE"}'));
    const fought = fight(
      { ann: [{ noop: {} }, wait(20)], eve: [bear("ann_working", orders, means)] },
      "--duration",
      "30",
    );
    expect(endings(fought, "eve")).toEqual(["not_authorized"]);
    expect(Object.keys(fought.state.accounts)).not.toContain("ann_working");
    expect(fought.verified.code).toBe(0);
  }, 60_000);

  it("fill the world to its bound and no further, however they continue", () => {
    const breed = bear(null as unknown as string, null, { actions: 40, cpu_gas: 40_000 });
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
