import type { Factors, FactorValue } from "../../observe/index.ts";
import type { Experiment, Treatment } from "../design/experiment.ts";
import type { ReportDesign, ReportSetting } from "./report-input.ts";

/** The design of an experiment for its report. `command` makes or continues the experiment. */
export const reportDesignOf = (experiment: Experiment, command: string): ReportDesign => {
  const { file, text, base, arms, cells, seeds, forkS, keep } = experiment;
  return {
    file,
    text,
    command,
    base: [
      ...entryOf("config", base.config),
      ...entryOf("duration", base.durationS === null ? null : `${base.durationS}s`),
      ...entryOf("max_actions", base.maxActions),
      ...entryOf("max_cost", base.maxCostUsd),
      { key: "clock", value: base.clock },
      ...treatmentSettings(base, {}),
    ],
    arms: arms.flatMap((name) => {
      const cell = cells.find(({ arm }) => arm === name);
      if (cell === undefined) return [];
      const label = cell.label === name ? null : cell.label;
      return [{ name, label, settings: treatmentSettings(cell.treatment, cell.factors) }];
    }),
    factors: factorsOf(experiment),
    seeds,
    fork_ms: forkS === null ? null : forkS * 1_000,
    keeps_runs: keep !== "figures",
  };
};

const entryOf = (key: string, value: unknown): readonly ReportSetting[] =>
  value === null ? [] : [{ key, value }];

/** What a treatment changes, without the factors: the report lists these separately. */
const treatmentSettings = (treatment: Treatment, factors: Factors): readonly ReportSetting[] => [
  ...entryOf("agents", treatment.agents?.join(", ") ?? null),
  ...entryOf("only", treatment.only?.join(", ") ?? null),
  ...entryOf("model", treatment.model),
  ...treatment.settings.filter(({ key }) => !Object.hasOwn(factors, key)),
  ...(treatment.schedule.length === 0 ? [] : [{ key: "schedule", value: treatment.schedule }]),
];

/** The values of each factor, in the order of the cells. */
const factorsOf = ({ cells }: Experiment): ReportDesign["factors"] => {
  const values = new Map<string, Set<FactorValue>>();
  for (const { factors } of cells) {
    for (const [setting, value] of Object.entries(factors)) {
      values.set(setting, (values.get(setting) ?? new Set()).add(value));
    }
  }
  return Object.fromEntries([...values].map(([setting, all]) => [setting, [...all]]));
};
