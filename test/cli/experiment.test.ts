import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { RunLock } from "../../src/world/index.ts";
import { ACTIONS, FEES, type FeesResult, makeFees } from "../support/fees-experiment.ts";
import { jsonOf, sim, startSim } from "../support/sim.ts";
import { folderWith, sharedFolder } from "../support/temporary-folder.ts";

const fieldsOf = (value: unknown) => z.record(z.string(), z.unknown()).parse(value);

const answerOf = async (address: string): Promise<unknown> => (await fetch(address)).json();

describe("sim experiment", () => {
  const folder = sharedFolder();
  let result: FeesResult;

  beforeAll(() => {
    result = makeFees(folder);
  });

  it("runs each arm with each seed, and measures the runs", () => {
    expect(result).toMatchObject({ name: "fees", complete: true, dir: "results/fees" });
    expect(result.runs.map(({ id, status }) => [id, status])).toEqual([
      ["low-s1", "done"],
      ["high-s1", "done"],
      ["low-s2", "done"],
      ["high-s2", "done"],
    ]);
  });

  it("measures what the report says", () => {
    const [first] = result.runs;
    const command = String(first?.command).replace("--out results/fees/runs", "--out alone");
    sim(folder, ...command.split(" ").slice(1), "--quiet");
    const report = jsonOf(folder, "report", "low-s1", "--out", "alone");
    const { metrics } = report;
    const early = metrics.timeline.at_ms
      .map((at: number, order: number) => (at > 0 && at <= 5_000 ? order : -1))
      .filter((order: number) => order >= 0)
      .reduce((sum: number, order: number) => sum + metrics.timeline.actions[order], 0);
    const { wealth } = metrics.principals.find(({ id }: { id: string }) => id === "ada");
    expect(first?.figures).toEqual({
      gini: metrics.wealth.gini,
      "wealth.total": metrics.wealth.total,
      early,
      ada: wealth,
      actions: metrics.work.actions,
    });
    expect(early).toBeGreaterThan(0);
  });

  it.each(["fees", "results/fees"])("is shown by sim dashboard %s", async (place) => {
    const dashboard = startSim(folder, "dashboard", place, "--no-open");
    await dashboard.until(/dashboard at \S+\n/);
    const [, origin] = /at (http\S+)\/#\/experiment$/m.exec(dashboard.outputSoFar().out) ?? [];
    const shown = fieldsOf(await answerOf(`${origin}/api/experiment`));
    expect(shown.result).toEqual(result);
    const progress = { state: "complete", command: "sim experiment fees.yaml" };
    expect(shown.progress).toMatchObject(progress);
    const trajectories = await answerOf(`${origin}/api/experiment/trajectories/low-s1,high-s9`);
    expect(Object.keys(fieldsOf(trajectories))).toEqual(["low-s1"]);
    dashboard.kill("SIGINT");
    await dashboard.ended;
  });

  it("writes a page and tables with the same figures", () => {
    const dir = join(folder, "results/fees");
    const page = readFileSync(join(dir, "report.html"), "utf8");
    for (const said of ["Do higher fees make agents richer?", "sim experiment fees.yaml", "rich"]) {
      expect(page).toContain(said);
    }
    const [head = "", ...rows] = readFileSync(join(dir, "runs.csv"), "utf8").trim().split("\n");
    const columns = head.split(",");
    const giniOf = (row: string): number => Number(row.split(",")[columns.indexOf("gini")]);
    const figures = result.runs.map(({ figures: all }) => fieldsOf(all).gini);
    expect(rows.map(giniOf)).toEqual(figures);
    expect(existsSync(join(dir, "figures/differences.svg"))).toBe(true);
  });

  it("prints a command that makes the same run alone", () => {
    const command = String(result.runs[3]?.command).replace("--out results/fees/runs", "--out own");
    const ran = jsonOf(folder, ...command.split(" ").slice(1));
    expect(ran.journal_hash).toBe(result.runs[3]?.journal_hash);
    expect(ran.state_hash).toBe(result.runs[3]?.state_hash);
  });

  it("keeps the results, and not the journals", () => {
    const dir = join(folder, "results/fees");
    expect(existsSync(join(dir, "runs/low-s1"))).toBe(false);
    const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"));
    expect(manifest.manifest_hash).toBe(result.manifest_hash);
    expect(manifest.runs).toHaveLength(4);
  });

  it("does not make a finished run again", () => {
    const again = jsonOf(folder, "experiment", "fees.yaml");
    expect(again).toEqual(result);
  });

  it.each([
    ["10s", "11s", "a setting of low, a setting of high"],
    ["[0s, 5s]", "[0s, 4s]", "the measure early"],
    ["  - gini\n", "", "the list of measures"],
    ["name: fees", "name: other", "the name: fees is other now"],
  ])("does not mix its runs with those from before a change of %s", (from, to, what) => {
    writeFileSync(join(folder, "other.yaml"), FEES.replace(from, to));
    const { code, err } = sim(folder, "experiment", "other.yaml", "--out", "results/fees");
    expect(code).toBe(2);
    expect(err).toContain(`results/fees has runs from before a change of ${what}; delete`);
  });

  it("names a damaged line of its log, and what to do, in one line", () => {
    const log = join(folder, "damaged/results.jsonl");
    mkdirSync(join(folder, "damaged"));
    const manifest = readFileSync(join(folder, "results/fees/results.jsonl"), "utf8").split(
      "\n",
    )[0];
    writeFileSync(log, `${manifest}\nrubbish\n`);
    const cure = "delete this line, and the next command makes its run again";
    const err = `sim: damaged/results.jsonl:2: the line is not JSON; ${cure}\n`;
    const refused = sim(folder, "experiment", "fees.yaml", "--out", "damaged");
    expect(refused).toMatchObject({ code: 2, out: "", err });
  });

  it("says that another command makes the experiment", () => {
    const held = RunLock.take(join(folder, "results/fees"));
    const { code, err } = sim(folder, "experiment", "fees.yaml");
    if (held.ok) held.lock.release();
    expect(code).toBe(3);
    expect(err).toContain(`sim: this experiment is being written by process ${process.pid} on `);
  });

  it("plans without running", () => {
    const planned = jsonOf(folder, "experiment", "fees.yaml", "--dry-run", "--out", "planned");
    expect(planned).toMatchObject({ runs: 4, usd: 0, disk_bytes: 0 });
    expect(planned.time_s).toBeGreaterThan(0);
    expect(planned.planned.map(({ id }: { id: string }) => id)).toContain("high-s2");
    expect(existsSync(join(folder, "planned"))).toBe(false);
    const compared = sim(folder, "experiment", "fees.yaml", "--dry-run", "--against", "m.json");
    expect([compared.code, compared.err]).toEqual([2, expect.stringContaining("omit --against")]);
  });
});

describe("a wrong experiment file", () => {
  const refusals: readonly (readonly [change: readonly [string, string], said: string])[] = [
    [["seeds: 1..2", "seeds: [1, 1]"], "e.yaml:6:8: seed 1 occurs twice; keep one"],
    [["seeds: 1..2", "seeds: 2..1"], "e.yaml:6:8: `seeds` must go upward, as in 1..20"],
    [["  - gini", "  - ginny"], "e.yaml:11:5: the report has no figure `ginny`; did you mean"],
    [["  - gini", "  - gini\n  - gini"], "the measure `gini` occurs twice"],
    [["duration: 10s", "duration: 10"], "must have a unit, as in 10s"],
    [["mint.minimum_bid: 5 }", "mint.minimum_bids: 5 }"], "did you mean `mint.minimum_bid`?"],
    [["arms:\n", "arm:\n"], "did you mean `arms`?"],
    [["seeds: 1..2", "seeds: 1..2\nfrom: { at: 10s }"], "the fork at 10 s is not before the end"],
    [
      [
        "seeds: 1..2\narms:\n  low: { set",
        "seeds: 1..2\nfrom: { at: 5s }\narms:\n  low: { schedule: [{ at: 5s, pause: ada }], set",
      ],
      "the entry at 5 s is not after the fork at 5 s; give it a later time, or put it into base",
    ],
    [["  high:", "  constructor:"], "is a name that charts cannot have; rename it"],
    [["name: early", "name: toString"], "is a name that charts cannot have; rename it"],
    [["file: ./actions.ts", "file: ./none.ts"], "none.ts"],
    [
      ["between: [0s, 5s]", "between: [0s, 11s]"],
      "e.yaml:13:5: the runs have no 11 s; they go from",
    ],
    [["between: [0s, 5s]", "between: [5s, 1s]"], "`between` must be [from, to] with the earlier"],
    [["agent: ada", "agent: adda"], "e.yaml:14:5: there is no agent `adda`; did you mean `ada`?"],
    [["agent: ada", "group: rich"], "e.yaml:14:5: there is no group `rich`; there are none"],
    [["only: [ada, boole]", "only: [adam]"], "adam"],
  ];

  for (const [[from, to], said] of refusals) {
    it(`is refused for ${to.trim()}`, () => {
      const cwd = folderWith({ "e.yaml": FEES.replace(from, to), "actions.ts": ACTIONS });
      const { code, out, err } = sim(cwd, "experiment", "e.yaml");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(said);
      expect(existsSync(join(cwd, "results"))).toBe(false);
    });
  }
});
