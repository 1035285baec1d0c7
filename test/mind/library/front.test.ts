import { describe, expect, it } from "vitest";
import {
  assemble,
  type Json,
  type Recipe,
  type Supplier,
} from "../../../src/mind/library/index.ts";
import { type Market, run, runInMarket } from "./engine-runner.ts";
import { recipe } from "./shipped.ts";

type Terms = Pick<Supplier, "maxPriceScrip"> & Partial<Pick<Supplier, "purseScrip">>;

function supplier(artifactId: string, each: Recipe, terms: Terms): Supplier {
  return { artifactId, recipe: each, purseScrip: 0, ...terms };
}

/** A market where each artifact id sells one recipe; remembers what was ordered. */
function marketOf(suppliers: readonly Supplier[]) {
  const orders: Json[] = [];
  const market: Market = ({ id, method, args, terms }) => {
    orders.push([id, method, terms]);
    const found = suppliers.find((each) => each.artifactId === id);
    if (found === undefined) {
      return { success: false, error: { code: "not_found", message: `there is no ${id}` } };
    }
    const outcome = run(found.recipe.code, method, args);
    return outcome.ok
      ? { success: true, result: outcome.result }
      : { success: false, error: { code: "rejected_by_artifact", message: outcome.reason } };
  };
  return { orders, market };
}

describe("a front", () => {
  const suppliers = [
    supplier("ann_csv", recipe("csv"), { maxPriceScrip: 5 }),
    supplier("bob-column.v2", recipe("column"), { maxPriceScrip: 2 }),
    supplier("cyd_describe", recipe("describe"), { maxPriceScrip: 4, purseScrip: 3 }),
  ];
  const front = assemble(suppliers, run);

  it("says what it is and what must be attached", () => {
    expect(front.purseScrip).toBe(5 + 2 + 4 + 3);
    expect(front.recipe).toMatchObject({
      name: "front_csv_column_describe",
      takes: "notation",
      gives: "record",
      worth: 11,
    });
    expect(front.recipe.interface.description).toContain("attach 14 scrip");
  });

  it("has the examples of the pipeline, and passes them", () => {
    const { market } = marketOf(suppliers);
    const examples = front.recipe.interface.methods[0]?.examples ?? [];
    expect(examples).toHaveLength(3);
    for (const { args, result } of examples) {
      expect(runInMarket(market, { code: front.recipe.code, method: "run", args: args })).toEqual({
        ok: true,
        result,
      });
    }
  });

  it("pays each supplier once, in order, no more than agreed", () => {
    const { market, orders } = marketOf(suppliers);
    runInMarket(market, { code: front.recipe.code, method: "run", args: ["a;b\n1;2", ";"] });
    expect(orders).toEqual([
      ["ann_csv", "run", { max_price: 5 }],
      ["bob-column.v2", "run", { max_price: 2 }],
      ["cyd_describe", "run", { attach: { scrip: 3 }, max_price: 4 }],
    ]);
  });

  it("fails, naming the supplier and its reason, and orders nothing more", () => {
    const { market, orders } = marketOf(suppliers.slice(0, 1));
    const outcome = runInMarket(market, {
      code: front.recipe.code,
      method: "run",
      args: ["a,b\n1,2"],
    });
    expect(outcome).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^supplier_failed: bob-column.v2 failed: .*not_found/),
    });
    expect(orders).toHaveLength(2);
  });

  it("is made of suppliers whose programs fit", () => {
    const misfits = [
      supplier("a", recipe("csv"), { maxPriceScrip: 1 }),
      supplier("b", recipe("wrap"), { maxPriceScrip: 1 }),
    ];
    expect(() => assemble(misfits)).toThrow("wrap (takes text) cannot follow csv (gives table)");
  });

  it("can be a supplier of another front", () => {
    const inner = assemble(suppliers.slice(0, 2), run);
    const outer = assemble(
      [
        supplier("ann_front", inner.recipe, { maxPriceScrip: 9, purseScrip: inner.purseScrip }),
        supplier("d", recipe("gini"), { maxPriceScrip: 6 }),
      ],
      run,
    );
    expect(outer.purseScrip).toBe(9 + 7 + 6);
    expect(outer.recipe.name).toBe("front_front_csv_column_gini");
    expect(outer.recipe.interface.methods[0]?.examples).toHaveLength(3);
  });
});
