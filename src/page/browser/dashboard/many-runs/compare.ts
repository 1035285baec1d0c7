import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  type Comparison,
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
  largestFirst,
  type RunOverview,
  worldsText,
} from "../../../../read/index.ts";
import type { Publication } from "../../../published/publication.ts";
import { Panel, Pending } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, textColumn } from "../../parts/table.ts";
import { numberText, signedText } from "../../parts/text.ts";
import { comparedInExperiment, go } from "../core/address.ts";
import { ask, isPublished, useAnswer } from "../core/api.ts";
import { Link, type ViewParts } from "../core/view.ts";
import { ComparedCurves } from "./compared-curves.ts";

/** Compares the run with others: the item of the address has their ids, separated by commas. */
export const CompareView = ({ address, path, runs, tick }: ViewParts) => {
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
        <label class="labelled">with
          <select value="" onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            compareWith([...ids, currentTarget.value])}>
            <option value="">${ids.length === 0 ? "choose a run" : "add a run"}</option>
            ${free.map(({ run_id: id }) => html`<option value=${id}>${id}</option>`)}
          </select>
        </label>
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
  const overviews = useOverviews(runs);
  const timelines = useMemo(
    () => new Map([...overviews].map(([run, { timeline }]) => [run, timeline])),
    [overviews],
  );
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

/** The overviews of runs that have arrived, by run. */
const useOverviews = (runs: readonly string[]): ReadonlyMap<string, RunOverview> => {
  const [known, setKnown] = useState<ReadonlyMap<string, RunOverview>>(new Map());
  useEffect(() => {
    let isOver = false;
    for (const run of runs) {
      void ask<RunOverview>(`/runs/${encodeURIComponent(run)}/overview`).then(({ value }) => {
        if (value !== null && !isOver) setKnown((before) => new Map(before).set(run, value));
      });
    }
    return () => {
      isOver = true;
    };
  }, [runs.join("\n")]);
  return known;
};

const divergencesIn = (comparison: Comparison) => [
  ...worldsText(comparison).map(
    (line) => html`<p class="worlds" key=${line}><bdi>${line}</bdi></p>`,
  ),
  ...comparison.divergences.map(
    (each) => html`<p class="divergence" key=${each.run}>
      ${divergenceText(each, comparison.runs[0] ?? "")}
    </p>
    ${differingEventLines(each, comparison.runs[0] ?? "").map(
      (line) => html`<p class="note" key=${line}><bdi>${line}</bdi></p>`,
    )}`,
  ),
  ...countingText(comparison).map((line) => html`<p class="note" key=${line}>${line}</p>`),
];

type Row = Comparison["figures"][number] | Comparison["settings"][number];

const ROWS_FIRST = 20;
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
      return { title: run, isNumber: true, value, cell: (row: Row) => valueText(value(row)) };
    }),
    ...(hasNumbers ? differenceHeads(runs) : []).map((head, at) =>
      numberColumn<Row>(head, (row) => differencesIn(row)[at] ?? null, signedText),
    ),
  ];
  return html`<${Panel} title=${title} 
    note=${title === SETTINGS ? undefined : SORTED_NOTE}>
    <${SortedTable} caption=${title} columns=${columns} rows=${rows} first=${ROWS_FIRST} />
  <//>`;
};

const valueText = (value: string | number | null): string =>
  typeof value === "string" ? value : numberText(value);
