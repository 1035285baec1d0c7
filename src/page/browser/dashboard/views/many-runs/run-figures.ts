import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunRecord, RunSummary } from "../../../../routes/index.ts";
import { numberText } from "../../../parts/text.ts";
import { ask } from "../../api.ts";

/** The figures of runs that have arrived, by run. */
type RunFiguresKnown = ReadonlyMap<string, RunSummary>;

const ASKED_MAX = 2;

/** A run with other events has other figures. */
const keyOf = ({ run_id, events }: RunRecord): string => `${run_id} ${events}`;

/** Asks for the figures of runs in their order, a few at a time, and each only once. */
export const useRunFigures = (runs: readonly RunRecord[]): RunFiguresKnown => {
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
export const Sparkline = ({ values }: { readonly values: readonly number[] }) => {
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
