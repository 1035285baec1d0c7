import { describe, expect, it } from "vitest";
import { readState, stateText } from "../../src/world/index.ts";
import { recordedCheckpoint } from "../support/recorded-run.ts";

const LETTER = {
  ...{ number: 1, atMs: 5, from: "bob", to: "ada", text: "hi", thread: 1 },
  ...{ replyTo: null, forwards: null, path: ["operator"], scrip: 0, reset: null },
};
const NO_LETTERS = { read: [], sent: [], sentAtMs: [9_000], blocked: ["bob"] };
const PROPOSAL = {
  ...{ agent: "ada", number: 1, atMs: 5, action: { noop: {} }, reasoning: "why", cost: 3 },
  ...{ sleep: { for_ms: 5, until: [] }, stage: "waits" },
};
const REVIEWED = { agent: "ada", review: { spending_above: 5 }, review_default: "accept" };

// The recorded run has no memories, messages and reviews, so this state gets some.
const kept = (): ReturnType<typeof recordedCheckpoint>["state"] => ({
  ...recordedCheckpoint().state,
  memories: [["ada_memory", 2]],
  proposals: [["ada", structuredClone(PROPOSAL)]],
  reviewed: [["ada", structuredClone(REVIEWED)]],
  mailboxes: [["ada", { owner: "ada", unread: [structuredClone(LETTER)], ...NO_LETTERS }]],
});
const problemIn = (state: unknown): string => {
  const read = readState(state);
  return read.ok ? "it was read" : read.problem;
};

type Holder = { [key: string | number]: unknown };
type Place = { readonly path: string; readonly holder: Holder; readonly key: string | number };
const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

/** Fields that hold free JSON of agents and minds. */
const FREE = /\.(metadata|mind|pending|memo|input_schema|output_schema|args|result)\b/;
const PROPOSED = /^\.proposals\[0\]\[1\]\.action\b/;

/** Every value in a state except free JSON. */
function* placesIn(holder: Holder, path: string): Generator<Place> {
  for (const name of Object.keys(holder)) {
    const key = Array.isArray(holder) ? Number(name) : name;
    const here = Array.isArray(holder) ? `${path}[${name}]` : `${path}.${name}`;
    const value = holder[key];
    if (FREE.test(here) || PROPOSED.test(here)) continue;
    yield { path: here, holder, key };
    if (isHolder(value)) yield* placesIn(value, here);
  }
}

describe("the rows of an untrusted state", () => {
  it("exist in every table of the test state", () => {
    const empty = Object.entries(kept()).filter(([, rows]) => Array.isArray(rows) && !rows.length);
    expect(empty).toEqual([]);
  });

  it("are refused with the table's name if any value has another type", () => {
    const state = kept();
    let tried = 0;
    for (const { path, holder, key } of placesIn(state, "")) {
      const before = holder[key];
      holder[key] = isHolder(before) ? 7 : [7];
      const table = path.split(/[.[]/)[1] ?? "";
      const words = table === "version" ? "it has version" : `its table "${table}"`;
      expect(`${path}: ${problemIn(state)}`).toContain(words);
      holder[key] = before;
      tried += 1;
    }
    expect(tried).toBeGreaterThan(2_000);
    expect(problemIn(state)).toBe("it was read");
  });

  it("are refused if a field is missing or unknown", () => {
    const state = kept();
    for (const { path, holder } of [...placesIn(state, "")]) {
      if (Array.isArray(holder) || holder === state || /\.(costs|paidTo)\b/.test(path)) continue;
      holder.more = 1;
      expect(`${path}: ${problemIn(state)}`).toMatch(/ has a field "more" too many|is not/);
      delete holder.more;
    }
    const [[, account]] = state.accounts as [[string, Holder]];
    delete account.held;
    expect(problemIn(state)).toMatch(/its table "accounts": "ada"\.held is missing; use an unch/);
  });

  type Change = (state: { [table: string]: unknown[][] } & { accounts: unknown[][] }) => void;
  /** Puts fields into the first row of a table. */
  const put =
    (table: string, fields: Holder): Change =>
    (state) =>
      void Object.assign(state[table]?.[0]?.[1] ?? {}, fields);
  const PROTO = JSON.parse('{"a":[{"__proto__":1}]}');
  const DEEP = JSON.parse(`${"[".repeat(900)}${"]".repeat(900)}`);

  it.each<readonly [string, Change, RegExp]>([
    ["a negative balance", put("accounts", { scrip: -1 }), /"ada"\.scrip is not a whole number of/],
    ["half a coin", put("accounts", { scrip: 0.5 }), /"ada"\.scrip is not a whole number/],
    ["a huge balance", put("accounts", { scrip: 2 ** 53 }), /"ada"\.scrip is not a whole number/],
    ["a state of no loop", put("agents", { state: "dead" }), /\.state is not one of running/],
    ["no id", put("accounts", { parent: "a b" }), /"ada"\.parent is not an id/],
    ["no purpose", put("holds", { purpose: { kind: "gift" } }), /"holds": "[^"]+"\.purpose/],
    ["no generator", put("world", { prng: [1, 2, 3] }), /"world"\.prng has another length than 4/],
    ["a key __proto__", put("agents", { mind: PROTO }), /"ada"\.mind is not plain data/],
    ["deep data", put("agents", { pending: DEEP }), /"ada"\.pending is not plain data/],
    [
      "a row under another's key",
      ({ accounts: [first] }) => void first?.splice(0, 1, "aaa"),
      /"accounts": "aaa" is not the key of its row/,
    ],
    [
      "a row twice",
      ({ accounts }) => void accounts.unshift(accounts[0] ?? []),
      /"accounts": "ada" comes after "ada"/,
    ],
    [
      "another order",
      ({ accounts }) => void accounts.reverse(),
      /"accounts": "[a-z]+" comes after "/,
    ],
    ["another table", (state) => Object.assign(state, { gods: [] }), /an unknown table "gods"/],
  ])("are refused with %s", (_, change, words) => {
    const state = kept();
    change(state as Parameters<Change>[0]);
    const problem = problemIn(state);
    expect(problem).toMatch(words);
    expect(problem).not.toContain("\n");
  });

  it("are read unchanged, and encoded the same again", () => {
    const read = readState(kept());
    expect(read.ok && stateText(read.state)).toBe(JSON.stringify(kept()));
  });
});
