import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../attack/arena.ts";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, makeRun, type SimResult, setFlags, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const inFolder = (...args: readonly string[]): SimResult => sim(folder, ...args);
const FORK = ["fork", "first", "--at", "150"];

beforeAll(() => {
  makeRun(folder, { name: "first", seconds: 15 });
  const persona = { mind: "policy/zero_intelligence" };
  writePersonas(join(folder, "people"), { ada: persona, newt: persona });
});

const warningsOf = ({ err }: SimResult): readonly string[] =>
  err.split("\n").filter((line) => line.startsWith("warning: "));

const late = (key: string, what: string): string =>
  `warning: ${key} ${what}; it changes nothing for existing agents`;

const OF_AGENTS = "applies only to agents added with --agents";

describe("a setting that does not apply to an existing world", () => {
  const WINDOWS = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"];
  const SETTINGS: readonly (readonly [key: string, value: string, what: string])[] = [
    ["scrip.starting_amount", "900", OF_AGENTS],
    ["resources.stock.llm_budget_usd", "0", OF_AGENTS],
    ["resources.stock.disk_bytes", "1", OF_AGENTS],
    ...WINDOWS.map((window) => [`resources.windows.${window}`, "1", OF_AGENTS] as const),
    ["genesis.disk_bytes", "1", "applies only to new worlds"],
    ["agents.dir", "nowhere", "applies only to personas loaded with --agents"],
    ["agents.only", "[ada]", "applies only to personas loaded with --agents"],
  ];

  it("gives a warning for each and changes nothing", () => {
    const sets = setFlags(...SETTINGS.map(([key, value]) => `${key}=${value}`));
    const forked = inFolder(...FORK, ...sets, "--name", "warned");
    expect(forked.code).toBe(0);
    const warnings = SETTINGS.map(([key, , what]) => late(key, what));
    expect(warningsOf(forked).toSorted()).toEqual(warnings.toSorted());
    const { divergences } = jsonOf(folder, "compare", "first", "warned");
    expect(divergences).toMatchObject([{ run: "warned", related: true, events: null }]);
  });

  it("gives the warning with --json, and no warning with --quiet", () => {
    const set = ["--set", "scrip.starting_amount=900"];
    const told = inFolder(...FORK, ...set, "--name", "told", "--json");
    expect(JSON.parse(told.out)).toMatchObject({ run_id: "told" });
    expect(warningsOf(told)).toEqual([late("scrip.starting_amount", OF_AGENTS)]);
    expect(inFolder(...FORK, ...set, "--name", "quiet", "--quiet").err).toBe("");
  });

  it("gives the warning for a file and for a start from a checkpoint", () => {
    writeFileSync(join(folder, "rich.yaml"), "scrip: { starting_amount: 900 }\n");
    expect(inFolder("checkpoint", "first", "--at", "150", "-o", "first.ckpt").code).toBe(0);
    const from = ["run", "--from", "first.ckpt", "--config", "rich.yaml", "--name", "file"];
    expect(warningsOf(inFolder(...from))).toEqual([late("scrip.starting_amount", OF_AGENTS)]);
  });

  it("applies to agents that --agents adds, not to agents that it replaces", () => {
    const sets = setFlags("scrip.starting_amount=900", "agents.only=[ada, newt]");
    const forked = inFolder(...FORK, "--agents", "people", ...sets, "--name", "brought");
    expect(warningsOf(forked)).toEqual([late("scrip.starting_amount", OF_AGENTS)]);
    const created = eventsOf(folder, "brought", "--kind", "principal_created");
    expect(created).toMatchObject([{ id: "newt", scrip: 900 }]);
  });
});

it("a part of genesis that a world was created without is refused", () => {
  makeRun(folder, { name: "poor", seconds: 5 }, ...setFlags("genesis.enabled=[ledger]"));
  const going = ["--duration", "9", "--name", "late"];
  const wanted = setFlags("genesis.enabled=[ledger, store]");
  const why = "genesis.enabled: this world was created without store; leave it out";
  expectRefusal(inFolder("fork", "poor", ...wanted, ...going), 2, why);
  expect(existsSync(join(folder, "runs", "late"))).toBe(false);
});

describe("a setting that applies to an existing world", () => {
  it.each([
    ["a bound of the world", ["--set", "mint.slots=5"]],
    ["the seed", ["--seed", "9"]],
    ["the defaults of agents", ["--set", "agents.defaults.cognitive_schema=ooda"]],
    ["the length of the windows", ["--set", "resources.window_s=30"]],
    ["what is as it was", ["--set", "scrip.starting_amount=100"]],
    ["whose personas come", ["--agents", "people", "--only", "newt"]],
  ])("gives no warning: %s", (what, flags) => {
    const forked = inFolder(...FORK, ...flags, "--name", what.replaceAll(" ", "_"));
    expect(forked.code).toBe(0);
    expect(warningsOf(forked)).toEqual([]);
  });

  it("gives no warning if the fork cannot start", () => {
    const refused = inFolder(...FORK, "--set", "scrip.starting_amount=900", "--name", "first");
    expect(refused.code).toBe(2);
    expect(warningsOf(refused)).toEqual([]);
  });
});
