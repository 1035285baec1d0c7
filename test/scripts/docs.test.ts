import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withGeneratedParts } from "../../scripts/generated.ts";

it("the docs say what the code says; run `node scripts/docs.ts` when they do not", () => {
  const text = readFileSync(new URL("../../docs/journal.md", import.meta.url), "utf8");
  expect(withGeneratedParts(text)).toBe(text);
});
