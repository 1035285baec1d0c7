import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { COMPARED_MAX } from "../../../read/index.ts";
import { countText, numberText, timeText } from "../../../text/index.ts";
import type { RunRecord, RunSummary } from "../../routes/index.ts";
import { Choice, Search } from "../parts/fields.ts";
import { Badge, Panel, Pending } from "../parts/parts.ts";
import { type Column, numberColumn, Table } from "../parts/table.ts";
import { HOW_TO_COMPARE, TOO_MANY } from "./compare.ts";
import { comparedInExperiment, EXPERIMENT_VIEW, hashOf } from "./core/address.ts";
import { ask, isPublished } from "./core/api.ts";
import { Link, type RunsAnswer } from "./core/view.ts";

type Row = RunRecord & { readonly figures: RunSummary | null };

const ROWS_FIRST = 100;

/** All runs of a folder. A person finds, sorts and ticks them, and compares those with a tick. */
export const RunsList = ({ answer }: { readonly answer: RunsAnswer | null }) =>
  answer === null
    ? html`<${Panel} title="Runs"><${Pending} problem=${null} /><//>`
    : html`<${Runs} answer=${answer} />`;

const Runs = ({ answer }: { readonly answer: RunsAnswer }) => {
  const [text, setText] = useState("");
  const [status, setStatus] = useState("");
  const [sort, setSort] = useState("");
  const [limit, setLimit] = useState(ROWS_FIRST);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const matching = answer.runs.filter(
    (run) => (status === "" || run.status === status) && matches(run, text.toLowerCase()),
  );
  // A sort by a figure needs the figures of all runs that match.
  const isByFigure = FIGURES.has(sort.replace(/^-/, ""));
  const figures = useRunFigures(isByFigure ? matching : matching.slice(0, limit));
  const rows = matching.map((run): Row => ({ ...run, figures: figures.get(run.run_id) ?? null }));
  const shown = sortedBy(rows, sort).slice(0, limit);
  const tick = (run: string): void =>
    setTicked(ticked.includes(run) ? ticked.filter((id) => id !== run) : [...ticked, run]);
  const statuses = [...new Set(answer.runs.map((run) => run.status))].toSorted();
  const readCount = rows.filter((row) => row.figures !== null).length;
  return html`
    <${Panel} title="Runs">
      ${
        answer.experiment !== null &&
        html`<p>These runs belong to the experiment${" "}
          <a href=${hashOf({ run: null, view: EXPERIMENT_VIEW, item: null, at: null })}>
            <bdi>${answer.experiment.name}</bdi></a>.</p>`
      }
      <div class="tools" role="search">
        <${Search} label="Find runs" placeholder="name, label, seed or setting" value=${text}
          set=${setText} />
        <${Choice} label="Status" isHidden=${true} value=${status} set=${setStatus}
          options=${[["", "every status"], ...statuses]} />
        <span class="note" role="status">
          ${countText(matching.length, "run")}${
            isByFigure && readCount < rows.length ? `; figures of ${readCount} read so far` : ""
          }
        </span>
      </div>
      <${CompareLine} ticked=${ticked} isApart=${isPublished() && answer.experiment !== null} />
      <${Table} caption="Runs" columns=${columnsOf(ticked, tick)} rows=${shown} sort=${sort}
        onSort=${setSort} />
      ${
        matching.length > limit &&
        html`<button type="button" onClick=${() => setLimit(matching.length)}>
          Show all ${numberText(matching.length)}
        </button>`
      }
    <//>
  `;
};

type CompareParts = {
  readonly ticked: readonly string[];
  /** True if each run is on a page of its own. Then the page of the experiment compares them. */
  readonly isApart: boolean;
};

const CompareLine = ({ ticked, isApart }: CompareParts) => {
  const [run = "", ...others] = ticked;
  if (ticked.length < 2) return html`<p class="note">${HOW_TO_COMPARE}</p>`;
  if (ticked.length > COMPARED_MAX) return html`<p class="note">${TOO_MANY}</p>`;
  const to = isApart
    ? comparedInExperiment(ticked)
    : { run, view: "compare", item: others.join(","), at: null };
  return html`<p><${Link} to=${to}>Compare these ${ticked.length} runs<//></p>`;
};

const matches = ({ run_id, labels, seed, changed, parent }: RunRecord, text: string): boolean =>
  text === "" ||
  `${run_id} ${labels.join(" ")} seed ${seed} ${parent ?? ""} ${changedText(changed)}`
    .toLowerCase()
    .includes(text);

const changedText = (changed: RunRecord["changed"]): string =>
  Object.entries(changed)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

const columnsOf = (
  ticked: readonly string[],
  tick: (run: string) => void,
): readonly Column<Row>[] => [
  {
    title: "compare",
    cell: ({ run_id: run }) => html`<input type="checkbox" aria-label=${`Compare ${run}`}
      checked=${ticked.includes(run)} onChange=${() => tick(run)} />`,
  },
  {
    title: "run",
    sort: "run_id",
    cell: ({ run_id: run }) =>
      html`<${Link} to=${{ run, view: "overview", item: null, at: null }}>${run}<//>`,
  },
  { title: "status", sort: "status", cell: ({ status }) => html`<${Badge} status=${status} />` },
  numberColumn("seed", "seed", (seed) => String(seed ?? "–")),
  { title: "labels", cell: ({ labels }) => labels.join(", ") },
  { ...numberColumn<Row>("agents", ({ figures }) => figures?.agents ?? null), sort: "agents" },
  { ...numberColumn<Row>("Gini", ({ figures }) => figures?.gini ?? null), sort: "gini" },
  {
    title: "Gini over time",
    cell: ({ figures }) =>
      figures === null ? "…" : html`<${Sparkline} values=${figures.gini_over_time} />`,
  },
  { ...numberColumn<Row>("trades", ({ figures }) => figures?.trades ?? null), sort: "trades" },
  numberColumn("run time", "duration_s", (s) => (s === null ? "–" : timeText(s * 1_000))),
  numberColumn("events", "events"),
  {
    title: "started",
    sort: "started_at",
    cell: ({ started_at: at }) => at.replace("T", " ").slice(0, 16),
  },
  { title: "forked from", cell: ({ parent }) => (parent === null ? "" : forkText(parent)) },
];

const forkText = (parent: string) =>
  html`${parent} <span class="note">trades and events since then</span>`;

const FIGURES: ReadonlySet<string> = new Set(["agents", "gini", "trades"]);

/** Runs without a value of the column come last. */
const sortedBy = (rows: readonly Row[], sort: string): readonly Row[] => {
  if (sort === "") return rows;
  const [key, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const valueOfRow = (row: Row): unknown =>
    ((FIGURES.has(key) ? (row.figures ?? {}) : row) as { readonly [key: string]: unknown })[key];
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOfRow(one), valueOfRow(other)];
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    if (typeof a === "string" && typeof b === "string") return sign * (a < b ? -1 : a > b ? 1 : 0);
    return Number(a === undefined || a === null) - Number(b === undefined || b === null);
  });
};

/** The figures of runs that have arrived, by run. */
type RunFiguresKnown = ReadonlyMap<string, RunSummary>;

const ASKED_MAX = 2;

/** A run with other events has other figures. */
const keyOf = ({ run_id, events }: RunRecord): string => `${run_id} ${events}`;

/** Asks for the figures of runs in their order, a few at a time, and each only once. */
const useRunFigures = (runs: readonly RunRecord[]): RunFiguresKnown => {
  const [known, setKnown] = useState<RunFiguresKnown>(new Map());
  const wanted = useRef(runs);
  wanted.current = runs;
  const asked = useRef(new Set<string>());
  const open = useRef(0);
  const isOver = useRef(false);
  const next = (): void => {
    const run = wanted.current.find((each) => !asked.current.has(keyOf(each)));
    if (run === undefined || open.current >= ASKED_MAX || isOver.current) return;
    asked.current.add(keyOf(run));
    open.current += 1;
    void ask<RunSummary>(`/runs/${encodeURIComponent(run.run_id)}/summary`).then(({ value }) => {
      open.current -= 1;
      if (value !== null) setKnown((before) => new Map(before).set(run.run_id, value));
      next();
    });
    next();
  };
  useEffect(next, [runs.map(keyOf).join("\n")]);
  useEffect(
    () => () => {
      isOver.current = true;
    },
    [],
  );
  return known;
};

const WIDTH = 96;
const HEIGHT = 22;

/** A line of values from 0 to 1 over time. */
const Sparkline = ({ values }: { readonly values: readonly number[] }) => {
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  const most = Math.max(0.01, ...values);
  const points = values.map((value, at) => {
    const x = (WIDTH * at) / Math.max(1, values.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - 1 - ((HEIGHT - 2) * value) / most).toFixed(1)}`;
  });
  return html`
    <svg class="sparkline" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img"
      aria-label=${`from ${numberText(first)} to ${numberText(last)}`}>
      <polyline points=${points.join(" ")} />
    </svg>
  `;
};
