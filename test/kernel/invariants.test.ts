import { describe, expect, it } from "vitest";
import {
  asId,
  checkInvariants,
  type Event,
  entriesOf,
  evolve,
  type HoldId,
  type Inbox,
  InvariantBroken,
  type Mailbox,
  type Message,
  mailboxOf,
  must,
  type Proposal,
  STATE_INVARIANTS,
  type State,
  violations,
  windowOf,
  worldRow,
} from "../../src/kernel/index.ts";
import {
  accountOf,
  agent,
  agentOf,
  changedAccount,
  changedArtifact,
  consumed,
  given,
  note,
  program,
  standing,
} from "../support/scenario.ts";

type Change = (state: State) => void;

const [alice, bank, tool] = [asId("alice"), asId("bank"), asId("tool")];
const TOMBSTONE = { deleted: { at: 1, by: alice }, sizeBytes: 0, content: "", code: null };

/** A world in which every invariant holds. */
const world = (): State =>
  given(
    agent("alice"),
    agent("bob"),
    standing("bank", "alice", { scrip: 10 }),
    note("poem", "alice"),
    program("tool", "bob"),
    consumed("alice", { actions: 2, gas: 30 }),
  ).state;

const scripOfBank =
  (scrip: number): Change =>
  (state) => {
    changedAccount("bank", { scrip })(state);
    changedAccount("alice", { scrip: 100 - scrip })(state);
  };

const negativeQuota: Change = (state) =>
  changedAccount("bank", { quotas: { ...accountOf(state, "bank").quotas, cpu_gas: -1 } })(state);

const paidNaN: Change = (state) =>
  state.flows.put("bank alice", { from: bank, to: alice, amount: Number.NaN });

/** A valid grant, by which alice lets bob's tool charge her, with other fields. */
const granted =
  (fields: object): Change =>
  (state) => {
    const limits = { maxPerCall: 1, maxPerWindow: 1 };
    const used = windowOf([], 0);
    state.grants.put("a grant", { grantor: alice, contract: tool, ...limits, used, ...fields });
  };

const supplied =
  (fields: object): Change =>
  (state) => {
    const row = worldRow(state);
    state.world.put("world", { ...row, supply: { ...row.supply, ...fields } });
  };

/** An account for an artifact that does not exist. */
const ghostAccount: Change = (state) =>
  state.accounts.put(asId("ghost"), {
    ...accountOf(state, "bank"),
    id: asId("ghost"),
    scrip: 0,
    owned: 0,
    diskUsed: 0,
  });

const customerPaidNaN: Change = (state) => {
  const ids = { artifact: asId("poem"), principal: bank };
  state.customers.put("poem bank", { ...ids, calls: 1, paid: 1, paidTo: { alice: Number.NaN } });
};

const bidsForBudget =
  (inHold: number): Change =>
  (state) => {
    const id = "compute_bid:9" as HoldId;
    const scrip = accountOf(state, "alice").scrip - inHold;
    changedAccount("alice", { scrip, held: inHold })(state);
    const purpose = { kind: "compute_bid", bidder: alice } as const;
    state.holds.put(id, { id, owner: alice, amount: inHold, purpose });
    state.computeBids.put(alice, { bidder: alice, lots: 2, limitPrice: 5, hold: id });
  };

const waiting =
  (undistributed: number): Change =>
  (state) =>
    state.world.put("world", { ...worldRow(state), undistributed });

const issued: Change = (state) => {
  const { budget, ...row } = worldRow(state);
  state.world.put("world", { ...row, budget: { ...budget, issued: 1 } });
};

type Deposit = {
  readonly bid?: number;
  readonly price?: number;
  readonly reward?: number;
  readonly inHold: number;
  readonly forTask?: true;
};

/** A hold of alice for a bid or a task. The bid or the task exists only if it has an amount. */
const deposited =
  ({ bid, price, reward, inHold, forTask }: Deposit): Change =>
  (state) => {
    const id = "bid:9" as HoldId;
    const scrip = accountOf(state, "alice").scrip - inHold;
    changedAccount("alice", { scrip, held: inHold })(state);
    const isTask = forTask === true || reward !== undefined;
    const purpose = isTask
      ? ({ kind: "task", task: "task:1" } as const)
      : ({ kind: "bid", submission: "tool:1" } as const);
    state.holds.put(id, { id, owner: alice, amount: inHold, purpose });
    if (bid !== undefined) {
      const won = { stage: price === undefined ? "bid" : "won", price: price ?? 0 } as const;
      const ids = { id: "tool:1", artifact: tool, bidder: alice, hold: id };
      state.submissions.put(tool, { ...ids, amount: bid, auction: 0, version: 1, ...won });
    }
    if (reward !== undefined) {
      const task = { id: "task:1", poster: alice, reward, hold: id, description: "" };
      state.tasks.put("task:1", { ...task, publicTests: [], hiddenTests: [], postedAt: 0 });
    }
  };

const usageOf = (state: State) => must(state.usages.get(alice), "alice has windows");

const wrongTotal: Change = (state) => {
  const usage = usageOf(state);
  state.usages.put(alice, { ...usage, cpu_gas: { ...usage.cpu_gas, total: 31 } });
};

const wrongOrder: Change = (state) => {
  const usage = usageOf(state);
  const late = { at: 1, amount: 1 };
  const actions = windowOf([...entriesOf(usage.actions), late], usage.actions.total + 1);
  state.usages.put(alice, { ...usage, actions });
};

const orphanedHold: Change = (state) => {
  const id = "purse:9" as HoldId;
  state.holds.put(id, { id, owner: alice, amount: 1, purpose: { kind: "purse", artifact: tool } });
};

const SALES = { kind: "artifact_invoked", target: "tool", count: 2, amount: 6 } as const;

const inboxOf = (id: string, fields: Partial<Inbox>) => (state: State) => {
  const empty = { agent: asId(id), received: 0, seen: 0, recent: [], sums: [] };
  state.inboxes.put(asId(id), { ...empty, ...state.inboxes.get(asId(id)), ...fields });
};

const LETTER: Message = {
  ...{ number: 0, atMs: 0, from: alice, to: asId("bob"), text: "hi", thread: 0 },
  ...{ replyTo: null, forwards: null, path: [], scrip: 0, reset: null },
};

const mailbox = (owner: string, fields: Partial<Mailbox>) => (state: State) =>
  state.mailboxes.put(asId(owner), { ...mailboxOf(state, asId(owner)), ...fields });

const inReview: Change = (state) =>
  state.agents.put(alice, { ...agentOf(state, "alice"), state: "in_review", due: null });

const proposed =
  (stage: Proposal["stage"]): Change =>
  (state) => {
    const about = { number: 1, atMs: 0, action: {}, reasoning: "", cost: 0, sleep: null };
    state.proposals.put(alice, { agent: alice, ...about, stage });
  };

const BROKEN: readonly (readonly [invariant: number, words: string, change: Change])[] = [
  [1, "scrip that was not minted", changedAccount("alice", { scrip: 91 })],
  [1, "lost scrip", changedAccount("bank", { scrip: 9 })],
  [1, "a burn that took no scrip", supplied({ burned: 1 })],
  [1, "proceeds that no one paid", waiting(1)],
  [2, "a negative balance", scripOfBank(-1)],
  [2, "negative proceeds", waiting(-1)],
  [2, "a fractional balance", scripOfBank(9.5)],
  [2, "a negative budget", changedAccount("alice", { llmBudgetMicros: -1 })],
  [2, "a negative quota", negativeQuota],
  [2, "an unsafe integer", changedAccount("alice", { llmBudgetMicros: 2 ** 53 })],
  [2, "a payment that is not a number", paidNaN],
  [2, "a customer's payment that is not a number", customerPaidNaN],
  [3, "standing without an account", (state) => state.accounts.remove(bank)],
  [3, "an account without standing", changedArtifact("bank", { hasStanding: false })],
  [3, "an account without an artifact", ghostAccount],
  [3, "an account of a tombstone", changedArtifact("bank", TOMBSTONE)],
  [3, "an unknown owner", changedArtifact("poem", { owner: asId("ghost") })],
  [3, "an owner without an account", changedArtifact("poem", { owner: tool })],
  [3, "an agent without a loop", (state) => state.agents.remove(alice)],
  [3, "a loop without an agent", changedArtifact("alice", { canExecute: false })],
  [3, "an agent without a memory", changedArtifact("alice", { memoryArtifactId: null })],
  [3, "a grant to an unknown artifact", granted({ contract: asId("ghost") })],
  [3, "a grant by an artifact without an account", granted({ grantor: asId("poem") })],
  [4, "a wrong size", changedArtifact("poem", { sizeBytes: 3 })],
  [4, "bytes that are not counted", changedAccount("alice", { diskUsed: 0 })],
  [4, "more bytes than the disk holds", changedAccount("alice", { diskQuota: 1 })],
  [4, "a wrong count of owned artifacts", changedAccount("alice", { owned: 0 })],
  [5, "a tombstone with text", changedArtifact("poem", { deleted: TOMBSTONE.deleted })],
  [6, "held scrip without a hold", changedAccount("alice", { scrip: 80, held: 10 })],
  [6, "a hold without held scrip", orphanedHold],
  [6, "a bid with less in its hold", deposited({ bid: 10, inHold: 9 })],
  [6, "a hold for an unknown bid", deposited({ inHold: 10 })],
  [6, "a winner with another price in its hold", deposited({ bid: 10, price: 4, inHold: 10 })],
  [6, "a hold for an unknown task", deposited({ inHold: 10, forTask: true })],
  [6, "a task with less than its reward in its hold", deposited({ reward: 10, inHold: 9 })],
  [6, "a bid for model budget with less in its hold", bidsForBudget(9)],
  [7, "a charge without an entry", granted({ used: { ...windowOf([], 0), total: 5 } })],
  [7, "a total that is not the sum", wrongTotal],
  [7, "a use that is earlier than the one before", wrongOrder],
  [10, "a family that changes", (state) => state.families.put(bank, asId("bob"))],
  [11, "an agent without an inbox", (state) => state.inboxes.remove(alice)],
  [11, "an inbox without an agent", inboxOf("poem", {})],
  [11, "an event that an inbox neither lists nor counts", inboxOf("alice", { received: 99 })],
  [11, "a count of events that an inbox also lists", inboxOf("alice", { sums: [SALES] })],
  [11, "an inbox that has shown more than it has received", inboxOf("alice", { seen: 99 })],
  [12, "model budget that was not issued", changedAccount("alice", { llmBudgetMicros: 1_001 })],
  [12, "issued model budget that no one has", issued],
  [13, "a mailbox without an account", mailbox("ghost", {})],
  [13, "a message of another owner", mailbox("alice", { unread: [LETTER] })],
  [13, "a message from the future", mailbox("bob", { unread: [{ ...LETTER, number: 9 }] })],
  [13, "messages out of order", mailbox("bob", { read: [LETTER, LETTER] })],
  [13, "times of sends out of order", mailbox("bob", { sentAtMs: [2_000, 1_000] })],
  [14, "an agent in review without a proposal", inReview],
  [14, "a proposal of an agent that is not in review", proposed("waits")],
  [14, "an accepted proposal on which no one acts", proposed("accepted")],
];

describe("the invariants", () => {
  it("hold in a valid world", () => {
    expect(violations(world())).toEqual([]);
    expect(() => checkInvariants(world())).not.toThrow();
  });

  it.each(BROKEN)("%i: is broken by %s", (invariant, _, change) => {
    const state = world();
    change(state);
    expect(violations(state).map((violation) => violation.invariant)).toContain(invariant);
    expect(() => checkInvariants(state)).toThrow(InvariantBroken);
  });

  it("are each broken by a change in this table", () => {
    expect([...new Set(BROKEN.map(([invariant]) => invariant))]).toEqual(STATE_INVARIANTS);
  });
});

const POEM = { artifact_id: "poem" };
const NEW = { artifact_id: "new", size_bytes: 1 };
const BY_ALICE = { by: "alice", owner: "alice", size_bytes: 1, fields: {} };
const WRITTEN = { ...POEM, ...BY_ALICE, created: false, version: 2 };
const PAY = { from: "alice", reason: "pay" };
const QUOTA = { from: "bank", to: "alice", resource: "cpu_gas", amount: 1 };
const ACCOUNT = { scrip: 0, llm_budget_micros: 0, disk_quota: 0, quotas: {}, parent: null };
const CALL = { method: "run", caller: "alice", depth: 0, price: 0, paid_to: null, gas: 0 };

/** Events that no decision makes. */
const IMPOSSIBLE: readonly (readonly [words: string, kind: string, fields: object])[] = [
  ["a payment beyond the balance", "scrip_transferred", { ...PAY, to: "bob", amount: 91 }],
  ["a payment to an unknown principal", "scrip_transferred", { ...PAY, to: "ghost", amount: 1 }],
  ["a burn beyond the balance", "scrip_burned", { from: "bank", amount: 11, reason: "x" }],
  ["more scrip than can be counted", "scrip_minted", { ...PAY, to: "bob", amount: 2 ** 53 - 1 }],
  ["a hold beyond the balance", "scrip_held", { hold: "h", from: "bank", amount: 11, purpose: {} }],
  ["a payment from no hold", "hold_spent", { hold: "h", to: "alice", amount: 1, reason: "pay" }],
  ["the split of no hold", "hold_split", { hold: "h", into: "i", amount: 1, purpose: {} }],
  ["the release of no hold", "hold_released", { hold: "h", into: null }],
  ["a second account", "principal_created", { id: "bank", ...ACCOUNT }],
  ["a budget beyond the balance", "budget_transferred", { from: "bank", to: "alice", micros: 1 }],
  ["a quota beyond what there is", "quota_transferred", QUOTA],
  ["a second creation", "artifact_written", { ...WRITTEN, created: true, version: 1 }],
  ["an update of an unknown artifact", "artifact_written", { ...WRITTEN, artifact_id: "new" }],
  ["a transfer by a stranger", "ownership_transferred", { ...POEM, from: "bob", to: "alice" }],
  ["a call of an unknown artifact", "artifact_invoked", { artifact_id: "new", ...CALL }],
  ["the state of an unknown artifact", "artifact_state_changed", { ...NEW, state: "1" }],
  ["a deletion that loses scrip", "artifact_deleted", { artifact_id: "bank", by: "alice" }],
  ["an event before the last one", "scrip_burned", { at_ms: 999, from: "bank", amount: 1 }],
  [
    "a frozen program",
    "agent_frozen",
    { principal: "bank", lacks: "llm_budget", needs: 1, has: 0 },
  ],
];

describe("an impossible event", () => {
  it.each(IMPOSSIBLE)("stops the run: %s", (_, kind, fields) => {
    const complete = { at_ms: 2_000, principal: alice, kind, ...fields } as unknown as Event;
    expect(() => evolve(world(), complete)).toThrow(InvariantBroken);
  });
});
