import { EVENT_KINDS, NATIVES, REFUSAL_CODES } from "../src/kernel/index.ts";
import { BOOKKEEPING_KINDS } from "../src/world/index.ts";

const table = (head: string, rows: readonly (readonly [string, string])[]): string => {
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return [`| ${head} | says |`, "| --- | --- |", ...lines].join("\n");
};

/** What stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
const PARTS: { readonly [name: string]: () => string } = {
  "event kinds": () => table("kind", Object.entries(EVENT_KINDS)),
  "notes of the run": () => BOOKKEEPING_KINDS.map((kind) => `\`${kind}\``).join(", "),
  "refusal codes": () => REFUSAL_CODES.map((code) => `\`${code}\``).join(", "),
  natives: () =>
    NATIVES.map(({ id, methods }) => {
      const names = methods.map(({ name }) => `\`${name}\``).join(" ");
      return `- \`${id}\`: ${names}`;
    }).join("\n"),
};

const MARKED = /<!-- generated: ([a-z ]+) -->[\s\S]*?<!-- end -->/g;

/** The text with every generated part as the code now has it. */
export const withGeneratedParts = (text: string): string =>
  text.replace(MARKED, (marked, name: string) => {
    const part = PARTS[name];
    return part === undefined ? marked : `<!-- generated: ${name} -->\n${part()}\n<!-- end -->`;
  });
