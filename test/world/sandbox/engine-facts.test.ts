import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { engineFactsSource } from "../../../scripts/engine-facts.ts";

const FACTS = new URL("../../../src/world/sandbox/engine-facts.ts", import.meta.url);

it("engine-facts.ts describes the installed engine", () => {
  const fix = "the engine changed: run npx node scripts/engine-facts.ts, then the sandbox's tests";
  expect(engineFactsSource() === readFileSync(FACTS, "utf8"), fix).toBe(true);
});
