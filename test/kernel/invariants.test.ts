import { describe, expect, it } from "vitest";
import {
  asId,
  checkInvariants,
  type Event,
  entriesOf,
  evolve,
  InvariantBroken,
  STATE_INVARIANTS,
  type State,
  violations,
  windowOf,
} from "../../src/kernel/index.ts";

import { asHoldId } from "../../src/kernel/primitives/ids.ts";

import { emptyLog } from "../../src/kernel/primitives/log.ts";

import { agent, consumed, given, note, program, standing } from "../support/given-when-then.ts";

const alice = asId("alice");
const bank = asId("bank");

const world = (): State =>
  given(
    agent("alice"),
    agent("bob"),
    standing("bank", "alice", { scrip: 10 }),
    note("poem", "alice"),
    program("tool", "bob"),
    consumed("alice", { actions: 2, gas: 30 }),
  ).state;

const account = (state: State, id: string, change: object): void => {
  const row = state.accounts.get(asId(id));
  if (row !== undefined) state.accounts.put(row.id, { ...row, ...change });
};

const artifact = (state: State, id: string, change: object): void => {
  const row = state.artifacts.get(asId(id));
  if (row !== undefined) state.artifacts.put(row.id, { ...row, ...change });
};

/** One that is in order but for the change: alice lets bob's tool charge her. */
const grant = (state: State, change: object): void =>
  state.grants.put("a grant", {
    grantor: alice,
    contract: asId("tool"),
    maxPerCall: 1,
    maxPerWindow: 1,
    used: { entries: emptyLog(), total: 0 },
    ...change,
  });

const supply = (state: State, change: object): void => {
  const whole = state.world.get("world");
  if (whole !== undefined)
    state.world.put("world", { ...whole, supply: { ...whole.supply, ...change } });
};

/** One thing wrong with a world that was in order, and the number of the rule that it breaks. */
const WRONGS: readonly (readonly [rule: number, words: string, wrong: (state: State) => void])[] = [
  [1, "scrip that nobody minted", (state) => account(state, "alice", { scrip: 91 })],
  [1, "scrip that has gone", (state) => account(state, "bank", { scrip: 9 })],
  [1, "a burn without ashes", (state) => supply(state, { burned: 1 })],
  [
    2,
    "debt",
    (state) => {
      account(state, "bank", { scrip: -1 });
      account(state, "alice", { scrip: 101 });
    },
  ],
  [
    2,
    "half a coin",
    (state) => {
      account(state, "bank", { scrip: 9.5 });
      account(state, "alice", { scrip: 90.5 });
    },
  ],
  [2, "a negative budget", (state) => account(state, "alice", { llmBudgetMicros: -1 })],
  [
    2,
    "a negative quota",
    (state) =>
      account(state, "bank", { quotas: { ...world().accounts.get(bank)?.quotas, cpu_gas: -1 } }),
  ],
  [2, "too much to count", (state) => account(state, "alice", { llmBudgetMicros: 2 ** 53 })],
  [
    2,
    "a payment that is no number",
    (state) => state.flows.put("bank alice", { from: bank, to: asId("alice"), amount: Number.NaN }),
  ],
  [
    2,
    "a customer who paid a family no number",
    (state) => {
      const ids = { artifact: asId("poem"), principal: bank };
      const row = { ...ids, calls: 1, paid: 1, paidTo: { alice: Number.NaN } };
      state.customers.put("poem bank", row);
    },
  ],
  [3, "standing without an account", (state) => state.accounts.remove(bank)],
  [3, "an account without standing", (state) => artifact(state, "bank", { hasStanding: false })],
  [
    3,
    "an account of nothing",
    (state) =>
      account(state, "alice", { id: asId("alice") }) ??
      state.accounts.put(asId("ghost"), {
        ...must(state),
        id: asId("ghost"),
        scrip: 0,
        owned: 0,
        diskUsed: 0,
      }),
  ],
  [
    3,
    "an account of a tombstone",
    (state) =>
      artifact(state, "bank", {
        deleted: { at: 1, by: alice },
        sizeBytes: 0,
        content: "",
        code: null,
      }),
  ],
  [3, "an owner who is not there", (state) => artifact(state, "poem", { owner: asId("ghost") })],
  [3, "an owner who is no principal", (state) => artifact(state, "poem", { owner: asId("tool") })],
  [3, "an agent without a loop", (state) => state.agents.remove(alice)],
  [3, "a loop without an agent", (state) => artifact(state, "alice", { canExecute: false })],
  [3, "an agent without a memory", (state) => artifact(state, "alice", { memoryArtifactId: null })],
  [3, "a grant to what is not there", (state) => grant(state, { contract: asId("ghost") })],
  [3, "a grant of who has no account", (state) => grant(state, { grantor: asId("poem") })],
  [4, "a size that is not the size", (state) => artifact(state, "poem", { sizeBytes: 3 })],
  [4, "bytes that nobody booked", (state) => account(state, "alice", { diskUsed: 0 })],
  [4, "more on the disk than it holds", (state) => account(state, "alice", { diskQuota: 1 })],
  [4, "a wrong count of possessions", (state) => account(state, "alice", { owned: 0 })],
  [
    5,
    "a tombstone with text",
    (state) => artifact(state, "poem", { deleted: { at: 1, by: alice } }),
  ],
  [6, "held money without a hold", (state) => account(state, "alice", { scrip: 80, held: 10 })],
  [
    6,
    "a hold without held money",
    (state) =>
      state.holds.put(asHoldId("purse:9"), {
        id: asHoldId("purse:9"),
        owner: alice,
        amount: 1,
        purpose: { kind: "purse", artifact: asId("tool") },
      }),
  ],
  [
    7,
    "a charge that was not booked",
    (state) => grant(state, { used: { entries: emptyLog(), total: 5 } }),
  ],
  [6, "a bid without its money", (state) => entrust(state, { bid: 10, inHold: 9 })],
  [6, "a bid that nobody made", (state) => entrust(state, { inHold: 10 })],
  [6, "a winner without its price", (state) => entrust(state, { bid: 10, price: 4, inHold: 10 })],
  [6, "a reward without its task", (state) => entrust(state, { inHold: 10, forTask: true })],
  [6, "a task without its reward", (state) => entrust(state, { reward: 10, inHold: 9 })],
  [
    7,
    "a total that is not the sum",
    (state) => {
      const usage = state.usages.get(alice);
      if (usage !== undefined)
        state.usages.put(alice, { ...usage, cpu_gas: { ...usage.cpu_gas, total: 31 } });
    },
  ],
  [
    7,
    "a use that was made before the one before it",
    (state) => {
      const usage = state.usages.get(alice);
      if (usage === undefined) return;
      const late = { at: 1, amount: 1 };
      const actions = windowOf([...entriesOf(usage.actions), late], usage.actions.total + 1);
      state.usages.put(alice, { ...usage, actions });
    },
  ],
  [10, "a family that changes", (state) => state.families.put(bank, asId("bob"))],
];

type Trust = {
  readonly bid?: number;
  readonly price?: number;
  readonly reward?: number;
  readonly inHold: number;
  readonly forTask?: true;
};

/** Alice has so much in a hold, for a bid or for a task, whether or not that is there. */
const entrust = (state: State, { bid, price, reward, inHold, forTask }: Trust): void => {
  const [id, tool] = [asHoldId("bid:9"), asId("tool")];
  const row = state.accounts.get(alice);
  account(state, "alice", { scrip: (row?.scrip ?? 0) - inHold, held: inHold });
  const isTask = forTask === true || reward !== undefined;
  const purpose = isTask
    ? ({ kind: "task", task: "task:1" } as const)
    : ({ kind: "bid", submission: "tool:1" } as const);
  state.holds.put(id, { id, owner: alice, amount: inHold, purpose });
  if (bid !== undefined) {
    state.submissions.put(tool, {
      id: "tool:1",
      artifact: tool,
      bidder: alice,
      amount: bid,
      hold: id,
      auction: 0,
      version: 1,
      stage: price === undefined ? "bid" : "won",
      price: price ?? 0,
    });
  }
  if (reward !== undefined) {
    const [publicTests, hiddenTests] = [[], []];
    const task = { id: "task:1", poster: alice, reward, hold: id, description: "" };
    state.tasks.put("task:1", { ...task, publicTests, hiddenTests, postedAt: 0 });
  }
};

const must = (state: State) => {
  const row = state.accounts.get(bank);
  if (row === undefined) throw new Error("no bank");
  return row;
};

describe("the invariants", () => {
  it("hold of a world in order", () => {
    expect(violations(world())).toEqual([]);
    expect(() => checkInvariants(world())).not.toThrow();
  });

  it.each(WRONGS)("%i: is broken by %s", (rule, _, wrong) => {
    const state = world();
    wrong(state);
    expect(violations(state).map(({ invariant }) => invariant)).toContain(rule);
    expect(() => checkInvariants(state)).toThrow(InvariantBroken);
  });

  it("are each broken by something here", () => {
    expect([...new Set(WRONGS.map(([rule]) => rule))]).toEqual(STATE_INVARIANTS);
  });
});

/** Events that no decision makes: applying them must stop the run, not bend the books. */
const IMPOSSIBLE: readonly (readonly [words: string, event: object])[] = [
  [
    "a payment beyond the balance",
    { kind: "scrip_transferred", from: "alice", to: "bob", amount: 91, reason: "pay" },
  ],
  [
    "a payment to nobody",
    { kind: "scrip_transferred", from: "alice", to: "ghost", amount: 1, reason: "pay" },
  ],
  ["a burn beyond the balance", { kind: "scrip_burned", from: "bank", amount: 11, reason: "x" }],
  [
    "more scrip than can be counted",
    { kind: "scrip_minted", to: "alice", amount: 2 ** 53 - 1, reason: "x" },
  ],
  [
    "a hold beyond the balance",
    { kind: "scrip_held", hold: "h", from: "bank", amount: 11, purpose: {} },
  ],
  [
    "a hold that is not there",
    { kind: "hold_spent", hold: "h", to: "alice", amount: 1, reason: "pay" },
  ],
  ["a split of nothing", { kind: "hold_split", hold: "h", into: "i", amount: 1, purpose: {} }],
  ["the release of nothing", { kind: "hold_released", hold: "h", into: null }],
  [
    "a second account",
    {
      kind: "principal_created",
      id: "bank",
      scrip: 0,
      llm_budget_micros: 0,
      disk_quota: 0,
      quotas: {},
      parent: null,
    },
  ],
  ["a budget nobody has", { kind: "budget_transferred", from: "bank", to: "alice", micros: 1 }],
  [
    "a quota nobody has",
    { kind: "quota_transferred", from: "bank", to: "alice", resource: "cpu_gas", amount: 1 },
  ],
  [
    "a second creation",
    {
      kind: "artifact_written",
      artifact_id: "poem",
      by: "alice",
      owner: "alice",
      created: true,
      version: 1,
      size_bytes: 1,
      fields: {},
    },
  ],
  [
    "an update of nothing",
    {
      kind: "artifact_written",
      artifact_id: "new",
      by: "alice",
      owner: "alice",
      created: false,
      version: 2,
      size_bytes: 1,
      fields: {},
    },
  ],
  [
    "a gift by a stranger",
    { kind: "ownership_transferred", artifact_id: "poem", from: "bob", to: "alice" },
  ],
  [
    "a call of nothing",
    {
      kind: "artifact_invoked",
      artifact_id: "new",
      method: "run",
      caller: "alice",
      depth: 0,
      price: 0,
      paid_to: null,
      gas: 0,
    },
  ],
  [
    "the state of nothing",
    { kind: "artifact_state_changed", artifact_id: "new", state: "1", size_bytes: 1 },
  ],
  ["the end of what holds money", { kind: "artifact_deleted", artifact_id: "bank", by: "alice" }],
  ["a step back in time", { kind: "scrip_burned", at_ms: 999, from: "bank", amount: 1 }],
  [
    "the thought of a program",
    { kind: "agent_frozen", principal: "bank", needs_micros: 1, has_micros: 0 },
  ],
];

describe("an event that cannot be", () => {
  it.each(IMPOSSIBLE)("stops the run: %s", (_, event) => {
    const state = world();
    const whole = { at_ms: 2_000, principal: alice, ...event } as unknown as Event;
    expect(() => evolve(state, whole)).toThrow(InvariantBroken);
  });
});
