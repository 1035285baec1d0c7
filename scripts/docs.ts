/** Writes the documents, and parts of documents, that are made from the code: `node scripts/docs.ts`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { GENERATED_DOCS, withGeneratedParts } from "./generated.ts";
import { SCHEMAS } from "./schemas.ts";

for (const file of GENERATED_DOCS) {
  writeFileSync(file, withGeneratedParts(readFileSync(file, "utf8")));
}
for (const [file, text] of Object.entries(SCHEMAS)) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text());
}
