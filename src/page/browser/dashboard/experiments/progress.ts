import { html } from "htm/preact";
import type {
  CellProgress,
  ExperimentResult,
  ShownExperiment,
  ShownProgress,
} from "../../../../experiment/index.ts";
import { listed } from "../../../../text/index.ts";
import { Badge, Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../../parts/table.ts";
import { countText, numberText, timeText } from "../../parts/text.ts";

/** How far an experiment is, unless it is complete. */
export const Progress = ({ progress }: { readonly progress: ShownProgress | null }) => {
  if (progress === null || progress.state === "complete") return null;
  const { state, cells, command, queued, seeds_max } = progress;
  const sum = sumOf(cells);
  const share = (count: number): string => `width: ${(100 * count) / Math.max(1, sum.planned)}%`;
  return html`
    <${Panel} title="Progress">
      <p role="status"><${Badge} status=${state} />${" "}${progressText(progress)}</p>
      <div class="progress-bar" aria-hidden="true">
        <span style=${share(sum.done)}></span>
        <span class="is-failed" style=${share(sum.failed)}></span>
        <span class="is-running" style=${share(sum.running)}></span>
      </div>
      ${
        state === "interrupted" &&
        html`<p>To continue: <code><bdi>${command}</bdi>${queued && " --on …"}</code></p>`
      }
      ${
        seeds_max !== null &&
        html`<p class="note">The stop rule can add seeds, to at most ${numberText(seeds_max)}.</p>`
      }
      <${Table} caption="Progress" columns=${columnsOf(progress)} rows=${cells} />
    <//>
  `;
};

const sumOf = (cells: readonly CellProgress[]) => {
  const sum = (of: (cell: CellProgress) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0);
  return {
    planned: sum(({ planned }) => planned),
    done: sum(({ done }) => done),
    failed: sum(({ failed }) => failed),
    running: sum(({ running }) => running),
    left: sum(leftOf),
  };
};

const leftOf = ({ planned, done, failed, running }: CellProgress): number =>
  planned - done - failed - running;

const progressText = ({ cells, queued, left_s, state }: ShownProgress): string => {
  const { done, planned, failed, running, left } = sumOf(cells);
  const parts = [
    `${numberText(done)} of ${countText(planned, "run")} done`,
    `${numberText(failed)} failed`,
    ...(queued ? [] : [`${numberText(running)} running`]),
    `${numberText(left)} ${queued && state === "running" ? "in the queue or running" : "left"}`,
  ];
  const time =
    left_s === null || left + running === 0 ? "" : `; about ${timeText(wholeSecondsMs(left_s))}`;
  return `${parts.join(", ")}${time === "" ? "" : `${time} left`}`;
};

/** Rounds seconds up, and returns them in ms. */
const wholeSecondsMs = (seconds: number): number => Math.ceil(seconds) * 1_000;

const columnsOf = ({ queued }: ShownProgress): readonly Column<CellProgress>[] => [
  textColumn("arm", ({ cell }) => cell),
  numberColumn("done", "done"),
  numberColumn("failed", "failed"),
  ...(queued ? [] : [numberColumn<CellProgress>("running", "running")]),
  numberColumn("left", leftOf),
  numberColumn("planned", "planned"),
];

/** Says that the figures come from only a part of the runs. Null if they are final. */
export const InterimNote = ({ shown }: { readonly shown: ShownExperiment }) => {
  const { result, progress } = shown;
  if (result.complete) return null;
  const done = result.runs.filter(({ status }) => status === "done").length;
  const arms = (progress?.cells ?? []).map(
    ({ cell, done: own, planned }) => `${cell} ${own} of ${planned}`,
  );
  const each = arms.length === 0 ? "" : ` (${arms.join(", ")})`;
  return html`<p class="interim" role="note">
    <strong>Interim: ${done} of ${countText(result.runs.length, "run")}</strong><bdi>${each}</bdi>.
    ${" "}Draw no conclusion from it: each look at unfinished results makes a false difference more
    likely.</p>`;
};

type Failure = { readonly reason: string; readonly runs: readonly string[] };

const RUNS_SHOWN = 10;
const ROWS_FIRST = 20;

const FAILURE_COLUMNS: readonly Column<Failure>[] = [
  textColumn("reason", ({ reason }) => reason),
  numberColumn("count", ({ runs }) => runs.length),
  textColumn("runs", ({ runs }) => listed(runs, RUNS_SHOWN)),
];

/** Why runs failed: one row for each reason. */
export const FailedRuns = ({ runs }: Pick<ExperimentResult, "runs">) => {
  const failed = runs.filter(({ status }) => status === "failed");
  if (failed.length === 0) return null;
  const rows = [...Map.groupBy(failed, ({ error }) => error ?? "unknown")].map(
    ([reason, all]): Failure => ({ reason, runs: all.map(({ id }) => id) }),
  );
  return html`<${Panel} title="Failed runs">
    <${SortedTable} caption="Failed runs" columns=${FAILURE_COLUMNS} rows=${rows}
      first=${ROWS_FIRST} />
  <//>`;
};
