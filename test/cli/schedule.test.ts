import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, type SimResult, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

/** Ten shocks, the first five before the fork at 9 s, one of them impossible. */
const SCHEDULE = `
run: { duration_s: 20, seed: 5, clock: virtual }
schedule:
  - { at: 2s, set: { mint.slots: 4, compute.period_s: 4 } }
  - { at: 3s, mint: { to: all, scrip: 50, llm_budget_usd: 0.01 } }
  - { at: 4s, install: { id: bonus, file: ./bonus.js, owner: ada, price: 2 } }
  - { at: 6s, pause: bob }
  - { at: 8s, set: { compute: { sale: none } } }
  - { at: 10s, add: ./late/newt }
  - { at: 11s, resume: [bob] }
  - { at: 12s, mint: { to: zoe, scrip: 1 }, joins_later: true }
  - { at: 14s, take: { from: [ada, bob], scrip: 20 } }
  - { at: 0.25m, remove: cyd }
  - { at: 16s, set: { compute.sale: equal } }
  - { at: 90s, set: { mint.slots: 9 } }
`;

const SHOCKS: readonly (readonly [at_ms: number, change: string])[] = [
  [2_000, "set mint.slots=4, compute.period_s=4"],
  [3_000, "mint 50 scrip and 0.01 USD of model budget to all agents"],
  [4_000, "install bonus for ada"],
  [6_000, "pause bob"],
  [8_000, 'set compute.sale="none"'],
  [10_000, "add newt_1"],
  [10_000, "add newt_2"],
  [11_000, "resume bob"],
  [12_000, "mint 1 scrip to zoe"],
  [14_000, "take 20 scrip from ada, bob"],
  [15_000, "remove cyd"],
  [16_000, 'set compute.sale="equal"'],
];

const folder = emptyFolder();
const inFolder = (...args: readonly string[]): SimResult => sim(folder, ...args);
const json = (...args: readonly string[]) => jsonOf(folder, ...args);
let whole: SimResult;
let wholeHash = "";

const hashOf = ({ out, err }: SimResult): string => {
  if (!out.startsWith("{")) throw new Error(err);
  return JSON.parse(out).state_hash;
};

beforeAll(() => {
  const mind = { mind: "policy/zero_intelligence" };
  writePersonas(join(folder, "agents"), { ada: mind, bob: mind, cyd: mind });
  writePersonas(join(folder, "late"), { newt: { ...mind, count: 2, starting_scrip: 7 } });
  writeFileSync(join(folder, "bonus.js"), 'function run() { return "bonus"; }');
  writeFileSync(join(folder, "config.yaml"), SCHEDULE);
  whole = inFolder("run", "--name", "whole", "--json");
  wholeHash = hashOf(whole);
});

const eventsOf = (run: string, kind: string) =>
  inFolder("events", run, "--kind", kind, "--json")
    .out.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("a schedule of ten shocks", () => {
  it("is executed exactly at its times, before the agents", () => {
    const executed = eventsOf("whole", "schedule_executed");
    expect(executed.map(({ at_ms, change }) => [at_ms, change])).toEqual(SHOCKS);
    const failed = executed.filter(({ problem }) => problem !== null);
    expect(failed).toMatchObject([{ at_ms: 12_000, problem: '"zoe" is not a principal' }]);
    // The pause of bob comes before the turns that agents take in the same millisecond.
    const { seq } = executed[3];
    const [before, pause] = inFolder(
      "events",
      "whole",
      "--after",
      `${seq - 2}`,
      "--limit",
      "2",
      "--json",
    )
      .out.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([before.at_ms < 6_000, pause.seq]).toEqual([true, seq]);
  });

  it("ends and begins the sale of model budget, at once if a period is over", () => {
    expect(eventsOf("whole", "compute_sold").map(({ at_ms }) => at_ms)).toEqual([4_000, 16_000]);
  });

  it("is part of the journal, so that a verification and a replay give the same hash", () => {
    expect(inFolder("verify", "whole")).toMatchObject({ code: 0 });
    expect(inFolder("verify", "whole", "--replay").out).toContain(wholeHash);
  });

  it("continues in a resumed run, also one that stopped at the time of a shock", () => {
    const stops = ["--stop-after", "10s", "--json"];
    expect(hashOf(inFolder("run", "--name", "half", ...stops))).not.toBe(wholeHash);
    // The files of the schedule are in the journal.
    mkdirSync(join(folder, "elsewhere"));
    const resumed = sim(join(folder, "elsewhere"), "resume", "../runs/half", "--json");
    expect(hashOf(resumed)).toBe(wholeHash);
    expect(inFolder("verify", "half")).toMatchObject({ code: 0 });
  });

  it("continues in a fork and in a run from a checkpoint", () => {
    expect(hashOf(inFolder("fork", "whole", "--at", "9s", "--name", "same", "--json"))).toBe(
      wholeHash,
    );
    const { file } = json("checkpoint", "whole", "--at", "10s");
    const rest = inFolder("run", "--from", file, "--name", "rest", "--json");
    expect(hashOf(rest)).toBe(wholeHash);
    expect(inFolder("compare", "whole", "same").code).toBe(0);
  });

  it("can be replaced in a fork, which keeps the settings that the fork does not change", () => {
    const schedule = "schedule=[{at: 3s, pause: ada}, {at: 12s, mint: {to: ada, scrip: 9}}]";
    const sets = ["--set", schedule, "--set", "mint.slots=7"];
    const forked = inFolder("fork", "whole", "--at", "9s", ...sets, "--name", "other");
    expect(forked.err).toMatch(
      /^note: the run continues at 8\.\d+ s, so it skips pause ada at 3 s$/m,
    );
    const changes = eventsOf("other", "schedule_executed").map(({ change }) => change);
    expect(changes).toEqual(["mint 9 scrip to ada"]);
    const [amended, ...more] = eventsOf("other", "physics_amended");
    expect([amended.physics.mint.slots, amended.physics.compute.sale, more]).toEqual([
      7,
      "none",
      [],
    ]);
    expect(inFolder("verify", "other")).toMatchObject({ code: 0 });
    const { divergences } = json("compare", "whole", "other");
    expect(divergences).toMatchObject([{ events: [{ kind: "schedule_executed" }, {}] }]);
  });

  it("is longer after a resume with --at", () => {
    const more = ["--duration", "3s", "--at", "22s", "--set", "mint.slots=2"];
    expect(inFolder("resume", "half", ...more)).toMatchObject({ code: 0 });
    const last = eventsOf("half", "schedule_executed").at(-1);
    expect(last).toMatchObject({ at_ms: 22_000, change: "set mint.slots=2" });
  });
});

describe("what the schedule did", () => {
  it("is in the report, one line for each entry, and in the figures", () => {
    const { out } = inFolder("report", "whole");
    const lines = SHOCKS.map(([at_ms, change]) => `schedule  ${change} at ${at_ms / 1_000} s`);
    for (const line of lines) expect(out).toContain(line);
    expect(out).toContain('at 12 s; not done: "zoe" is not a principal\n');
    expect(out).toContain("The schedule made 11 changes. 1 other could not be made.");
    const { schedule, metrics, lives, agents } = json("report", "whole");
    expect(schedule).toHaveLength(SHOCKS.length);
    expect(metrics.money.minted_by.schedule).toBe(150);
    expect(lives).toMatchObject({ spawned: 0, thaws: 0 });
    const newt = agents.find(({ id }: { readonly id: string }) => id === "newt_1");
    expect(newt.began_with).toBe(7);
  });

  it("is the cause of a movement of scrip", () => {
    const explained = inFolder("explain", "whole", "ada", "--limit", "20").out;
    expect(explained).toMatch(/\+50 scrip \(minted by the schedule\), event \d+ at 3 s\n/);
    expect(explained).toContain("← schedule_executed: mint 50 scrip and 0.01 USD of model budget");
    expect(explained).toMatch(/-20 scrip \(taken by the schedule\)/);
  });

  it("is announced as far as the run does not reach it", () => {
    expect(whole.err).toContain("note: the run stops at 20 s, before set mint.slots=9 at 90 s\n");
  });
});

describe("--at", () => {
  it("plans the --set options after it, and follows the schedule of the file", () => {
    const flags = ["--set", "run.seed=3", "--at", "7s", "--set", "mint.slots=1"];
    const later = ["--set", "mint.mint_ratio=4", "--at", "5m", "--set", "mint.slots=2"];
    const shown = json("config", ...flags, ...later).values;
    expect(shown["run.seed"].value).toBe(3);
    expect(shown.schedule.value.slice(-2)).toEqual([
      { at: "7s", set: { "mint.slots": 1, "mint.mint_ratio": 4 } },
      { at: "5m", set: { "mint.slots": 2 } },
    ]);
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    ["no --set", ["run", "--at", "5s"], /^sim: --at 5s: add the --set key=value/],
    ["no unit", ["run", "--at", "5", "--set", "mint.slots=1"], /It must be a time such as 300s/],
    [
      "a time that is past",
      ["resume", "whole", "--duration", "9s", "--at", "5s", "--set", "mint.slots=1"],
      /^sim: --at 5s: the run is already at \d+.* s; choose a later time/,
    ],
    [
      "--set without --at on resume",
      ["resume", "whole", "--set", "mint.slots=1"],
      /put --at TIME before it/,
    ],
    ["a second moment of a fork", ["fork", "whole", "--at", "5s", "--at", "6s"], /Give it once/],
  ])("is refused with %s", (_what, args, message) => {
    expectRefusal(inFolder(...args), 2, message);
  });
});

it("continues in a run whose folder was moved, without the files of the schedule", () => {
  const source = emptyFolder();
  writePersonas(join(source, "agents"), { ada: { mind: "policy/zero_intelligence" } });
  writeFileSync(join(source, "bonus.js"), 'function run() { return "bonus"; }');
  const schedule = SCHEDULE.replaceAll(/^.*(bob|cyd|newt).*\n/gm, "");
  writeFileSync(join(source, "config.yaml"), schedule);
  const hash = hashOf(sim(source, "run", "--name", "moved", "--json"));
  sim(source, "run", "--name", "half", "--stop-after", "3.5s");
  const other = emptyFolder();
  for (const run of ["moved", "half"]) renameSync(join(source, "runs", run), join(other, run));
  rmSync(source, { recursive: true });
  expect(hashOf(sim(other, "resume", "half", "--out", ".", "--json"))).toBe(hash);
  const forked = sim(other, "fork", "moved", "--at", "3s", "--out", ".", "--json");
  expect(hashOf(forked)).toBe(hash);
});
