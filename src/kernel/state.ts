import type { Account, Hold, Supply } from "./account.ts";
import type { Agent } from "./agent.ts";
import { type Artifact, type Customer, EMPTY_STATE, type Trade } from "./artifact.ts";
import { Catalogue } from "./catalogue.ts";
import type { PublicEvent } from "./chronicle.ts";
import type { CodeHistory } from "./code-history.ts";
import type { Grant } from "./delegation.ts";
import { asId, type HoldId, type Id } from "./ids.ts";
import { type Indexes, indexesOf } from "./indexes.ts";
import { must } from "./invariant.ts";
import { keyedHash, type Secret, wordsOf } from "./keyed-hash.ts";
import { emptyLog, type Log } from "./log.ts";
import type { AuctionResult, Flow, Score, Submission, Task } from "./mint/index.ts";
import type { Physics } from "./physics.ts";
import type { PrngState } from "./prng.ts";
import type { Usage } from "./rate-tracker.ts";
import type { Sleeper } from "./sleep.ts";
import { Table, UndoLog } from "./table.ts";

/** What is one for the whole world. */
export type Whole = {
  readonly physics: Physics;
  /** Run time of the latest event, ms. */
  readonly now: number;
  readonly supply: Supply;
  readonly prng: PrngState;
  /** What no author knows: made of the seed and of all agents there were before the first code. */
  readonly secret: Secret;
  /** The newest public events, oldest first, and how many there have ever been. */
  readonly chronicle: Log<PublicEvent>;
  readonly publicEvents: number;
  readonly artifactsMade: number;
  /** How often an artifact was given a code that it had not before, by others than the world. */
  readonly codesWritten: number;
  readonly holdsMade: number;
  readonly agentsMade: number;
  /** Auctions resolved so far; the next one has this number. */
  readonly auctions: number;
  /** How the newest of them ended, oldest first. */
  readonly auctionResults: readonly AuctionResult[];
  readonly bidsMade: number;
  readonly tasksMade: number;
  /** Tasks of the world's own that were ever open: none is offered twice. */
  readonly tasksOffered: readonly string[];
};

/** A transfer to a third party waits until that one accepts it. */
export type Offer = { readonly artifact: Id; readonly from: Id; readonly to: Id };

export const customerKey = (artifact: Id, principal: Id): string => `${artifact} ${principal}`;

/**
 * The whole world as one value. Its rows are immutable and replaced on change; only `evolve` writes
 * them, and everything since the last commit can be rolled back. `indexes` and `catalogue` are
 * derived from the rows and no part of the state's hash: the one as they are now, the other as they
 * were at the last commit.
 */
export type State = {
  readonly undo: UndoLog;
  readonly whole: Table<"world", Whole>;
  readonly accounts: Table<Id, Account>;
  readonly usages: Table<Id, Usage>;
  readonly holds: Table<HoldId, Hold>;
  readonly artifacts: Table<Id, Artifact>;
  readonly trades: Table<Id, Trade>;
  readonly customers: Table<string, Customer>;
  /** By artifact: what had another code before, and what was sold. */
  readonly histories: Table<Id, CodeHistory>;
  readonly offers: Table<Id, Offer>;
  readonly agents: Table<Id, Agent>;
  /** By artifact: bids that await their auction, and winners that await their score. */
  readonly submissions: Table<Id, Submission>;
  readonly scores: Table<Id, Score>;
  readonly tasks: Table<string, Task>;
  readonly grants: Table<string, Grant>;
  readonly flows: Table<string, Flow>;
  /** The first ancestor of everybody who ever had an account. */
  readonly families: Table<Id, Id>;
  /** Those who sleep until something happens. */
  readonly sleepers: Table<Id, Sleeper>;
  readonly indexes: Indexes;
  readonly catalogue: Catalogue;
};

/** A state before its first event. */
export const emptyState = (): State => {
  const undo = new UndoLog();
  const tables = emptyTables(undo);
  return { undo, ...tables, indexes: indexesOf(tables), catalogue: new Catalogue() };
};

const emptyTables = (undo: UndoLog): Omit<State, "undo" | "indexes" | "catalogue"> => ({
  whole: new Table("whole", undo),
  accounts: new Table("accounts", undo),
  usages: new Table("usages", undo),
  holds: new Table("holds", undo),
  artifacts: new Table("artifacts", undo),
  trades: new Table("trades", undo),
  customers: new Table("customers", undo),
  histories: new Table("histories", undo),
  offers: new Table("offers", undo),
  agents: new Table("agents", undo),
  submissions: new Table("submissions", undo),
  scores: new Table("scores", undo),
  tasks: new Table("tasks", undo),
  grants: new Table("grants", undo),
  flows: new Table("flows", undo),
  families: new Table("families", undo),
  sleepers: new Table("sleepers", undo),
});

export const newWhole = (physics: Physics, prng: PrngState, now: number): Whole => ({
  physics,
  now,
  supply: { endowed: 0, minted: 0, burned: 0 },
  prng,
  secret: keyedHash([0, 0], wordsOf(`${physics.seed}`)),
  chronicle: emptyLog(),
  publicEvents: 0,
  artifactsMade: 0,
  codesWritten: 0,
  holdsMade: 0,
  agentsMade: 0,
  auctions: 0,
  auctionResults: [],
  bidsMade: 0,
  tasksMade: 0,
  tasksOffered: [],
});

export const wholeOf = (state: State): Whole =>
  must(state.whole.get("world"), "a world has been created");

export const physicsOf = (state: State): Physics => wholeOf(state).physics;

/** An artifact before its first write. */
export const blankArtifact = (
  whole: Whole,
  birth: { readonly id: Id; readonly owner: Id; readonly by: Id; readonly at: number },
): Artifact => ({
  id: birth.id,
  ordinal: whole.artifactsMade + 1,
  type: "data",
  content: "",
  code: null,
  codePrint: "",
  codeOrdinal: 0,
  methods: [],
  version: 0,
  owner: birth.owner,
  createdBy: birth.by,
  createdAt: birth.at,
  updatedAt: birth.at,
  access: asId(whole.physics.access.default),
  accessBy: birth.by,
  accessLocked: false,
  price: 0,
  readPrice: 0,
  interface: null,
  hasStanding: false,
  canExecute: false,
  memoryArtifactId: null,
  state: EMPTY_STATE,
  dependsOn: [],
  metadata: {},
  deleted: null,
  sizeBytes: 0,
});

/**
 * What others may know of a balance: free and held together, since what is held for a bid is
 * nobody's business. 0 where there is no account.
 */
export const publicBalance = (state: State, id: Id): number => {
  const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
  return scrip + held;
};

/** The artifact, unless there is none or it was deleted. */
export const liveArtifact = (state: State, id: Id): Artifact | undefined => {
  const artifact = state.artifacts.get(id);
  return artifact === undefined || artifact.deleted !== null ? undefined : artifact;
};

/**
 * Everything since the last commit is final: the catalogue learns of it and it can no longer be
 * rolled back.
 */
export const commit = (state: State): void => {
  const { undo, catalogue, artifacts, trades, customers, offers } = state;
  for (const [id, before] of artifacts.changed()) {
    catalogue.noteArtifact(before, artifacts.get(id));
  }
  for (const [id, before] of offers.changed()) {
    const artifact = artifacts.get(id);
    const passes = { from: before?.to, to: offers.get(id)?.to };
    if (artifact !== undefined) catalogue.noteOffer(artifact, passes);
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

/** The catalogue of a state that was read back whole. */
export const rebuildCatalogue = (state: State): void => {
  const artifacts = [...state.artifacts.rows()];
  artifacts.sort((a, b) => a.ordinal - b.ordinal);
  for (const artifact of artifacts) {
    state.catalogue.noteArtifact(undefined, artifact);
    if (artifact.deleted === null) {
      state.catalogue.noteTrade(artifact.id, state.trades.get(artifact.id));
    }
  }
  for (const { artifact: id, to } of state.offers.rows()) {
    const artifact = state.artifacts.get(id);
    if (artifact !== undefined) state.catalogue.noteOffer(artifact, { from: undefined, to });
  }
  for (const customer of state.customers.rows()) state.catalogue.noteCustomer(customer);
};

/** How often others have called each live artifact that anybody called. */
function* standings(state: State): Iterable<readonly [Id, number]> {
  for (const artifact of state.artifacts.rows()) {
    const calls = state.trades.get(artifact.id)?.callsByOthers ?? 0;
    if (artifact.deleted === null && calls > 0) yield [artifact.id, calls];
  }
}
