/** Prints or writes the allowances that the tree needs now: `node test/tidy/allow.ts [--write]`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALLOWANCES, areaOf } from "./allowances.ts";
import { readProject } from "./project.ts";
import { RULES } from "./rules.ts";

const project = readProject(join(import.meta.dirname, "../.."));
const isFirst = process.argv.includes("--first");
const rules = RULES.map((rule) => {
  const areas = Map.groupBy(rule.check(project), ({ path }) => areaOf(path));
  const allowed = ALLOWANCES[rule.name] ?? {};
  const counts = [...areas]
    .map(
      ([area, found]) =>
        [area, isFirst ? found.length : Math.min(found.length, allowed[area] ?? 0)] as const,
    )
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [rule.name, Object.fromEntries(counts)] as const;
}).filter(([, counts]) => Object.keys(counts).length > 0);
const path = join(import.meta.dirname, "allowances.ts");
const text = readFileSync(path, "utf8");
const table = JSON.stringify(Object.fromEntries(rules));
writeFileSync(
  path,
  text.replace(/(\} \} = )\{[^;]*\};/, (_, head) => `${head}${table};`),
);
