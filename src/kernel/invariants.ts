import { inboxProblems } from "./agent/inbox.ts";
import { type Artifact, sizeOf } from "./artifact/artifact.ts";
import { liveArtifact } from "./artifact/tables.ts";
import { InvariantBroken } from "./core/errors.ts";
import type { Id } from "./core/ids.ts";
import { canonical } from "./core/json.ts";
import { logAt, logLength } from "./core/lists.ts";
import { RESOURCES } from "./core/physics.ts";
import { worldRow } from "./core/world.ts";
import type { Account, Hold } from "./ledger/account.ts";
import type { Window } from "./ledger/rolling-window.ts";
import { mailboxProblems } from "./messages/mailbox.ts";
import { submissionOf } from "./mint/mint.ts";
import type { State } from "./state.ts";

/** A violation of an invariant, with the number of the invariant in docs/dev/invariants.md. */
export type Violation = { readonly invariant: number; readonly detail: string };

type Check = { readonly number: number; readonly broken: (state: State) => Iterable<string> };

/** 1. Scrip is conserved: balances + holds + undistributed = endowed + minted - burned. */
function* conservation(state: State): Iterable<string> {
  const { supply, undistributed } = worldRow(state);
  let sum = undistributed;
  for (const { scrip, held } of state.accounts.rows()) sum += scrip + held;
  const { endowed, minted, burned } = supply;
  const should = endowed + minted - burned;
  if (sum !== should) {
    yield `accounts and proceeds hold ${sum} scrip, but the supply is ${should}`;
  }
}

const isSum = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** True for a valid lifetime total. The value need not be a safe integer. */
const isTotal = (value: number): boolean => Number.isFinite(value) && value >= 0;

const STOCKS = [
  "scrip",
  "held",
  "llmBudgetMicros",
  "diskUsed",
  "diskQuota",
  "owned",
] as const satisfies readonly (keyof Account)[];

/** 2. Balances, quotas and stocks are safe integers, 0 or more; lifetime totals are finite. */
function* validNumbers(state: State): Iterable<string> {
  const { undistributed } = worldRow(state);
  if (!isSum(undistributed)) yield `the undistributed proceeds are ${undistributed}`;
  for (const row of state.accounts.rows()) {
    for (const name of STOCKS) if (!isSum(row[name])) yield `${row.id}.${name} is ${row[name]}`;
    for (const name of RESOURCES) {
      const quota = row.quotas[name];
      if (!isSum(quota)) yield `${row.id}.${name} is ${quota}`;
    }
  }
  for (const hold of state.holds.rows()) {
    if (!isSum(hold.amount)) yield `${hold.id}: ${hold.amount}`;
  }
  for (const { artifact, principal, calls, paid, paidTo } of state.customers.rows()) {
    const invalid = [calls, paid, ...Object.values(paidTo)].find((sum) => !isTotal(sum));
    if (invalid !== undefined) yield `${principal} as a customer of ${artifact}: ${invalid}`;
  }
  for (const { from, to, amount } of state.flows.rows()) {
    if (!isTotal(amount)) yield `the total that ${from} paid ${to} is ${amount}`;
  }
}

/**
 * 3. An artifact has an account if and only if it has standing. Every live artifact has a live
 * owner. Every agent has a memory. Both parties of a grant exist.
 */
function* standing(state: State): Iterable<string> {
  for (const artifact of state.artifacts.rows()) {
    if (artifact.deleted !== null) {
      if (state.accounts.has(artifact.id)) yield `the tombstone ${artifact.id} has an account`;
      continue;
    }
    if (artifact.hasStanding !== state.accounts.has(artifact.id)) {
      yield `${artifact.id} must have both standing and an account, or neither`;
    }
    const owner = state.artifacts.get(artifact.owner);
    if (owner === undefined || owner.deleted !== null) {
      yield `${artifact.id} belongs to ${artifact.owner}, which does not exist`;
    } else if (owner.id !== artifact.id && !owner.hasStanding) {
      yield `${artifact.id} belongs to ${owner.id}, which is not a principal`;
    }
    const isAgent = artifact.hasStanding && artifact.canExecute;
    const memory = artifact.memoryArtifactId;
    if (isAgent && (memory === null || !state.artifacts.has(memory))) {
      yield `the agent ${artifact.id} has no memory`;
    }
    if (isAgent !== state.agents.has(artifact.id))
      yield `${artifact.id} must be an agent and have a loop, or neither`;
  }
  for (const id of state.accounts.keys()) {
    const root = state.families.get(id);
    if (root === undefined || !state.accounts.has(root)) yield `the family of ${id} has no account`;
    if (state.artifacts.get(id)?.hasStanding !== true) yield `the account ${id} has no artifact`;
  }
  for (const { grantor, contract } of state.grants.rows()) {
    const ends = [state.accounts.get(grantor), liveArtifact(state, contract)];
    if (ends.includes(undefined)) yield `a grant of ${grantor} to ${contract} lacks a party`;
  }
}

/** 4. Disk used by an owner equals the total size of what it owns, and is within its quota. */
function* disk(state: State): Iterable<string> {
  const used = new Map<Id, number>();
  const owned = new Map<Id, number>();
  for (const artifact of state.artifacts.rows()) {
    if (artifact.deleted !== null) continue;
    const { owner, id } = artifact;
    const size = measured(artifact);
    if (size !== artifact.sizeBytes)
      yield `${id} has ${size} bytes, but its row says ${artifact.sizeBytes}`;
    used.set(owner, (used.get(owner) ?? 0) + size);
    if (owner !== id) owned.set(owner, (owned.get(owner) ?? 0) + 1);
  }
  for (const account of state.accounts.rows()) {
    const sum = used.get(account.id) ?? 0;
    if (sum !== account.diskUsed)
      yield `${account.id} uses ${sum} bytes, but its account says ${account.diskUsed}`;
    if (sum > account.diskQuota) yield `${account.id} uses ${sum} of ${account.diskQuota} bytes`;
    const count = owned.get(account.id) ?? 0;
    if (count !== account.owned)
      yield `${account.id} owns ${count} artifacts, but its account says ${account.owned}`;
  }
}

/** Sizes by row. Rows are immutable, so each row is measured once. */
const sizes = new WeakMap<Artifact, number>();

const measured = (artifact: Artifact): number => {
  const known = sizes.get(artifact);
  if (known !== undefined) return known;
  const size = sizeOf(artifact);
  sizes.set(artifact, size);
  return size;
};

/** 5. A tombstone has no text, no code and no size. */
function* tombstones(state: State): Iterable<string> {
  for (const artifact of state.artifacts.rows()) {
    if (artifact.deleted === null) continue;
    if (artifact.sizeBytes !== 0 || artifact.content !== "" || artifact.code !== null) {
      yield `the tombstone ${artifact.id} is not empty`;
    }
  }
}

/**
 * 6. Every hold has a live purpose. Every bid, price and reward is held in full. The held amount of
 * an account is the sum of its holds.
 */
function* holds(state: State): Iterable<string> {
  const held = new Map<Id, number>();
  for (const hold of state.holds.rows()) {
    held.set(hold.owner, (held.get(hold.owner) ?? 0) + hold.amount);
    if (hold.purpose.kind === "purse") yield `the purse ${hold.id} outlived its call`;
    else if (!isClaimed(state, hold)) yield `the hold ${hold.id} has no purpose`;
  }
  for (const { id, hold, amount, price, stage } of state.submissions.rows()) {
    const due = stage === "bid" ? amount : price;
    if (state.holds.get(hold)?.amount !== due) yield `the submission ${id} has no hold of ${due}`;
  }
  for (const { id, hold, reward } of state.tasks.rows()) {
    if (hold !== null && state.holds.get(hold)?.amount !== reward) {
      yield `the task ${id} has no hold of ${reward}`;
    }
  }
  for (const { bidder, lots, limitPrice, hold } of state.computeBids.rows()) {
    const due = lots * limitPrice;
    if (state.holds.get(hold)?.amount !== due) yield `the bid of ${bidder} has no hold of ${due}`;
  }
  for (const account of state.accounts.rows()) {
    const sum = held.get(account.id) ?? 0;
    if (sum !== account.held)
      yield `${account.id} has ${sum} in holds, but its account says ${account.held}`;
  }
}

/** True if a bid or a task of the hold's owner refers to the hold. */
const isClaimed = (state: State, { id, owner, purpose }: Hold): boolean => {
  switch (purpose.kind) {
    case "purse":
      return false;
    case "bid": {
      const submission = submissionOf(state, purpose.submission);
      return submission?.hold === id && submission.bidder === owner;
    }
    case "compute_bid":
      return state.computeBids.get(purpose.bidder)?.hold === id && purpose.bidder === owner;
    case "task": {
      const task = state.tasks.get(purpose.task);
      return task?.hold === id && task.poster === owner;
    }
  }
};

/** 7. The total of a window is the sum of its entries. The entries are sorted by time. */
function* windows(state: State): Iterable<string> {
  for (const [id, usage] of state.usages.entries()) {
    for (const resource of RESOURCES) {
      for (const wrong of wrongsOf(usage[resource])) yield `${id}.${resource}: ${wrong}`;
    }
  }
  for (const { grantor, contract, used } of state.grants.rows()) {
    for (const wrong of wrongsOf(used)) yield `grant of ${grantor} to ${contract}: ${wrong}`;
  }
}

const NOTHING_WRONG: readonly string[] = [];

/** The problems of a window. Allocates nothing for a valid window, so that checks are fast. */
const wrongsOf = ({ entries, total }: Window): readonly string[] => {
  let sum = 0;
  let last = Number.NEGATIVE_INFINITY;
  let isSorted = true;
  for (let i = 0; i < logLength(entries); i++) {
    const { at, amount } = logAt(entries, i) ?? { at: Number.NaN, amount: Number.NaN };
    sum += amount;
    isSorted &&= last <= at;
    last = at;
  }
  if (sum === total && isSorted) return NOTHING_WRONG;
  return [
    ...(sum === total ? [] : [`the entries sum to ${sum}, but the total is ${total}`]),
    ...(isSorted ? [] : ["entries are out of order"]),
  ];
};

/** 10. Every index agrees with its table. */
function* indexes(state: State): Iterable<string> {
  for (const [name, index] of Object.entries(state.indexes)) {
    if (!index.agrees()) yield `the index ${name} does not agree with its table`;
  }
}

/** 11. Every agent has an inbox. It lists or counts each event since the agent's last thought. */
function* inboxes(state: State): Iterable<string> {
  for (const id of state.agents.keys()) {
    if (!state.inboxes.has(id)) yield `the agent ${id} has no inbox`;
  }
  for (const inbox of state.inboxes.rows()) {
    if (!state.agents.has(inbox.agent)) yield `${inbox.agent} has an inbox but is not an agent`;
    yield* inboxProblems(inbox);
  }
}

/** 12. Model budget is conserved: the sum of all accounts = endowed + issued - spent. */
function* budgets(state: State): Iterable<string> {
  const { endowed, issued, spent } = worldRow(state).budget;
  let sum = 0;
  for (const { llmBudgetMicros } of state.accounts.rows()) sum += llmBudgetMicros;
  const should = endowed + issued - spent;
  if (sum !== should) yield `accounts have ${sum} micro-dollars, but the supply is ${should}`;
}

/** 13. A mailbox holds only messages to and from its owner, in the order of their numbers. */
function* mailboxes(state: State): Iterable<string> {
  const { messagesMade } = worldRow(state);
  for (const mailbox of state.mailboxes.rows()) {
    yield* mailboxProblems(state, mailbox, messagesMade);
  }
}

/**
 * 14. An agent is in review if and only if a proposal of the agent waits. An accepted proposal is
 * the pending action of its agent, which is due.
 */
function* reviews(state: State): Iterable<string> {
  for (const { id, state: now } of state.agents.rows()) {
    const waits = state.proposals.get(id)?.stage === "waits";
    if (waits !== (now === "in_review")) yield `${id} must be in review and wait, or neither`;
  }
  for (const { agent: id, number, stage, action } of state.proposals.rows()) {
    const agent = state.agents.get(id);
    if (agent === undefined) yield `proposal ${number} is of ${id}, which is not an agent`;
    const isDue = agent?.state === "running" && agent.due?.step === "act";
    if (stage !== "waits" && !(isDue && canonical(agent.pending) === canonical(action))) {
      yield `proposal ${number} was accepted, but ${id} will not act on it`;
    }
  }
}

const CHECKS: readonly Check[] = [
  { number: 1, broken: conservation },
  { number: 2, broken: validNumbers },
  { number: 3, broken: standing },
  { number: 4, broken: disk },
  { number: 5, broken: tombstones },
  { number: 6, broken: holds },
  { number: 7, broken: windows },
  { number: 10, broken: indexes },
  { number: 11, broken: inboxes },
  { number: 12, broken: budgets },
  { number: 13, broken: mailboxes },
  { number: 14, broken: reviews },
];

/** The numbers of the invariants that can be checked in one state, between transactions. */
export const STATE_INVARIANTS: readonly number[] = CHECKS.map((check) => check.number);

/** All violations. Takes O(world size): use it only in tests, verification and sampled checks. */
export const violations = (state: State): readonly Violation[] =>
  CHECKS.flatMap(({ number, broken }) =>
    [...broken(state)].map((detail) => ({ invariant: number, detail })),
  );

export const checkInvariants = (state: State): void => {
  const [first] = violations(state);
  if (first !== undefined) {
    throw new InvariantBroken(`invariant ${first.invariant}: ${first.detail}`);
  }
};
