import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, sim } from "../support/sim.ts";
import { expectTrouble, folderOf, persona, RUN } from "./arena.ts";

const folder = folderOf({ ann: [{ noop: {} }] });

describe("a configuration that is", () => {
  const keys = (count: number): string =>
    Array.from({ length: count }, (_, index) => `k${index}: 1`).join("\n");
  it.each([
    ["endless", "a".repeat(5_000_000), /has 5000000 bytes; the maximum is/],
    ["binary", Buffer.from([0xff, 0xfe, 0, 1]), /not UTF-8/],
    ["a YAML bomb", "a: &a [1]\nb: [*a, *a]\n", /aliases .* not allowed/],
    ["nested without end", `run: ${"[".repeat(100_000)}`, /not valid YAML/],
    ["of two minds", "run:\n  seed: 1\n  seed: 2\n", /3:3: the key `seed` occurs twice/],
    ["a list", "[]", /must be a map/],
    ["dressed in colours", '"\\e[31mred": 1\n', /unknown key `\\u\{1b\}\[31mred`/],
    ["named like a prototype", "__proto__: {x: 1}\n", /unknown key `__proto__`/],
  ])("%s is refused in one line", (what, text, said) => {
    const file = join(folder, `${what.replaceAll(" ", "-")}.yaml`);
    writeFileSync(file, text);
    expectTrouble(sim(folder, ...RUN, "--config", file), 2, said);
  });

  it("full of strange keys is refused before anyone falls asleep", () => {
    writeFileSync(join(folder, "keys.yaml"), keys(40_000));
    const said = sim(folder, ...RUN, "--config", "keys.yaml");
    expect(said.code).toBe(2);
    expect(said.err.split("\n").length).toBeLessThan(120);
  });

  it.each([
    ["__proto__.x=1", /unknown key `__proto__`/],
    ["constructor.prototype=1", /unknown key `constructor`/],
    ["run.seed={a: 1}", /`run.seed` must be a whole number/],
    ["genesis.costs.genesis_ledger.transfer=1e99", /must be at most/],
  ])("set by %s is refused in one line", (text, said) => {
    expectTrouble(sim(folder, ...RUN, "--set", text), 2, said);
  });
});

describe("a folder of agents", () => {
  const agents = (name: string): string => {
    const home = join(emptyFolder(), name);
    persona(home, "x", { mind: "script", script: [{ noop: {} }] });
    return home;
  };

  it("may have links that lead in circles or nowhere", () => {
    const home = agents("circles");
    symlinkSync("..", join(home, "agents", "x", "up"));
    symlinkSync("nowhere", join(home, "agents", "lost"));
    expect(sim(home, ...RUN).code).toBe(0);
  });

  it("is not waited for when an agent.yaml is a pipe", () => {
    const home = agents("pipe");
    mkdirSync(join(home, "agents", "y"));
    execFileSync("mkfifo", [join(home, "agents", "y", "agent.yaml")]);
    expectTrouble(sim(home, ...RUN), 2, /y\/agent\.yaml: is not a regular file/);
  });

  it.each([
    ["a name without room for its memory", { id: "n".repeat(114) }, /at most 113 characters/],
    ["a reserved name", { id: "Genesis-x" }, /must not start with genesis/],
    ["a mind of a prototype", { mind: "policy/__proto__" }, /`mind` must be one of/],
    ["a number for a name", { id: 5 }, /`id` must be text/],
  ])("with %s is refused in one line", (_what, fields, said) => {
    const home = agents("odd");
    persona(home, "x", { id: "x", mind: "script", script: [], ...fields });
    expectTrouble(sim(home, ...RUN), 2, said);
  });

  it("with more scrip than can be counted leaves no run behind", () => {
    const home = agents("rich");
    for (const id of ["x", "y"]) {
      persona(home, id, { mind: "script", script: [], starting_scrip: Number.MAX_SAFE_INTEGER });
    }
    expectTrouble(sim(home, ...RUN, "--name", "again"), 3, /scrip supply would be too large/);
    expect(readdirSync(join(home, "runs"))).toEqual([]);
  });
});
