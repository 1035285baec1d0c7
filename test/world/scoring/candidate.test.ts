import { describe, expect, it } from "vitest";
import { type Candidate, memoAfter, noveltyOf, proofOf } from "../../../src/world/index.ts";
import { auctioned, candidateOn, scored, scoredIn } from "../../support/market.ts";
import { physicsWith } from "../../support/physics.ts";
import { fileSandbox, TestWorld } from "../../support/test-world.ts";

const physics = physicsWith({ mint: { slots: 2, test_gas: 20_000 } });
const sandbox = fileSandbox(physics);

/** Programs over lists of text. The second has more code; both take the same arguments. */
const FIRST =
  "function run(rows) { const out = []; for (let i = 0; i < rows.length; i++) { const w = " +
  "rows[i].split(',').map((p) => p.trim()); if (w.length > 2 && w[0] !== '') { out.push({ key: " +
  "w[0], rest: w.slice(1).join('-') }) } else { out.push(null) } } return out.filter((x) => x) }";
const SECOND =
  `${FIRST}\nfunction best(list) { let most = list[0]; for (const each of list) { if (each.score ` +
  "> most.score) most = each } return { most, count: list.length } }";
const renamed = (code: string): string =>
  code.replaceAll("rows", "lines").replaceAll("out", "found").replaceAll("best", "top");

const AGENTS = ["alice", "thief", "carl", "dora"] as const;

/** Alice writes a program, and the thief a copy with other names. */
const town = (): TestWorld => {
  const world = new TestWorld(sandbox, { physics });
  for (const id of AGENTS) world.agent(id, { scrip: 1_000, disk: 50_000 });
  world.program("alice", "orig", FIRST, { price: 9 });
  return world.program("thief", "copy", renamed(FIRST), { price: 9 });
};

const buy = (world: TestWorld, who: string, ...programs: readonly string[]): void => {
  for (const id of programs) world.must(world.calls(who, id, [["a,b,c"]]));
};

const revise = (world: TestWorld): void => {
  world.must(world.writes("alice", "orig", { code: SECOND }));
  world.must(world.writes("thief", "copy", { code: renamed(SECOND) }));
};

const BOTH = [
  ["alice", "orig"],
  ["thief", "copy"],
] as const;

/** Both win the same auction. */
const novelties = (world: TestWorld, auction: number): Promise<readonly number[]> => {
  auctioned(world, auction, BOTH);
  return Promise.all(BOTH.map(([, id]) => noveltyOf(candidateOn(world, id))));
};

describe("novelty against an agent that always copies", () => {
  it("belongs to the author as soon as the author sells, even if never scored", async () => {
    const world = town();
    buy(world, "carl", "copy", "orig");
    auctioned(world, 0, [["thief", "copy"]]);
    expect(await noveltyOf(candidateOn(world, "copy"))).toBe(0);
  });

  it("belongs to the author even if an improvement is copied too", async () => {
    const world = town();
    buy(world, "carl", "orig", "copy");
    expect(await scoredIn(world, 0, ["thief", "copy"])).toMatchObject({ score: 0 });
    revise(world);
    buy(world, "carl", "orig", "copy");
    expect(await novelties(world, 1)).toEqual([1, 0]);
  });

  it("belongs to the author even if the copy was scored before the original was sold", async () => {
    const world = town();
    buy(world, "carl", "copy");
    expect((await scoredIn(world, 0, ["thief", "copy"])).reason).toMatch(/novelty 1\.00/);
    revise(world);
    buy(world, "carl", "orig", "copy");
    expect(await novelties(world, 1)).toEqual([1, 0]);
  });

  it("counts from the first of many versions that were not scored", async () => {
    const world = town();
    for (let n = 0; n < 12; n++) {
      world.must(world.writes("alice", "orig", { code: `${FIRST}\nfunction f${n}() {}` }));
    }
    buy(world, "carl", "copy");
    await scoredIn(world, 0, ["thief", "copy"]);
    buy(world, "carl", "orig");
    auctioned(world, 1, [["alice", "orig"]]);
    expect(await noveltyOf(candidateOn(world, "orig"))).toBe(1);
  });

  it("covers only the improvement if the copier made it", async () => {
    const world = town();
    buy(world, "carl", "orig");
    world.must(world.writes("thief", "copy", { code: renamed(SECOND) }));
    buy(world, "carl", "copy");
    auctioned(world, 0, [["thief", "copy"]]);
    const own = await noveltyOf(candidateOn(world, "copy"));
    expect(own).toBeGreaterThan(0.1);
    expect(own).toBeLessThan(0.6);
    await scored(world, "copy");
    // Now alice copies the improvement. She keeps the novelty of her own part.
    world.must(world.writes("alice", "orig", { code: SECOND }));
    buy(world, "dora", "orig");
    auctioned(world, 1, [["alice", "orig"]]);
    expect(await noveltyOf(candidateOn(world, "orig"))).toBeCloseTo(1 - own, 1);
  });

  it("is not reduced by unsold code", async () => {
    const world = town();
    world.must(world.writes("alice", "orig", { code: "function run() { return 'other' }" }));
    buy(world, "carl", "orig", "copy");
    auctioned(world, 0, [["thief", "copy"]]);
    expect(await noveltyOf(candidateOn(world, "copy"))).toBeGreaterThan(0.9);
  });
});

describe("the usage scorer", () => {
  const candidate = (fields: Partial<Candidate>): Candidate => {
    const world = town();
    auctioned(world, 0, [["alice", "orig"]]);
    return { ...candidateOn(world, "orig"), ...fields };
  };

  it.each([
    [0, 0, 0.5],
    [4, 0, 0.5],
    [4, 1, 0.625],
    [4, 4, 1],
  ])("for %i examples with %i passed gives a proof of %d", (run, passed, proof) => {
    expect(proofOf(candidate({ examples: { run, passed } }))).toBe(proof);
  });

  it("remembers counted payments by payer and payee, and the code if it is kept", () => {
    const memo = { counted: { "bob alice": 30, "cyd alice": 5 }, prints: [] };
    const paid = (payer: string, amount: number) => [{ payer, payee: "alice", amount }];
    const custom = [
      { family: "bob", net: 20, paid: paid("bob", 30) },
      { family: "cyd", net: 25, paid: paid("cyd", 40) },
    ] as unknown as Candidate["netSales"];
    const given = candidate({ memo, netSales: custom });
    const counted = { "bob alice": 30, "cyd alice": 25 };
    expect(memoAfter(given, { keeps: false })).toEqual({ counted, prints: [] });
    expect(memoAfter(given, { keeps: true })).toEqual({
      counted,
      prints: [[given.fingerprint, given.codeOrdinal]],
    });
  });
});
