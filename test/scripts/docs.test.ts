import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { GENERATED_DOCS, withGeneratedParts } from "../../scripts/generated.ts";

it.each(GENERATED_DOCS)("%s says what the code says; else run `node scripts/docs.ts`", (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  expect(text).toContain("<!-- generated: ");
  expect(withGeneratedParts(text)).toBe(text);
});
