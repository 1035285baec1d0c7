import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkedOnce, readMemory } from "../../src/mind/mind-memory-codec.ts";

describe("what a mind remembered", () => {
  let looks = 0;
  const word = z.custom<string>((value) => {
    looks += 1;
    return typeof value === "string";
  });
  const schema = z.object({ turn: z.number(), words: checkedOnce(z.array(word)) });
  const FRESH: z.infer<typeof schema> = { turn: 0, words: [] };
  const revive = (memory: { turn: number; words: readonly (string | number)[] }) =>
    readMemory({ ...memory, words: [...memory.words] }, FRESH, schema);

  it("is given back as it is, and begun anew where a part is wrong", () => {
    expect(revive({ turn: 3, words: ["ore", "rope"] })).toEqual({
      turn: 3,
      words: ["ore", "rope"],
    });
    expect(revive({ turn: 3, words: ["ore", 7] })).toBe(FRESH);
  });

  it("is looked at once where it stays the same object, wrong again where it is wrong", () => {
    const words = ["ore", "rope"];
    looks = 0;
    for (let turn = 0; turn < 5; turn++) {
      expect(readMemory({ turn, words }, FRESH, schema)).toEqual({ turn, words });
    }
    expect(looks).toBe(2);
    const wrong = ["ore", 7];
    for (let turn = 0; turn < 2; turn++) {
      expect(readMemory({ turn, words: wrong }, FRESH, schema)).toBe(FRESH);
    }
  });
});
