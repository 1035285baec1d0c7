/** Writes the parts of the docs that are made from the code: `node scripts/docs.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { withGeneratedParts } from "./generated.ts";

for (const file of ["docs/journal.md"]) {
  writeFileSync(file, withGeneratedParts(readFileSync(file, "utf8")));
}
