import { beforeAll, describe, expect, it } from "vitest";
import { copyMarketRun } from "../support/market-run.ts";
import { emptyFolder, type SimResult, setFlags, sim, simWith } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const ESCAPE = "\u001b[";
const terminal = { columns: 80, rows: 24 };

/** What a command prints on a terminal without colours. */
const printed = (...args: readonly string[]): SimResult =>
  simWith({ terminal }, folder, [...args, "--no-color"]);

beforeAll(() => copyMarketRun(folder));

describe("the live display of a run on a terminal", () => {
  const RUN = ["run", "--clock", "virtual", "--duration", "20", "--name"];
  const ERASE = `${ESCAPE}0J`;

  /** The drawings of a run, each as its lines. */
  const drawings = (out: string): readonly (readonly string[])[] =>
    out
      .split(ERASE)
      .slice(0, -1)
      .map((drawing) => drawing.slice(0, drawing.lastIndexOf(`\n${ESCAPE}`)).split("\n"));

  it("shows the run, its progress, its agents and its latest trades", () => {
    const ran = printed(...RUN, "watched", "--seed", "3");
    expect(ran.code).toBe(0);
    const drawn = drawings(ran.out);
    for (const drawing of drawn) {
      expect(drawing.length).toBeLessThan(terminal.rows);
      for (const line of drawing) expect(line.length).toBeLessThan(terminal.columns);
    }
    const [first = [], last = []] = [drawn[0], drawn.at(-1)];
    expect(first[0]).toBe("run watched, virtual clock, seed 3");
    expect(first[1]).toMatch(/^0 of 20 s {2}░+ 0 %$/);
    expect(last[1]).toMatch(/^20 of 20 s {2}█+ 100 %, 0 s left$/);
    expect(last[2]).toMatch(/^\d+ actions \(\d+\/s\), \d+ trades, \d+ scrip, Gini 0\.\d\d$/);
    expect(last).toContainEqual(expect.stringMatching(/^ada +\w+ +\d+ +\d+ {2}\S/));
    expect(last).toContainEqual(expect.stringMatching(/^at \(s\) +trade +buyer +artifact +scrip$/));
    expect(last.at(-1)).toMatch(/^ *\d+\.\d {2}(service|read|task) +\w+ +\w+ +\d+$/);
    expect(last.join("\n")).not.toContain("genesis_");
  });

  it("leaves only the report, which a run without a display prints too", () => {
    const ran = printed(...RUN, "again", "--seed", "3");
    expect(ran.out.split(ERASE).at(-1)).toMatch(/^20 simulated seconds in /);
  });

  it.each([["--quiet"], ["--json"], ["--tsv"]])("is left out with %s", (flag) => {
    expect(printed(...RUN, `no${flag}`, flag, "--duration", "1").out).not.toContain(ERASE);
  });

  it("shows an agent that went bankrupt in red", () => {
    const flags = setFlags(
      "resources.stock.llm_budget_usd=0",
      "agent.loop.bankrupt_after_s=5",
      "compute.sale=none",
    );
    const { out } = simWith({ terminal }, folder, [...RUN, "poor", ...flags]);
    expect(out).toContain(`${ESCAPE}31mbankrupt`);
  });

  it("has colours, unless NO_COLOR is set", () => {
    const args = ["--duration", "1", "--name"];
    const plain = { NO_COLOR: "1" };
    const coloured = simWith({ terminal }, folder, ["run", ...args, "coloured"]);
    expect(coloured.out).toContain(`${ESCAPE}1mrun coloured${ESCAPE}22m`);
    const colourless = simWith({ terminal, variables: plain }, folder, ["run", ...args, "grey"]);
    expect(colourless.out).toContain("run grey, virtual clock");
    expect(colourless.out).not.toContain(`${ESCAPE}1m`);
  });
});

it.each([
  [["config"]],
  [["agents", "list"]],
  [["runs"]],
  [["state", "market"]],
  [["verify", "market"]],
  [["events", "market", "--limit", "300"]],
])("the tables of sim %j fit a terminal of 80 columns", (args) => {
  const { code, out } = printed(...args);
  expect(code).toBe(0);
  const lines = out.split("\n").filter((line) => !line.includes("state hash"));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
});

it("sim events prints one line for each event, with its columns below each other", () => {
  const { out } = printed("events", "market", "--limit", "300");
  const [head = "", ...lines] = out.trimEnd().split("\n");
  expect(head).toMatch(/^ *event +time \(s\) +kind +principal +body$/);
  expect(lines).toHaveLength(300);
  const [, , third = ""] = lines;
  expect(third).toMatch(/^ +3 {2}0\.000 s +[a-z_]+ +\S+ +\{.*…$/);
  const kindAt = third.search(/[a-z_]{4}/);
  for (const line of lines.slice(0, 100)) expect(line.slice(kindAt)).toMatch(/^[a-z]+_/);
  const piped = sim(folder, "events", "market", "--limit", "300");
  expect(piped.out.split("\n")[2]).toMatch(/^3\t0\.000 s\t[a-z_]+\t\S+\t\{/);
});

describe("--tsv", () => {
  /** The tables of a command: each a list of rows with cells. */
  const tablesOf = (...args: readonly string[]) => {
    const { out } = printed(...args, "--tsv");
    expect(sim(folder, ...args, "--tsv").out).toBe(out);
    expect(out).not.toContain("\u001b");
    return out
      .slice(0, -1)
      .split("\n\n")
      .map((table) => table.split("\n").map((row) => row.split("\t")));
  };

  it.each([
    [["runs"], ["run"]],
    [["config"], ["key"]],
    [["agents", "list"], ["id"]],
    [
      ["state", "market"],
      ["account", "agent", "program"],
    ],
    [["report", "market"], ["agent"]],
    [["events", "market", "--limit", "9"], ["event"]],
    [
      ["explain", "market", "ada"],
      ["scrip", "scrip"],
    ],
    [["verify", "market"], ["result"]],
    [
      ["compare", "market", "market"],
      ["figure", "wealth of"],
    ],
  ])("prints only tables: sim %j", (args, first) => {
    const tables = tablesOf(...args);
    expect(tables.map(([head]) => head?.[0])).toEqual(first);
    for (const [head, ...rows] of tables) {
      expect(rows.length, head?.join()).toBeGreaterThan(0);
      for (const row of rows) expect(row, row.join()).toHaveLength(head?.length ?? 0);
    }
  });

  it("prints whole bodies of events and times as numbers", () => {
    const [[head, row] = []] = tablesOf("events", "market", "--kind", "world_created");
    expect(head).toEqual(["event", "time (s)", "kind", "principal", "body"]);
    expect(row?.[1]).toBe("0");
    expect(() => JSON.parse(row?.[4] ?? "")).not.toThrow();
  });

  it("prints an empty table with its names", () => {
    expect(sim(emptyFolder(), "runs", "--tsv").out).toMatch(/^run\t[^\n]+\n$/);
  });

  it("is refused with --json, and explains a command without a table", () => {
    const reason = "use either --tsv or --json, not both";
    expectRefusal(sim(folder, "runs", "--json", "--tsv"), 2, reason);
    const replayed = sim(folder, "verify", "market", "--replay", "--tsv");
    const err = "note: this command prints no table\n";
    expect(replayed).toEqual({ code: 0, out: "", err });
  });
});
