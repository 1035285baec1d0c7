import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asId, type Json, type Offering } from "../../../src/kernel/index.ts";

import { agentConfigSchema, type Mind, policyGuides } from "../../../src/mind/index.ts";
import { recordSales, reviewPrice } from "../../../src/mind/policy/pricing.ts";
import { offeringWith, viewWith } from "../../support/view.ts";
import { decide, knowHow, mind } from "./thinkers.ts";

const invoked = z.object({
  invoke_artifact: z.object({
    artifact_id: z.string(),
    method: z.string().optional(),
    args: z.array(z.json()),
    max_price: z.number().optional(),
  }),
});
const invocation = (action: Json) => invoked.safeParse(action).data?.invoke_artifact;
/** A call of something that another agent sells. */
const purchase = (action: Json) => {
  const call = invocation(action);
  return call?.artifact_id.startsWith("genesis_") ? undefined : call;
};
const wrote = z.object({
  write_artifact: z.object({
    artifact_id: z.string(),
    code: z.string(),
    price: z.number(),
    has_standing: z.boolean().optional(),
    depends_on: z.array(z.string()).optional(),
  }),
});
const written = (action: Json) => wrote.safeParse(action).data?.write_artifact;

/** A program of the library on the market, under the name of its seller. */
const goods = (name: string, about: Partial<Offering> = {}): Offering => {
  const recipe = knowHow.goods.find((good) => good.name === name);
  if (recipe === undefined) throw new Error(`no recipe ${name}`);
  return offeringWith({
    id: asId(`them_${name}`),
    description: recipe.description,
    interface: { description: recipe.description, methods: recipe.interface.methods },
    ...about,
  });
};

/** Moves of one agent while nothing changes but the time and its memory. */
const live = (thinker: Mind, seen: Parameters<typeof viewWith>[0], turns = 40): readonly Json[] => {
  const actions: Json[] = [];
  let memory: Json = null;
  for (let turn = 0; turn < turns; turn++) {
    const thought = decide(thinker, viewWith({ ...seen, now: turn * 1000, mind: memory }));
    memory = thought.memory;
    actions.push(thought.action);
  }
  return actions;
};

describe("every policy", () => {
  const MINDS = policyGuides().map((guide) => agentConfigSchema.parse({ mind: guide.mind }).mind);

  it.each(MINDS)("%s depends only on its view and memory, which are plain JSON", (name) => {
    const view = viewWith({ market: [goods("gini"), goods("tokenise")], principals: ["them"] });
    const decided = decide(mind(name), view);
    expect(decide(mind(name), view)).toEqual(decided);
    expect(JSON.parse(JSON.stringify(decided.memory))).toEqual(decided.memory);
  });

  it("pays the price of a thought from its model budget", () => {
    expect(decide(mind("policy/producer"), viewWith()).usage).toMatchObject({
      cost_micros: 1500,
      input_tokens: 400,
      api_cost_micros: 0,
    });
  });
});

describe("prices", () => {
  const sales = { them_gini: { calls: 10, idle: 0 } };
  const good = (calls: number, price: number): Offering =>
    goods("gini", { id: asId("them_gini"), calls_by_others: calls, price });

  it("rise by a fifth if a good sold twice since the last review", () => {
    expect(reviewPrice(good(12, 10), sales)).toEqual({ kind: "reprice", price: 12 });
    expect(reviewPrice(good(12, 1), sales)).toEqual({ kind: "reprice", price: 2 });
  });

  it("stay if it sold once", () => {
    expect(reviewPrice(good(11, 10), sales)).toEqual({ kind: "keep" });
  });

  it("fall by a fifth if it did not sell", () => {
    expect(reviewPrice(good(10, 10), sales)).toEqual({ kind: "reprice", price: 8 });
    expect(reviewPrice(good(10, 2), sales)).toEqual({ kind: "reprice", price: 1 });
  });

  it("end with withdrawal if it does not sell at the lowest price", () => {
    let known = recordSales({}, good(0, 1));
    const verdicts: string[] = [];
    for (let review = 0; review < 6; review++) {
      verdicts.push(reviewPrice(good(0, 1), known).kind);
      known = recordSales(known, good(0, 1));
    }
    expect(verdicts).toEqual(["keep", "keep", "keep", "keep", "withdraw", "withdraw"]);
  });
});

describe("a producer", () => {
  it("writes programs of its topics and sells them below their worth", () => {
    const made = live(mind("policy/producer", { topics: ["statistics"] }), {}).flatMap(
      (action) => written(action) ?? [],
    );
    expect(made.length).toBeGreaterThan(1);
    for (const { artifact_id, price } of made) {
      const name = artifact_id.replace(/^me_|_\d+$/g, "");
      const recipe = knowHow.goods.find((good) => good.name === name);
      if (recipe === undefined) continue;
      expect(recipe.topic).toBe("statistics");
      expect(price).toBeLessThanOrEqual(recipe.worth);
    }
  });

  it("writes nothing if its disk is full or it has enough goods", () => {
    const full = live(mind("policy/producer"), { diskLeft: 100 });
    expect(full.flatMap((action) => written(action) ?? [])).toEqual([]);
    const owned = ["gini", "csv"].map((name) => goods(name, { owner: asId("me") }));
    const stocked = live(mind("policy/producer", { goods_max: 2 }), { owned });
    expect(stocked.flatMap((action) => written(action) ?? [])).toEqual([]);
  });

  it("asks what is wanted and remembers the goods in a note", () => {
    const thinker = mind("policy/producer", { topics: ["numbers"], goods_max: 1 });
    const owned = [goods("gini", { owner: asId("me"), calls_by_others: 1 })];
    let ask = decide(thinker, viewWith({ now: 60_000, owned }));
    for (let turn = 1; turn < 6 && invocation(ask.action)?.method !== "list_by_type"; turn++) {
      ask = decide(thinker, viewWith({ now: 60_000 + turn * 100, owned, mind: ask.memory }));
    }
    expect(invocation(ask.action)).toMatchObject({
      artifact_id: "genesis_store",
      args: ["wanted", 5],
    });
    const listed = '[{"id":"fay_wanted","type":"wanted"}]';
    const read = decide(
      thinker,
      viewWith({ now: 61_000, mind: ask.memory, acted: true, lastResult: listed, owned }),
    );
    expect(read.action).toEqual({ read_artifact: { artifact_id: "fay_wanted", max_price: 2 } });
    const after = decide(
      thinker,
      viewWith({ now: 62_000, mind: read.memory, acted: true, lastResult: "luhn\niban", owned }),
    );
    expect(JSON.stringify(after.memory)).toContain("iban");
  });
});

describe("an explorer", () => {
  it("buys what is worth its price, for at most the listed price", () => {
    const market = [goods("gini", { price: 1 })];
    const bought = live(mind("policy/explorer"), { market, scrip: 100 }).flatMap(
      (action) => purchase(action) ?? [],
    );
    expect(bought.length).toBeGreaterThan(0);
    for (const call of bought)
      expect(call).toMatchObject({ artifact_id: "them_gini", max_price: 1 });
  });

  it("does not buy what costs more than any answer is worth", () => {
    const market = [goods("gini", { price: 60 })];
    const bought = live(mind("policy/explorer"), { market, scrip: 1000 });
    expect(bought.flatMap((action) => purchase(action) ?? [])).toEqual([]);
  });

  it("does not buy again from a program that gave a wrong answer", () => {
    const thinker = mind("policy/explorer");
    const market = [goods("gini", { price: 1 })];
    let memory: Json = null;
    let calls = 0;
    for (let turn = 0; turn < 60; turn++) {
      const seen = { market, now: turn * 5_000, mind: memory };
      const outcome = { acted: true, lastTarget: "them_gini", lastCode: "runtime_error" };
      const thought = decide(thinker, viewWith({ ...seen, ...outcome }));
      memory = thought.memory;
      if (invocation(thought.action)?.artifact_id === "them_gini") calls += 1;
    }
    expect(calls).toBe(1);
  });
});

describe("an integrator", () => {
  const market = [goods("tokenise", { price: 1 }), goods("word_frequency", { price: 2 })];
  const examples = new Map(
    market.map(({ id, interface: declared }) => [id, declared?.methods[0]?.examples ?? []]),
  );

  it("tries its suppliers, then sells a front at a price that covers theirs", () => {
    const thinker = mind("policy/integrator", { consumes: 0 });
    let memory: Json = null;
    let outcome = {};
    for (let turn = 0; turn < 60; turn++) {
      const thought = decide(
        thinker,
        viewWith({ market, now: turn * 1000, mind: memory, ...outcome }),
      );
      memory = thought.memory;
      const front = written(thought.action);
      if (front !== undefined) {
        expect(front.has_standing).toBe(true);
        expect(front.price).toBeGreaterThan(3);
        expect(front.depends_on).toEqual(["them_tokenise", "them_word_frequency"]);
        return;
      }
      const call = invocation(thought.action);
      const shown = examples.get(asId(call?.artifact_id ?? "")) ?? [];
      const right = shown.find(({ args }) => JSON.stringify(args) === JSON.stringify(call?.args));
      outcome = { acted: true, lastResult: JSON.stringify(right?.result ?? null) };
    }
    expect.fail("it never sold a front");
  });

  it("does not use a supplier that failed its own example", () => {
    const thinker = mind("policy/integrator", { consumes: 0 });
    let memory: Json = null;
    const actions: Json[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const wrong = { acted: true, lastResult: '"wrong"' };
      const thought = decide(
        thinker,
        viewWith({ market, now: turn * 1000, mind: memory, ...wrong }),
      );
      memory = thought.memory;
      actions.push(thought.action);
    }
    expect(actions.flatMap((action) => written(action) ?? [])).toEqual([]);
  });

  it("gives a front money for its suppliers", () => {
    const description = "Tokenise, then Count words. It pays 5 to its suppliers.";
    const front = goods("gini", { id: asId("me_front"), description, balance: 3, price: 9 });
    const { action } = decide(mind("policy/integrator"), viewWith({ owned: [front], scrip: 100 }));
    expect(invocation(action)).toMatchObject({
      artifact_id: "genesis_ledger",
      method: "transfer",
      args: ["me_front", 15, "working capital"],
    });
  });
});

describe("zero intelligence", () => {
  it("never spends more than it has", () => {
    const market = [goods("gini", { price: 3 }), goods("csv", { price: 30 })];
    const actions = live(
      mind("policy/zero_intelligence"),
      { market, scrip: 5, principals: ["them"] },
      200,
    );
    const bought = actions.flatMap((action) => invocation(action) ?? []);
    expect(bought.map((call) => call.artifact_id)).toContain("them_gini");
    expect(bought.map((call) => call.artifact_id)).not.toContain("them_csv");
  });
});
