import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FEES, type FeesResult, makeFees } from "../support/fees-experiment.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

describe("an experiment that is made again", () => {
  const folder = sharedFolder();
  let result: FeesResult;

  beforeAll(() => {
    result = makeFees(folder);
  });

  it("compares its results with a manifest", () => {
    const manifest = join(folder, "results/fees/manifest.json");
    const same = sim(folder, "experiment", "fees.yaml", "--against", manifest);
    expect(same.code).toBe(0);
    expect(same.err).toContain("all 4 runs have the same figures");
    const changed = readFileSync(manifest, "utf8").replace(/"digest": "./, '"digest": "x');
    writeFileSync(join(folder, "changed.json"), changed);
    const differs = sim(folder, "experiment", "fees.yaml", "--against", "changed.json");
    expect(differs.code).toBe(1);
    expect(differs.err).toContain("1 of 4 runs differ: low-s1");
    const part = ["--seeds", "1..1", "--out", "results/fees", "--against", manifest];
    const fewer = sim(folder, "experiment", "fees.yaml", ...part);
    expect(fewer).toMatchObject({ code: 0 });
    expect(fewer.err).toContain("same figures; its 2 other runs were not made here");
    expect(fewer.err).not.toContain("change");
    writeFileSync(
      join(folder, "other.json"),
      changed.replaceAll('"settings": "', '"settings": "0'),
    );
    const edited = sim(folder, "experiment", "fees.yaml", "--against", "other.json");
    expect(edited.err).toContain("other.json has runs from before a change of a setting of low");
  });

  it("makes only the missing runs after a change of the seeds", () => {
    writeFileSync(join(folder, "more.yaml"), FEES.replace("1..2", "[2, 3]"));
    const { runs } = jsonOf(folder, "experiment", "more.yaml");
    expect(runs.map(({ id }: { id: string }) => id)).toEqual([
      ...["low-s2", "high-s2"],
      ...["low-s3", "high-s3"],
    ]);
    expect(runs.slice(0, 2)).toEqual(result.runs.slice(2));
    const log = readFileSync(join(folder, "results/fees/results.jsonl"), "utf8");
    expect(log.match(/^\{"id":/gm)).toHaveLength(4 + 2);
  });
});
