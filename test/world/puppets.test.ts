import { describe, expect, it } from "vitest";
import { answerQuery, asId, commit, evolve, type State, viewOf } from "../../src/kernel/index.ts";

import type { Outcome, Request } from "../../src/world/index.ts";
import { stateText } from "../../src/world/state-codec/state-codec.ts";
import { decodeEvent } from "../../src/world/wire-codec.ts";
import { Dice } from "../support/dice.ts";
import { reloaded } from "../support/given-when-then.ts";
import { physicsWith } from "../support/physics.ts";
import { PuppetEngine, type Watch } from "../support/puppet-engine.ts";
import { AGENTS, Rogue } from "../support/rogue.ts";
import { Village } from "../support/world.ts";

/** `CATALLAXY_WORLDS=1000 CATALLAXY_SEED=7` tries more worlds, from another seed. */
const WORLDS = Number(process.env.CATALLAXY_WORLDS ?? 42);
const FIRST_SEED = Number(process.env.CATALLAXY_SEED ?? 1);
const COMMANDS_EACH = 250;

const PHYSICS = physicsWith({
  resources: { window_ms: 5_000 },
  sandbox: { gas_max: 3_000, syscalls_max: 8, invoke_depth_max: 3 },
  agents: { principals_max: 9, max_consecutive_errors: 4, resume_after_ms: 50 },
  artifacts: { owner_chain_max: 3, depends_depth_max: 3 },
  genesis: { costs: { genesis_ledger: { transfer: 1 }, genesis_store: { delete: 2 } } },
});

const TABLES = [
  "accounts",
  "usages",
  "holds",
  "artifacts",
  "trades",
  "customers",
  "offers",
  "grants",
  "agents",
] as const;
type Rows = ReadonlyMap<string, unknown>;
type Snapshot = { readonly [T in (typeof TABLES)[number]]: Rows } & { readonly world: Rows };

/** Every row. Rows are immutable, so an unchanged row is the same object. */
const snapshotOf = (state: State): Snapshot => ({
  world: state.world.snapshot(),
  accounts: state.accounts.snapshot(),
  usages: state.usages.snapshot(),
  holds: state.holds.snapshot(),
  artifacts: state.artifacts.snapshot(),
  trades: state.trades.snapshot(),
  customers: state.customers.snapshot(),
  offers: state.offers.snapshot(),
  grants: state.grants.snapshot(),
  agents: state.agents.snapshot(),
});

/** The rows that differ between two snapshots, as `table/key`. */
const changed = (before: Snapshot, after: Snapshot): readonly string[] =>
  (["world", ...TABLES] as const).flatMap((table) => {
    const keys = new Set([...before[table].keys(), ...after[table].keys()]);
    const differ = [...keys].filter((key) => before[table].get(key) !== after[table].get(key));
    return differ.map((key) => `${table}/${key}`);
  });

/** The fields of the world row that a failed call must not change. */
const worldFields = (state: State): unknown => {
  const { supply, artifactsMade, holdsMade, agentsMade, prng, physics } =
    state.world.get("world") ?? {};
  return { supply, artifactsMade, holdsMade, agentsMade, prng, physics };
};

const watchOver =
  (state: () => State): Watch =>
  ({ name, args }) => {
    const [before, fixed] = [snapshotOf(state()), worldFields(state())];
    return (reply) => {
      const failed =
        reply.ok && name === "invoke" && JSON.parse(reply.resultJson).success === false;
      if (reply.ok && !failed) return;
      const what = `${name} ${JSON.stringify(args)}`;
      const moved = changed(before, snapshotOf(state())).filter(
        (row) => !failed || (row !== "world/world" && row !== `trades/${args[0]}`),
      );
      expect(moved, `a refused ${what} moves nothing`).toEqual([]);
      expect(worldFields(state()), `a refused ${what} moves nothing`).toEqual(fixed);
    };
  };

type RandomWorld = {
  readonly village: Village;
  readonly dice: Dice;
  readonly engine: PuppetEngine;
};

const randomWorld = (seed: number): RandomWorld => {
  const dice = new Dice(seed);
  let village: Village | null = null;
  const state = (): State => {
    if (village === null) throw new Error("the world is not there yet");
    return village.state;
  };
  const engine = new PuppetEngine(dice, () => new Rogue(dice, state()), watchOver(state));
  village = new Village(engine.sandbox, { physics: PHYSICS });
  // In poor worlds resources run out; in rich ones more actions succeed.
  const rich = dice.chance(0.7);
  const quotas = { actions: 60, cpu_gas: 40_000, bytes_written: rich ? 9_000 : 500 };
  const birth = { scrip: rich ? 60 : 25, micros: 80, disk: rich ? 4_000 : 1_500, quotas };
  for (const id of AGENTS) village.agent(id, birth);
  return { village, dice, engine };
};

/** A request of an agent's loop. */
const loopRequest = ({ village, dice }: RandomWorld, agent: string): Request => {
  const [id, at_ms] = [asId(agent), village.atMs];
  const usage = {
    calls: 1,
    input_tokens: dice.upTo(9),
    output_tokens: 3,
    cost_micros: dice.upTo(20),
    api_cost_micros: 0,
  };
  const action = new Rogue(dice, village.state).action();
  const mind = { in: { turn: { to: dice.upTo(9) } } };
  return dice.one<Request>([
    {
      kind: "complete_thought",
      at_ms,
      agent: id,
      action,
      reasoning: "",
      mind,
      usage,
      think_ms: 5,
      sleep: null,
      epoch: 0,
    },
    { kind: "execute_decision", at_ms, principal: id },
    {
      kind: "fail_thought",
      at_ms,
      agent: id,
      reason: "llm_error",
      message: "",
      usage,
      epoch: 0,
    },
    { kind: "freeze_agent", at_ms, agent: id, needs_micros: dice.upTo(120) },
    { kind: "limit_agent", at_ms, agent: id, resource: "actions", amount: dice.upTo(70) },
    { kind: "change_agent_state", at_ms, agent: id, to: "running", reason: "", due_at_ms: at_ms },
  ]);
};

/** Rows that a refused action may change: the actor's own counters, and the public log. */
const OWN = (agent: string): readonly string[] => [
  "world/world",
  `agents/${agent}`,
  `usages/${agent}`,
];

const expectUntouched = (before: Snapshot, after: Snapshot, agent: string): void => {
  const own = OWN(agent);
  const moved = changed(before, after).filter((row) => !own.includes(row));
  expect(moved.filter((row) => !row.startsWith("trades/"))).toEqual([]);
  // A failure is counted at the program that failed; its revenue stays the same.
  for (const row of moved) {
    const key = row.slice("trades/".length);
    const [was, is] = [before.trades.get(key), after.trades.get(key)] as { revenue: number }[];
    expect(is?.revenue ?? 0).toBe(was?.revenue ?? 0);
  }
};

const step = (all: RandomWorld): Outcome => {
  const { village, dice } = all;
  village.atMs += dice.chance(0.02) ? 4_999 + dice.upTo(2) : dice.upTo(40);
  const standing = [...village.state.accounts.keys()].sort();
  const who: string = dice.chance(0.95) ? dice.one(AGENTS) : dice.one(standing);
  const before = snapshotOf(village.state);
  const outcome =
    dice.chance(0.12) && village.state.agents.has(asId(who))
      ? village.submit(loopRequest(all, who))
      : village.acts(who, new Rogue(dice, village.state).action());
  if (!outcome.success) expectUntouched(before, snapshotOf(village.state), who);
  return outcome;
};

const QUESTIONS = [
  ["artifacts", {}],
  ["artifacts", { sort: "popular" }],
  ["artifacts", { owner: "ann" }],
  ["artifacts", { text: "does it" }],
  ["artifacts", { type: "program", sort: "price" }],
  ["principals", {}],
  ["events", {}],
  ["auction", {}],
] as const;

const BOUNDS = {
  owned: 9,
  popular: 9,
  newest: 9,
  events: 20,
  principals: 5,
  tasks: 5,
  offers: 3,
  children: 3,
};

/** All that queries and views show of a world. */
const answers = (state: State, now: number): unknown => [
  ...QUESTIONS.map(([kind, filter]) => answerQuery(state, { kind, filter, now })),
  ...AGENTS.map((id) => viewOf(state, asId(id), { now, bounds: BOUNDS })),
];

/** Applies later events to a state that was encoded and decoded halfway. */
const follow = (shadow: State, village: Village, from: number): void => {
  for (const { events } of village.committed.slice(from)) {
    for (const row of events) evolve(shadow, decodeEvent(row));
    commit(shadow);
  }
};

const tally = { commands: 0, succeeded: 0, asked: 0 };
const kinds = new Set<string>();
const codes = new Set<string>();

const playWorld = (seed: number): void => {
  const all = randomWorld(seed);
  const { village } = all;
  const half = Math.floor(COMMANDS_EACH / 2);
  let shadow: State | null = null;
  let from = 0;
  for (let n = 0; n < COMMANDS_EACH; n++) {
    if (n === half) {
      shadow = reloaded(village.state);
      from = village.committed.length;
      expect(stateText(shadow)).toBe(village.text());
    }
    const outcome = step(all);
    tally.commands += 1;
    if (outcome.success) tally.succeeded += 1;
    else codes.add(String(outcome.error_code));
    for (const kind of village.kinds) kinds.add(kind);
  }
  tally.asked += all.engine.asked;
  if (shadow === null) return;
  follow(shadow, village, from);
  expect(stateText(shadow)).toBe(village.text());
  expect(answers(shadow, village.atMs)).toEqual(answers(village.state, village.atMs));
};

describe("random worlds of rogue agents", () => {
  const seeds = Array.from({ length: WORLDS }, (_, n) => FIRST_SEED + n);

  it.each(seeds)("keep every invariant and the auditor's books, seed %i", (seed) =>
    playWorld(seed),
  );

  it("run many commands, and enough of them succeed", () => {
    expect(tally.commands).toBe(WORLDS * COMMANDS_EACH);
    expect(tally.commands).toBeGreaterThanOrEqual(10_000);
    expect(tally.succeeded / tally.commands).toBeGreaterThan(0.2);
    expect(tally.asked).toBeGreaterThan(tally.commands / 4);
  });

  it("reach every kind of event and refusal that matters", () => {
    const moving = [
      ...["scrip_transferred", "scrip_burned", "scrip_held", "hold_split", "hold_spent"],
      ...["hold_released", "budget_transferred", "quota_transferred", "principal_created"],
      ...["artifact_written", "artifact_read", "artifact_deleted", "artifact_state_changed"],
      ...["ownership_offered", "ownership_transferred", "artifact_invoked", "invocation_failed"],
      ...["delegation_granted", "delegation_used", "delegation_revoked"],
      ...["dangling_contract", "random_drawn", "agent_frozen", "agent_unfrozen"],
      ...["thought_completed", "thought_failed", "agent_rate_limited"],
    ];
    expect(moving.filter((kind) => !kinds.has(kind))).toEqual([]);
    const said = [
      ...["insufficient_funds", "insufficient_disk", "not_owner", "not_authorized", "not_empty"],
      ...["price_exceeded", "rate_limited", "deleted", "not_found", "quota_exceeded"],
      ...["gas_exhausted", "syscalls_exhausted", "invalid_argument", "interface_mismatch"],
    ];
    expect(said.filter((code) => !codes.has(code))).toEqual([]);
  });
});
