import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { jsonOf, sim } from "../../support/sim.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { modelRuns } from "./shipped-experiment.ts";
import { shippedExperiments } from "./shipped-folder.ts";

const shipped = shippedExperiments();

describe("the experiment of Gode and Sunder, with one seed", () => {
  let result: ExperimentResult;
  beforeAll(() => {
    result = shipped.run("gode-sunder", "--seeds", "1..1");
  });
  const mean = (measure: string, arm: string) =>
    result.measures[measure]?.arms[arm]?.mean ?? Number.NaN;

  it("is nearly efficient with constrained zero-intelligence traders", () => {
    expect(mean("efficiency", "zi_c")).toBeGreaterThan(96);
    expect(mean("efficiency", "zi_c")).toBeLessThanOrEqual(100);
    expect(mean("traded_units", "zi_c")).toBeGreaterThanOrEqual(9);
    expect(mean("traded_units", "zi_c")).toBeLessThanOrEqual(13);
  });

  it("loses half of the surplus with unconstrained traders, who trade all units", () => {
    expect(mean("traded_units", "zi_u")).toBe(18);
    expect(mean("efficiency", "zi_u")).toBeCloseTo((100 * 432) / 880, 9);
  });

  it("never loses with traders that offer their values", () => {
    expect(mean("efficiency", "truthful")).toBeGreaterThan(90);
    expect(mean("efficiency", "truthful")).toBeLessThanOrEqual(100);
  });
});

it("has the same market for language models", () => {
  expect(modelRuns(shipped.folder, "gode-sunder")).toBe(1);
});

const TRADER = `id: buyer_1
mind: script
starting_scrip: 0
script:
  - wait: 3
  - invoke_artifact: { artifact_id: experimenter, method: worth }
  - invoke_artifact: { artifact_id: experimenter, method: redeem, args: [1] }
  - invoke_artifact: { artifact_id: wheat, method: approve, args: [experimenter, 9] }
  - invoke_artifact: { artifact_id: experimenter, method: redeem, args: [2] }
  - invoke_artifact: { artifact_id: experimenter, method: worth }
  - invoke_artifact: { artifact_id: experimenter, method: redeem, args: [2] }
`;

it("pays a trader its own values for units, the highest first", () => {
  const config = join(shipped.folder, "experiments/gode-sunder/config.yaml");
  const values = "mechanisms.wheat.settings.initial";
  const cwd = folderWith({ "agents/buyer_1/agent.yaml": TRADER });
  const ran = sim(
    cwd,
    "run",
    ...["--config", config, "--agents", "agents", "--name", "r", "--out", "runs"],
    ...["--set", `${values}={ buyer_1: 4 }`, "--duration", "60"],
  );
  expect(ran).toMatchObject({ code: 0 });
  const { out } = sim(cwd, "events", "r", "--out", "runs", "--principal", "buyer_1");
  const text = out.replaceAll("\\", "");
  expect(text).toContain("experimenter.worth returned [180,132,84]");
  expect(text).toContain("no_units: 1 wheat could not be taken: not");
  expect(text).toContain('experimenter.redeem returned {"units":2,"scrip":312}');
  expect(text).toContain("experimenter.worth returned [84]");
  expect(text).toContain("no_value: only 1 more units are worth any");
  expect(jsonOf(cwd, "state", "r", "--out", "runs").accounts.buyer_1.scrip).toBe(312);
});
