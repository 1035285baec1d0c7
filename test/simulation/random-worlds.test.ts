import { expect, it } from "vitest";
import { COMMANDS_EACH, playWorld } from "./random-worlds.ts";

it("a random world keeps every invariant and the auditor's books", async () => {
  const { succeeded, syscalls } = await playWorld(5);
  expect(succeeded).toBeGreaterThan(0.1 * COMMANDS_EACH);
  expect(syscalls).toBeGreaterThan(0);
});
