import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findRun } from "../../src/run/index.ts";
import { RunLock } from "../../src/world/index.ts";
import { emptyFolder, jsonOf, makeRun, setFlags, sim, spawnSim, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

type Given = Readonly<Record<string, unknown>>;

const runFile = (run_id: string, given: Given = {}): string =>
  JSON.stringify({
    run_id,
    version: "0.1.0",
    status: "finished",
    started_at: "2030-01-01T00:00:00.000Z",
    duration_s: 60,
    events: 10,
    parent: null,
    ...given,
  });

const january = (day: string): Given => ({ started_at: `2030-01-${day}T00:00:00.000Z` });

/** Three runs, of which `b-two` is the latest. */
const threeRuns = (): string =>
  folderWith({
    "runs/a-one/run.json": runFile("a-one", january("02")),
    "runs/a-three/run.json": runFile("a-three", january("01")),
    "runs/b-two/run.json": runFile("b-two", january("03")),
    "runs/notes.txt": "not a run",
  });

describe("sim runs", () => {
  it("reports an empty list", () => {
    const cwd = folderWith();
    expect(sim(cwd, "runs")).toMatchObject({ code: 0, out: "" });
    expect(sim(cwd, "runs", "--json")).toEqual({ code: 0, out: "[]\n", err: "" });
  });

  it("lists them from the first to the last", () => {
    const ran = sim(threeRuns(), "runs");
    const at = (day: string): string =>
      `finished\t2030-01-${day}T00:00:00.000Z\t60\t10\t0\t-\t-\t-`;
    expect(ran.out.split("\n")).toEqual([
      "run\tstatus\tstarted\tseconds\tevents\tseed\tlabels\tchanged settings\tforked from",
      ...[`a-three\t${at("01")}`, `a-one\t${at("02")}`, `b-two\t${at("03")}`, ""],
    ]);
  });

  it("shows the parent run and event of a fork", () => {
    const cwd = folderWith({ "runs/x/run.json": runFile("x", { parent: "w", parent_seq: 7 }) });
    expect(sim(cwd, "runs").out).toMatch(/^x\tfinished\t.*\t10\t.*\tw, event 7$/m);
  });

  it("--json prints what other programs rely on", () => {
    const cwd = folderWith({ "elsewhere/x/run.json": runFile("x", { parent: "w" }) });
    const started = { status: "finished", started_at: "2030-01-01T00:00:00.000Z", from_s: 0 };
    expect(jsonOf(cwd, "runs", "--out", "elsewhere")).toEqual([
      {
        ...{ run_id: "x", ...started, duration_s: 60, events: 10, parent: "w" },
        ...{ seed: 0, clock: "virtual", labels: [], changed: {} },
      },
    ]);
  });

  it("distinguishes a running run from an interrupted one", () => {
    const status = { status: "running" };
    const cwd = folderWith({
      "runs/dead/run.json": runFile("dead", status),
      "runs/live/run.json": runFile("live", { ...status, ...january("02") }),
    });
    expect(RunLock.take(join(cwd, "runs/live")).ok).toBe(true);
    expect(jsonOf(cwd, "runs")).toMatchObject([{ status: "interrupted" }, { status: "running" }]);
  });

  it("shows the progress of a killed run", async () => {
    const cwd = folderWith();
    const args = ["--clock", "wall", "--duration", "600", "--name", "dead"];
    const run = spawnSim(cwd, "run", ...args, "--json");
    await run.until(/^run dead/m);
    const followed = await startSim(cwd, "events", "dead", "--follow", "--limit", "130").ended;
    const reached = Number(followed.out.trim().split("\n").at(-1)?.split("\t")[0]);
    run.kill("SIGKILL");
    await run.ended;
    const [dead] = jsonOf(cwd, "runs");
    expect(dead.status).toBe("interrupted");
    expect(dead.events).toBeGreaterThanOrEqual(reached);
    expect(dead.events).toBe(jsonOf(cwd, "verify", "dead", "--replay").last_seq);
    const last = jsonOf(cwd, "events", "dead", "--after", String(dead.events - 1));
    expect(dead.duration_s).toBe(last.at_ms / 1_000);
    expect(dead.duration_s).toBeGreaterThan(0);
  });

  it("shows no figures for a run that was killed and has no journal", () => {
    const cwd = folderWith({ "runs/dead/run.json": runFile("dead", { status: "running" }) });
    expect(sim(cwd, "runs").out).toMatch(/^dead\tinterrupted\t2030[^\t]+\t-\t-\t0\t-\t-\t-$/m);
  });

  it("reports a damaged run and lists the others", () => {
    const cwd = folderWith({
      "runs/ok/run.json": runFile("ok"),
      "runs/torn/run.json": runFile("torn").slice(0, 40),
      "runs/odd/run.json": runFile("odd", { status: "asleep" }),
      "runs/bare/journal.db": "",
    });
    const ran = sim(cwd, "runs", "--json");
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toHaveLength(1);
    expect(ran.err.trimEnd().split("\n")).toEqual([
      "sim: runs/bare has no run.json; delete the folder if its run never started",
      expect.stringMatching(/^sim: runs\/odd\/run.json:1:\d+: `status` must be one of running, /),
      expect.stringMatching(/^sim: runs\/torn\/run.json:1:\d+: not valid YAML/),
    ]);
  });
});

describe("sim runs, of runs with labels and settings", () => {
  const folder = emptyFolder();
  const idsOf = (...filters: readonly string[]): readonly string[] =>
    jsonOf(folder, "runs", ...filters).map(({ run_id }: { run_id: string }) => run_id);

  beforeAll(() => {
    makeRun(folder, { name: "plain", seconds: 2 }, "--seed", "7");
    const labels = ["--label", "pilot", "--label", "more slots"];
    makeRun(folder, { name: "slots", seconds: 2 }, ...setFlags("mint.slots=4"), ...labels);
    const fork = ["fork", "slots", "--duration", "1", "--name", "later", "--label", "pilot"];
    expect(sim(folder, ...fork, ...setFlags("mint.proceeds=burn"), "--quiet").code).toBe(0);
  });

  it("shows seeds, labels and the settings that differ from the shipped ones", () => {
    const [, ...rows] = sim(folder, "runs", "--tsv").out.trim().split("\n");
    expect(rows.map((row) => row.split("\t").slice(5, 8))).toEqual([
      ["7", "", "run.duration_s=2"],
      ["1", "pilot, more slots", "run.duration_s=2 mint.slots=4"],
      ["1", "pilot", "run.duration_s=3 mint.slots=4 mint.proceeds=burn"],
    ]);
    expect(jsonOf(folder, "runs", "--label", "more slots")).toMatchObject([
      { run_id: "slots", seed: 1, clock: "virtual", labels: ["pilot", "more slots"] },
    ]);
    expect(jsonOf(folder, "runs", "--seed", "7")[0].changed).toEqual({
      ...{ "run.duration_s": 2, "run.seed": 7, "run.clock": "virtual" },
    });
  });

  it("shortens a long value, except in JSON", () => {
    const values = Array.from({ length: 40 }, (_, at) => `agent_${at}`);
    const changed = { "agents.only": values, "mint.slots": 3 };
    const cwd = folderWith({ "runs/long/run.json": runFile("long", { changed }) });
    expect(sim(cwd, "runs").out).toMatch(/\tagents\.only=\["agent_0",.{30,40}… mint\.slots=3\t/);
    const none = sim(cwd, "runs", "--changed", "agents.only=x").err;
    expect(none).toMatch(/the runs have: agents\.only=.{47}…; a run/);
    expect(jsonOf(cwd, "runs")[0].changed["agents.only"]).toEqual(values);
  });

  it.each([
    [
      ["--label", "pilot"],
      ["slots", "later"],
    ],
    [["--label", "pilot", "--label", "more slots"], ["slots"]],
    [["--seed", "7"], ["plain"]],
    [["--seed", "8"], []],
    [
      ["--status", "finished"],
      ["plain", "slots", "later"],
    ],
    [["--status", "running"], []],
    [["--parent", "slots"], ["later"]],
    [
      ["--changed", "mint.slots"],
      ["slots", "later"],
    ],
    [["--changed", "mint.slots=4", "--changed", "mint.proceeds=burn"], ["later"]],
    [["--changed", "mint.slots=5"], []],
    [
      ["--changed", "mint"],
      ["slots", "later"],
    ],
  ])("%j finds %j", (filters, found) => {
    expect(idsOf(...filters)).toEqual(found);
  });

  it("keeps the labels of a run that is resumed", () => {
    expect(sim(folder, "resume", "slots", "--duration", "1", "--quiet").code).toBe(0);
    expect(idsOf("--label", "more slots")).toEqual(["slots"]);
  });

  it.each([
    [["--seed", "8"], "--seed 8; the runs have: 1, 7"],
    [["--label", "pilto"], "--label pilto; did you mean `pilot`?"],
    [["--parent", "nope"], "--parent nope; the runs have: slots"],
    [["--status", "failed"], "--status failed; the runs have: finished"],
    [["--changed", "mint.slot"], "--changed mint.slot; did you mean `mint.slots`?"],
    [
      ["--changed", "mint.slots=5"],
      "--changed mint.slots=5; the runs have: mint.slots=4; a run with the shipped value has not changed it",
    ],
    [
      ["--changed", "nope"],
      "--changed nope; the runs have: mint.proceeds, mint.slots, run.clock, run.duration_s, run.seed",
    ],
    [
      ["--seed", "7", "--label", "x", "--label", "y"],
      "--label x; the runs have: more slots, pilot; or --label y; the runs have: more slots, pilot",
    ],
    [["--seed", "7", "--label", "pilot"], "all of these filters"],
  ])("if no run matches %j, names the filter and the values of the runs", (filters, why) => {
    const err = `no run in runs matches ${why}\n`;
    expect(sim(folder, "runs", ...filters)).toEqual({ code: 0, out: "", err });
  });

  it("keeps a label once that was given twice", () => {
    makeRun(folder, { name: "twice", seconds: 1 }, "--label", "a", "--label", "b", "--label", "a");
    expect(jsonOf(folder, "runs", "--label", "a")[0].labels).toEqual(["a", "b"]);
  });

  it("refuses a very long label without repeating it", () => {
    const ran = sim(folder, "run", "--label", "x".repeat(5_000));
    const value = `${"x".repeat(60)}…`;
    const reason = "It must have 1 to 64 characters on one line, without commas; try --help";
    const err = `sim: option '--label <word>' argument '${value}' is invalid. ${reason}\n`;
    expect(ran).toEqual({ code: 2, out: "", err });
  });

  it("refuses a label of several lines", () => {
    const reason = /^sim: option '--label <word>' argument .*1 to 64 characters on one line/;
    expect(sim(folder, "run", "--label", "a\u2028b").err).toMatch(reason);
  });
});

describe("a run on the command line", () => {
  const found = (run: string): string => {
    const out = join(threeRuns(), "runs");
    return findRun(run, out).slice(out.length + 1);
  };

  it("is an id, a unique prefix, or the latest", () => {
    expect(found("a-one")).toBe("a-one");
    expect(found("b")).toBe("b-two");
    expect(found("latest")).toBe("b-two");
  });

  it("is an existing folder rather than a prefix of another run", () => {
    const out = folderWith({ "exp1/agents/left": "", "exp10/run.json": runFile("exp10") });
    expect(() => findRun("exp1", out)).toThrow(/exp1 is not the folder of a run/);
    expect(findRun("exp", out)).toBe(join(out, "exp10"));
  });

  it("is a path", () => {
    const path = join(threeRuns(), "runs", "a-one");
    expect(findRun(path)).toBe(path);
  });

  it("is an exact id rather than a prefix of another run", () => {
    const out = folderWith({ "a/run.json": runFile("a"), "ab/run.json": runFile("ab") });
    expect(findRun("a", out)).toBe(join(out, "a"));
  });

  it.each([
    ["a", /^several runs start with "a": a-one, a-three$/],
    ["b-twoo", /^there is no run "b-twoo" in .*; did you mean `b-two`\?$/],
    ["x", /^there is no run "x" in .*; `sim runs` lists the runs$/],
    ["./nowhere", /^\.\/nowhere does not exist; `sim runs` lists the runs$/],
    ["./src", /^\.\/src is not the folder of a run/],
    ["/", /^\/ is not the folder of a run; `sim runs`/],
    ["..", /^\.\. is not the folder of a run, and/],
  ])("%s is refused with a hint", (run, message) => {
    expect(() => found(run)).toThrow(message);
  });

  it("latest is refused if there are no runs", () => {
    const out = join(folderWith(), "runs");
    mkdirSync(out);
    expect(() => findRun("latest", out)).toThrow(`there are no runs in ${out}; \`sim run\` makes`);
  });
});
