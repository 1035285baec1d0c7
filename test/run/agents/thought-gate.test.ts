import { describe, expect, it } from "vitest";
import { asId, type Need } from "../../../src/kernel/index.ts";
import type { Mind, ThoughtPrice } from "../../../src/mind/index.ts";
import { hindrance, isCheaperNow } from "../../../src/run/agents/thought-gate.ts";
import { NOW } from "../../support/physics.ts";
import { agent, given } from "../../support/scenario.ts";

const QUOTAS = { actions: 9, llm_calls: 9, llm_tokens: 900, cpu_gas: 9_000, bytes_written: 9 };

const { state } = given(agent("ann", { micros: 100, quotas: QUOTAS }));

const DEAR: ThoughtPrice = { micros: 1_000, calls: 1, tokens: 10_000 };

type ExactPrice = NonNullable<Mind["exactPrice"]>;

const mindWith = (price: ThoughtPrice, exactPrice: ExactPrice | null): Mind => ({
  price,
  exactPrice,
  thinkMs: [0, 0],
  parallel: null,
  recollect: null,
  hasLazyView: false,
  decide: () => ({ kind: "finished", reason: "done" }),
});

const momentWith = (price: ThoughtPrice, exact: ExactPrice | null = null) => ({
  id: asId("ann"),
  mind: mindWith(price, exact),
  now: NOW,
});

/** A mind whose longest prompt is too dear, and whose next thought has this price. */
const pricedAt = (micros: number, tokens: number) =>
  momentWith(DEAR, { of: () => ({ micros, calls: 1, tokens }), terms: 7 });

describe("before a thought", () => {
  it("nothing hinders an agent that can pay for the longest prompt", () => {
    const unused: ExactPrice = {
      of: () => {
        throw new Error("no view is needed");
      },
      terms: 7,
    };
    const price = { micros: 100, calls: 1, tokens: 900 };
    expect(hindrance(state, momentWith(price, unused))).toBeNull();
  });

  it("the exact price counts if the agent cannot pay for the longest prompt", () => {
    expect(hindrance(state, pricedAt(100, 900))).toBeNull();
    const about = { agent: "ann", at_ms: NOW, terms: 7 };
    const freeze = { ...about, kind: "freeze_agent", needs_micros: 101 };
    expect(hindrance(state, pricedAt(101, 900))).toEqual(freeze);
    const limit = { ...about, kind: "limit_agent", resource: "llm_tokens", amount: 901 };
    expect(hindrance(state, pricedAt(100, 901))).toEqual(limit);
  });

  it("the price alone counts for minds without an exact price", () => {
    const freeze = { agent: "ann", at_ms: NOW, kind: "freeze_agent", needs_micros: 1_000 };
    expect(hindrance(state, momentWith({ ...DEAR, tokens: 900 }))).toEqual(freeze);
  });

  it("only limits by tokens have terms", () => {
    const moment = momentWith(DEAR, { of: () => ({ micros: 0, calls: 10, tokens: 0 }), terms: 7 });
    const limit = { agent: "ann", at_ms: NOW, kind: "limit_agent" };
    expect(hindrance(state, moment)).toEqual({ ...limit, resource: "llm_calls", amount: 10 });
  });
});

describe("a frozen agent", () => {
  const need = (terms: number | null, lacks: Need["lacks"] = "llm_budget"): Need => ({
    lacks,
    amount: 500,
    terms,
    sinceMs: 0,
  });

  it("continues if other terms make its thoughts cheap enough", () => {
    expect(isCheaperNow(state, need(3), pricedAt(100, 900))).toBe(true);
    expect(isCheaperNow(state, need(3), pricedAt(101, 900))).toBe(false);
    expect(isCheaperNow(state, need(3, "llm_tokens"), pricedAt(100, 900))).toBe(true);
    expect(isCheaperNow(state, need(3, "llm_tokens"), pricedAt(100, 901))).toBe(false);
  });

  it("does not continue under the same terms, so that a resume changes nothing", () => {
    expect(isCheaperNow(state, need(7), pricedAt(1, 1))).toBe(false);
    expect(isCheaperNow(state, need(7, "llm_tokens"), pricedAt(1, 1))).toBe(false);
  });

  it("continues if what it lacks has no terms and is enough now", () => {
    expect(isCheaperNow(state, need(null, "cpu_gas"), pricedAt(100, 900))).toBe(true);
    expect(isCheaperNow(state, need(null), momentWith({ ...DEAR, micros: 100 }))).toBe(true);
  });
});
