import fc from "fast-check";
import { expect, it } from "vitest";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const PROPOSERS = ["p1", "p2", "p3", "p4"] as const;
const RECEIVERS = ["r1", "r2", "r3"] as const;
const ROUND_MS = 60_000;

type Lists = { readonly [id: string]: readonly string[] };
type Market = { readonly wants: Lists; readonly takes: Lists; readonly rooms: Rooms };
type Rooms = { readonly [id: string]: number };
/** The receiver of each proposer, or null. */
type Matching = { readonly [proposer: string]: string | null };

const world = (ids: readonly string[] = [...PROPOSERS, ...RECEIVERS]): TestWorld =>
  install(newWorld(Object.fromEntries(ids.map((id) => [id, 1]))), "match", "deferred-acceptance");

/** Plays one round, whose lists come in this order. */
const played = (v: TestWorld, market: Market, order: readonly string[]): Matching => {
  const { wants, takes, rooms } = market;
  for (const id of order) {
    if (Object.hasOwn(wants, id)) ask(v, id, "match.propose", [[...(wants[id] ?? [])]]);
    else ask(v, id, "match.receive", [[...(takes[id] ?? [])], rooms[id] ?? 1]);
  }
  v.atMs += ROUND_MS;
  const results = ask(v, "p1", "match.results") as { matches: [string, string][] }[];
  const matches = new Map(results.at(-1)?.matches);
  return Object.fromEntries(Object.keys(wants).map((id) => [id, matches.get(id) ?? null]));
};

const rank = (list: readonly string[] | undefined, id: string | null): number => {
  const at = id === null ? -1 : (list ?? []).indexOf(id);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};

/** All matchings in which everyone accepts its partners, and no receiver has too many. */
const matchings = ({ wants, takes, rooms }: Market): readonly Matching[] =>
  Object.entries(wants).reduce<readonly Matching[]>(
    (made, [id, list]) => {
      const possible = list.filter((receiver) => (takes[receiver] ?? []).includes(id));
      return made.flatMap((each) =>
        [null, ...possible]
          .filter((receiver) => {
            const taken = Object.values(each).filter((other) => other === receiver).length;
            return receiver === null || taken < (rooms[receiver] ?? 1);
          })
          .map((receiver) => ({ ...each, [id]: receiver })),
      );
    },
    [{}],
  );

/** Whether a proposer and a receiver would both leave their partners for each other. */
const isBlocked = (matching: Matching, { wants, takes, rooms }: Market): boolean =>
  Object.entries(wants).some(([id, list]) =>
    list.some((receiver) => {
      const own = takes[receiver] ?? [];
      if (!own.includes(id) || rank(list, receiver) >= rank(list, matching[id] ?? null))
        return false;
      const kept = Object.keys(wants).filter((other) => matching[other] === receiver);
      const isFull = kept.length >= (rooms[receiver] ?? 1);
      return !isFull || kept.some((other) => rank(own, other) > rank(own, id));
    }),
  );

const lists = (ids: readonly string[], of: readonly string[]) =>
  fc.record(Object.fromEntries(ids.map((id) => [id, fc.shuffledSubarray([...of])])));

const markets = fc.record({
  wants: lists(PROPOSERS, RECEIVERS),
  takes: lists(RECEIVERS, PROPOSERS),
  rooms: fc.record(Object.fromEntries(RECEIVERS.map((id) => [id, fc.integer({ min: 1, max: 2 })]))),
});

const orders = fc.shuffledSubarray([...PROPOSERS, ...RECEIVERS], { minLength: 7 });

it("gives each proposer the best of all stable matchings, found by enumeration", () => {
  const v = world();
  fc.assert(
    fc.property(markets, orders, (market, order) => {
      const found = played(v, market, order);
      const stable = matchings(market).filter((each) => !isBlocked(each, market));
      expect(stable).toContainEqual(found);
      for (const id of PROPOSERS) {
        const best = Math.min(...stable.map((each) => rank(market.wants[id], each[id] ?? null)));
        expect(rank(market.wants[id], found[id] ?? null)).toBe(best);
      }
    }),
    { numRuns: 40 },
  );
});

it("gives no proposer a better partner for any other list", () => {
  const v = world();
  const ordered = (ids: readonly string[]): readonly (readonly string[])[] => [
    [],
    ...ids.flatMap((id) =>
      ordered(ids.filter((other) => other !== id)).map((rest) => [id, ...rest]),
    ),
  ];
  fc.assert(
    fc.property(markets, (market) => {
      const order = [...PROPOSERS, ...RECEIVERS];
      const honest = played(v, market, order).p1 ?? null;
      for (const lie of ordered(RECEIVERS)) {
        const lying = played(v, { ...market, wants: { ...market.wants, p1: lie } }, order);
        const list = market.wants.p1;
        expect(rank(list, lying.p1 ?? null)).toBeGreaterThanOrEqual(rank(list, honest));
      }
    }),
    { numRuns: 4 },
  );
});

it("ends a full round in one call, and refuses who has no room in it", () => {
  const ids = Array.from({ length: 300 }, (_, n) => `a${n.toString(36)}`);
  const v = world(["p1", ...ids]);
  const [proposers, receivers] = [ids.slice(0, 150), ids.slice(150)];
  const near = (all: readonly string[], at: number) =>
    Array.from({ length: 20 }, (_, n) => all[(at + n) % all.length] ?? "");
  const codes = proposers.flatMap((id, at) => [
    refusalCode(v.calls(id, "match.propose", [near(receivers, 0)])),
    refusalCode(v.calls(receivers[at] ?? "", "match.receive", [near(proposers, at), 1])),
  ]);
  expect(new Set(codes)).toEqual(new Set(["nothing was refused", "full"]));
  v.atMs += ROUND_MS;
  const [{ matches }] = ask(v, "p1", "match.results") as [{ matches: unknown[] }];
  expect(matches.length).toBeGreaterThan(10);
});

it("refuses lists with an id twice, or of ids that need too much space", () => {
  const v = world();
  expect(refusalCode(v.calls("p1", "match.propose", [["r1", "r1"]]))).toBe("bad_list");
  const long = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(100, "x"));
  expect(refusalCode(v.calls("p1", "match.propose", [long]))).toBe("bad_list");
});
