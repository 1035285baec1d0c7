import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asId, type Json, type MarketListing } from "../../src/kernel/index.ts";
import type { Mind } from "../../src/mind/index.ts";
import { policyGuides } from "../../src/policy/index.ts";
import { recordSales, reviewPrice } from "../../src/policy/pricing.ts";
import { offeringWith, type Seen, viewWith } from "../support/view.ts";
import { decide, invocation, live, mind, recipeBook } from "./thinkers.ts";

/** The calls of what other agents sell. */
const purchases = (actions: readonly Json[]) =>
  actions
    .flatMap((action) => invocation(action) ?? [])
    .filter(({ artifact_id }) => !artifact_id.startsWith("genesis_"));
const wrote = z.object({
  write_artifact: z.object({
    artifact_id: z.string(),
    code: z.string(),
    price: z.number(),
    has_standing: z.boolean().optional(),
    depends_on: z.array(z.string()).optional(),
  }),
});
const written = (actions: readonly Json[]) =>
  actions.flatMap((action) => wrote.safeParse(action).data?.write_artifact ?? []);

/** A program of the library on the market, under the name of its seller. */
const goods = (name: string, about: Partial<MarketListing> = {}): MarketListing => {
  const recipe = recipeBook.goods.find((good) => good.name === name);
  if (recipe === undefined) throw new Error(`no recipe ${name}`);
  return offeringWith({
    id: asId(`them_${name}`),
    description: recipe.description,
    interface: { description: recipe.description, methods: recipe.interface.methods },
    ...about,
  });
};

/** The actions of one agent, turn by turn. */
const actionsOf = (
  thinker: Mind,
  seen: Partial<Parameters<typeof live>[1]>,
  after?: (action: Json) => Seen,
): readonly Json[] => live(thinker, { turns: 40, ...seen }, after).map(({ action }) => action);

describe("every policy", () => {
  const MINDS = policyGuides().map((guide) => guide.mind);

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
  const good = (calls: number, price: number): MarketListing =>
    goods("gini", { id: asId("them_gini"), calls_by_others: calls, price });

  it.each([
    ["rise by a fifth if a good sold twice since the last review", 12, 10, 12],
    ["rise by 1 at least", 12, 1, 2],
    ["stay if it sold once", 11, 10, null],
    ["fall by a fifth if it did not sell", 10, 10, 8],
    ["fall by 1 at least", 10, 2, 1],
  ])("%s", (_, calls, before, price) => {
    const verdict = price === null ? { kind: "keep" } : { kind: "reprice", price };
    expect(reviewPrice(good(calls, before), sales)).toEqual(verdict);
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
    const made = written(actionsOf(mind("policy/producer", { topics: ["statistics"] }), {}));
    expect(made.length).toBeGreaterThan(1);
    for (const { artifact_id, price } of made) {
      const name = artifact_id.replace(/^me_|_\d+$/g, "");
      const recipe = recipeBook.goods.find((good) => good.name === name);
      if (recipe === undefined) continue;
      expect(recipe.topic).toBe("statistics");
      expect(price).toBeLessThanOrEqual(recipe.worth);
    }
  });

  it("writes nothing if its disk is full or it has enough goods", () => {
    expect(written(actionsOf(mind("policy/producer"), { diskLeft: 100 }))).toEqual([]);
    const owned = ["gini", "csv"].map((name) => goods(name, { owner: asId("me") }));
    expect(written(actionsOf(mind("policy/producer", { goods_max: 2 }), { owned }))).toEqual([]);
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
    const next = (now: number, memory: Json, lastResult: string) =>
      decide(thinker, viewWith({ now, mind: memory, acted: true, lastResult, owned }));
    const read = next(61_000, ask.memory, listed);
    expect(read.action).toEqual({ read_artifact: { artifact_id: "fay_wanted", max_price: 2 } });
    expect(JSON.stringify(next(62_000, read.memory, "luhn\niban").memory)).toContain("iban");
  });
});

describe("an explorer", () => {
  it("buys what is worth its price, for at most the listed price", () => {
    const market = [goods("gini", { price: 1 })];
    const bought = purchases(actionsOf(mind("policy/explorer"), { market, scrip: 100 }));
    expect(bought.length).toBeGreaterThan(0);
    const expected = { artifact_id: "them_gini", max_price: 1 };
    for (const call of bought) expect(call).toMatchObject(expected);
  });

  it("does not buy what costs more than any answer is worth", () => {
    const market = [goods("gini", { price: 60 })];
    expect(purchases(actionsOf(mind("policy/explorer"), { market, scrip: 1000 }))).toEqual([]);
  });

  it("does not buy again from a program that gave a wrong answer", () => {
    const seen = { market: [goods("gini", { price: 1 })], turns: 60, turnMs: 5_000 };
    const wrong = { acted: true, lastTarget: "them_gini", lastCode: "runtime_error" };
    const actions = actionsOf(mind("policy/explorer"), { ...seen, ...wrong });
    const calls = actions.flatMap((action) => invocation(action)?.artifact_id ?? []);
    expect(calls.filter((id) => id === "them_gini")).toHaveLength(1);
  });
});

describe("savings", () => {
  const market = recipeBook.goods.map(({ name }) => goods(name, { price: 1 }));
  const bought = (kind: "trader" | "worker", scrip: number): number =>
    purchases(actionsOf(mind(`policy/${kind}`), { market, scrip, turns: 150, turnMs: 2_000 }))
      .length;

  it.each(["trader", "worker"] as const)("make a %s a customer more often", (kind) => {
    const [few, many] = [bought(kind, 100), bought(kind, 800)];
    expect(many).toBeGreaterThan(10);
    expect(many).toBeGreaterThan(2 * few);
  });

  it("make a producer a customer, also if its goods always need another price", () => {
    const owned = ["gini", "csv"].map((name) =>
      goods(name, { id: asId(`my_${name}`), owner: asId("me"), price: 10 }),
    );
    const seen = { market, owned, scrip: 800, turns: 40, turnMs: 8_000 };
    const actions = actionsOf(mind("policy/producer", { goods_max: 2 }), seen);
    expect(purchases(actions).length).toBeGreaterThan(10);
    const poor = actionsOf(mind("policy/producer", { goods_max: 2 }), { ...seen, scrip: 10 });
    const repriced = poor.filter((action) => invocation(action)?.method === "set_price");
    expect(repriced.length).toBeGreaterThan(10);
  });
});

describe("an integrator", () => {
  const market = [goods("tokenise", { price: 1 }), goods("word_frequency", { price: 2 })];
  const examples = new Map(
    market.map(({ id, interface: declared }) => [id, declared?.methods[0]?.examples ?? []]),
  );

  /** What it writes if its calls are answered in this way. */
  const fronts = (resultOf: (call: ReturnType<typeof invocation>) => unknown) => {
    const thinker = mind("policy/integrator", { consumes: 0 });
    const after = (action: Json): Seen => {
      return { acted: true, lastResult: JSON.stringify(resultOf(invocation(action))) };
    };
    return written(actionsOf(thinker, { market, turns: 60 }, after));
  };

  it("tries its suppliers, then sells a front at a price that covers theirs", () => {
    const [front = expect.fail("it never sold a front")] = fronts((call) => {
      const shown = examples.get(asId(call?.artifact_id ?? "")) ?? [];
      const right = shown.find(({ args }) => JSON.stringify(args) === JSON.stringify(call?.args));
      return right?.result ?? null;
    });
    expect(front.has_standing).toBe(true);
    expect(front.price).toBeGreaterThan(3);
    expect(front.depends_on).toEqual(["them_tokenise", "them_word_frequency"]);
  });

  it("does not use a supplier that failed its own example", () => {
    expect(fronts(() => "wrong")).toEqual([]);
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

  it("lowers an unsold front to the cost of a call and 1, then takes its money and deletes it", () => {
    const description = "Tokenise, then Count words. It pays 5 to its suppliers.";
    const thinker = mind("policy/integrator", { consumes: 0 });
    let front: MarketListing | null = goods("gini", {
      id: asId("me_front_1"),
      description,
      balance: 12,
      price: 9,
    });
    const done: string[] = [];
    let known: Json = null;
    for (let turn = 0; turn < 20; turn++) {
      const seen: Seen = { now: turn * 6_000, owned: front === null ? [] : [front], mind: known };
      const decided = decide(
        thinker,
        viewWith({ ...seen, acted: true, genesis: ["ledger", "store"] }),
      );
      known = decided.memory;
      const { artifact_id, method, args = [] } = invocation(decided.action) ?? {};
      if (artifact_id === undefined || front === null) continue;
      done.push(`${artifact_id}.${method} ${args.join(" ")}`);
      if (method === "set_price") front = { ...front, price: Number(args[1]) };
      if (method === "withdraw") front = { ...front, balance: 0 };
      if (method === "delete") front = null;
    }
    expect(done).toEqual([
      "genesis_store.set_price me_front_1 8",
      "genesis_store.set_price me_front_1 7",
      "genesis_store.set_price me_front_1 6",
      "me_front_1.withdraw ",
      "genesis_store.delete me_front_1",
    ]);
  });

  it("gives a new front an id that no deleted front had", () => {
    const results = (call: ReturnType<typeof invocation>) => {
      const shown = examples.get(asId(call?.artifact_id ?? "")) ?? [];
      return shown.find(({ args }) => JSON.stringify(args) === JSON.stringify(call?.args))?.result;
    };
    const ids = fronts((call) => results(call) ?? null).map(({ artifact_id }) => artifact_id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it("zero intelligence never spends more than it has", () => {
  const market = [goods("gini", { price: 3 }), goods("csv", { price: 30 })];
  const seen = { market, scrip: 5, principals: ["them"], turns: 200 };
  const actions = actionsOf(mind("policy/zero_intelligence"), seen);
  const bought = actions.flatMap((action) => invocation(action) ?? []);
  expect(bought.map((call) => call.artifact_id)).toContain("them_gini");
  expect(bought.map((call) => call.artifact_id)).not.toContain("them_csv");
});
