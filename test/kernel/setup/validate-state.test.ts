import { describe, expect, it } from "vitest";
import { stateProblem } from "../../../src/kernel/index.ts";
import { readState } from "../../../src/world/index.ts";
import { recordedCheckpoint } from "../../support/recorded-run.ts";

type Fields = { [name: string]: unknown };
type Rows = [string, Fields][];
type Tables = { [table: string]: Rows };

const AT_MS = 16_000;

/** Why a world cannot continue from the saved state after this change. */
const problemAfter = (change: (tables: Tables) => void, atMs = AT_MS): string | null => {
  const { state } = recordedCheckpoint();
  change(state as Tables);
  const read = readState(state);
  return read.ok ? stateProblem(read.state, atMs) : `not read: ${read.problem}`;
};

const change =
  (table: string, key: string, fields: Fields) =>
  (tables: Tables): void => {
    const row = tables[table]?.find(([own]) => own === key)?.[1];
    if (row === undefined) throw new Error(`${table} has no ${key}`);
    Object.assign(row, fields);
  };
const changeNote = (fields: Fields) => change("artifacts", "mason_note", fields);
const changeWorld = (fields: Fields) => change("world", "world", fields);
const remove =
  (table: string, key: string) =>
  (tables: Tables): void => {
    tables[table] = (tables[table] ?? []).filter(([own]) => own !== key);
  };

const addZoe = (tables: Tables, table: string, fields: Fields): void => {
  const [[, first] = ["", {}]] = tables[table] ?? [];
  tables[table]?.push(["zoe", { ...first, ...fields }]);
};
const agentWithoutArtifact = (tables: Tables): void => {
  addZoe(tables, "agents", { id: "zoe", order: 3 });
  addZoe(tables, "inboxes", { agent: "zoe" });
  changeWorld({ agentsMade: 4 })(tables);
};
const emptyWorld = (tables: Tables): void => {
  for (const table of Object.keys(tables)) {
    if (table !== "world" && Array.isArray(tables[table])) tables[table] = [];
  }
  const supply = { endowed: 0, minted: 0, burned: 0 };
  const budget = { endowed: 0, issued: 0, spent: 0 };
  changeWorld({ supply, undistributed: 0, budget })(tables);
};
const MISSING = "is missing, so its world is incomplete";

/** Mason's bid is for another artifact, with the same hold. */
const bidFor =
  (artifact: string, fields: Fields = {}) =>
  (tables: Tables): void => {
    const [[, bid] = ["", {}]] = tables.submissions ?? [];
    const id = `${artifact}:2`;
    tables.submissions = [[artifact, { ...bid, artifact, id, ...fields }]];
    change("holds", "bid:5", { purpose: { kind: "bid", submission: id } })(tables);
  };

describe("a saved state", () => {
  it("is valid if nothing changed it", () => {
    expect(problemAfter(() => {})).toBeNull();
  });

  it.each<readonly [string, (tables: Tables) => void]>([
    ["it contains no world", remove("world", "world")],
    [
      "it breaks invariant 1: accounts and proceeds hold 323 scrip, but the supply is 308",
      change("accounts", "ada", { scrip: 115 }),
    ],
    [
      "it breaks invariant 3: mason_note belongs to zoe, which does not exist",
      changeNote({ owner: "zoe" }),
    ],
    [`genesis_mint ${MISSING}`, remove("artifacts", "genesis_mint")],
    [
      '"rain" is not a kind of event',
      ({ inboxes: [[, inbox] = ["", {}]] = [] }) =>
        void Object.assign(inbox, { sums: [{ kind: "rain", target: null, count: 0, amount: 0 }] }),
    ],
    [`genesis_ledger ${MISSING}`, emptyWorld],
    ["the account ada has no windows", remove("usages", "ada")],
    ["zoe has windows but no account", (tables) => addZoe(tables, "usages", {})],
    ["the agent zoe has no artifact", agentWithoutArtifact],
    ["mason_note and mason_double have the same number, 34", changeNote({ ordinal: 34 })],
    ["mason and hugo have the same number, 1", change("agents", "mason", { order: 1 })],
    ["its public events are not numbered consecutively", changeWorld({ publicEvents: 7 })],
    ["mason waits to be woken but does not sleep", change("agents", "mason", { state: "running" })],
    [
      "ada offers mason_note, which it does not own",
      change("offers", "mason_note", { from: "ada" }),
    ],
    ["mason bids hugo_memory, which it does not own", bidFor("hugo_memory")],
    [
      "mason_double waits for auction 0, which is over",
      change("submissions", "mason_double", { auction: 0 }),
    ],
    ["nothing is bid but does not exist", bidFor("nothing", { stage: "won", price: 3 })],
  ])("is refused: %s", (problem, change) => {
    expect(problemAfter(change)).toBe(problem);
  });

  const LATE = "its last event is at 15917 ms, but its clock is only at 15000 ms";
  it.each([
    [{ artifactsMade: 37 }, "ada_compound_interest_one_year_2 has number 38, but only 37"],
    [{ agentsMade: 2 }, "mason has number 3, but only 2"],
    [{ codesWritten: 1 }, "ada_compound_interest_one_year_2 has number 4, but only 1"],
    [{ holdsMade: 4 }, "bid:5 has number 5, but only 4"],
    [{ bidsMade: 1 }, "mason_double:2 has number 2, but only 1"],
    [{ tasksMade: 0 }, "task:1 has number 1, but only 0"],
  ])("is refused if its count is too small: %j", (count, problem) => {
    expect(problemAfter(changeWorld(count))).toBe(`${problem} were made`);
  });

  it.each([
    ["of a later time", 15_000, LATE],
    ["with an overdue auction", 1e12, "its auction 1 is long overdue"],
  ])("is refused %s", (_, atMs, problem) => {
    expect(problemAfter(() => {}, atMs)).toBe(problem);
  });
});
