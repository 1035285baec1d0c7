import { html } from "htm/preact";
import type { ExperimentResult, Trajectories } from "../../../../../../experiment/index.ts";

import { COMPARED_MAX } from "../../../../../../read/index.ts";
import { Panel, Pending } from "../../../../parts/parts.ts";
import { type Column, Table } from "../../../../parts/table.ts";
import { numberText, signedText } from "../../../../parts/text.ts";
import { isPublished, useAnswer } from "../../../api.ts";
import { Link } from "../../../view.ts";
import { ComparedCurves, TOO_MANY } from "../compared-curves.ts";

type ComparedParts = {
  readonly result: ExperimentResult;
  readonly runs: readonly string[];
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
};

const ON_PAGES =
  "Settings, wealth and events are compared only on one page: publish these runs by their names.";
const WITHOUT_JOURNALS =
  "Settings, wealth and events are compared only with the journals of all these runs.";

/** Compares runs by what the experiment keeps of each: its measures and its figures over time. */
export const ComparedRuns = ({ result, runs, openable }: ComparedParts) => {
  const isPossible = runs.length >= 2 && runs.length <= COMPARED_MAX;
  const path = `/experiment/trajectories/${encodeURIComponent(runs.join(","))}`;
  const { value, problem } = useAnswer<Trajectories>(isPossible ? path : null);
  if (runs.length < 2) return null;
  if (!isPossible) {
    return html`<${Panel} title="Compared runs"><p class="note">${TOO_MANY}</p><//>`;
  }
  const [first = "", ...others] = runs;
  const to = { run: first, view: "compare", item: others.join(","), at: null };
  const canOpen = runs.every((run) => openable.has(run)) && !isPublished();
  return html`
    <${Panel} title="Compared runs">
      <${Table} caption="Compared runs" columns=${columnsOf(result, runs)}
        rows=${Object.keys(result.measures)} />
      ${
        canOpen
          ? html`<p><${Link} to=${to}>Compare settings, wealth and events too<//></p>`
          : html`<p class="note">${isPublished() ? ON_PAGES : WITHOUT_JOURNALS}</p>`
      }
      ${value === null && html`<${Pending} problem=${problem} />`}
    <//>
    ${value !== null && html`<${ComparedCurves} runs=${runs} timelines=${timelinesIn(value)} />`}
  `;
};

const timelinesIn = (trajectories: Trajectories) =>
  new Map(
    Object.entries(trajectories).map(([run, { at_ms, gini = [], supply = [], trades = [] }]) => [
      run,
      { at_ms, gini, supply, trades },
    ]),
  );

const columnsOf = (
  { runs: rows }: ExperimentResult,
  runs: readonly string[],
): readonly Column<string>[] => {
  const figureOf = (run: string, measure: string): number | null =>
    rows.find(({ id }) => id === run)?.figures[measure] ?? null;
  const [first = "", ...others] = runs;
  return [
    { title: "measure", cell: (measure) => measure },
    ...runs.map((run): Column<string> => {
      return { title: run, isNumber: true, cell: (measure) => numberText(figureOf(run, measure)) };
    }),
    ...others.map((run): Column<string> => {
      const cell = (measure: string): string => {
        const [value, base] = [figureOf(run, measure), figureOf(first, measure)];
        return signedText(value === null || base === null ? null : value - base);
      };
      return { title: `${run} − ${first}`, isNumber: true, cell };
    }),
  ];
};
