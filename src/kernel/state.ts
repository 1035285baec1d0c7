import { AGENT, agentIndexes, PROPOSAL, REVIEWED, SLEEPER } from "./agent/agent.ts";
import { INBOX } from "./agent/inbox.ts";
import { ARTIFACT, CUSTOMER, customerKey, HISTORY, OFFER, TRADE } from "./artifact/artifact.ts";
import { artifactIndexes, liveArtifact } from "./artifact/tables.ts";
import { COMPUTE_BID, COMPUTE_ROW, STANDING_ORDER } from "./compute/supply.ts";
import { PUBLIC_EVENT } from "./core/event.ts";
import type { Id } from "./core/ids.ts";
import { emptyLog } from "./core/lists.ts";
import type { Physics } from "./core/physics.ts";
import { seedPrng, sipHash, wordsOf } from "./core/random.ts";
import * as is from "./core/shape.ts";
import { Table, UndoLog } from "./core/tables.ts";
import {
  ACCOUNT,
  FLOW,
  flowKey,
  grantKey,
  HOLD,
  ledgerIndexes,
  WRITTEN_GRANT,
} from "./ledger/account.ts";
import { WRITTEN_USAGE } from "./ledger/rolling-window.ts";
import { MAILBOX, MESSAGE_ROW } from "./messages/mailbox.ts";
import { mintIndexes, SCORE, SUBMISSION, TASK } from "./mint/mint.ts";
import { SCHEDULE, type ScheduleRow, type ScheduleTables } from "./schedule/schedule.ts";
import { Catalogue } from "./search/catalogue.ts";
import type { SearchRow, SearchTables } from "./search/query.ts";

/** The values that exist once per world: those of all rooms. */
export interface WorldRow extends SearchRow, ScheduleRow {}

const WORLD = is.record({
  ...COMPUTE_ROW,
  ...MESSAGE_ROW,
  publicLog: is.list(is.record(PUBLIC_EVENT)),
  publicEvents: is.amount,
  schedule: SCHEDULE,
});

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

/** What a row is in a saved state, and its key. `keyOf` null: any id. */
type SavedTable = { readonly row: is.Shape<unknown>; readonly keyOf: KeyOf<never> | null };
type KeyOf<Row> = (row: Row) => string;

const saved = <Row>(row: is.Shape<Row>, keyOf: KeyOf<Row> | null): SavedTable => ({ row, keyOf });

/** The tables in loading order. `families` comes first, because indexes use this table. */
export const TABLES: { readonly [Name in TableName]: SavedTable } = {
  families: saved(is.id, null),
  world: saved(WORLD, () => "world"),
  accounts: saved(ACCOUNT, (row) => row.id),
  usages: saved(WRITTEN_USAGE, null),
  holds: saved(HOLD, (row) => row.id),
  artifacts: saved(ARTIFACT, (row) => row.id),
  trades: saved(TRADE, null),
  customers: saved(CUSTOMER, (row) => customerKey(row.artifact, row.principal)),
  histories: saved(HISTORY, (row) => row.artifact),
  offers: saved(OFFER, (row) => row.artifact),
  agents: saved(AGENT, (row) => row.id),
  inboxes: saved(INBOX, (row) => row.agent),
  mailboxes: saved(MAILBOX, (row) => row.owner),
  submissions: saved(SUBMISSION, (row) => row.artifact),
  scores: saved(SCORE, (row) => row.artifact),
  tasks: saved(TASK, (row) => row.id),
  grants: saved(WRITTEN_GRANT, (row) => grantKey(row.grantor, row.contract)),
  flows: saved(FLOW, (row) => flowKey(row.from, row.to)),
  computeBids: saved(COMPUTE_BID, (row) => row.bidder),
  standingOrders: saved(STANDING_ORDER, (row) => row.principal),
  sleepers: saved(SLEEPER, (row) => row.agent),
  reviewed: saved(REVIEWED, (row) => row.agent),
  proposals: saved(PROPOSAL, (row) => row.agent),
  memories: saved(is.amount, null),
};
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

export const emptyState = (): State => {
  const undo = new UndoLog();
  const empty = TABLE_NAMES.map((name) => [name, new Table(undo)]);
  const tables = Object.fromEntries(empty) as unknown as Tables;
  const { artifacts, offers, accounts, grants, families, agents, submissions, tasks } = tables;
  const indexes = {
    ...artifactIndexes(artifacts, offers),
    ...ledgerIndexes(accounts, grants, families),
    ...agentIndexes(agents, artifacts, families),
    ...mintIndexes(submissions, tasks, families),
  };
  return { undo, ...tables, indexes, catalogue: new Catalogue() };
};

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
