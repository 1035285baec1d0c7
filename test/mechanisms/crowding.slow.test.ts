import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/kernel/index.ts";
import { DEPUTY } from "../genesis/library-world.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode, totalScrip } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });

/** Mallory attacks with programs whose ids are as long as possible. */
const world = (): TestWorld => {
  const v = newWorld({ alice: 10_000, bob: 10_000, carol: 10_000 });
  v.agent("mallory", { scrip: 1_000_000, disk: 500_000, quotas: QUOTAS });
  const initial = { alice: 1_000, mallory: 100_000 };
  return install(v, "wheat", "token", { initial });
};

const QUOTAS = { actions: 1_000_000, cpu_gas: 1_000_000_000, bytes_written: 100_000_000 };

let made = 0;
/** A program of mallory, with an account and some scrip and units. */
const puppet = (v: TestWorld, { scrip = 0, units = 0 } = {}, length = 128): string => {
  made += 1;
  const id = `m${made}`.padEnd(length, "x");
  v.standing("mallory", id, { code: DEPUTY, scrip });
  if (units > 0) ask(v, "mallory", "wheat.transfer", [id, units]);
  return id;
};

/** A call that mallory makes through a puppet. */
const through = (v: TestWorld, id: string, ...[to, args, scrip = 0]: [string, Json[], number?]) => {
  const [artifact = "", method = ""] = to.split(".");
  return v.calls("mallory", `${id}.call`, [artifact, method, args, { scrip }]);
};

const dies = (v: TestWorld, id: string): void => {
  v.must(v.calls("mallory", "genesis_store.delete", [id]));
};

const sizeOf = (v: TestWorld, id: string): number => JSON.stringify(v.stateOf(id)).length;

/** So many ids of 128 characters are several times what each mechanism may keep. */
const TIMES = Array.from({ length: 60 });
/** Offers of this number of programs are more than a shop has room for. */
const OFFERS_MAX = 320;

describe("principals that are deleted", () => {
  it("cannot fill a token with their units", () => {
    const v = world();
    for (const _ of TIMES) dies(v, puppet(v, { units: 1 }));
    expect(ask(v, "alice", "wheat.transfer", ["bob", 3])).toMatchObject({ units: 3 });
    expect(sizeOf(v, "wheat")).toBeLessThan(2_000);
  });

  it("cannot fill a market with what they are owed", () => {
    const v = world();
    install(v, "market", "order-book", { good: "wheat" });
    for (const _ of TIMES) {
      const id = puppet(v, { units: 1 });
      v.must(through(v, id, "wheat.approve", ["market", 1]));
      v.must(through(v, id, "market.sell", [1, 1]));
      dies(v, id);
      v.must(pays(v, "bob", "market.buy", 1, [1, 1]));
    }
    expect((v.stateOf("market") as JsonObject).owed).toEqual({});
    expect(ask(v, "bob", "wheat.balance")).toMatchObject({ units: TIMES.length });
  });

  it("cannot fill a shop with offers that no one wants", () => {
    const v = world();
    install(v, "shop", "posted-price", { good: "wheat" });
    for (let n = 0; n < OFFERS_MAX; n++) {
      const id = puppet(v, { units: 1 });
      v.must(through(v, id, "wheat.approve", ["shop", 1]));
      if (!through(v, id, "shop.offer", [1_000_000, 1]).success) break;
      dies(v, id);
    }
    expect(sizeOf(v, "shop")).toBeLessThan(41_000);
    ask(v, "alice", "wheat.approve", ["shop", 10]);
    ask(v, "alice", "shop.offer", [5, 10]);
    ask(v, "bob", "shop.buy", ["alice", 10], { attach: { scrip: 50 } });
    expect(ask(v, "bob", "wheat.balance")).toMatchObject({ units: 10 });
  });

  it("cannot fill an exchange or a prediction market with their shares", () => {
    const v = world();
    install(v, "pool", "constant-product", { good: "wheat" });
    install(v, "forecast", "prediction-market", { question: "?", resolver: "carol" });
    v.must(pays(v, "alice", "forecast.fund", 7_000));
    for (const _ of TIMES) {
      const id = puppet(v, { scrip: 101, units: 1 });
      v.must(through(v, id, "wheat.approve", ["pool", 1]));
      v.must(through(v, id, "pool.add", [1], 1));
      v.must(through(v, id, "forecast.buy", ["no", 1], 100));
      v.must(v.calls("mallory", `${id}.payOut`));
      dies(v, id);
    }
    ask(v, "alice", "wheat.approve", ["pool", 50]);
    v.must(pays(v, "alice", "pool.add", 50, [50]));
    v.must(pays(v, "bob", "forecast.buy", 1_000, ["yes", 5]));
    expect(sizeOf(v, "pool")).toBeLessThan(2_000);
    expect(sizeOf(v, "forecast")).toBeLessThan(2_000);
    const before = v.scrip("bob") ?? 0;
    ask(v, "carol", "forecast.resolve", ["yes"]);
    expect([(v.scrip("bob") ?? 0) - before, v.scrip("forecast")]).toEqual([500, 0]);
  });
});

/** Mallory's puppets take part until they cannot, each once or several times. */
const crowds = (v: TestWorld, count: number, take: (id: string) => boolean): number => {
  let taken = 0;
  for (let n = 0; n < count; n++) {
    const id = puppet(v, { scrip: 200, units: 20 });
    for (let each = 0; each < 10 && take(id); each++) taken += 1;
    v.must(v.calls("mallory", `${id}.payOut`));
    dies(v, id);
  }
  return taken;
};

describe("a family that fills a round", () => {
  it("takes room from itself in a call market, and gets its scrip back", () => {
    const v = world();
    install(v, "market", "call-market", { good: "wheat", period_s: 3_600 });
    const scrip = totalScrip(v);
    const bid = (id: string) => through(v, id, "market.buy", [1, 1], 1).success;
    expect(crowds(v, 20, bid)).toBeLessThan(200);
    ask(v, "alice", "wheat.approve", ["market", 5]);
    ask(v, "alice", "market.sell", [7, 5]);
    v.must(pays(v, "bob", "market.buy", 40, [8, 5]));
    expect(totalScrip(v)).toBe(scrip);
    v.atMs += 3_600_000;
    expect(ask(v, "bob", "market.clear")).toMatchObject({ units: 5, price: 7 });
  });

  it("takes room from itself in a commons", () => {
    const v = world();
    install(v, "fish", "token", { issuer: "sea" });
    install(v, "sea", "commons", { good: "fish", period_s: 3_600 });
    let crowd = 0;
    for (let n = 0, isFull = false; n < 150 && !isFull; n++) {
      const id = puppet(v);
      isFull = refusalCode(through(v, id, "sea.harvest", [1])) === "full";
      if (!isFull) crowd += 1;
      dies(v, id);
    }
    expect(crowd).toBeGreaterThan(90);
    ask(v, "alice", "sea.harvest", [60]);
    v.atMs += 3_600_000;
    ask(v, "alice", "sea.collect");
    // The family of the puppets and alice share 100 units.
    expect(ask(v, "alice", "fish.balance")).toMatchObject({ units: 50 });
  });

  it("takes room from itself in a matching", () => {
    const v = world();
    install(v, "match", "deferred-acceptance", { period_s: 3_600 });
    const list = Array.from({ length: 4 }, (_, n) => `${n}`.padEnd(128, "x"));
    // Its list needs the room of many short ones.
    const zoe = "zoe".padEnd(110, "z");
    v.agent(zoe);
    for (let n = 0, isFull = false; n < 500 && !isFull; n++) {
      const id = puppet(v, {}, 6);
      isFull = refusalCode(through(v, id, "match.propose", [[]])) === "full";
      dies(v, id);
    }
    ask(v, zoe, "match.propose", [["bob", ...list]]);
    ask(v, "bob", "match.receive", [[zoe]]);
    v.atMs += 3_600_000;
    expect(ask(v, "bob", "match.partners")).toMatchObject({ partners: [zoe] });
  });

  it("cannot end the approvals of others", () => {
    const v = world();
    ask(v, "alice", "wheat.approve", ["bob", 9]);
    for (let n = 0; n < 30; n++) {
      const id = puppet(v);
      for (let spender = 0; spender < 8; spender++) {
        const name = `s${spender}`.padEnd(128, "y");
        if (n === 0) v.program("mallory", name, "function run() {}");
        v.must(through(v, id, "wheat.approve", [name, 1]));
      }
      dies(v, id);
    }
    expect(sizeOf(v, "wheat")).toBeGreaterThan(10_000);
    expect(ask(v, "bob", "wheat.transfer_from", ["alice", "bob", 9])).toMatchObject({ units: 9 });
  });

  it("cannot fill an auction with its bids or lots", () => {
    const v = world();
    install(v, "house", "vickrey");
    v.must(v.writes("alice", "note", { content: "x" }));
    const attach = { artifacts: ["note"] };
    ask(v, "alice", "house.open", [1, 60], { attach });
    const codes = Array.from({ length: 5 }, () => {
      const id = puppet(v, { scrip: 1 });
      return refusalCode(through(v, id, "house.bid", [1, 1], 1));
    });
    expect(codes).toEqual([...Array(3).fill("nothing was refused"), "full", "full"]);
    const opened = Array.from({ length: 6 }, () => {
      const id = puppet(v);
      v.must(v.calls("mallory", `${id}.make`, [`${id.slice(0, 20)}note`]));
      const artifacts = [`${id.slice(0, 20)}note`];
      const args = ["house", "open", [1, 60], { artifacts }];
      return refusalCode(v.calls("mallory", `${id}.call`, args));
    });
    expect(opened).toEqual([...Array(5).fill("nothing was refused"), "full"]);
    v.must(pays(v, "bob", "house.bid", 30, [1, 30]));
    v.atMs += 60_000;
    expect(ask(v, "bob", "house.settle", [1])).toMatchObject({ winner: "bob", price: 1 });
  });
});
