import { expect, it } from "vitest";
import { readState, whyUnsound } from "../../src/kernel/index.ts";
import { keptDocument } from "../support/kept-run.ts";

type Fields = { [name: string]: unknown };
type Rows = [string, Fields][];
type Tables = { [table: string]: Rows };

const AT_MS = 16_000;

/** Why no world can go on from the kept state when somebody has changed it like this. */
const whyNot = (change: (tables: Tables) => void, atMs = AT_MS): string | null => {
  const { state } = keptDocument();
  change(state as Tables);
  const read = readState(state);
  return read.ok ? whyUnsound(read.state, atMs) : `it was not read: ${read.problem}`;
};

const change =
  (table: string, key: string, fields: Fields) =>
  (tables: Tables): void => {
    const row = tables[table]?.find(([own]) => own === key)?.[1];
    if (row === undefined) throw new Error(`${table} has no ${key}`);
    Object.assign(row, fields);
  };
const remove =
  (table: string, key: string) =>
  (tables: Tables): void => {
    tables[table] = (tables[table] ?? []).filter(([own]) => own !== key);
  };

it("a state of our own is sound", () => {
  expect(whyNot(() => {})).toBeNull();
});

it.each<readonly [string, (tables: Tables) => void, RegExp]>([
  ["has no world", remove("whole", "world"), /^it holds no world yet: nothing had begun$/],
  ["makes money", change("accounts", "ada", { scrip: 1e6 }), /breaks invariant 1: accounts hold/],
  ["hides an owner", remove("accounts", "hugo"), /^it breaks invariant \d: /],
  ["lacks a part of genesis", remove("artifacts", "genesis_mint"), /breaks inv|genesis_mint is mi/],
  [
    "is of a world that had only begun",
    (tables) => {
      for (const table of Object.keys(tables)) {
        if (table !== "whole" && Array.isArray(tables[table])) tables[table] = [];
      }
      const supply = { endowed: 0, minted: 0, burned: 0 };
      change("whole", "world", { supply })(tables);
    },
    /^it was kept before its world was whole: genesis_ledger is missing$/,
  ],
  ["has an account without windows", remove("usages", "ada"), /^the account ada has no windows$/],
  [
    "has windows of nobody",
    (tables) => {
      const [[, usage] = ["", {}]] = tables.usages ?? [];
      tables.usages?.push(["zoe", usage]);
    },
    /^windows of zoe, who has no account$/,
  ],
  [
    "has an agent that is nowhere",
    (tables) => {
      const [[, agent] = ["", {}]] = tables.agents ?? [];
      tables.agents?.push(["zoe", { ...agent, id: "zoe", order: 0 }]);
    },
    /^ada and zoe have one number|^zoe and ada have|^the agent zoe is not there$/,
  ],
  [
    "would give a number twice",
    change("whole", "world", { artifactsMade: 3 }),
    /has number \d+, of 3 there have been$/,
  ],
  [
    "would name a hold twice",
    change("whole", "world", { holdsMade: 0 }),
    /^(bid|task):\d+ has number \d+, of 0 there have been$/,
  ],
  [
    "has lost count of public events",
    change("whole", "world", { publicEvents: 7 }),
    /public events are not numbered one after the other/,
  ],
  [
    "has a sleeper that thinks",
    change("agents", "mason", { state: "running" }),
    /^mason waits to be woken and does not sleep$/,
  ],
  [
    "offers another's",
    change("offers", "mason_note", { from: "ada" }),
    /^ada offers mason_note of/,
  ],
  [
    "bids in an auction that is over",
    change("submissions", "mason_double", { auction: 0 }),
    /^mason_double waits for auction 0, which is over$/,
  ],
])("a state that %s is not", (_, forge, words) => {
  expect(whyNot(forge)).toMatch(words);
});

it("nor is one of a later moment than it is to go on from", () => {
  expect(whyNot(() => {}, 15_000)).toMatch(/^its last event is of \d+ ms, later than the 15000 ms/);
});

it("nor is one that has auctions without end to make up for", () => {
  expect(whyNot(() => {}, 1e12)).toMatch(/^its auction \d is long overdue$/);
});
