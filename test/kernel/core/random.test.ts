import { describe, expect, it } from "vitest";
import { type State, sipHash, wordsOf, worldRow } from "../../../src/kernel/index.ts";
import { createsAgent, writes } from "../../support/commands.ts";
import { PHYSICS } from "../../support/physics.ts";
import { agent, given, givenIn, type Past } from "../../support/scenario.ts";

const hex = (words: readonly number[]): string => {
  const bytes = Buffer.alloc(8);
  for (const [i, word] of words.entries()) bytes.writeUInt32LE(word, 4 * i);
  return bytes.toString("hex");
};

describe("a keyed hash", () => {
  it.each([
    [[], "218d1f59b9b83cc8"],
    [[0x03020100], "d5e78a175be52ea1"],
    [[0x03020100, 0x07060504], "edfee820bce4858c"],
  ])("of %j is equal to the result of the reference implementation", (words, expected) => {
    expect(hex(sipHash([0x03020100, 0x07060504], words))).toBe(expected);
  });

  it("differs for texts that differ only by NUL or in length", () => {
    const texts = ["", "\0", "a", "a\0", "\0a", "ab", "abc", "abc\0"];
    const hashes = texts.map((text) => hex(sipHash([1, 2], wordsOf(text))));
    expect(new Set(hashes).size).toBe(texts.length);
  });
});

describe("the secret of a world", () => {
  const secretOf = (state: State) => hex(worldRow(state).secret);
  const after = (...past: readonly Past[]) => secretOf(given(...past).state);

  it("depends on the seed and on every agent's first content and memory", () => {
    const secrets = [
      secretOf(givenIn({ ...PHYSICS, seed: PHYSICS.seed + 1 }, agent("alice"), agent("bob")).state),
      after(agent("alice"), agent("bob")),
      after(agent("alice"), { ...createsAgent("bob"), content: '{"goal":"mine"}' }),
      after(agent("alice"), { ...createsAgent("bob"), memory: '["I was here"]' }),
      after(agent("alice")),
    ];
    expect(new Set(secrets).size).toBe(5);
    expect(after(agent("alice"), agent("bob"))).toBe(secrets[1]);
  });

  it("does not change after the first code", () => {
    const code = writes("alice", "tool", { code: "v1" });
    expect(after(agent("alice"), code, agent("bob"))).toBe(after(agent("alice"), code));
  });
});
