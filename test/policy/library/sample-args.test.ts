import { describe, expect, it } from "vitest";
import { sampleArgs } from "../../../src/policy/library/sample-args.ts";
import { run } from "./engine-runner.ts";
import { dice, everything, recipe } from "./shipped.ts";

describe("sampled arguments", () => {
  it.each(everything.map((each) => [each.name, each] as const))("are valid for %s", (_, each) => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const args = sampleArgs(each, dice(seed * 7919));
      expect({ args, ...run(each.code, "run", args) }).toMatchObject({ ok: true });
    }
  });

  it("are the same for the same seed and differ for others", () => {
    const text = (seed: number) => JSON.stringify(sampleArgs(recipe("summarise"), dice(seed)));
    expect(text(1)).toBe(text(1));
    expect(new Set([1, 2, 3, 4, 5, 6].map(text)).size).toBeGreaterThan(3);
  });

  it("are taken from the examples if the arguments belong together", () => {
    const known = recipe("shortest_path").interface.methods[0]?.examples.map(({ args }) => args);
    expect(known).toContainEqual(sampleArgs(recipe("shortest_path"), dice(3)));
  });
});
