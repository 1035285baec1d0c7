import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/kernel/index.ts";
import { spawnsChild } from "../genesis/library-world.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const PROJECTS = ["map", "road", "park", "song"] as const;
const GIVERS = ["ann", "ben", "cid", "dee", "eve"] as const;
const SCRIP = 100_000_000;
const ROUND_MS = 600_000;

const world = (): TestWorld => {
  const ids = ["alice", ...PROJECTS, ...GIVERS];
  const v = newWorld(Object.fromEntries(ids.map((id) => [id, SCRIP])));
  return install(v, "pool", "quadratic-funding");
};

type Gift = { readonly by: string; readonly to: string; readonly scrip: number };
type Result = { readonly project: string; readonly given: number; readonly match: number };

/** Plays a round, and returns its result. */
const played = (
  v: TestWorld,
  gifts: readonly Gift[],
  ids: readonly string[],
): readonly Result[] => {
  for (const id of ids) ask(v, id, "pool.enter", [`the ${id}`]);
  for (const { by, to, scrip } of gifts) v.must(pays(v, by, "pool.contribute", scrip, [to]));
  v.atMs += ROUND_MS;
  const results = ask(v, "alice", "pool.results") as { projects: Result[] }[];
  return results.at(-1)?.projects ?? [];
};

const poolOf = (v: TestWorld): number => (ask(v, "alice", "pool.status") as { pool: number }).pool;

const scale = 10n ** 50n;

/** 50 decimal places of a root, by halving an interval. */
const rootOf = (number: number): bigint => {
  const square = BigInt(number) * scale * scale;
  let [low, high] = [0n, square + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= square) low = middle;
    else high = middle;
  }
  return low;
};

/** (Σ√c)² - Σc as 2 Σ √(c·d) over all pairs, with seven decimal places, rounded. */
const weightOf = (given: readonly number[]): bigint => {
  const pairs = given.flatMap((c, at) => given.slice(at + 1).map((d) => rootOf(c * d)));
  const twice = 2n * pairs.reduce((sum, root) => sum + root, 0n);
  return (twice + scale / 20_000_000n) / (scale / 10_000_000n);
};

const ONE = 10_000_000n;

/** Gives the scrip one by one to the project that is furthest below its quota. */
const matchesOf = (weights: readonly bigint[], pool: number): readonly number[] => {
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  if (all <= BigInt(pool) * ONE) return weights.map((weight) => Number(weight / ONE));
  const given = weights.map((weight) => (weight * BigInt(pool)) / all);
  const isLeft = () => given.reduce((sum, each) => sum + each, 0n) < BigInt(pool);
  const missing = (at: number) => (weights[at] ?? 0n) * BigInt(pool) - (given[at] ?? 0n) * all;
  while (isLeft()) {
    let best = 0;
    for (let at = 1; at < given.length; at++) if (missing(at) > missing(best)) best = at;
    given[best] = (given[best] ?? 0n) + 1n;
  }
  return given.map(Number);
};

const gift = fc.record({
  by: fc.constantFrom(...GIVERS),
  to: fc.constantFrom(...PROJECTS),
  scrip: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000 })),
});

describe("quadratic funding", () => {
  it("matches as the formula says, to the last scrip, and divides a small pool in proportion", () => {
    const v = world();
    const pools = fc.constantFrom(0, 1, 10, 1_000, 200_000);
    fc.assert(
      fc.property(fc.array(gift, { maxLength: 16 }), pools, (gifts, added) => {
        if (added > 0) v.must(pays(v, "alice", "pool.fund", added));
        const pool = poolOf(v);
        const before = v.scrips(...PROJECTS);
        const found = played(v, gifts, PROJECTS);
        const given = PROJECTS.map((id) => {
          const sums = new Map<string, number>();
          for (const { by, to, scrip } of gifts)
            if (to === id) sums.set(by, (sums.get(by) ?? 0) + scrip);
          return [...sums.values()];
        });
        const matches = matchesOf(given.map(weightOf), pool);
        const sums = given.map((each) => each.reduce((sum, scrip) => sum + scrip, 0));
        expect(found).toEqual(
          PROJECTS.map((project, at) => ({ project, given: sums[at], match: matches[at] })),
        );
        expect(v.scrips(...PROJECTS)).toEqual(
          before.map((scrip, at) => (scrip ?? 0) + (sums[at] ?? 0) + (matches[at] ?? 0)),
        );
        const left = pool - matches.reduce((sum, match) => sum + match, 0);
        expect([poolOf(v), v.scrip("pool")]).toEqual([left, left]);
      }),
      { numRuns: 20 },
    );
  });

  it("matches equal contributions of n families by n² - n", () => {
    const v = world();
    v.must(pays(v, "alice", "pool.fund", 1_000));
    // Not a square number, so that the roots are not exact.
    const gifts = GIVERS.map((by) => ({ by, to: "map", scrip: 3 }));
    expect(played(v, gifts, ["map"])).toEqual([{ project: "map", given: 15, match: 60 }]);
  });

  it("gives the last scrip of a small pool to the older of two equal projects", () => {
    const v = world();
    v.must(pays(v, "alice", "pool.fund", 7));
    const gifts = GIVERS.flatMap((by) => ["road", "map"].map((to) => ({ by, to, scrip: 3 })));
    expect(played(v, gifts, ["road", "map"]).map(({ match }) => match)).toEqual([4, 3]);
  });

  it("counts the members of a family as one, so that a split contribution gets no match", () => {
    const v = world();
    v.must(pays(v, "alice", "pool.fund", 1_000));
    spawnsChild(v, "ann", "child");
    const own = [
      { by: "ann", to: "map", scrip: 8 },
      { by: "child", to: "map", scrip: 8 },
    ];
    expect(played(v, own, ["map"])).toEqual([{ project: "map", given: 16, match: 0 }]);
    const other = [...own, { by: "ben", to: "map", scrip: 9 }];
    expect(played(v, other, ["map"])).toEqual([{ project: "map", given: 25, match: 24 }]);
  });

  it("ends a round of many projects and contributors in one call", () => {
    const ids = Array.from({ length: 40 }, (_, n) => `agent_${n}`);
    const v = newWorld(Object.fromEntries(["alice", ...ids].map((id) => [id, SCRIP])));
    install(v, "pool", "quadratic-funding");
    v.must(pays(v, "alice", "pool.fund", 5_000));
    const projects = ids.slice(0, 25);
    const gifts = ids.flatMap((by, n) => projects.map((to) => ({ by, to, scrip: 1 + (n % 9) })));
    const found = played(v, gifts, projects);
    expect(found.reduce((sum, { match }) => sum + match, 0)).toBe(5_000);
    for (let n = 0; n < 2; n++) ask(v, "alice", "pool.collect");
    expect(v.scrip("pool")).toBe(0);
  });

  it("refuses contributions to what is not a project, and a fourth project of a family", () => {
    const v = world();
    expect(refusalCode(pays(v, "ann", "pool.contribute", 5, ["ben"]))).toBe("not_found");
    expect(refusalCode(pays(v, "ann", "pool.contribute", 0, ["ben"]))).toBe("bad_number");
    for (const id of ["one", "two", "three"]) {
      spawnsChild(v, "ann", id);
      ask(v, id, "pool.enter", ["x"]);
    }
    expect(refusalCode(v.calls("ann", "pool.enter", ["x"]))).toBe("full");
    expect(ask(v, "one", "pool.enter", ["a new text"])).toMatchObject({ project: "one" });
    const { projects } = ask(v, "ann", "pool.projects") as { projects: JsonObject[] };
    expect(projects.map(({ about }) => about)).toEqual(["a new text", "x", "x"]);
  });
});
