import { describe, expect, it } from "vitest";
import { didYouMean, nearestOf } from "../../src/mind/nearest.ts";

describe("the nearest known word", () => {
  it.each([
    ["durations", "duration_s"],
    ["duration-s", "duration_s"],
    ["SEED", "seed"],
    ["sed", "seed"],
    ["artifact", "artifact_id"],
  ])("%s was meant as %s", (word, meant) => {
    expect(nearestOf(word, ["duration_s", "seed", "clock", "artifact_id"])).toBe(meant);
  });

  it.each(["x", "horizon", "", "a"])("nothing is near %j", (word) => {
    expect(nearestOf(word, ["duration_s", "seed", "clock", "ok"])).toBeNull();
  });

  it("says nothing when two go on from the word", () => {
    expect(nearestOf("llm", ["llm_calls", "llm_tokens"])).toBeNull();
  });

  it("asks in words", () => {
    expect(didYouMean("clok", ["clock"])).toBe("did you mean `clock`?");
    expect(didYouMean("clok", [])).toBeNull();
  });
});
