import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, type SimResult, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const inFolder = (...args: readonly string[]): SimResult => sim(folder, ...args);
const RUN = ["run", "--clock", "virtual", "--duration", "5"];

/** Runs a world with a schedule of these entries, which stand in lines 3 and following. */
const withSchedule = (entries: readonly string[], ...args: readonly string[]): SimResult => {
  const lines = ["# A schedule.", "schedule:", ...entries.map((entry) => `  - { ${entry} }`), ""];
  writeFileSync(join(folder, "s.yaml"), lines.join("\n"));
  return inFolder(...RUN, "--config", "s.yaml", ...args);
};

beforeAll(() => {
  const mind = { mind: "script", script: [{ noop: {} }] };
  const crowd = { ...mind, count: 2, group: "bold" };
  writePersonas(join(folder, "agents"), { ada: mind, bob: mind, trader: crowd });
  writePersonas(join(folder, "late"), { newt: mind });
  writeFileSync(join(folder, "broken.js"), "function run() {\n  return 1 +;\n}\n");
  const methods = Array.from({ length: 65 }, (_, at) => `function m${at}() {}`);
  writeFileSync(join(folder, "many.js"), methods.join("\n"));
  writeFileSync(join(folder, "nul.txt"), "first\nab\0c");
});

describe("a file of the schedule that cannot be used", () => {
  it.each<readonly [what: string, file: string, message: RegExp]>([
    ["is not there", "gone.js", /^sim: s.yaml:3:\d+: .*gone.js cannot be read/],
    [
      "has a syntax error",
      "broken.js",
      /^sim: .*broken.js:2:13: .*SyntaxError.*; correct the code/,
    ],
    ["has too many methods", "many.js", /^sim: s.yaml:3:\d+: .*many.js: .*at most 64 methods/],
    ["has a NUL character", "nul.txt", /^sim: .*nul.txt:2:3: .*NUL character.*; remove it/],
  ])("is refused before the run starts if it %s", (_what, file, message) => {
    const refused = withSchedule([`at: 1s, install: { id: a, file: ${file} }`], "--name", "never");
    expectRefusal(refused, 2, message);
    expect(existsSync(join(folder, "runs/never"))).toBe(false);
  });

  it("is refused with all other files that cannot be used", () => {
    const install = "at: 1s, install: { id: a, file: gone.js }";
    const refused = withSchedule([install, "at: 1s, add: ./agents"]);
    expect(refused.err).toMatch(/^sim: s.yaml:3:.*\nsim: s.yaml:4:\d+: .*agents has no agent.yaml/);
  });
});

describe("an id that no one has", () => {
  it.each<readonly [entry: string, message: RegExp]>([
    [
      "pause: all",
      /`schedule\[0\].pause`: only mint and take have `all`; list the agents: ada, bob/,
    ],
    ["remove: trader", /`trader` is the name of several agents; list them: trader_1, trader_2/],
    ["resume: bold", /`bold` is the name of several agents; list them: trader_1, trader_2/],
    [
      "pause: [ada, bobb]",
      /no agent has the id `bobb` at 2 s; did you mean `bob`\? Or if it joins/,
    ],
    ["pause: genesis_mint", /no agent has the id `genesis_mint`/],
    ["mint: { to: zoe, scrip: 1 }", /no principal has the id `zoe`.*add `joins_later: true`/],
    ["take: { from: zoe, scrip: 1 }", /no principal has the id `zoe`/],
    ["pause: newt", /no agent has the id `newt` at 2 s; the schedule adds it only later/],
    ["add: ./agents/ada", /`schedule\[0\].add`: an agent has the id `ada` already; choose/],
  ])("is found before the run starts: %s", (entry, message) => {
    const refused = withSchedule([`at: 2s, ${entry}`, "at: 3s, add: ./late/newt"]);
    expectRefusal(refused, 2, message);
    expect(refused.err).toMatch(/^sim: s.yaml:3:\d+: /);
  });

  it("is reported for at most 20 entries", () => {
    const refused = withSchedule(Array.from({ length: 30 }, (_, at) => `at: 2s, pause: no_${at}`));
    expect(refused.err.match(/^sim: s\.yaml:\d+:\d+: /gm)).toHaveLength(20);
    expect(refused.err).toMatch(/\nsim: 10 more problems like these\n$/);
  });

  it("can belong to an agent that an earlier entry adds, or one that joins during the run", () => {
    const run = withSchedule(
      [
        "at: 2s, pause: newt",
        "at: 1s, add: ./late/newt",
        "at: 3s, pause: kid, joins_later: true",
        "at: 3s, mint: { to: genesis_mint, scrip: 1 }",
      ],
      ...["--name", "later"],
    );
    expect(run.code).toBe(0);
    expect(run.out).toContain("schedule  pause newt at 2 s\n");
    expect(run.out).toContain('schedule  pause kid at 3 s; not done: there is no agent "kid"\n');
    // The world of a fork has the agents that joined before.
    const forked = inFolder("fork", "later", "--at", "1.5s", "--config", "s.yaml", "--name", "f");
    expect(forked).toMatchObject({ code: 0 });
    const pause = "schedule=[{ at: 4s, remove: newd }]";
    const wrong = inFolder("fork", "later", "--at", "1.5s", "--set", pause);
    expectRefusal(wrong, 2, /^sim: --set: `schedule\[0\].remove`: .*did you mean `newt`\?/);
  });

  it("must not be announced by an entry that names no one", () => {
    const refused = withSchedule(["at: 2s, set: { mint.slots: 1 }, joins_later: true"]);
    expectRefusal(refused, 2, /joins_later only with mint, take, pause, resume or remove/);
  });
});

describe("settings of the schedule", () => {
  it.each<readonly [flags: string, message: string]>([
    ["--at 9s --set mint.slotz=3", "unknown key `mint.slotz`; did you mean `mint.slots`?"],
    ["--at 9s --set run.seed=3", "`run.seed` cannot change in a running world: "],
    ["--at 9s --set mint.slots=1 --set mint.tasks_max=-1", "`mint.tasks_max` must be at least 0"],
    ["--at 9s --set compute={}", "`compute` has no keys, so it would change nothing; name a"],
    ["--at 9s --set compute=", "`compute` has no keys, so it would change nothing; name a"],
  ])("are refused with the flags as typed: %s", (flags, message) => {
    const refused = inFolder("run", "--at", "5s", "--set", "mint.slots=2", ...flags.split(" "));
    expectRefusal(refused, 2, /^sim: --at 9s/);
    expect(refused.err).toContain(`sim: ${flags}: ${message}`);
  });

  it("are refused if they have no keys", () => {
    const empty = withSchedule(["at: 1s, set: { mint.slots: 1, compute: {} }"]);
    expectRefusal(empty, 2, /^sim: s.yaml:3:\d+: `schedule\[0\].set`: `compute` has no keys/);
  });
});

it("prints at most 20 lines of a long schedule", () => {
  const entries = Array.from({ length: 1_220 }, (_, at) => `at: ${at + 1}ms, resume: ada`);
  const { out } = withSchedule(entries, "--name", "long");
  expect(out.match(/^schedule {2}resume/gm)).toHaveLength(20);
  expect(out).toContain("schedule  … and 1,200 more (1,200 not done); `sim events RUN --kind");
});
