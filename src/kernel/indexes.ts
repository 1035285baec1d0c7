import type { Account } from "./account.ts";
import type { Agent } from "./agent.ts";
import type { Artifact } from "./artifact.ts";
import type { Grant } from "./delegation.ts";
import { type Id, isReserved } from "./ids.ts";
import type { Submission, Task } from "./mint/index.ts";
import type { Offer } from "./state.ts";
import type { Table } from "./table.ts";
import { TableIndex } from "./table-index.ts";

/** The group of an index that has only one. */
export const ALL = "all";

/** The two parts of the board of tasks. */
export const BOARD = { world: "world", posted: "posted" } as const;

type Indexed = {
  readonly accounts: Table<Id, Account>;
  readonly agents: Table<Id, Agent>;
  readonly artifacts: Table<Id, Artifact>;
  readonly offers: Table<Id, Offer>;
  readonly submissions: Table<Id, Submission>;
  readonly tasks: Table<string, Task>;
  readonly grants: Table<string, Grant>;
  readonly families: Table<Id, Id>;
};

/** By what the rows of the tables are found, so that no decision goes through a whole table. */
export const indexesOf = (tables: Indexed) => {
  const { accounts, agents, artifacts, offers, submissions, tasks, grants, families } = tables;
  // A family is settled before an account is opened and never changes.
  const familyOf = (id: Id | null): Id | null => (id === null ? null : (families.get(id) ?? null));
  return {
    /** Everybody but the world's own. */
    principals: new TableIndex(accounts, { groupOf: ({ id }) => (isReserved(id) ? null : ALL) }),
    /** Accounts by who opened them. */
    children: new TableIndex(accounts, { groupOf: ({ parent }) => parent }),
    accountsOfFamily: new TableIndex(accounts, { groupOf: ({ id }) => familyOf(id) }),
    agentsOfFamily: new TableIndex(agents, { groupOf: ({ id }) => familyOf(id) }),
    /** Artifacts that have an account, by owner. */
    principalsOwned: new TableIndex(artifacts, {
      groupOf: ({ id, owner, deleted, hasStanding }) =>
        hasStanding && deleted === null && owner !== id ? owner : null,
    }),
    /** By owner: artifacts whose contract can charge and was named since they passed. */
    ruledOf: new TableIndex(artifacts, {
      groupOf: ({ owner, access, accessBy, deleted }) =>
        accessBy !== null && deleted === null && !isReserved(access) ? owner : null,
    }),
    offersFrom: new TableIndex(offers, { groupOf: ({ from }) => from }),
    offersTo: new TableIndex(offers, { groupOf: ({ to }) => to }),
    submissionsOf: new TableIndex(submissions, { groupOf: ({ bidder }) => bidder }),
    /** The best paid first, then the oldest. */
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
