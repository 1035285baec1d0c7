import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkedOnce, readMemory } from "../../src/mind/index.ts";

describe("the memory of a mind", () => {
  let checks = 0;
  const word = z.custom<string>((value) => {
    checks += 1;
    return typeof value === "string";
  });
  const schema = z.object({ turn: z.number(), words: checkedOnce(z.array(word)) });
  const FRESH: z.infer<typeof schema> = { turn: 0, words: [] };
  const revive = (memory: { turn: number; words: readonly (string | number)[] }) =>
    readMemory({ ...memory, words: [...memory.words] }, FRESH, schema);

  it("is read as it was, or replaced by a fresh one if a part is invalid", () => {
    expect(revive({ turn: 3, words: ["ore", "rope"] })).toEqual({
      turn: 3,
      words: ["ore", "rope"],
    });
    expect(revive({ turn: 3, words: ["ore", 7] })).toBe(FRESH);
  });

  it("is checked once while it stays the same object, and again if it was invalid", () => {
    const words = ["ore", "rope"];
    checks = 0;
    for (let turn = 0; turn < 5; turn++) {
      expect(readMemory({ turn, words }, FRESH, schema)).toEqual({ turn, words });
    }
    expect(checks).toBe(2);
    for (let turn = 0; turn < 2; turn++) {
      expect(readMemory({ turn, words: ["ore", 7] }, FRESH, schema)).toBe(FRESH);
    }
  });
});
