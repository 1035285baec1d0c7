import { describe, expect, it } from "vitest";
import { COMPUTE_SALES, isObject, type Physics } from "../../../src/kernel/index.ts";
import { SHIPPED_PHYSICS } from "../../support/shipped-physics.ts";
import { fileSandbox } from "../../support/test-world.ts";
import { examplesIn, pagesOf, perform, toldWorld } from "./told-world.ts";

const sandbox = fileSandbox(SHIPPED_PHYSICS);

const worldOf = (compute: Partial<Physics["compute"]>): Physics => ({
  ...SHIPPED_PHYSICS,
  compute: { ...SHIPPED_PHYSICS.compute, ...compute },
});

const page = (id: string, compute: Partial<Physics["compute"]>): string =>
  pagesOf(worldOf(compute)).get(id) ?? "";

describe.each(COMPUTE_SALES)("the page of genesis_compute in a world with sale: %s", (sale) => {
  it("has an example of each method, and says what happens", async () => {
    const physics = worldOf({ sale });
    const world = await toldWorld(sandbox, physics);
    const text = page("handbook_compute", { sale });
    const performed = await perform(world, examplesIn(text));
    expect(performed.map(({ name, happens }) => `${name} → ${happens}`)).toEqual(
      performed.map(({ name, says }) => `${name} → ${says}`),
    );
    const methods = [...text.matchAll(/^- (\w+)\(/gm)].map(([, name]) => name);
    expect(methods).toContain("status");
    for (const method of methods) {
      const calls = performed.filter(({ told }) => {
        const call = told.kind === "action" ? told.action.invoke_artifact : null;
        return isObject(call) && call.method === method;
      });
      expect([method, calls.length > 0]).toEqual([method, true]);
    }
  });
});

describe("the handbook", () => {
  it("says how the world sells model budget, with its numbers", () => {
    const auction = page("handbook_compute", { period_ms: 12_345, lot_micros: 50_000 });
    expect(auction).toContain("Every 12.345 s the world sells 7 lots of 50000 micro-dollars each");
    expect(auction).toContain("What is paid is divided equally among active families");
    expect(page("handbook_compute", { proceeds: "burn" })).toContain("What is paid is burned.");
    const posted = page("handbook_compute", { sale: "posted", posted_price: 9 });
    expect(posted).toMatch(/\nat 9 scrip per lot: first to standing orders/);
    expect(page("handbook_compute", { sale: "equal" })).toContain("divides 0.35 USD of model\n");
    expect(page("handbook_compute", { sale: "none" })).toContain(
      "This world sells no model budget.",
    );
  });

  it("says what a frozen agent can hope for", () => {
    expect(page("handbook_resources", {})).toContain("until the world sells you budget");
    expect(page("handbook_resources", { sale: "none" })).toContain(
      "until another agent gives you budget with",
    );
  });
});
