import type {
  BandRow,
  Contrast,
  Experiment,
  ExperimentResult,
  Factors,
  ReportInput,
  RunRow,
  Summary,
  Trajectory,
  Treatment,
} from "../../../src/experiment/index.ts";

export const summary = (changes: Partial<Summary> = {}): Summary => ({
  n: 12,
  mean: 0.5,
  sd: 0.02,
  median: 0.499,
  q05: 0.47,
  q95: 0.53,
  ci95: [0.487, 0.513],
  ci95_bootstrap: [0.488, 0.512],
  ...changes,
});

export const contrast = (changes: Partial<Contrast> = {}): Contrast => ({
  a: "share",
  b: "burn",
  paired: true,
  n: 12,
  mean: -0.021,
  ci95: [-0.034, -0.008],
  ci95_bootstrap: [-0.033, -0.009],
  p: 0.001,
  p_holm: 0.003,
  effect: -1.1,
  detectable: 0.018,
  ...changes,
});

export const band = (changes: Partial<BandRow> = {}): BandRow => ({
  measure: "gini",
  arm: "share",
  factors: {},
  cell: "share",
  n: 12,
  mean: 0.479,
  ci95: [0.466, 0.492],
  published: 0.52,
  low: 0.5,
  high: 0.54,
  inside: false,
  ...changes,
});

export const run = (arm: string, seed: number, changes: Partial<RunRow> = {}): RunRow => ({
  id: `${changes.cell ?? arm}-s${seed}`,
  arm,
  factors: {},
  cell: arm,
  seed,
  status: "done",
  figures: { gini: gini(arm, seed) },
  journal_hash: "ab12",
  state_hash: "cd34",
  wall_s: 1.5,
  usd: 0,
  command: `sim run --name ${arm}-s${seed} --set mint.proceeds=${arm}`,
  error: null,
  ...changes,
});

/** Values with known sums: the share of seed 3 is 0.47 + 0.009. */
export const gini = (arm: string, seed: number): number =>
  Number(((arm === "burn" ? 0.49 : 0.47) + 0.003 * seed).toFixed(4));

export const trajectory = (arm: string, seed: number): Trajectory => {
  const at = Array.from({ length: 31 }, (_, moment) => moment);
  return {
    at_ms: at.map((moment) => moment * 2_000),
    trades: at.map((moment) => (moment === 0 ? 0 : seed)),
    gini: at.map((moment) => 0.2 + moment * gini(arm, seed) * 0.01),
    compute_price: at.map((moment) => (moment < 10 ? null : moment)),
  };
};

type Changes = {
  readonly result?: Partial<ExperimentResult>;
  readonly experiment?: Partial<Experiment>;
  readonly command?: string;
};

const treatment = (settings: Readonly<Record<string, unknown>>): Treatment => ({
  ...{ agents: null, only: null, model: null, schedule: [], schedulePlace: "" },
  settings: Object.entries(settings).map(([key, value]) => ({ key, value, place: "" })),
});

const base: Experiment["base"] = {
  ...treatment({}),
  ...{ config: null, clock: "virtual", durationS: 60, maxActions: null, maxCostUsd: null },
};

/** A finished experiment with two arms and three seeds. */
export const reportInput = ({ result, experiment, command }: Changes = {}): ReportInput => {
  const seeds = [1, 2, 3];
  const runs =
    result?.runs ?? ["burn", "share"].flatMap((arm) => seeds.map((seed) => run(arm, seed)));
  const cells = [...new Map(runs.map((each) => [each.cell, each])).values()];
  return {
    experiment: {
      name: "redistribution",
      question: null,
      source: null,
      file: "redistribution.yaml",
      text: "name: redistribution\n",
      base,
      arms: [...new Set(runs.map(({ arm }) => arm))],
      modelArms: [],
      cells: cells.map(({ cell, arm, factors }) => ({
        ...{ name: cell, arm, label: arm === "share" ? "equal" : arm, slug: cell, factors },
        treatment: treatment({ "mint.proceeds": arm, ...factors }),
      })),
      seeds,
      forkS: null,
      forkPlace: "",
      measures: [],
      bands: [],
      stop: null,
      limits: { wallS: null, usd: null, diskBytes: null },
      keep: "journals",
      ...experiment,
    },
    command: command ?? "sim experiment redistribution.yaml",
    result: {
      name: "redistribution",
      question: "Does sharing lower inequality?",
      source: null,
      dir: "experiments/redistribution",
      manifest_hash: "f00d".repeat(16),
      complete: true,
      runs,
      measures: {
        gini: {
          says: "inequality of the agents' wealth, 0 to 1",
          arms: { burn: summary({ n: 3 }), share: summary({ n: 3, mean: 0.479 }) },
          differences: [contrast({ n: 3 })],
        },
      },
      bands: [],
      warnings: [],
      ...result,
    },
    trajectories: new Map(runs.map(({ id, arm, seed }) => [id, trajectory(arm, seed)] as const)),
    versions: { catallaxy: "0.1.0", node: "24.0.0" },
  };
};

/** The same experiment at two points of a factor. */
export const crossedInput = (): ReportInput => {
  const points: readonly Factors[] = [{ "mint.period_s": 30 }, { "mint.period_s": 60 }];
  const cellOf = (arm: string, { "mint.period_s": period }: Factors): string =>
    `${arm} {mint.period_s=${period}}`;
  const runs = ["burn", "share"].flatMap((arm) =>
    points.flatMap((factors) =>
      [1, 2, 3].map((seed) => run(arm, seed, { factors, cell: cellOf(arm, factors) })),
    ),
  );
  const cells = [...new Set(runs.map(({ cell }) => cell))];
  const measures = {
    gini: {
      says: "inequality of the agents' wealth, 0 to 1",
      arms: Object.fromEntries(cells.map((cell) => [cell, summary({ n: 3 })])),
      differences: points.map((point) =>
        contrast({ n: 3, a: cellOf("share", point), b: cellOf("burn", point) }),
      ),
    },
  };
  return reportInput({ result: { runs, measures } });
};
