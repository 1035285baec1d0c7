import { describe, expect, it } from "vitest";
import {
  actionMemory,
  observationMemory,
  withoutFrame,
} from "../../src/memory/port/agent-memory.ts";
import { ALICE } from "./memories.ts";

describe("the memory of an action", () => {
  const called = { action: "invoke_artifact", target: "adder", method: null };
  const action = { ...called, message: "paid 5\n to bob", ok: true };

  it("is one line with the outcome", () => {
    expect(actionMemory(ALICE, action)).toBe(
      "Agent alice performed invoke_artifact adder: paid 5 to bob (it succeeded)",
    );
    expect(actionMemory(ALICE, { ...action, ok: false })).toMatch(/\(it failed\)$/);
  });

  it("is cut before the outcome", () => {
    const text = actionMemory(ALICE, { ...action, message: "😀".repeat(5_000), ok: false });
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toMatch(/😀… \(it failed\)$/u);
    expect(text.isWellFormed()).toBe(true);
  });
});

it("the frame of a memory is removed before it is embedded", () => {
  expect(withoutFrame("Agent a.b performed invoke_artifact: paid 5")).toBe("paid 5");
  expect(withoutFrame("Agent bob performed invoke_artifact adder run: 5")).toBe("adder run: 5");
  expect(withoutFrame("Agent bob performed noop:")).toBe("Agent bob performed noop:");
  expect(withoutFrame("the price fell")).toBe("the price fell");
});

it("an observation is one bounded line", () => {
  expect(observationMemory(" the price\nfell ")).toBe("the price fell");
  expect(observationMemory("x".repeat(10_000))).toHaveLength(600);
});
