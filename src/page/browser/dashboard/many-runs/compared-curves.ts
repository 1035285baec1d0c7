import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { COMPARED_MAX, type RunOverview } from "../../../../read/index.ts";
import { ChartPanel, lineChart } from "../../charts/index.ts";

/** The figures over time that are compared. */
type Timeline = Pick<RunOverview["timeline"], "at_ms"> & {
  readonly [figure in "gini" | "supply" | "trades"]: readonly (number | null)[];
};

export const TOO_MANY = `At most ${COMPARED_MAX} runs can be compared at once.`;
export const HOW_TO_COMPARE = "Tick two or more runs to compare them.";

type CurveParts = {
  readonly runs: readonly string[];
  readonly timelines: ReadonlyMap<string, Timeline>;
};

/** The curves of several runs, one above the other. A run without a timeline has no curve. */
export const ComparedCurves = ({ runs, timelines }: CurveParts) => {
  const specs = useMemo(() => specsOf({ runs, timelines }), [runs, timelines]);
  return html`
    <div class="pictures is-of-one">
      ${specs.map(
        (spec) => html`<${ChartPanel} key=${spec.title} make=${lineChart} spec=${spec} />`,
      )}
    </div>
  `;
};

type Figure = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  readonly values: (timeline: Timeline) => readonly (number | null)[];
};

const FIGURES: readonly Figure[] = [
  {
    title: "Gini",
    note: "How unequal the wealth of the agents is.",
    unit: "Gini",
    values: ({ gini }) => gini,
  },
  {
    title: "Supply",
    note: "All scrip of the world.",
    unit: "scrip",
    values: ({ supply }) => supply,
  },
  {
    title: "Trades",
    note: "All trades since the start of a run, or since its fork.",
    unit: "trades",
    values: ({ trades }) => sums(trades),
  },
];

const sums = (flows: readonly (number | null)[]): readonly number[] => {
  let sum = 0;
  return flows.map((flow) => {
    sum += flow ?? 0;
    return sum;
  });
};

const specsOf = ({ runs, timelines }: CurveParts) => {
  const times = new Set(runs.flatMap((run) => timelines.get(run)?.at_ms ?? []));
  const atMs = [...times].toSorted((a, b) => a - b);
  return FIGURES.map(({ title, note, unit, values }) => ({
    title,
    note,
    unit,
    atMs,
    series: runs.map((run, order) => {
      const timeline = timelines.get(run);
      const own = timeline === undefined ? [] : values(timeline);
      return { label: run, order, values: spread(timeline?.at_ms ?? [], own, atMs) };
    }),
  }));
};

/** The latest value at each of `atMs`. Null before the first and after the last value. */
const spread = (
  times: readonly number[],
  values: readonly (number | null)[],
  atMs: readonly number[],
): readonly (number | null)[] => {
  const end = times.at(-1) ?? -1;
  let at = -1;
  return atMs.map((ms) => {
    while ((times[at + 1] ?? Number.POSITIVE_INFINITY) <= ms) at += 1;
    return ms > end ? null : (values[at] ?? null);
  });
};
