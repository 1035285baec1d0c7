import { describe, expect, it } from "vitest";
import {
  answerQuery,
  asId,
  draw,
  type Json,
  scarce,
  seedPrng,
  viewOf,
} from "../../../src/kernel/index.ts";

import { agent, consumed, given, note, program, standing } from "../../support/given-when-then.ts";
import { NOW } from "../../support/physics.ts";

const alice = asId("alice");
const BOUNDS = {
  owned: 2,
  popular: 2,
  newest: 2,
  events: 3,
  principals: 2,
  tasks: 5,
  offers: 3,
  children: 3,
};

describe("what an agent sees", () => {
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

  it("is its own things, newest first, without itself and its memory", () => {
    expect(view.owned.map(({ id }) => id)).toEqual(["bank", "tool"]);
  });

  it("is what others offer to be called", () => {
    expect(view.market.map(({ id }) => id)).toEqual(["loom", "press"]);
    const wide = viewOf(state, alice, { now: NOW, bounds: { ...BOUNDS, newest: 9 } });
    expect(wide.market.map(({ id, price }) => [id, price])).toEqual([
      ["loom", 0],
      ["press", 0],
      ["mill", 3],
    ]);
  });

  it("is some of the others, always the same ones", () => {
    expect(view.principals).toEqual(["bank", "bob"]);
  });

  it("is what is left of its windows, to the millisecond", () => {
    expect(view.windows.actions).toEqual({ quota: 1_000, available: 996 });
    const later = viewOf(state, alice, { now: NOW + 60_000, bounds: BOUNDS });
    expect(later.windows.cpu_gas).toEqual({ quota: 10_000_000, available: 10_000_000 });
  });

  it("is the newest of what happened in public", () => {
    expect(view.events).toHaveLength(3);
    expect(view.events.at(-1)).toMatchObject({
      kind: "artifact_written",
      target: "loom",
      amount: null,
    });
  });
});

describe("what an agent runs short of", () => {
  const { state } = given(agent("alice"), consumed("alice", { actions: 1_000, gas: 10 }));
  const need = (amounts: object) => scarce(state, alice, { now: NOW + 1, amounts });

  it("is the first thing of which there is too little, and for how long", () => {
    expect(need({ cpu_gas: 10 })).toBeNull();
    expect(need({ actions: 1 })).toEqual({ resource: "actions", amount: 1, waitMs: 59_999 });
    expect(need({ actions: 0, cpu_gas: 1e9 })).toMatchObject({ resource: "cpu_gas", waitMs: null });
  });
});

describe("a program's questions", () => {
  const { state } = given(
    agent("alice"),
    program("tool", "alice", { interface: { description: "d", methods: [] } }),
  );
  const ask = (kind: string, filter: Json) => answerQuery(state, { kind, filter, now: NOW });

  it.each(["artifacts", "principals", "events"])("about %s need no filter", (kind) => {
    expect(ask(kind, null)).toMatchObject({ kind: "accepted", events: [] });
  });

  it("about one artifact show its terms and its interface", () => {
    expect(ask("artifact", { id: "tool" })).toMatchObject({
      answer: { id: "tool", owner: "alice", interface: { description: "d" }, has_standing: false },
    });
    expect(ask("artifact", {})).toMatchObject({ refusal: { code: "missing_argument" } });
    expect(ask("artifact", { id: "nothing" })).toMatchObject({ refusal: { code: "not_found" } });
  });

  it("about one artifact are answered with no more than the fields that they name", () => {
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
  ])("about %j with %j are refused", (kind, filter) => {
    expect(ask(kind, filter)).toMatchObject({ refusal: { code: "invalid_argument" } });
  });
});

describe("the world's dice", () => {
  it("fall the same way for the same seed, and otherwise for another seed or stream", () => {
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

  it("fall evenly", () => {
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
