import type { Agent, Proposal, Sleeper } from "./agent/agent.ts";
import type { Inbox } from "./agent/inbox.ts";
import type { ReviewedAgent } from "./agent/review.ts";
import type {
  Artifact,
  ArtifactUsage,
  CodeHistory,
  Customer,
  TransferOffer,
} from "./artifact/artifact.ts";
import type { ComputeBid, ComputeState, StandingOrder } from "./compute/compute-state.ts";
import type { EventFor, EventKind, PublicEvent } from "./event.ts";
import type { Account, BudgetSupply, Grant, Hold, Supply } from "./ledger/account.ts";
import type { Usage } from "./ledger/rolling-window.ts";
import type { Mailbox } from "./messages/message.ts";
import type { AuctionResult, Flow, Score, Submission, Task } from "./mint/mint-state.ts";
import { asId, type HoldId, type Id, isReserved } from "./primitives/ids.ts";
import { must } from "./primitives/invariant.ts";
import { emptyLog, type Log } from "./primitives/log.ts";
import type { PrngState } from "./primitives/prng.ts";
import { type Secret, sipHash, wordsOf } from "./primitives/siphash.ts";
import { Table, UndoLog } from "./primitives/table.ts";
import { TableIndex } from "./primitives/table-index.ts";
import { EMPTY_SCHEDULE, type Schedule } from "./schedule/schedule.ts";
import { Catalogue } from "./search/catalogue.ts";
import type { Physics } from "./setup/physics.ts";

/** The values that exist once per world. */
export type WorldRow = {
  readonly physics: Physics;
  /** The run time of the latest event, in ms. */
  readonly now: number;
  readonly supply: Supply;
  /** Proceeds that wait for the next sharing, because they could not be divided evenly. */
  readonly undistributed: number;
  readonly budget: BudgetSupply;
  readonly prng: PrngState;
  /** The secret key of the code fingerprints. It depends on the seed and the initial agents. */
  readonly secret: Secret;
  /** The newest public events, sorted from old to new. */
  readonly publicLog: Log<PublicEvent>;
  readonly publicEvents: number;
  readonly artifactsMade: number;
  /** The number of code versions written so far, without those of the world's own artifacts. */
  readonly codesWritten: number;
  readonly holdsMade: number;
  readonly agentsMade: number;
  readonly messagesMade: number;
  readonly proposalsMade: number;
  /** The number of resolved auctions. The next auction has this number. */
  readonly auctions: number;
  readonly auctionResults: readonly AuctionResult[];
  readonly bidsMade: number;
  readonly tasksMade: number;
  /** The ids of all tasks that the world has offered. The world offers no id twice. */
  readonly tasksOffered: readonly string[];
  readonly compute: ComputeState;
  readonly schedule: Schedule;
};

/**
 * The whole world as one value. Rows are immutable: a change replaces a row. Only `evolve` changes
 * rows. All changes since the last commit can be rolled back. `indexes` and `catalogue` are derived
 * from the rows and are not part of the state's hash. `indexes` include uncommitted changes;
 * `catalogue` does not.
 */
export type State = Tables & {
  readonly undo: UndoLog;
  readonly indexes: Indexes;
  readonly catalogue: Catalogue;
};

type Tables = {
  readonly world: Table<"world", WorldRow>;
  readonly accounts: Table<Id, Account>;
  readonly usages: Table<Id, Usage>;
  readonly holds: Table<HoldId, Hold>;
  readonly artifacts: Table<Id, Artifact>;
  readonly trades: Table<Id, ArtifactUsage>;
  readonly customers: Table<string, Customer>;
  /** For each artifact, its past code versions and whether its present code was sold. */
  readonly histories: Table<Id, CodeHistory>;
  readonly offers: Table<Id, TransferOffer>;
  readonly agents: Table<Id, Agent>;
  readonly inboxes: Table<Id, Inbox>;
  /** The mailboxes of principals that have sent, received or blocked, and of the operator. */
  readonly mailboxes: Table<Id, Mailbox>;
  /** The open submission of each artifact: a bid that waits, or a winner without a score. */
  readonly submissions: Table<Id, Submission>;
  readonly scores: Table<Id, Score>;
  readonly tasks: Table<string, Task>;
  readonly grants: Table<string, Grant>;
  readonly flows: Table<string, Flow>;
  readonly computeBids: Table<Id, ComputeBid>;
  /** The standing orders that principals have set. Other agents have the default. */
  readonly standingOrders: Table<Id, StandingOrder>;
  /** The first ancestor of each principal. Deleted principals are included. */
  readonly families: Table<Id, Id>;
  readonly sleepers: Table<Id, Sleeper>;
  /** The agents that have terms of review other than those of the world. */
  readonly reviewed: Table<Id, ReviewedAgent>;
  /** The proposal of each agent whose action waits for a reviewer, or was accepted and is due. */
  readonly proposals: Table<Id, Proposal>;
  /** The number of memories that agents have recorded in each memory artifact. */
  readonly memories: Table<Id, number>;
};

export type TableName = keyof Tables;

export type Changes<K extends EventKind> = {
  readonly [P in K]: (state: State, event: EventFor<P>) => void;
};

export const emptyState = (): State => {
  const undo = new UndoLog();
  const tables = emptyTables(undo);
  return { undo, ...tables, indexes: indexesOf(tables), catalogue: new Catalogue() };
};

/** Returns the tables in loading order. `families` comes first, because indexes use this table. */
const emptyTables = (undo: UndoLog): Tables => ({
  families: new Table(undo),
  world: new Table(undo),
  accounts: new Table(undo),
  usages: new Table(undo),
  holds: new Table(undo),
  artifacts: new Table(undo),
  trades: new Table(undo),
  customers: new Table(undo),
  histories: new Table(undo),
  offers: new Table(undo),
  agents: new Table(undo),
  inboxes: new Table(undo),
  mailboxes: new Table(undo),
  submissions: new Table(undo),
  scores: new Table(undo),
  tasks: new Table(undo),
  grants: new Table(undo),
  flows: new Table(undo),
  computeBids: new Table(undo),
  standingOrders: new Table(undo),
  sleepers: new Table(undo),
  reviewed: new Table(undo),
  proposals: new Table(undo),
  memories: new Table(undo),
});

export const newWorldRow = (physics: Physics, prng: PrngState, now: number): WorldRow => ({
  physics,
  now,
  supply: { endowed: 0, minted: 0, burned: 0 },
  undistributed: 0,
  budget: { endowed: 0, issued: 0, spent: 0 },
  prng,
  secret: sipHash([0, 0], wordsOf(`${physics.seed}`)),
  publicLog: emptyLog(),
  publicEvents: 0,
  artifactsMade: 0,
  codesWritten: 0,
  holdsMade: 0,
  agentsMade: 0,
  messagesMade: 0,
  proposalsMade: 0,
  auctions: 0,
  auctionResults: [],
  bidsMade: 0,
  tasksMade: 0,
  tasksOffered: [],
  compute: { sales: 0, lastSaleMs: 0, sold: 0, results: [] },
  schedule: EMPTY_SCHEDULE,
});

export const worldRow = (state: State): WorldRow =>
  must(state.world.get("world"), "the world must be created first");

export const physicsOf = (state: State): Physics => worldRow(state).physics;

/** Returns free plus held scrip; 0 without an account. Held scrip alone would reveal bids. */
export const publicBalance = (state: State, id: Id): number => {
  const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
  return scrip + held;
};

/** Returns the artifact, or undefined if it does not exist or was deleted. */
export const liveArtifact = (state: State, id: Id): Artifact | undefined => {
  const artifact = state.artifacts.get(id);
  return artifact === undefined || artifact.deleted !== null ? undefined : artifact;
};

/** Makes all changes since the last commit final, and updates the catalogue. */
export const commit = (state: State): void => {
  const { undo, catalogue, artifacts, trades, customers } = state;
  for (const [id, before] of artifacts.changed()) {
    catalogue.noteArtifact(before, artifacts.get(id));
  }
  for (const id of trades.changed().keys()) {
    if (liveArtifact(state, id)) catalogue.noteTrade(id, trades.get(id));
  }
  for (const [key, before] of customers.changed()) {
    const customer = customers.get(key);
    if (before === undefined && customer !== undefined) catalogue.noteCustomer(customer);
  }
  catalogue.settle(() => standings(state));
  undo.forget();
};

export const rebuildCatalogue = (state: State): void => {
  const artifacts = [...state.artifacts.rows()];
  artifacts.sort((a, b) => a.ordinal - b.ordinal);
  for (const artifact of artifacts) {
    state.catalogue.noteArtifact(undefined, artifact);
    if (artifact.deleted === null) {
      state.catalogue.noteTrade(artifact.id, state.trades.get(artifact.id));
    }
  }
  for (const customer of state.customers.rows()) state.catalogue.noteCustomer(customer);
};

/** Yields each live artifact that others called, with the number of their calls. */
function* standings(state: State): Iterable<readonly [Id, number]> {
  for (const artifact of state.artifacts.rows()) {
    const calls = state.trades.get(artifact.id)?.callsByOthers ?? 0;
    if (artifact.deleted === null && calls > 0) yield [artifact.id, calls];
  }
}

export const nextArtifact = (state: State): { readonly ordinal: number; readonly access: Id } => {
  const { artifactsMade, physics } = worldRow(state);
  return { ordinal: artifactsMade + 1, access: asId(physics.access.default) };
};

export const ALL = "all";

/** The type of memory artifacts. An agent recalls from the memory artifacts that it owns. */
export const MEMORY_TYPE = "memory";
export const WORKSPACE_TYPE = "workspace";

export const BOARD = { world: "world", posted: "posted" } as const;

/** Returns the indexes of the tables. An index replaces a scan of a whole table. */
export const indexesOf = (tables: Tables) => {
  const { accounts, agents, artifacts, offers, submissions, tasks, grants, families } = tables;
  // A family never changes after the account is opened, so an index may group accounts by it.
  const familyOf = (id: Id | null): Id | null => (id === null ? null : (families.get(id) ?? null));
  return {
    /** All principals except artifacts of the world. */
    principals: new TableIndex(accounts, { groupOf: ({ id }) => (isReserved(id) ? null : ALL) }),
    children: new TableIndex(accounts, { groupOf: ({ parent }) => parent }),
    accountsOfFamily: new TableIndex(accounts, { groupOf: ({ id }) => familyOf(id) }),
    agentsOfFamily: new TableIndex(agents, { groupOf: ({ id }) => familyOf(id) }),
    /** Artifacts that have an account and do not own themselves, grouped by owner. */
    principalsOwned: new TableIndex(artifacts, {
      groupOf: ({ id, owner, deleted, hasStanding }) =>
        hasStanding && deleted === null && owner !== id ? owner : null,
    }),
    /** Artifacts with a custom access contract and a known `accessBy`, grouped by owner. */
    ruledOf: new TableIndex(artifacts, {
      groupOf: ({ owner, access, accessBy, deleted }) =>
        accessBy !== null && deleted === null && !isReserved(access) ? owner : null,
    }),
    /** Memory artifacts, grouped by owner. The newest artifact comes first. */
    memoriesOf: new TableIndex(artifacts, {
      groupOf: ({ owner, type, deleted }) =>
        type === MEMORY_TYPE && deleted === null ? owner : null,
      rankOf: ({ ordinal }) => [-ordinal],
    }),
    offersFrom: new TableIndex(offers, { groupOf: ({ from }) => from }),
    /** Offers by receiver. The offer of the newest artifact comes first. */
    offersTo: new TableIndex(offers, {
      groupOf: ({ to }) => to,
      rankOf: ({ artifact }) => [-(artifacts.get(artifact)?.ordinal ?? 0)],
    }),
    submissionsOf: new TableIndex(submissions, { groupOf: ({ bidder }) => bidder }),
    /** Open tasks in two groups, sorted by reward (highest first), then by age (oldest first). */
    board: new TableIndex(tasks, {
      groupOf: ({ poster }) => (poster === null ? BOARD.world : BOARD.posted),
      rankOf: ({ reward, postedAt }) => [-reward, postedAt],
    }),
    tasksOfFamily: new TableIndex(tasks, { groupOf: ({ poster }) => familyOf(poster) }),
    grantsBy: new TableIndex(grants, { groupOf: ({ grantor }) => grantor }),
    grantsTo: new TableIndex(grants, { groupOf: ({ contract }) => contract }),
  };
};

export type Indexes = ReturnType<typeof indexesOf>;
