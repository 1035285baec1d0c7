import { expect, it } from "vitest";
import { COMMANDS_EACH, playWorld } from "./random-worlds.ts";

it.each([2, 5])(
  "a random world keeps every invariant and the auditor's books, seed %i",
  async (seed) => {
    const { succeeded, syscalls } = await playWorld(seed);
    expect(succeeded).toBeGreaterThan(0.1 * COMMANDS_EACH);
    expect(syscalls).toBeGreaterThan(0);
  },
);
