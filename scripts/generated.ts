import { EVENTS, isObject, NATIVES, REFUSAL_CODES, WAKING_KINDS } from "../src/kernel/index.ts";
import { SCRIPT_WORDS } from "../src/mind/index.ts";
import { type MetricTable, RUN_METRICS, WORKER_METRICS } from "../src/page/index.ts";
import { type PolicyGuide, policyGuides } from "../src/policy/index.ts";
import { EXPORT_TABLES } from "../src/read/index.ts";
import { shippedSettings } from "../src/run/config/index.ts";
import { RUN_EVENT_KINDS } from "../src/world/index.ts";

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
  return [`### \`${mind}\``, "", meaning, "", ...told].join("\n");
};

/** The maps that stand below a key of the shipped configuration, by their names. */
const mapsBelow = (
  key: string,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] => {
  const value = shippedSettings().get(key)?.value;
  const maps = isObject(value) ? Object.entries(value) : [];
  return maps.flatMap(([name, map]) => (isObject(map) ? [[name, map] as const] : []));
};

const rows = (head: readonly string[], lines: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.map((cell) => String(cell ?? "none")).join(" | ")} |`)
    .join("\n");

const providerTable = (): string =>
  rows(
    ["provider", "variable of its keys", "requests a minute", "tokens a minute"],
    mapsBelow("llm.providers").map(([name, map]) => [
      `\`${name}\``,
      map.api_key_env === undefined ? null : `\`${String(map.api_key_env)}\``,
      map.requests_per_minute,
      map.tokens_per_minute,
    ]),
  );

const priceTable = (): string => {
  const defaults = shippedSettings().get("llm.default_pricing")?.value;
  const listed = mapsBelow("llm.pricing").map(([name, map]) => [`\`${name}\``, map] as const);
  const all = [...listed, ...(isObject(defaults) ? [["any other", defaults] as const] : [])];
  return rows(
    ["model", "input", "cached input", "cache write", "output"],
    all.map(([name, { input, output, cached_input = input, cache_write = input }]) => [
      ...[name, input, cached_input],
      ...[cache_write, output],
    ]),
  );
};

const exportTables = (): string =>
  EXPORT_TABLES.map(({ name, says, columns }) => {
    const lines = Object.entries(columns).map(([column, { type, nullable, unit, says }]) => {
      return [`\`${column}\``, nullable ? `${type}?` : type, unit ?? "", says];
    });
    const table = rows(["column", "type", "unit", "says"], lines);
    return [`### \`${name}\``, "", `One row: ${says}.`, "", table].join("\n");
  }).join("\n\n");

const metricTable = (table: MetricTable): string =>
  rows(
    ["metric", "labels", "says"],
    Object.values(table).map(({ name, labels = [], says }) => [
      `\`${name}\``,
      labels.map((label) => `\`${label}\``).join(", "),
      says,
    ]),
  );

/** What stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
const PARTS: { readonly [name: string]: () => string } = {
  "event kinds": () =>
    table(
      "kind",
      Object.entries(EVENTS).map(([kind, { about }]) => [kind, about]),
    ),
  "notes of the run": () => RUN_EVENT_KINDS.map((kind) => `\`${kind}\``).join(", "),
  "refusal codes": () => REFUSAL_CODES.map((code) => `\`${code}\``).join(", "),
  "script words": () => table("word", Object.entries(SCRIPT_WORDS)),
  "waking kinds": () => WAKING_KINDS.map((kind) => `\`${kind}\``).join(", "),
  providers: providerTable,
  prices: priceTable,
  "export tables": exportTables,
  "metrics of a run": () => metricTable(RUN_METRICS),
  "metrics of a worker": () => metricTable(WORKER_METRICS),
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
export const GENERATED_DOCS = [
  "docs/dev/journal.md",
  "docs/agents.md",
  "docs/export.md",
  "docs/models.md",
  "docs/scale.md",
] as const;
