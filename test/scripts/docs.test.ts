import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { GENERATED_DOCS, withGeneratedParts } from "../../scripts/generated.ts";
import { SCHEMAS } from "../../scripts/schemas.ts";
import { keysBelow } from "../../src/mind/core/findings.ts";
import { SECTION_NAMES } from "../../src/mind/index.ts";
import { SECTIONS_BY_PRIORITY } from "../../src/mind/prompt/build-prompt.ts";
import { MODEL_FAULTS } from "../../src/model/port/model.ts";
import { configSchema } from "../../src/run/config/index.ts";
import { comes, figuresOf } from "../support/run-events.ts";

const written = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

it.each(GENERATED_DOCS)("%s says what the code says; else run `node scripts/docs.ts`", (file) => {
  const text = written(file);
  expect(text).toContain("<!-- generated: ");
  expect(withGeneratedParts(text)).toBe(text);
});

it.each(Object.entries(SCHEMAS))(
  "%s says what the code says; else run `node scripts/docs.ts`",
  (file, text) => expect(text()).toBe(written(file)),
);

it("docs/models.md tells of each fault of a call what becomes of it", () => {
  const [, table = ""] =
    /\n## When a call fails\n\n([\s\S]*?)\n\n/.exec(written("docs/models.md")) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([_, fault]) => fault).toSorted()).toEqual(MODEL_FAULTS.toSorted());
});

it.each([
  ["sections", SECTION_NAMES],
  ["priorities", SECTIONS_BY_PRIORITY],
])("docs/models.md names the sections of a prompt: %s", (mark, names) => {
  const [, text = ""] = written("docs/models.md").split(`<!-- ${mark} -->\n`);
  const [list = ""] = text.split("\n\n");
  expect([...list.matchAll(/`(\w+)`/g)].map(([_, name]) => name)).toEqual(names);
});

/** What of a page looks like a key of the configuration: two words or more with dots between. */
const KEY = /`((?:run|agents|resources|mint|agent|llm|memory|budget|virtual|journal)\.[a-z_.]+)/g;

it.each(["models", "memory", "authoring-agents", "agents", "dev/journal"])(
  "docs/%s.md names only existing configuration keys",
  (page) => {
    const known = keysBelow(configSchema);
    // What `decide` of a module gets has such names too.
    const text = written(`docs/${page}.md`).replace(/^## Minds of your own$[\s\S]*?^## /m, "## ");
    for (const [, key = ""] of text.matchAll(KEY)) {
      if (!/\.(md|yaml|db|json|lock)$/.test(key)) expect(known).toContain(key);
    }
  },
);

it("docs/report.md explains every figure and no other", () => {
  const metrics = figuresOf(comes("ann", 1));
  const [row] = metrics.principals;
  const parts = { ...metrics, "principals[]": row };
  const [figures = ""] = written("docs/report.md").split("\n## The tables");
  const told = [...figures.matchAll(/^\| (`.+?) \| /gm)].flatMap(([, cell = ""]) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    const [part = ""] = names[0]?.split(".") ?? [];
    return names.map((name) => (name.includes(".") || name === part ? name : `${part}.${name}`));
  });
  const known = Object.entries(parts).flatMap(([part, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((key) => `${part}.${key}`)
      : [part],
  );
  for (const name of told) {
    const holds = known.includes(name) || known.some((each) => each.startsWith(`${name}.`));
    expect([name, holds]).toEqual([name, true]);
  }
  const plain = /^(from_|last_seq|at_ms|events|lives\.(?!frozen)|principals|timeline\.)/;
  const counted = /^(work\.(actions|succeeded|thoughts|thoughts_failed)|wealth\.(agents|total))$/;
  const listed = /^(network\.(nodes|edges|edge_count)|trades\.total)$/;
  const untold = known.filter((name) => !told.includes(name));
  expect(
    untold.filter((name) => ![plain, counted, listed].some((pattern) => pattern.test(name))),
  ).toEqual([]);
});

it("docs/dev/seeds.md names sources and tests that exist", () => {
  const page = written("docs/dev/seeds.md");
  const tests = [...page.matchAll(/`([\w/.-]+\.test\.ts)`: "([^"]+)"/g)];
  expect(tests.length).toBeGreaterThan(50);
  for (const [, file = "", name = ""] of tests) expect(written(`test/${file}`)).toContain(name);
  const sources = /`((?!.*\.test\.)(?:\.\.\/)?[\w/-]+\/[\w-]+\.ts)`/g;
  for (const [, source = ""] of page.matchAll(sources)) {
    expect(written(`src/${source}`)).not.toBe("");
  }
});

/** The anchor that a heading gets on a page. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsOf = (page: string): readonly string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    anchorOf(heading),
  );

const PAGES = ["README.md", "CONTRIBUTING.md", "bench/README.md"].concat(
  readdirSync(new URL("../../docs", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`),
);

it.each(PAGES)("the links of %s lead to pages and headings that exist", (page) => {
  const broken = [...written(page).matchAll(/\]\(([^)\s]+)\)/g)].filter(([, link = ""]) => {
    const [path = "", anchor] = link.split("#");
    if (/^[a-z]+:/.test(link)) return false;
    const target = path === "" ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(new URL(`../../${target}`, import.meta.url))) return true;
    return anchor !== undefined && !anchorsOf(written(target)).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
