import { expect, it } from "vitest";
import { killAndResume } from "./kills.ts";

it("a run that is killed three times loses nothing that anyone has seen", async () => {
  const { kills, events } = await killAndResume({ seed: 1, kills: 3 });
  expect(kills).toBe(3);
  expect(events).toBeGreaterThan(100);
});
