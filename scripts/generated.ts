import { EVENT_KINDS, NATIVES, REFUSAL_CODES, WAKING_KINDS } from "../src/kernel/index.ts";
import { type PolicyGuide, policyGuides, SCRIPT_WORDS } from "../src/mind/index.ts";
import { BOOKKEEPING_KINDS } from "../src/world/index.ts";

const table = (head: string, rows: readonly (readonly [string, string])[]): string => {
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return [`| ${head} | says |`, "| --- | --- |", ...lines].join("\n");
};

const policySection = ({ mind, meaning, settings }: PolicyGuide): string => {
  const rows = settings.map(
    (each) => `| \`${each.name}\` | \`${each.default}\` | ${each.form} | ${each.meaning} |`,
  );
  const head = ["| setting | default | may be | says |", "| --- | --- | --- | --- |"];
  const told = rows.length === 0 ? ["It has no settings."] : [...head, ...rows];
  return [`## \`${mind}\``, "", meaning, "", ...told].join("\n");
};

/** What stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
const PARTS: { readonly [name: string]: () => string } = {
  "event kinds": () => table("kind", Object.entries(EVENT_KINDS)),
  "notes of the run": () => BOOKKEEPING_KINDS.map((kind) => `\`${kind}\``).join(", "),
  "refusal codes": () => REFUSAL_CODES.map((code) => `\`${code}\``).join(", "),
  "script words": () => table("word", Object.entries(SCRIPT_WORDS)),
  "waking kinds": () => WAKING_KINDS.map((kind) => `\`${kind}\``).join(", "),
  policies: () => policyGuides().map(policySection).join("\n\n"),
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

/** The documents that have such parts. */
export const GENERATED_DOCS = ["docs/journal.md", "docs/agents.md", "docs/policies.md"] as const;
