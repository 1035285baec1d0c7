import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoized } from "../../src/kernel/index.ts";
import { jsonOf, type SimResult, sim, spawnSim, spawnSimSync, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const STUDY = `name: study
base: { duration: 10s }
seeds: [3, 5, 8]
arms:
  few: { set: { policy.thought_micros: 2600 } }
  many: { set: { policy.thought_micros: 12000 } }
measures: [gini, trades]
`;

type Row = {
  readonly id: string;
  readonly cell: string;
  readonly seed: number;
  readonly status: string;
  readonly error: string | null;
  readonly figures: { readonly [measure: string]: number };
};

/** Makes an experiment with one process for its runs. A process starts slower than a run ends. */
const made = (cwd: string, file: string, ...flags: readonly string[]): SimResult =>
  sim(cwd, "experiment", file, "--jobs", "1", "--json", ...flags);

const resultOf = (cwd: string, file: string, ...flags: readonly string[]) =>
  JSON.parse(made(cwd, file, ...flags).out);

/** The result of the study itself, which is made once. */
const studyResult = memoized((_: null) =>
  resultOf(folderWith({ "study.yaml": STUDY }), "study.yaml"),
);

const manifestIn = (cwd: string, dir: string): string =>
  readFileSync(join(cwd, dir, "manifest.json"), "utf8");

describe("sim experiment", () => {
  it("has the same manifest after interruptions as without", async () => {
    // Long enough for a signal to arrive before the end.
    const cwd = folderWith({ "study.yaml": STUDY.replace("10s", "60s") });
    made(cwd, "study.yaml", "--out", "whole");
    for (const [signal, jobs] of [
      ["SIGINT", "2"],
      ["SIGKILL", "1"],
      ["SIGTERM", "1"],
    ] as const) {
      const running = spawnSim(cwd, "experiment", "study.yaml", "--out", "cut", "--jobs", jobs);
      await running.until(/\d of 6 runs/);
      running.kill(signal);
      const { code } = await running.ended;
      expect(code).toBe({ SIGINT: 130, SIGKILL: null, SIGTERM: 143 }[signal]);
    }
    expect(made(cwd, "study.yaml", "--out", "cut").code).toBe(0);
    expect(manifestIn(cwd, "cut")).toBe(manifestIn(cwd, "whole"));
    expect(
      sim(cwd, "experiment", "study.yaml", "--out", "cut", "--verify", "1", "--jobs", "1"),
    ).toMatchObject({ code: 0, out: "2 of 2 runs are the same again\n" });
  });

  it("says how to continue after an interruption, without empty tables", async () => {
    const cwd = folderWith({ "study.yaml": STUDY.replace("10s", "20000s") });
    const running = startSim(cwd, "experiment", "study.yaml", "--jobs", "1");
    await running.until(/^to follow it: sim dashboard results\//m);
    running.kill("SIGINT");
    const { code, out, err } = await running.ended;
    expect([code, out]).toEqual([130, ""]);
    const last = err.trim().split("\n").at(-1);
    expect(last).toBe(
      "interrupted: 0 of 6 runs done; the same command continues: sim experiment study.yaml",
    );
  });

  it("ends although no one reviews actions or takes a seat", () => {
    const persona = { mind: "script", script: [{ write_artifact: { artifact_id: "a" } }] };
    const cwd = folderWith({
      "agents/ada/agent.yaml": JSON.stringify({ id: "ada", ...persona }),
      "seats/guest/agent.yaml": JSON.stringify({ id: "guest", mind: "seat" }),
      "study.yaml": `name: study
base: { duration: 5s, agents: agents }
seeds: [1]
arms:
  free: {}
  held: { set: { agents.defaults.review: actions } }
  late: { set: { agents.defaults.review: actions, agents.defaults.review_default: accept } }
  seat: { agents: [agents, seats] }
measures: [gini]
`,
    });
    const { code, out } = made(cwd, "study.yaml");
    const { runs } = JSON.parse(out);
    expect(code).toBe(1);
    expect(runs.map(({ cell, status }: Row) => `${cell} ${status}`)).toEqual([
      ...["free done", "held failed", "late done", "seat done"],
    ]);
    expect(runs[1].error).toMatch(/waits for a reviewer.*set review_default to accept or refuse/);
  });

  it("prints the table that its runs give", () => {
    const { runs, measures } = studyResult(null);
    const valuesOf = (cell: string, measure: string): readonly number[] =>
      runs.filter((row: Row) => row.cell === cell).map((row: Row) => row.figures[measure]);
    for (const measure of ["gini", "trades"]) {
      const few = valuesOf("few", measure);
      const many = valuesOf("many", measure);
      const [a = 0, b = 0, c = 0] = many.map((value, at) => value - (few[at] ?? 0));
      const mean = (a + b + c) / 3;
      const sd = Math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2) / 2);
      // The 97.5 % quantile of Student's t with 2 degrees of freedom.
      const half = (4.302652729911275 * sd) / Math.sqrt(3);
      const [found] = measures[measure].differences;
      expect(found).toMatchObject({ a: "many", b: "few", paired: true, n: 3 });
      expect(mean).not.toBe(0);
      expect(found.mean).toBeCloseTo(mean, 9);
      expect(found.ci95[0]).toBeCloseTo(mean - half, 6);
      expect(found.ci95[1]).toBeCloseTo(mean + half, 6);
      expect(measures[measure].arms.few.mean).toBeCloseTo(few.reduce((x, y) => x + y, 0) / 3, 9);
    }
  });

  it("forks a common past into the arms, at each point of the factors", () => {
    const file = `name: forked
base:
  duration: 60s
  schedule: [{ at: 50s, mint: { to: all, scrip: 1 } }]
from: { at: 30s }
seeds: [3, 4]
arms:
  none: {}
  taken: { schedule: [{ at: 40s, take: { from: all, scrip: 20 } }] }
factors: { mint.slots: [1, 3] }
measures: [money.burned, money.minted]
keep: journals
`;
    const cwd = folderWith({ "f.yaml": file });
    const { runs } = resultOf(cwd, "f.yaml");
    expect(readdirSync(join(cwd, "results/forked/runs")).toSorted()).toEqual(
      runs.map(({ id }: Row) => id).toSorted(),
    );
    const burned = (cell: string, seed: number): number =>
      runs.find((row: Row) => row.cell === cell && row.seed === seed).figures["money.burned"];
    for (const seed of [3, 4]) {
      for (const slots of [1, 3]) {
        const more = burned(`taken {mint.slots=${slots}}`, seed);
        expect(more).toBeGreaterThan(burned(`none {mint.slots=${slots}}`, seed));
      }
    }
    const state = jsonOf(
      cwd,
      "events",
      "none-p1-s3",
      "--out",
      "results/forked/runs",
      "--limit",
      "1",
    );
    expect(state.at_ms).toBeGreaterThanOrEqual(30_000);
  });

  it("adds seeds until an interval is narrow, and warns if it stays wide", () => {
    const stop = "stop: { when: { measure: gini, ci_width: 0.000001 }, max_seeds: 6 }\n";
    const wide = folderWith({ "s.yaml": `${STUDY}${stop}` });
    const given = resultOf(wide, "s.yaml");
    expect(given.runs.map(({ seed }: Row) => seed)).toEqual(
      [3, 5, 8, 9, 10, 11].flatMap((seed) => [seed, seed]),
    );
    expect(given.warnings.map(({ kind }: { kind: string }) => kind)).toContain("wide_interval");
    const easy = stop.replace("0.000001", "10");
    const narrow = folderWith({ "s.yaml": `${STUDY}${easy}` });
    const found = resultOf(narrow, "s.yaml");
    // A stop rule needs five values.
    expect(found.runs).toHaveLength(10);
    expect(found.warnings.map(({ kind }: { kind: string }) => kind)).not.toContain("wide_interval");
  });

  it("reports a failed run as a row, continues, and tries it again", () => {
    const cwd = folderWith({
      "study.yaml": `${STUDY.replace("gini, trades", "{ name: odd, file: ./odd.ts }")}`,
      "odd.ts": `export default ({ id }) => { if (id === "many-s5") throw new Error("odd"); return 1; };`,
    });
    const failed = made(cwd, "study.yaml");
    expect(failed.code).toBe(1);
    const { runs, complete, warnings } = JSON.parse(failed.out);
    expect(complete).toBe(true);
    expect(runs.filter(({ status }: Row) => status === "failed")).toMatchObject([
      { id: "many-s5", error: expect.stringMatching(/^measure odd: odd\.ts:1:\d+: odd$/) },
    ]);
    expect(warnings).toContainEqual(expect.objectContaining({ kind: "failed_runs", arm: "many" }));
    expect(made(cwd, "study.yaml").err).toContain("many-s5 failed: measure odd: odd.ts:1:");
  });

  it("begins again with a corrected measure if each run failed", () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("gini, trades", "{ name: odd, file: ./odd.ts }"),
      "odd.ts": "export default () => { throw new Error('odd'); };",
    });
    expect(made(cwd, "study.yaml", "--seeds", "3..3").code).toBe(1);
    writeFileSync(join(cwd, "odd.ts"), "export default () => 7;");
    // A process that has loaded the module does not load it again.
    const flags = ["--seeds", "3..3", "--jobs", "1", "--json"];
    const { runs } = JSON.parse(spawnSimSync(cwd, "experiment", "study.yaml", ...flags).out);
    expect(runs.map(({ figures }: Row) => figures)).toEqual([{ odd: 7 }, { odd: 7 }]);
  });

  it("keeps the figures of a run from a module that changes what it gets", () => {
    const cwd = folderWith({
      "study.yaml": STUDY.replace("[gini, trades]", "[{ name: odd, file: ./odd.ts }, gini]"),
      "odd.ts": "export default ({ metrics }) => { metrics.wealth.gini = 0.77; return 1; };",
    });
    const giniOf = ({ runs }: { readonly runs: readonly Row[] }): readonly (number | undefined)[] =>
      runs.map(({ figures }) => figures.gini);
    expect(giniOf(resultOf(cwd, "study.yaml"))).toEqual(giniOf(studyResult(null)));
  });

  it("measures what the example of the documentation says", () => {
    const docs = readFileSync(new URL("../../docs/experiments.md", import.meta.url), "utf8");
    const [example = ""] = [...docs.matchAll(/```ts\n([^`]*)```/g)]
      .map(([, code = ""]) => code)
      .filter((code) => code.includes("artifact_invoked"));
    const cwd = folderWith({
      "study.yaml": STUDY.replace("gini, trades", "{ name: price, file: ./price.ts }"),
      "price.ts": example,
    });
    const { runs } = resultOf(cwd, "study.yaml");
    for (const { figures } of runs) expect(figures.price).toBeGreaterThan(1);
  });

  it("stops at a limit, says so, and continues without it", () => {
    const cwd = folderWith({ "study.yaml": `${STUDY}keep: journals\nlimits: { disk: 1MB }\n` });
    const limited = made(cwd, "study.yaml");
    expect(limited.code).toBe(1);
    const { runs, complete, warnings } = JSON.parse(limited.out);
    expect(complete).toBe(false);
    expect(warnings[0]).toMatchObject({ kind: "limit", arm: null });
    expect(runs.filter(({ status }: Row) => status === "done").length).toBeLessThan(6);
    writeFileSync(join(cwd, "study.yaml"), `${STUDY}keep: journals\n`);
    expect(made(cwd, "study.yaml").code).toBe(0);
  });

  it("warns of a treatment without a dose", () => {
    const file = STUDY.replace("policy.thought_micros: 12000", "dashboard.port: 4000");
    const cwd = folderWith({
      "n.yaml": file.replace("policy.thought_micros: 2600", "dashboard.port: 4001"),
    });
    const { warnings } = resultOf(cwd, "n.yaml");
    expect(warnings[0]).toMatchObject({ kind: "no_dose", arm: "many" });
    const measured = file.replace("gini, trades", "{ name: amended, file: ./arm.ts }");
    writeFileSync(
      join(cwd, "m.yaml"),
      measured.replace("policy.thought_micros: 2600", "dashboard.port: 4001"),
    );
    writeFileSync(join(cwd, "arm.ts"), 'export default ({ arm }) => (arm === "many" ? 1 : 0);');
    const differing = resultOf(cwd, "m.yaml", "--out", "measured").warnings;
    expect(differing.map(({ kind }: { kind: string }) => kind)).not.toContain("no_dose");
    expect(existsSync(join(cwd, "results/study/runs/many-s3"))).toBe(false);
  });
});

it("compares mechanisms, with files next to the experiment file", () => {
  const script = (id: string, moves: string): string =>
    `id: ${id}\nmind: script\nscript: [${moves}]\n`;
  const sale = "{ noop: {} }";
  const cwd = folderWith({
    "study/e.yaml": `name: rules
base: { duration: 5s, agents: agents, only: [ada] }
seeds: [1]
arms:
  own: { set: { mechanisms.shop.file: ours.js } }
  token: { set: { mechanisms.shop.file: mechanisms/token.js, mechanisms.shop.settings: {} } }
measures: [events]
`,
    "study/ours.js": "({ look: () => 1 });",
    "study/agents/ada/agent.yaml": script("ada", sale),
  });
  const { runs, manifest_hash } = resultOf(cwd, "study/e.yaml");
  expect(
    runs.map(({ status, error }: { status: string; error: string }) => [status, error]),
  ).toEqual([
    ["done", null],
    ["done", null],
  ]);
  mkdirSync(join(cwd, "study/agents/bea"));
  writeFileSync(join(cwd, "study/agents/bea/agent.yaml"), script("bea", sale));
  expect(resultOf(cwd, "study/e.yaml").manifest_hash).toBe(manifest_hash);
  writeFileSync(join(cwd, "study/agents/ada/agent.yaml"), script("ada", `${sale}, ${sale}`));
  const { code, err } = sim(cwd, "experiment", "study/e.yaml");
  expect(code).toBe(2);
  expect(err).toContain("results/rules has runs from before a change of the persona ada; delete");
  writeFileSync(join(cwd, "study/agents/ada/agent.yaml"), script("ada", sale));
  writeFileSync(join(cwd, "study/ours.js"), "({ look: () => 2 });");
  const changed = resultOf(cwd, "study/e.yaml", "--out", "again");
  expect(changed.manifest_hash).not.toBe(manifest_hash);
});

it("counts the files of a workspace as a part of their persona", () => {
  const cwd = folderWith({
    "e.yaml": `name: rules
base:
  duration: 3s
  agents: agents
  set: { llm.default_model: mock/mock, memory.embedder: hashed }
seeds: [1]
arms: { few: { set: { mint.slots: 1 } }, many: { set: { mint.slots: 2 } } }
measures: [events]
`,
    "agents/smith/agent.yaml": "id: smith\nmind: tools\n",
    "agents/smith/workspace/AGENTS.md": "Be quick.",
  });
  const first = resultOf(cwd, "e.yaml");
  expect(resultOf(cwd, "e.yaml").manifest_hash).toBe(first.manifest_hash);
  writeFileSync(join(cwd, "agents/smith/workspace/AGENTS.md"), "Be careful.");
  const { code, err } = sim(cwd, "experiment", "e.yaml");
  expect(code).toBe(2);
  expect(err).toContain("results/rules has runs from before a change of the persona smith; delete");
});
