import { describe, expect, it } from "vitest";
import { closestWord, didYouMean } from "../../src/text/did-you-mean.ts";

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

  it.each(["x", "*", "horizon", "", "a"])("does not exist for %j", (word) => {
    expect(closestWord(word, ["duration_s", "seed", "clock", "ok", "b"])).toBeNull();
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

  it("compares the remainder if the last words are the same", () => {
    expect(closestWord("llm_tokens", ["max_tokens", "llm_model"])).toBeNull();
    expect(closestWord("mx_tokens", ["max_tokens", "llm_model"])).toBe("max_tokens");
  });

  it("is the only one that contains the word, or that the word contains", () => {
    const known = ["llm_model", "max_tokens", "temperature", "cognitive_schema"];
    expect(closestWord("model", known)).toBe("llm_model");
    expect(closestWord("llm_temperature", known)).toBe("temperature");
    expect(closestWord("schema", [...known, "schema_file"])).toBeNull();
    expect(closestWord("mod", known)).toBeNull();
  });

  it("asks a question", () => {
    expect(didYouMean("clok", ["clock"])).toBe("did you mean `clock`?");
    expect(didYouMean("clok", [])).toBeNull();
  });
});
