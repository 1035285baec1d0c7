import type { Account, Hold } from "./account.ts";
import { type Artifact, sizeOf } from "./artifact.ts";
import type { Id } from "./ids.ts";
import { InvariantBroken } from "./invariant.ts";
import { logAt, logLength } from "./log.ts";
import { submissionOf } from "./mint/index.ts";
import { RESOURCES } from "./physics.ts";
import type { Window } from "./rate-tracker.ts";
import { liveArtifact, type State, wholeOf } from "./state.ts";

/** One broken rule of docs/invariants.md, by its number there. */
export type Violation = { readonly invariant: number; readonly detail: string };

type Check = { readonly number: number; readonly broken: (state: State) => Iterable<string> };

/** 1. Scrip is conserved: balances + holds = endowed + minted - burned. */
function* conservation(state: State): Iterable<string> {
  let sum = 0;
  for (const { scrip, held } of state.accounts.rows()) sum += scrip + held;
  const { endowed, minted, burned } = wholeOf(state).supply;
  const should = endowed + minted - burned;
  if (sum !== should) yield `accounts hold ${sum} scrip, the supply is ${should}`;
}

const isSum = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** What was paid back and forth often enough is more than can be counted to the last scrip. */
const isTotal = (value: number): boolean => Number.isFinite(value) && value >= 0;

const STOCKS = [
  "scrip",
  "held",
  "llmBudgetMicros",
  "diskUsed",
  "diskQuota",
  "owned",
] as const satisfies readonly (keyof Account)[];

/**
 * 2. No balance, quota or stock is negative, and each is a safe integer; what was ever paid is a
 * finite number.
 */
function* soundNumbers(state: State): Iterable<string> {
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
    const unsound = [calls, paid, ...Object.values(paidTo)].find((sum) => !isTotal(sum));
    if (unsound !== undefined) yield `${principal} as a customer of ${artifact}: ${unsound}`;
  }
  for (const { from, to, amount } of state.flows.rows()) {
    if (!isTotal(amount)) yield `what ${from} paid ${to}: ${amount}`;
  }
}

/**
 * 3. Standing ⇔ account; every live artifact has one live owner; an agent has a memory; a grant has
 * both its ends.
 */
function* standing(state: State): Iterable<string> {
  for (const artifact of state.artifacts.rows()) {
    if (artifact.deleted !== null) {
      if (state.accounts.has(artifact.id)) yield `the tombstone ${artifact.id} has an account`;
      continue;
    }
    if (artifact.hasStanding !== state.accounts.has(artifact.id)) {
      yield `${artifact.id}: standing ${artifact.hasStanding} and account differ`;
    }
    const owner = state.artifacts.get(artifact.owner);
    if (owner === undefined || owner.deleted !== null) {
      yield `${artifact.id} belongs to ${artifact.owner}, which is not there`;
    } else if (owner.id !== artifact.id && !owner.hasStanding) {
      yield `${artifact.id} belongs to ${owner.id}, which is no principal`;
    }
    const isAgent = artifact.hasStanding && artifact.canExecute;
    const memory = artifact.memoryArtifactId;
    if (isAgent && (memory === null || !state.artifacts.has(memory))) {
      yield `the agent ${artifact.id} has no memory`;
    }
    if (isAgent !== state.agents.has(artifact.id)) yield `${artifact.id}: agent and loop differ`;
  }
  for (const id of state.accounts.keys()) {
    const root = state.families.get(id);
    if (root === undefined || !state.accounts.has(root)) yield `${id} is of no living family`;
    if (state.artifacts.get(id)?.hasStanding !== true) yield `the account ${id} has no artifact`;
  }
  for (const { grantor, contract } of state.grants.rows()) {
    const ends = [state.accounts.get(grantor), liveArtifact(state, contract)];
    if (ends.includes(undefined)) yield `a grant of ${grantor} to ${contract} outlived one of them`;
  }
}

/** 4. Disk used by an owner is the sum of the sizes of what it owns, within its quota. */
function* disk(state: State): Iterable<string> {
  const used = new Map<Id, number>();
  const owned = new Map<Id, number>();
  for (const artifact of state.artifacts.rows()) {
    if (artifact.deleted !== null) continue;
    const { owner, id } = artifact;
    const size = measured(artifact);
    if (size !== artifact.sizeBytes) yield `${id} says ${artifact.sizeBytes} bytes, has ${size}`;
    used.set(owner, (used.get(owner) ?? 0) + size);
    if (owner !== id) owned.set(owner, (owned.get(owner) ?? 0) + 1);
  }
  for (const account of state.accounts.rows()) {
    const sum = used.get(account.id) ?? 0;
    if (sum !== account.diskUsed)
      yield `${account.id} uses ${sum} bytes, books ${account.diskUsed}`;
    if (sum > account.diskQuota) yield `${account.id} uses ${sum} of ${account.diskQuota} bytes`;
    const count = owned.get(account.id) ?? 0;
    if (count !== account.owned) yield `${account.id} owns ${count}, books ${account.owned}`;
  }
}

/** A row never changes, so that one look at each is enough. */
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
      yield `the tombstone ${artifact.id} still holds something`;
    }
  }
}

/**
 * 6. Every hold has a live purpose and every purpose its hold: bids, prices and rewards in full.
 * What is held of an account is the sum of its holds.
 */
function* holds(state: State): Iterable<string> {
  const held = new Map<Id, number>();
  for (const hold of state.holds.rows()) {
    held.set(hold.owner, (held.get(hold.owner) ?? 0) + hold.amount);
    if (hold.purpose.kind === "purse") yield `the purse ${hold.id} outlived its call`;
    else if (!isClaimed(state, hold)) yield `the hold ${hold.id} waits for nothing`;
  }
  for (const { id, hold, amount, price, stage } of state.submissions.rows()) {
    const due = stage === "bid" ? amount : price;
    if (state.holds.get(hold)?.amount !== due) yield `the submission ${id} is without its ${due}`;
  }
  for (const { id, hold, reward } of state.tasks.rows()) {
    if (hold !== null && state.holds.get(hold)?.amount !== reward) {
      yield `the task ${id} is without its ${reward}`;
    }
  }
  for (const account of state.accounts.rows()) {
    const sum = held.get(account.id) ?? 0;
    if (sum !== account.held) yield `${account.id} has ${sum} in holds, books ${account.held}`;
  }
}

/** Whether a bid or a task is there, knows of this hold, and is its owner's. */
const isClaimed = (state: State, { id, owner, purpose }: Hold): boolean => {
  switch (purpose.kind) {
    case "purse":
      return false;
    case "bid": {
      const submission = submissionOf(state, purpose.submission);
      return submission?.hold === id && submission.bidder === owner;
    }
    case "task": {
      const task = state.tasks.get(purpose.task);
      return task?.hold === id && task.poster === owner;
    }
  }
};

/** 7. The total of a window is the sum of its entries, which stand in order of time. */
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

/** There are many windows, and each look is at all of them: one that is sound costs no memory. */
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
    ...(sum === total ? [] : [`entries sum to ${sum}, total ${total}`]),
    ...(isSorted ? [] : ["entries are out of order"]),
  ];
};

/** 10. Every index says of the rows of its table what they say. */
function* indexes(state: State): Iterable<string> {
  for (const [name, index] of Object.entries(state.indexes)) {
    if (!index.agrees()) yield `the index ${name} does not agree with its table`;
  }
}

const CHECKS: readonly Check[] = [
  { number: 1, broken: conservation },
  { number: 2, broken: soundNumbers },
  { number: 3, broken: standing },
  { number: 4, broken: disk },
  { number: 5, broken: tombstones },
  { number: 6, broken: holds },
  { number: 7, broken: windows },
  { number: 10, broken: indexes },
];

/** The numbers of the invariants that can be checked on a state alone, between transactions. */
export const STATE_INVARIANTS: readonly number[] = CHECKS.map((check) => check.number);

/** Every rule that does not hold. Looks at the whole state: for tests, verify and samples. */
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
