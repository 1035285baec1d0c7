import { agentIndexes } from "./agent/agent.ts";
import { artifactIndexes, liveArtifact } from "./artifact/tables.ts";
import type { Id } from "./core/ids.ts";
import { emptyLog } from "./core/lists.ts";
import type { Physics } from "./core/physics.ts";
import { seedPrng, sipHash, wordsOf } from "./core/random.ts";
import { Table, UndoLog } from "./core/tables.ts";
import { ledgerIndexes } from "./ledger/account.ts";
import { mintIndexes } from "./mint/mint.ts";
import type { ScheduleRow, ScheduleTables } from "./schedule/schedule.ts";
import { Catalogue } from "./search/catalogue.ts";
import type { SearchRow, SearchTables } from "./search/query.ts";

/** The values that exist once per world: those of all rooms. */
export interface WorldRow extends SearchRow, ScheduleRow {}

/**
 * The whole world as one value. Rows are immutable: a change replaces a row. Only `evolve` changes
 * rows. All changes since the last commit can be rolled back. `indexes` and `catalogue` are derived
 * from the rows and are not part of the state's hash. `indexes` include uncommitted changes;
 * `catalogue` does not.
 */
export interface State extends SearchTables, ScheduleTables {
  readonly world: Table<"world", WorldRow>;
  readonly undo: UndoLog;
}

type Tables = Omit<State, "undo" | "indexes" | "catalogue">;
export type TableName = keyof Tables;

export const emptyState = (): State => {
  const undo = new UndoLog();
  const tables = emptyTables(undo);
  const { artifacts, offers, accounts, grants, families, agents, submissions, tasks } = tables;
  const indexes = {
    ...artifactIndexes(artifacts, offers),
    ...ledgerIndexes(accounts, grants, families),
    ...agentIndexes(agents, artifacts, families),
    ...mintIndexes(submissions, tasks, families),
  };
  return { undo, ...tables, indexes, catalogue: new Catalogue() };
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

/** Makes the row of a new world. */
export const createWorld = (state: State, physics: Physics, now: number): void =>
  state.world.put("world", {
    physics,
    now,
    supply: { endowed: 0, minted: 0, burned: 0 },
    undistributed: 0,
    budget: { endowed: 0, issued: 0, spent: 0 },
    prng: seedPrng(physics.seed, "world"),
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
    schedule: { entries: [], settings: {} },
  });

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
