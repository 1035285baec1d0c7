import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blankArtifact } from "../../../src/kernel/artifact/artifact.ts";
import { nextArtifact } from "../../../src/kernel/artifact/tables.ts";
import {
  type Artifact,
  type ArtifactUsage,
  answerQuery,
  asId,
  commit,
  emptyState,
  type Id,
  type Json,
  NO_USAGE,
  rebuildCatalogue,
  type State,
  worldRow,
} from "../../../src/kernel/index.ts";
import { Leaderboard, OrdinalSet } from "../../../src/kernel/search/ranking.ts";
import { PHYSICS } from "../../support/physics.ts";
import { agent, execute, given, note, reloaded } from "../../support/scenario.ts";

describe("a set of ordinals", () => {
  it("is sorted and without duplicates after any changes", () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), fc.nat(32), (changes, before) => {
        const set = new OrdinalSet();
        const naive = new Set<number>();
        for (const [adds, n] of changes) {
          if (adds) set.add(n);
          else set.delete(n);
          if (adds) naive.add(n);
          else naive.delete(n);
        }
        const newest = [...naive].sort((a, b) => b - a);
        expect(newest.map((_, place) => set.at(newest.length - 1 - place))).toEqual(newest);
        expect(set.at(newest.length)).toBeUndefined();
        expect(set.countBelow(before)).toBe(newest.filter((n) => n < before).length);
        expect(set.countBelow(Number.POSITIVE_INFINITY)).toBe(naive.size);
        expect(set.size).toBe(naive.size);
        for (let n = 0; n <= 31; n++) expect(set.has(n)).toBe(naive.has(n));
      }),
    );
  });
});

const idOf = (n: number): Id => asId(`x${n}`);

/** The same as a leaderboard, by sorting all scores. */
const naiveTop = (scores: ReadonlyMap<Id, number>, limit: number): readonly Id[] =>
  [...scores]
    .filter(([, score]) => score > 0)
    .sort(([a, p], [b, q]) => q - p || (a < b ? -1 : 1))
    .slice(0, Math.min(limit, 50))
    .map(([id]) => id);

describe("a leaderboard", () => {
  it("has the same top as sorting all scores, also after most were removed", () => {
    const play = fc.record({
      raise: fc.boolean(),
      n: fc.nat(400),
      by: fc.integer({ min: 1, max: 5 }),
    });
    const plays = fc.array(play, { minLength: 600, maxLength: 1_500, size: "max" });
    fc.assert(
      fc.property(plays, fc.integer({ min: 1, max: 60 }), (all, limit) => {
        const board = new Leaderboard();
        const scores = new Map<Id, number>();
        for (const [turn, { raise, n, by }] of all.entries()) {
          const id = idOf(n);
          // First scores are added, then most are removed.
          if (raise || turn < all.length / 2) {
            scores.set(id, (scores.get(id) ?? 0) + by);
            board.raise(id, scores.get(id) ?? 0);
          } else {
            scores.delete(id);
            board.drop(id);
          }
          board.settle(() => scores);
          if (turn % 97 === 0) expect(board.top(limit)).toEqual(naiveTop(scores, limit));
        }
        expect(board.top(limit)).toEqual(naiveTop(scores, limit));
      }),
      { numRuns: 20 },
    );
  });

  it("does not put a new score first after all scores that it kept were removed", () => {
    const board = new Leaderboard();
    const scores = new Map<Id, number>();
    for (let n = 0; n < 300; n++) {
      scores.set(idOf(n), 1_000 - n);
      board.raise(idOf(n), 1_000 - n);
    }
    for (let n = 0; n < 200; n++) {
      scores.delete(idOf(n));
      board.drop(idOf(n));
    }
    for (let n = 400; n < 460; n++) {
      scores.set(idOf(n), n - 399);
      board.raise(idOf(n), n - 399);
    }
    board.settle(() => scores);
    expect(board.top(50)).toEqual(naiveTop(scores, 50));
  });

  it("does not include a score of 0", () => {
    const board = new Leaderboard();
    board.raise(idOf(1), 0);
    expect(board.top(5)).toEqual([]);
  });
});

const TYPES = ["program", "data", "contract"];
const OWNERS = ["alice", "bob", "carol"];
const WORDS = ["double", "sort", "x1", "fast sort", "Über sort", ""];

const edit = fc.record({
  n: fc.nat(12),
  owner: fc.nat(2),
  type: fc.nat(2),
  words: fc.nat(5),
  deleted: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  calls: fc.nat(2),
  commits: fc.boolean(),
  rollsBack: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const described = (words: string): Artifact["interface"] =>
  words === "" ? null : { description: words, methods: [] };

const makes = (state: State, id: Id, owner: Id): Artifact => {
  const next = nextArtifact(state);
  state.world.put("world", { ...worldRow(state), artifactsMade: next.ordinal });
  return { ...blankArtifact(next, id, owner, owner, 0), version: 1 };
};

/** Writes rows as `evolve` does, without any rules. */
const apply = (state: State, { n, owner, type, words, deleted, calls }: Edit): void => {
  const id = idOf(n);
  const [holder, kind] = [asId(OWNERS[owner] ?? ""), TYPES[type] ?? ""];
  const before = state.artifacts.get(id);
  if (before !== undefined && before.deleted !== null) return;
  const row = before ?? makes(state, id, holder);
  state.artifacts.put(id, {
    ...row,
    owner: holder,
    type: kind,
    code: kind === "data" ? null : "function run() {}",
    interface: deleted ? null : described(WORDS[words] ?? ""),
    deleted: deleted ? { at: 0, by: holder } : null,
    price: words,
  });
  if (deleted) return;
  const trade: ArtifactUsage = state.trades.get(id) ?? NO_USAGE;
  state.trades.put(id, { ...trade, callsByOthers: trade.callsByOthers + calls });
  const key = `${id} ${holder}`;
  const totals = { calls: (state.customers.get(key)?.calls ?? 0) + calls, paid: calls, paidTo: {} };
  state.customers.put(key, { artifact: id, principal: holder, ...totals });
};

/** A state with the same rows, whose catalogue was built at once. */
const rebuilt = (state: State): State => {
  const fresh = emptyState();
  for (const [key, row] of state.world.entries()) fresh.world.put(key, row);
  for (const [key, row] of [...state.artifacts.entries()].reverse()) fresh.artifacts.put(key, row);
  for (const [key, row] of [...state.trades.entries()].reverse()) fresh.trades.put(key, row);
  for (const [key, row] of [...state.customers.entries()].reverse()) fresh.customers.put(key, row);
  fresh.undo.forget();
  rebuildCatalogue(fresh);
  return fresh;
};

type Search = { readonly owner?: Id; readonly type?: string; readonly text?: string };

const SEARCHES: readonly Search[] = [
  {},
  ...OWNERS.map((owner) => ({ owner: asId(owner) })),
  ...TYPES.map((type) => ({ type })),
  { owner: asId("alice"), type: "program" },
  ...WORDS.map((text) => ({ text })),
  { text: "SORT", type: "data", owner: asId("bob") },
  { text: "not in any description" },
];

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The same as a search, by reading every artifact. */
const naiveSearch = (state: State, { owner, type, text = "" }: Search): readonly Id[] =>
  [...state.artifacts.rows()]
    .filter((row) => row.deleted === null)
    .filter((row) => owner === undefined || row.owner === owner)
    .filter((row) => type === undefined || row.type === type)
    .filter((row) => {
      const words = wordsIn(`${row.id} ${row.type} ${row.interface?.description ?? ""}`);
      return wordsIn(text).every((word) => words.includes(word));
    })
    .sort((a, b) => b.ordinal - a.ordinal)
    .map((row) => row.id);

const naivePopular = (state: State): readonly Id[] => {
  const live = [...state.artifacts.rows()].filter((row) => row.deleted === null);
  return naiveTop(
    new Map(live.map(({ id }) => [id, state.trades.get(id)?.callsByOthers ?? 0])),
    50,
  );
};

const naiveCustomers = (state: State, artifact: Id): readonly Id[] =>
  [...state.customers.rows()]
    .filter((row) => row.artifact === artifact)
    .map((row) => row.principal)
    .sort();

const expectAgrees = (state: State, truth: State): void => {
  for (const wanted of SEARCHES) {
    const found = [...state.catalogue.newest(wanted)];
    expect(found, JSON.stringify(wanted)).toEqual(naiveSearch(truth, wanted));
    expect(state.catalogue.countOf(wanted), JSON.stringify(wanted)).toBe(found.length);
  }
  const programs = naiveSearch(truth, {}).map((id) => ({ id, row: truth.artifacts.get(id) }));
  for (const among of [1, 4, 20]) {
    const callable = programs.slice(0, among).filter(({ row }) => row?.code !== null);
    expect([...state.catalogue.newestPrograms(among)]).toEqual(callable.map(({ id }) => id));
  }
  expect(state.catalogue.popular(50)).toEqual(naivePopular(truth));
  for (let n = 0; n <= 12; n++) {
    expect(state.catalogue.customersOf(idOf(n))).toEqual(naiveCustomers(truth, idOf(n)));
  }
};

describe("the catalogue", () => {
  it("finds the same as a search through all rows, after any changes", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 50 }), (edits) => {
        const state = emptyState();
        execute(state, { kind: "create_world", at_ms: 0, physics: PHYSICS });
        commit(state);
        for (const each of edits) {
          apply(state, each);
          if (each.rollsBack) state.undo.rollback(0);
          else if (each.commits) commit(state);
        }
        commit(state);
        expectAgrees(state, state);
        expectAgrees(rebuilt(state), state);
      }),
      { numRuns: 150 },
    );
  });

  it("shows only what is committed", () => {
    const state = emptyState();
    execute(state, { kind: "create_world", at_ms: 0, physics: PHYSICS });
    const first = { n: 1, owner: 0, type: 0, words: 0, deleted: false, calls: 2 };
    apply(state, { ...first, commits: true, rollsBack: false });
    commit(state);
    apply(state, { ...first, deleted: true, commits: false, rollsBack: true });
    expect([...state.catalogue.newest({})]).toEqual(["x1"]);
    expect(state.catalogue.popular(5)).toEqual(["x1"]);
    state.undo.rollback(0);
    expectAgrees(state, state);
  });

  it("keeps the most popular when a call that deletes them fails", () => {
    const state = emptyState();
    execute(state, { kind: "create_world", at_ms: 0, physics: PHYSICS });
    const row = { owner: 0, type: 0, words: 0, commits: true, rollsBack: false };
    for (let n = 1; n <= 260; n++) apply(state, { ...row, n, deleted: false, calls: 1_000 - n });
    commit(state);
    for (let n = 1; n <= 160; n++) apply(state, { ...row, n, deleted: true, calls: 0 });
    commit(state);
    for (let n = 161; n <= 230; n++) apply(state, { ...row, n, deleted: true, calls: 0 });
    // A program queries the market before the rollback.
    answerQuery(state, "artifacts", { sort: "popular" }, 0);
    state.undo.rollback(0);
    expect(state.catalogue.popular(50)).toEqual(naivePopular(state));
  });

  it("finds artifacts by entries of their metadata", () => {
    const board = (id: string, metadata: { readonly [key: string]: Json }) =>
      note(id, "alice", { metadata });
    const { state } = given(
      agent("alice"),
      board("m1", { channel: "jobs", round: 1 }),
      board("m2", { channel: "jobs", round: 2 }),
      board("m3", { channel: "news", round: 2 }),
    );
    const found = (metadata: { readonly [key: string]: string | number }) => [
      ...state.catalogue.newest({ metadata }),
    ];
    expect(found({ channel: "jobs" })).toEqual(["m2", "m1"]);
    expect(found({ channel: "jobs", round: 2 })).toEqual(["m2"]);
    expect(found({ round: "2" })).toEqual([]);
    expect([...reloaded(state).catalogue.newest({ metadata: { round: 2 } })]).toEqual(["m3", "m2"]);
  });
});
