import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyFolder, jsonOf } from "../support/sim.ts";

/** The figures of a run, by measure. */
type Run = { readonly figures: object };

it("an experiment finds that the two shipped bargainers agree with every seed", () => {
  const here = emptyFolder();
  const file = {
    name: "bargains",
    question: "Do the agents always gain all that trade can give?",
    base: { duration: "60s" },
    seeds: "1..5",
    arms: { bargain: { agents: "agents-bargain" } },
    measures: ["gains_from_trade.realised", "gains_from_trade.efficiency"],
  };
  writeFileSync(join(here, "bargains.yaml"), JSON.stringify(file));
  const { runs } = jsonOf(here, "experiment", "bargains.yaml");
  const figures = runs.map((run: Run) => Object.values(run.figures));
  expect(figures).toEqual(Array.from({ length: 5 }, () => [30, 1]));
});
