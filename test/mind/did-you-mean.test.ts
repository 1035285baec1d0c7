import { describe, expect, it } from "vitest";
import { closestWord, didYouMean } from "../../src/mind/did-you-mean.ts";

describe("the nearest known word", () => {
  it.each([
    ["durations", "duration_s"],
    ["duration-s", "duration_s"],
    ["SEED", "seed"],
    ["sed", "seed"],
    ["artifact", "artifact_id"],
  ])("for %s is %s", (word, meant) => {
    expect(closestWord(word, ["duration_s", "seed", "clock", "artifact_id"])).toBe(meant);
  });

  it.each(["x", "horizon", "", "a"])("does not exist for %j", (word) => {
    expect(closestWord(word, ["duration_s", "seed", "clock", "ok"])).toBeNull();
  });

  it("suggests nothing if two words begin with the given one", () => {
    expect(closestWord("llm", ["llm_calls", "llm_tokens"])).toBeNull();
  });

  it("compares the remainder if the first words are the same", () => {
    const known = ["genesis_voting", "genesis_board", "ada_gini_38"];
    expect(closestWord("genesis_mint", known)).toBeNull();
    expect(closestWord("genesis_bored", known)).toBe("genesis_board");
    expect(closestWord("genesys_board", known)).toBe("genesis_board");
    expect(closestWord("ada_gini_3", known)).toBe("ada_gini_38");
  });

  it("asks a question", () => {
    expect(didYouMean("clok", ["clock"])).toBe("did you mean `clock`?");
    expect(didYouMean("clok", [])).toBeNull();
  });
});
