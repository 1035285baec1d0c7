/** Writes the parts of the docs that are made from the code: `node scripts/docs.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { GENERATED_DOCS, withGeneratedParts } from "./generated.ts";

for (const file of GENERATED_DOCS) {
  writeFileSync(file, withGeneratedParts(readFileSync(file, "utf8")));
}
