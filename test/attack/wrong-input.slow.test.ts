import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, sim } from "../support/sim.ts";
import { expectError, folderOf, persona, RUN } from "./arena.ts";

const folder = folderOf({ ann: [{ noop: {} }] });

describe("a configuration that is", () => {
  const keys = (count: number): string =>
    Array.from({ length: count }, (_, index) => `k${index}: 1`).join("\n");
  it.each([
    ["too long", "a".repeat(5_000_000), /has 5000000 bytes; the maximum is/],
    ["binary", Buffer.from([0xff, 0xfe, 0, 1]), /not UTF-8/],
    ["nested too deeply", `run: ${"[".repeat(100_000)}`, /not valid YAML/],
    ["with control characters in a key", '"\\e[31mred": 1\n', /unknown key `\\u\{1b\}\[31mred`/],
  ])("%s is refused in one line", (what, text, output) => {
    const file = join(folder, `${what.replaceAll(" ", "-")}.yaml`);
    writeFileSync(file, text);
    expectError(sim(folder, ...RUN, "--config", file), 2, output);
  });

  it("with 40,000 unknown keys is refused with a short message", () => {
    writeFileSync(join(folder, "keys.yaml"), keys(40_000));
    const output = sim(folder, ...RUN, "--config", "keys.yaml");
    expect(output.code).toBe(2);
    expect(output.err.split("\n").length).toBeLessThan(120);
  });

  it.each([
    ["__proto__.x=1", /unknown key `__proto__`/],
    ["constructor.prototype=1", /unknown key `constructor`/],
    ["genesis.costs.genesis_ledger.transfer=1e99", /must be at most/],
  ])("set by %s is refused in one line", (text, output) => {
    expectError(sim(folder, ...RUN, "--set", text), 2, output);
  });
});

describe("a folder of agents", () => {
  const agents = (name: string): string => {
    const home = join(emptyFolder(), name);
    persona(home, "x", { mind: "script", script: [{ noop: {} }] });
    return home;
  };

  it("may have circular or broken links", () => {
    const home = agents("circles");
    symlinkSync("..", join(home, "agents", "x", "up"));
    symlinkSync("nowhere", join(home, "agents", "lost"));
    expect(sim(home, ...RUN).code).toBe(0);
  });

  it("is refused if an agent.yaml is a pipe", () => {
    const home = agents("pipe");
    mkdirSync(join(home, "agents", "y"));
    execFileSync("mkfifo", [join(home, "agents", "y", "agent.yaml")]);
    expectError(sim(home, ...RUN), 2, /y\/agent\.yaml: is not a regular file/);
  });

  it.each([
    ["a name without room for its memory", { id: "n".repeat(114) }, /at most 113 characters/],
    ["a reserved name", { id: "Genesis-x" }, /must not be operator or start with genesis/],
    ["a mind named __proto__", { mind: "policy/__proto__" }, /`mind` must be one of/],
    ["a number for a name", { id: 5 }, /`id` must be text/],
  ])("with %s is refused in one line", (_what, fields, output) => {
    const home = agents("odd");
    persona(home, "x", { id: "x", mind: "script", script: [], ...fields });
    expectError(sim(home, ...RUN), 2, output);
  });

  it("with too much scrip leaves no run behind", () => {
    const home = agents("rich");
    for (const id of ["x", "y"]) {
      persona(home, id, { mind: "script", script: [], starting_scrip: Number.MAX_SAFE_INTEGER });
    }
    expectError(sim(home, ...RUN, "--name", "again"), 3, /would make the scrip supply too large/);
    expect(readdirSync(join(home, "runs"))).toEqual([]);
  });
});
