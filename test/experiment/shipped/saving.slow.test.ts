import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { jsonOf, sim } from "../../support/sim.ts";
import { folderWith, sharedFolder } from "../../support/temporary-folder.ts";
import {
  copyExperiments,
  meanOf,
  measureIn,
  modelRuns,
  smallResult,
} from "./shipped-experiment.ts";

/**
 * The Gini coefficient of a Gamma distribution with the shape n = 1 + 3λ / (1 - λ), which fits the
 * stationary distribution of the saving propensity λ (Patriarca, Chakraborti and Kaski, 2004):
 * Γ(n + 1/2) / (√π Γ(n + 1)). The ratio falls by (k + 1/2) / (k + 1) from n = k to n = k + 1.
 */
const gammaGini = (saving: number): number => {
  let n = 1 + (3 * saving) / (1 - saving);
  let factor = 1;
  for (; n < 1000; n += 1) factor *= (n + 1) / (n + 0.5);
  // Stirling's series for a large n.
  return (factor * (1 - 3 / (8 * n) + 25 / (128 * n * n))) / Math.sqrt(Math.PI * n);
};

describe("the published figures", () => {
  it("are those of the Gamma distribution, and the bands are 2 % wide", () => {
    const { published, bands } = measureIn("saving", "gini");
    for (const [arm, saving] of Object.entries({
      none: 0,
      save_20: 0.2,
      save_50: 0.5,
      save_80: 0.8,
    })) {
      const gini = gammaGini(saving);
      expect(published?.[arm]).toBeCloseTo(gini, 3);
      expect(bands?.[arm]?.[0]).toBeCloseTo(0.98 * gini, 3);
      expect(bands?.[arm]?.[1]).toBeCloseTo(1.02 * gini, 3);
    }
  });
});

describe("the experiment on saving, with one seed", () => {
  const folder = sharedFolder();
  let result: ExperimentResult;
  beforeAll(() => {
    copyExperiments(folder);
    result = smallResult(folder, "saving", "1..1", ["none", "save_50", "random"]);
  });

  it("becomes more equal with saving, as published", () => {
    for (const [arm, saving] of Object.entries({ none: 0, save_50: 0.5 })) {
      const ratio = meanOf(result, "gini", arm) / gammaGini(saving);
      expect(Math.abs(ratio - 1), arm).toBeLessThan(0.02);
      expect(meanOf(result, "rounds", arm)).toBe(200);
    }
  });

  it("is more unequal than without saving if propensities differ", () => {
    expect(meanOf(result, "gini", "random")).toBeGreaterThan(meanOf(result, "gini", "none"));
  });

  it("also runs with language models", () => {
    expect(modelRuns(folder, "saving")).toBe(1);
  });
});

const player = (id: string, script: readonly string[]): string =>
  [`id: ${id}`, "mind: script", "starting_scrip: 1000", "script:", ...script.map((l) => `  - ${l}`)]
    .join("\n")
    .concat("\n");
const call = (method: string, more = ""): string =>
  `invoke_artifact: { artifact_id: exchange, method: ${method}${more} }`;

it("keeps the money of players, and pays it out when they leave", () => {
  const ada = [
    call("play"),
    call("join", ", args: [50]"),
    call("join", ", args: [50], attach: { scrip: 900 }"),
    call("play"),
    call("join", ", args: [50], attach: { scrip: 1 }"),
    "wait: 5",
    call("play"),
    "wait: 5",
    call("leave"),
    call("leave"),
  ];
  const bob = [
    "wait: 2",
    call("join", ", args: [20], attach: { scrip: 700 }"),
    "wait: 20",
    call("leave"),
  ];
  const cwd = folderWith({
    "agents/ada/agent.yaml": player("ada", ada),
    "agents/bob/agent.yaml": player("bob", bob),
  });
  const config = join(import.meta.dirname, "../../../experiments/saving/config.yaml");
  const tax = "mechanisms.exchange.settings.tax_ppm=333333";
  const flags = [
    "--set",
    tax,
    "--config",
    config,
    "--agents",
    "agents",
    "--name",
    "r",
    "--out",
    "runs",
  ];
  expect(sim(cwd, "run", ...flags, "--duration", "60")).toMatchObject({ code: 0 });
  const text = sim(cwd, "events", "r", "--out", "runs").out.replaceAll("\\", "");
  for (const refusal of ["not_joined", "no_scrip: attach", "alone", "joined: you are in"]) {
    expect(text).toContain(refusal);
  }
  expect(text).toContain('exchange.play returned {"round":1');
  const { accounts } = jsonOf(cwd, "state", "r", "--out", "runs");
  expect(accounts.ada.scrip + accounts.bob.scrip).toBe(2000);
  expect(accounts.ada.scrip).not.toBe(1000);
  expect(accounts.exchange.scrip).toBe(0);
});
