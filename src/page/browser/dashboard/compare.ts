import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunOverview } from "../../../figures/index.ts";
import {
  COMPARED_MAX,
  type Comparison,
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  type LineSpec,
  labelledFigures,
  largestFirst,
  worldsText,
} from "../../../read/index.ts";
import { numberText, signedText } from "../../../text/index.ts";
import type { Publication } from "../../published/publication.ts";
import { LineChart } from "../charts/index.ts";
import { Choice } from "../parts/fields.ts";
import { Panel, Pending } from "../parts/parts.ts";
import { type Column, numberColumn, SortedTable, textColumn } from "../parts/table.ts";
import { comparedInExperiment, go } from "./core/address.ts";
import { ask, isPublished, useAnswer } from "./core/api.ts";
import { Link, useView } from "./core/view.ts";

export const TOO_MANY = `At most ${COMPARED_MAX} runs can be compared at once.`;
export const HOW_TO_COMPARE = "Tick two or more runs to compare them.";

/** Compares the run with others: the item of the address has their ids, separated by commas. */
export const CompareView = () => {
  const { address, path, runs, tick } = useView();
  const ids = (address.item ?? "").split(",").filter((id) => id !== "");
  const publication = useAnswer<Publication>(isPublished() ? "/publication" : null).value;
  const others = (runs?.runs ?? []).filter(({ run_id }) => run_id !== address.run);
  const isHere = (run: string): boolean => !Object.hasOwn(publication?.pages ?? {}, run);
  const free = others.filter(({ run_id }) => !ids.includes(run_id) && isHere(run_id));
  const apart = others.find(({ run_id }) => !isHere(run_id));
  const asked = ids.length === 0 ? null : `${path}/compare/${encodeURIComponent(ids.join(","))}`;
  const { value, problem } = useAnswer<Comparison>(asked, tick.status);
  const isShown = value !== null && asked !== null;
  const isPending = asked !== null && (value === null || problem !== null);
  const compareWith = (others: readonly string[]): void =>
    go({ ...address, item: others.length === 0 ? null : others.join(",") });
  return html`
    <${Panel} title="Compare">
      <div class="tools">
        <${Choice} label="with" value="" set=${(id: string) => compareWith([...ids, id])}
          options=${[
            ["", ids.length === 0 ? "choose a run" : "add a run"],
            ...free.map(({ run_id: id }) => id),
          ]} />
        ${ids.map(
          (id) => html`<button type="button" key=${id} aria-label=${`Remove ${id}`}
            onClick=${() => compareWith(ids.filter((each) => each !== id))}>
            <bdi>${id}</bdi> ×</button>`,
        )}
      </div>
      ${
        apart !== undefined
          ? html`<p class="note">The other runs are on pages of their own. The page of the${" "}
              experiment${" "}
              <${Link} to=${comparedInExperiment([address.run ?? "", apart.run_id])}>compares
              their figures<//>.</p>`
          : free.length + ids.length === 0 &&
            html`<p class="note">No other run to compare with.</p>`
      }
      ${isPending && html`<${Pending} problem=${problem} />`}
      ${isShown && divergencesIn(value)}
    <//>
    ${isShown && html`<${Compared} comparison=${value} />`}
  `;
};

const Compared = ({ comparison }: { readonly comparison: Comparison }) => {
  const { runs, figures, settings, wealth } = comparison;
  const timelines = useTimelines(runs);
  const sorted = useMemo(
    () => ({ figures: largestFirst(labelledFigures(figures)), wealth: largestFirst(wealth) }),
    [comparison],
  );
  return html`
    <${ComparedCurves} runs=${runs} timelines=${timelines} />
    <div class="columns">
      <${Differences} title="Figures" rows=${sorted.figures} runs=${runs} />
      <div>
        <${Differences} title=${SETTINGS} rows=${settings} runs=${runs} />
        <${Differences} title="Wealth (scrip)" rows=${sorted.wealth} runs=${runs} />
      </div>
    </div>
  `;
};

/** The figures over time of runs that have arrived, by run. */
const useTimelines = (runs: readonly string[]): ReadonlyMap<string, Timeline> => {
  const [known, setKnown] = useState<ReadonlyMap<string, Timeline>>(new Map());
  useEffect(() => {
    let isOver = false;
    for (const run of runs) {
      void ask<RunOverview>(`/runs/${encodeURIComponent(run)}/overview`).then(({ value }) => {
        if (value === null || isOver) return;
        setKnown((before) => new Map(before).set(run, value.timeline));
      });
    }
    return () => {
      isOver = true;
    };
  }, [runs.join("\n")]);
  return known;
};

const divergencesIn = (comparison: Comparison) => {
  const first = comparison.runs[0] ?? "";
  const note = (line: string) => html`<p class="note" key=${line}><bdi>${line}</bdi></p>`;
  return [
    ...worldsText(comparison).map(
      (line) => html`<p class="worlds" key=${line}><bdi>${line}</bdi></p>`,
    ),
    ...comparison.divergences.map(
      (each) => html`<p class="divergence" key=${each.run}>${divergenceText(each, first)}</p>
      ${differingEventLines(each, first).map(note)}`,
    ),
    ...countingText(comparison).map(note),
  ];
};

type Row = Comparison["figures"][number] | Comparison["settings"][number];

const SETTINGS = "Settings";
const SORTED_NOTE = "The largest differences come first, relative to the values.";

type DifferenceParts = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly runs: readonly string[];
};

const Differences = ({ title, rows, runs }: DifferenceParts) => {
  const hasNumbers = rows.some((row) => differencesIn(row).some((each) => each !== null));
  const columns: readonly Column<Row>[] = [
    textColumn(title.toLowerCase(), ({ name }) => name),
    ...runs.map((run, at) => {
      const value = ({ values }: Row) => values[at] ?? null;
      const cell = (row: Row): string => {
        const own = value(row);
        return typeof own === "string" ? own : numberText(own);
      };
      return { title: run, isNumber: true, value, cell };
    }),
    ...(hasNumbers ? differenceHeads(runs) : []).map((head, at) =>
      numberColumn<Row>(head, (row) => differencesIn(row)[at] ?? null, signedText),
    ),
  ];
  return html`<${Panel} title=${title} note=${title === SETTINGS ? undefined : SORTED_NOTE}>
    <${SortedTable} caption=${title} columns=${columns} rows=${rows} first=${20} />
  <//>`;
};

/** The figures over time that are compared. */
type Timeline = Pick<RunOverview["timeline"], "at_ms"> & {
  readonly [figure in "gini" | "supply" | "trades"]: readonly (number | null)[];
};

type CurveParts = {
  readonly runs: readonly string[];
  readonly timelines: ReadonlyMap<string, Timeline>;
};

/** The curves of several runs, one above the other. A run without a timeline has no curve. */
export const ComparedCurves = ({ runs, timelines }: CurveParts) => {
  const specs = useMemo(() => {
    const times = new Set(runs.flatMap((run) => timelines.get(run)?.at_ms ?? []));
    const atMs = [...times].toSorted((a, b) => a - b);
    return FIGURES.map(
      ({ values, ...figure }): LineSpec => ({
        ...figure,
        atMs,
        series: runs.map((run, order) => {
          const timeline = timelines.get(run);
          const own = timeline === undefined ? [] : values(timeline);
          return { label: run, order, values: spread(timeline?.at_ms ?? [], own, atMs) };
        }),
      }),
    );
  }, [runs, timelines]);
  return html`
    <div class="pictures is-of-one">
      ${specs.map((spec) => html`<${LineChart} key=${spec.title} spec=${spec} />`)}
    </div>
  `;
};

const FIGURES = [
  {
    title: "Gini",
    note: "How unequal the wealth of the agents is.",
    unit: "Gini",
    values: ({ gini }: Timeline) => gini,
  },
  {
    title: "Supply",
    note: "All scrip of the world.",
    unit: "scrip",
    values: ({ supply }: Timeline) => supply,
  },
  {
    title: "Trades",
    note: "All trades since the start of a run, or since its fork.",
    unit: "trades",
    values: ({ trades }: Timeline) => {
      let sum = 0;
      return trades.map((flow) => {
        sum += flow ?? 0;
        return sum;
      });
    },
  },
];

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
