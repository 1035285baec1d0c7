import { describe, expect, it } from "vitest";
import {
  answerQuery,
  asId,
  draw,
  type Json,
  scarceResource,
  seedPrng,
  viewOf,
} from "../../../src/kernel/index.ts";
import { NOW } from "../../support/physics.ts";
import {
  agent,
  called,
  changedAccount,
  changedArtifact,
  consumed,
  given,
  note,
  program,
  standing,
} from "../../support/scenario.ts";
import { viewBounds } from "../../support/view.ts";

const alice = asId("alice");
const BOUNDS = viewBounds(2, { events: 3 });

describe("an agent's view", () => {
  const { state } = given(
    agent("alice"),
    agent("zoe"),
    agent("bob"),
    note("poem", "alice"),
    program("tool", "alice"),
    standing("bank", "alice"),
    note("words", "bob"),
    program("mill", "bob", { price: 3 }),
    program("press", "zoe"),
    program("loom", "zoe"),
    consumed("alice", { actions: 4, gas: 100 }),
  );
  const view = viewOf(state, alice, { now: NOW + 59_999, bounds: BOUNDS });

  it("can be copied whole, and keeps a part that was read", () => {
    const at = { now: NOW, bounds: BOUNDS };
    const whole = { ...viewOf(state, alice, at) };
    const parts = viewOf(state, alice, at);
    for (const part of Object.keys(whole) as (keyof typeof whole)[]) {
      expect(parts[part], part).toEqual(whole[part]);
    }
    expect(parts.market).toBe(parts.market);
  });

  it("shows its own artifacts, newest first, without itself and its memory", () => {
    expect(view.owned.map(({ id }) => id)).toEqual(["bank", "tool"]);
  });

  it("shows programs of others", () => {
    expect(view.market.map(({ id }) => id)).toEqual(["loom", "press"]);
    const wide = viewOf(state, alice, { now: NOW, bounds: { ...BOUNDS, newest: 9 } });
    const offers = wide.market.map(({ id, price }) => `${id} ${price}`);
    expect(offers).toEqual(["loom 0", "press 0", "mill 3"]);
  });

  it("shows the same object for a listing until one of its facts changes", () => {
    const { state: world } = given(agent("alice"), agent("bob"), standing("bank", "bob"));
    const shown = () => viewOf(world, alice, { now: NOW, bounds: BOUNDS }).market[0];
    const [first, again] = [shown(), shown()];
    expect(first?.id).toBe("bank");
    expect(again).toBe(first);
    called("alice", "bank")(world);
    expect(shown()?.calls_by_others).toBe(1);
    changedAccount("bank", { scrip: 5 })(world);
    expect(shown()?.balance).toBe(5);
    changedArtifact("bank", { price: 9 })(world);
    expect(shown()).toMatchObject({ price: 9, balance: 5, calls_by_others: 1 });
  });

  it("shows the texts that others sell, newest first, apart from programs", () => {
    const { state: sellers } = given(
      agent("alice"),
      agent("bob"),
      note("poem", "bob", { read_price: 4 }),
      note("free", "bob"),
      note("own", "alice", { read_price: 4 }),
      note("secret", "bob", { read_price: 4, access: "genesis_contract_private" }),
      note("novel", "bob", { read_price: 9 }),
    );
    const { texts, market } = viewOf(sellers, alice, { now: NOW, bounds: BOUNDS });
    expect(texts.map(({ id, read_price }) => `${id} ${read_price}`)).toEqual(["novel 9", "poem 4"]);
    expect(market).toEqual([]);
  });

  it("shows the first other principals", () => {
    expect(view.principals).toEqual(["bank", "bob"]);
  });

  it("shows what is left of its windows, to the millisecond", () => {
    expect(view.windows.actions).toEqual({ quota: 1_000, available: 996 });
    const later = viewOf(state, alice, { now: NOW + 60_000, bounds: BOUNDS });
    expect(later.windows.cpu_gas).toEqual({ quota: 10_000_000, available: 10_000_000 });
  });

  it("shows the latest public events", () => {
    expect(view.events).toHaveLength(3);
    const written = { kind: "artifact_written", target: "loom", amount: null };
    expect(view.events.at(-1)).toMatchObject(written);
  });
});

describe("the scarce resource of an agent", () => {
  const { state } = given(agent("alice"), consumed("alice", { actions: 1_000, gas: 10 }));
  const need = (amounts: object) => scarceResource(state, alice, { now: NOW + 1, amounts });

  it("is the first one that it lacks, with the time to wait", () => {
    expect(need({ cpu_gas: 10 })).toBeNull();
    expect(need({ actions: 1 })).toEqual({ resource: "actions", amount: 1, waitMs: 59_999 });
    expect(need({ actions: 0, cpu_gas: 1e9 })).toMatchObject({ resource: "cpu_gas", waitMs: null });
  });
});

describe("a query by a program", () => {
  const { state } = given(
    agent("alice"),
    program("tool", "alice", { interface: { description: "d", methods: [] } }),
  );
  const ask = (kind: string, filter: Json) => answerQuery(state, kind, filter, NOW);

  it.each(["artifacts", "principals", "events"])("for %s needs no filter", (kind) => {
    expect(ask(kind, null)).toMatchObject({ kind: "accepted", events: [] });
  });

  it("for one artifact shows its terms and interface", () => {
    expect(ask("artifact", { id: "tool" })).toMatchObject({
      answer: { id: "tool", owner: "alice", interface: { description: "d" }, has_standing: false },
    });
    expect(ask("artifact", {})).toMatchObject({ refusal: { code: "missing_argument" } });
    expect(ask("artifact", { id: "nothing" })).toMatchObject({ refusal: { code: "not_found" } });
  });

  it("for one artifact can name the fields of the answer", () => {
    const about = (fields: Json) => ask("artifact", { id: "tool", fields });
    expect(about(["price", "owner"])).toMatchObject({ kind: "accepted" });
    expect(about(["price", "owner"])).toHaveProperty("answer", { price: 0, owner: "alice" });
    expect(about([])).toHaveProperty("answer", {});
    expect(about(null)).toMatchObject({ answer: { id: "tool", interface: { description: "d" } } });
    for (const fields of ["owner", ["content"], ["owner", 7], ["constructor"], { 0: "owner" }]) {
      expect(about(fields)).toMatchObject({ refusal: { code: "invalid_argument" } });
    }
  });

  it.each<readonly [string, Json]>([
    ["constructor", {}],
    ["__proto__", {}],
    ["", null],
    ["artifacts", "all"],
    ["artifacts", []],
  ])("for %j with filter %j is refused", (kind, filter) => {
    expect(ask(kind, filter)).toMatchObject({ refusal: { code: "invalid_argument" } });
  });
});

describe("the random numbers of a world", () => {
  it("are the same for the same seed and stream, and from 0 to 1", () => {
    const rolls = (seed: number, stream: string) => {
      let prng = seedPrng(seed, stream);
      return Array.from({ length: 5 }, () => {
        const [value, next] = draw(prng);
        prng = next;
        return value;
      });
    };
    expect(rolls(1, "a")).toEqual(rolls(1, "a"));
    expect(rolls(1, "a")).not.toEqual(rolls(2, "a"));
    expect(rolls(1, "a")).not.toEqual(rolls(1, "b"));
    for (const roll of rolls(3, "c")) {
      expect(roll).toBeGreaterThanOrEqual(0);
      expect(roll).toBeLessThan(1);
    }
  });

  it("are evenly distributed", () => {
    let prng = seedPrng(9, "even");
    const counts = [0, 0, 0, 0];
    for (let n = 0; n < 4_000; n++) {
      const [value, next] = draw(prng);
      prng = next;
      counts[Math.floor(value * 4)] = (counts[Math.floor(value * 4)] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
