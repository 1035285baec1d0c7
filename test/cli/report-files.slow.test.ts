import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/figures/index.ts";
import { htmlReport } from "../../src/page/index.ts";
import {
  emptyFolder,
  jsonOf,
  MAIN,
  makeRun,
  type SimResult,
  setFlags,
  sim,
} from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const PAGE = join(folder, "pages", "r.html");
const TABLES = join(folder, "tables");
let said: SimResult;
let report: Report;

beforeAll(() => {
  makeRun(folder, { name: "r", seconds: 30 });
  said = sim(folder, "report", "r", "--html", "pages/r.html", "--csv", "tables", "--json");
  report = JSON.parse(said.out);
});

describe("sim report", () => {
  it("prints one document with --json and a note for each file", () => {
    expect(said).toMatchObject({ code: 0, err: "written: tables\nwritten: pages/r.html\n" });
    expect(Object.keys(report)).toEqual([
      ...["counted_from", "last_seq", "at_ms", "economy", "trades_by_kind", "messages"],
      ...["lives", "proceeds", "compute", "schedule", "agents", "alarms", "model_calls"],
      ...["groups", "narrative", "metrics"],
    ]);
  });

  it("describes the run in plain words, as text and in the document", () => {
    const { narrative, metrics, economy } = report;
    const text = narrative.join("\n");
    expect(text).toContain(`${metrics.wealth.agents} agents took `);
    expect(text).toContain(`traded ${economy.trades} times`);
    expect(text).toContain(`${metrics.wealth.richest} is the richest`);
    expect(text).toContain(metrics.services[0]?.artifact);
    const terminal = sim(folder, "report", "r").out;
    for (const paragraph of narrative) expect(terminal).toContain(paragraph);
  });
});

/** The rows of a table as RFC 4180 has it, each as an object. */
const table = (name: string, dir = TABLES): readonly { readonly [column: string]: string }[] => {
  const text = readFileSync(join(dir, `${name}.csv`), "utf8");
  const rows = text
    .split("\r\n")
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
      ),
    );
  const [head = [], ...rest] = rows;
  return rest.map((row) => {
    expect(row.length).toBe(head.length);
    return Object.fromEntries(head.map((column, at) => [column, row[at] ?? ""]));
  });
};

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/report.md"), "utf8");

describe("sim report --csv", () => {
  it("writes a table of each subject", () => {
    const names = readdirSync(TABLES).map((file) => file.replace(/\.csv$/, ""));
    expect(names.toSorted()).toEqual([
      ...["alarms", "error_totals", "errors", "figures", "groups", "lorenz", "principals"],
      ...["schedule", "services", "timeline", "trade_edges", "trade_nodes", "wealth"],
    ]);
  });

  it("names the columns of a table, also of one that is empty", () => {
    expect(readFileSync(join(TABLES, "alarms.csv"), "utf8")).toBe("alarm,from_ms,to_ms,cause\r\n");
  });

  it("has the columns that docs/report.md says, each figure once", () => {
    const documented = new Map(
      [...DOCS.matchAll(/^\| `(\w+\.csv)` \| [^|]*\| ([^|]*)\|$/gm)].map(
        ([, file = "", columns = ""]) => [
          file,
          [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name),
        ],
      ),
    );
    for (const file of readdirSync(TABLES)) {
      const [head = ""] = readFileSync(join(TABLES, file), "utf8").split("\r\n");
      const told = documented.get(file) ?? [];
      const open = ["wealth.csv", "errors.csv"].includes(file);
      expect([file, open ? head.split(",").slice(0, 1) : head.split(",")]).toEqual([file, told]);
    }
    const figures = table("figures").map(({ figure }) => figure);
    expect(new Set(figures).size).toBe(figures.length);
  });

  it("has the figures of the document", () => {
    const { metrics } = report;
    const expected = metrics.principals.map(({ id, wealth, income }) => {
      return { id, wealth: String(wealth), income_services: String(income.services) };
    });
    expect(table("principals")).toMatchObject(expected);
    const figures = new Map(table("figures").map(({ figure, value }) => [figure, Number(value)]));
    expect(figures.get("metrics.money.velocity_per_min")).toBe(metrics.money.velocity_per_min);
    expect(figures.get("metrics.trades.by_kind.service")).toBe(metrics.trades.by_kind.service);
    const timeline = table("timeline");
    expect(timeline.map(({ at_ms }) => Number(at_ms))).toEqual(metrics.timeline.at_ms);
    expect(timeline.map(({ gini }) => Number(gini))).toEqual(metrics.timeline.gini);
    expect(table("trade_edges").length).toBe(metrics.network.edge_count);
    const [line] = metrics.timeline.wealth;
    expect(table("wealth").map((row) => Number(row[line?.id ?? ""]))).toEqual(line?.scrip);
  });
});

const pageOf = (html: string) => JSON.parse(insideOf(html, "script")[0] ?? "");

const insideOf = (html: string, tag: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "gs"))].map(([, text = ""]) => text);

const digest = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("sim report --html", () => {
  it("writes one page that contains the document and loads nothing", () => {
    const html = readFileSync(PAGE, "utf8");
    const [, script = ""] = insideOf(html, "script");
    expect(pageOf(html)).toMatchObject({ run: "r", header: { seed: 1 }, report });
    expect(html).toContain("default-src 'none'");
    expect(html).toContain(`script-src ${digest(script)};`);
    expect(html).toContain(`style-src ${digest(insideOf(html, "style")[0] ?? "")};`);
    expect(html).not.toMatch(/<(script|img|link|iframe)[^>]*\s(src|href)=/);
    expect(insideOf(html, "style").join()).not.toMatch(/@import|url\(/);
  });

  it("describes the run in words without JavaScript", () => {
    const [words = ""] = insideOf(readFileSync(PAGE, "utf8"), "noscript");
    expect(insideOf(words, "p")).toEqual(report.narrative);
  });

  it("escapes markup in texts", async () => {
    const evil = `</script></style><!--<script>alert(1)</script>&"'\u202e\u001b[31m`;
    const ring = { alarm: "no_trade", from_ms: 0, to_ms: null, cause: evil };
    const metrics = { ...report.metrics, alarms: [ring] };
    const header = { seed: 1, clock: "virtual", version: evil, settings: null };
    const page = { run: evil, header, report: { ...report, narrative: [evil], metrics } };
    const html = await htmlReport(page);
    expect(pageOf(html)).toEqual(page);
    expect(insideOf(html, "script").length).toBe(2);
    expect(html.match(/<!--/g)).toBeNull();
    const escaped = insideOf(insideOf(html, "noscript")[0] ?? "", "p");
    expect(escaped[0]).toMatch(/^&lt;\/script&gt;&lt;\/style&gt;&lt;!--/);
  });

  it("creates no folder for a run that does not exist", () => {
    expect(sim(folder, "report", "ghost", "--html", "other/r.html").code).toBe(2);
    expect(existsSync(join(folder, "other"))).toBe(false);
  });
});

describe("the changed settings of a run", () => {
  const PRICE = 'llm.pricing={"own/m":{"input":0,"output":0}}';
  const changes = setFlags("scrip.starting_amount=130", "mint.tasks=[]", "mint.slots=2", PRICE);
  /** As `sim config` has them: what has the same value again, as slots here, is not changed. */
  const valuesIn = (...flags: readonly string[]): ReadonlyMap<string, string> => {
    const { values }: { readonly values: { readonly [key: string]: { readonly value: unknown } } } =
      jsonOf(folder, "config", ...flags);
    return new Map(Object.entries(values).map(([key, { value }]) => [key, JSON.stringify(value)]));
  };
  const settingRows = (dir: string): ReadonlyMap<string, string> =>
    new Map(
      table("figures", dir)
        .filter(({ figure }) => figure?.startsWith("settings."))
        .map(({ figure = "", value = "" }) => [figure.slice("settings.".length), value]),
    );

  beforeAll(() => makeRun(folder, { name: "s", seconds: 5 }, "--seed", "3", ...changes));

  it("are in the page and in figures.csv", () => {
    expect(sim(folder, "report", "s", "--csv", "s", "--html", "s/s.html").code).toBe(0);
    const shipped = valuesIn();
    const own = valuesIn(...setFlags("run.duration_s=5", "run.seed=3"), ...changes);
    const changed = new Map([...own].filter(([key, value]) => shipped.get(key) !== value));
    changed.set("run.clock", '"virtual"');
    expect(changed.size).toBe(7);
    const rows = settingRows(join(folder, "s"));
    expect(rows).toEqual(changed);
    expect(pageOf(readFileSync(join(folder, "s", "s.html"), "utf8")).header.settings).toEqual(
      [...rows].map(([key, value]) => ({ key, value, shipped: shipped.get(key) ?? null })),
    );
  });

  it("are unknown if the configuration of the run cannot be read", () => {
    writeFileSync(join(folder, "runs", "s", "config.yaml"), "run: [");
    expect(sim(folder, "report", "s", "--csv", "u", "--html", "u/u.html").code).toBe(0);
    expect(settingRows(join(folder, "u")).size).toBe(0);
    const page = pageOf(readFileSync(join(folder, "u", "u.html"), "utf8"));
    expect(page).toMatchObject({ header: { seed: 3, settings: null } });
  });
});

describe("sim report with a file that cannot be written", () => {
  const FILE = "it is not a folder; choose another path";

  it.each<readonly [what: string, flags: readonly string[], code: number, named: string]>([
    ["a folder that cannot be made", ["--html", "/proc/nowhere/r.html"], 3, "/proc/nowhere"],
    ["a file in the place of the folder", ["--csv", "pages/r.html"], 2, `pages/r.html: ${FILE}`],
    ["a file above the folder", ["--csv", "pages/r.html/new"], 2, `pages/r.html: ${FILE}`],
    ["a device that is full", ["--html", "/dev/full"], 3, "/dev/full"],
    ["a device in the place of the folder", ["--csv", "/dev/full"], 2, `/dev/full: ${FILE}`],
  ])("names it in one line: %s", (_what, flags, code, named) => {
    expectRefusal(sim(folder, "report", "r", ...flags), code, new RegExp(`^sim: ${named}`));
  });

  it("names a folder in the place of the file, and how to correct it", () => {
    const said = sim(folder, "report", "r", "--html", "tables");
    expectRefusal(said, 2, "tables: it is a folder; name a file in it");
  });

  /** As on a disk with room for so many blocks of 1 kB in any one file. */
  const onSmallDisk = (blocks: number, ...args: readonly string[]): SimResult => {
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, MAIN, "report", "r", ...args],
      { cwd: folder, encoding: "utf8" },
    );
    return { code: status, out: stdout, err: stderr };
  };

  it("leaves no files or folders", () => {
    const before = readdirSync(folder).toSorted();
    const refused = onSmallDisk(50, "--csv", "new/tables", "--html", "new/pages/r.html");
    expectRefusal(refused, 3, "new/pages/r.html: file too large (write)");
    expect(readdirSync(folder).toSorted()).toEqual(before);
  });

  it("leaves existing files unchanged if any file fails", () => {
    const texts = () =>
      [PAGE, join(TABLES, "figures.csv")].map((file) => readFileSync(file, "utf8"));
    const before = texts();
    expect(onSmallDisk(50, "--html", "pages/r.html").code).toBe(3);
    expect(sim(folder, "report", "r", "--csv", "tables", "--html", "/dev/full").code).toBe(3);
    expect(texts()).toEqual(before);
    expect(readdirSync(join(folder, "pages"))).toEqual(["r.html"]);
    expect(readdirSync(TABLES).filter((name) => !name.endsWith(".csv"))).toEqual([]);
  });

  it("writes to a device or through a link without replacing it", () => {
    symlinkSync("pages/r.html", join(folder, "link.html"));
    expect(sim(folder, "report", "r", "--html", "/dev/null").code).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    writeFileSync(PAGE, "old");
    expect(sim(folder, "report", "r", "--html", "link.html").code).toBe(0);
    expect(lstatSync(join(folder, "link.html")).isSymbolicLink()).toBe(true);
    expect(readFileSync(PAGE, "utf8")).toContain("<!doctype html>");
  });

  it("keeps the permissions of a file that it replaces", () => {
    chmodSync(PAGE, 0o666);
    expect(sim(folder, "report", "r", "--html", "pages/r.html").code).toBe(0);
    expect(statSync(PAGE).mode & 0o777).toBe(0o666);
  });
});
