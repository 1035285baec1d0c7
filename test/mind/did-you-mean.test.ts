import { describe, expect, it } from "vitest";
import { closestWord, didYouMean } from "../../src/mind/did-you-mean.ts";

describe("the nearest known word", () => {
  it.each([
    ["durations", "duration_s"],
    ["duration-s", "duration_s"],
    ["SEED", "seed"],
    ["sed", "seed"],
    ["artifact", "artifact_id"],
  ])("%s was meant as %s", (word, meant) => {
    expect(closestWord(word, ["duration_s", "seed", "clock", "artifact_id"])).toBe(meant);
  });

  it.each(["x", "horizon", "", "a"])("nothing is near %j", (word) => {
    expect(closestWord(word, ["duration_s", "seed", "clock", "ok"])).toBeNull();
  });

  it("says nothing when two go on from the word", () => {
    expect(closestWord("llm", ["llm_calls", "llm_tokens"])).toBeNull();
  });

  it("looks at what follows where the first words are the same", () => {
    const known = ["genesis_voting", "genesis_board", "ada_gini_38"];
    expect(closestWord("genesis_mint", known)).toBeNull();
    expect(closestWord("genesis_bored", known)).toBe("genesis_board");
    expect(closestWord("genesys_board", known)).toBe("genesis_board");
    expect(closestWord("ada_gini_3", known)).toBe("ada_gini_38");
  });

  it("asks in words", () => {
    expect(didYouMean("clok", ["clock"])).toBe("did you mean `clock`?");
    expect(didYouMean("clok", [])).toBeNull();
  });
});
