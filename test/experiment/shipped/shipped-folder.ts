import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { jsonOf } from "../../support/sim.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** A copy of the shipped experiments and mechanisms, for the tests of one file. */
export const shippedExperiments = () => {
  const folder = sharedFolder();
  beforeAll(() => {
    for (const name of ["experiments", "mechanisms"]) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
  });
  const run = (name: string, ...flags: readonly string[]): ExperimentResult =>
    jsonOf(folder, "experiment", `experiments/${name}.yaml`, ...flags);
  /** Runs the first seed of a copy with short runs, in a folder of its own. */
  const runShort = (name: string, seconds: number, ...flags: readonly string[]) => {
    const file = join(folder, `experiments/${name}.yaml`);
    const text = readFileSync(file, "utf8");
    const short = text
      .replace("base:\n", `base:\n  duration: ${seconds}s\n`)
      .replaceAll(/run\.duration_s: \d+/g, `run.duration_s: ${seconds}`);
    const copy = `${name}-${seconds}`;
    writeFileSync(join(folder, `experiments/${copy}.yaml`), short);
    return run(copy, "--seeds", "1..1", "--out", copy, ...flags);
  };
  return { folder, run, runShort };
};
