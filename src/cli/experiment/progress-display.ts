import {
  type Experiment,
  type ExperimentProgress,
  type RunOutcome,
  secondsLeft,
} from "../../experiment/index.ts";
import type { Output } from "../core/output.ts";

type ProgressDisplay = {
  readonly show: (progress: ExperimentProgress, last: RunOutcome) => void;
  readonly end: () => void;
};

const BAR_CHARS = 30;
/** Without a terminal, a line is printed each time this share of the runs is done. */
const NOTE_SHARE = 0.1;

/** Shows how far an experiment is, and the mean of its first measure in each cell so far. */
export const progressDisplay = (
  experiment: Experiment,
  output: Output,
  isJson: boolean,
): ProgressDisplay => {
  const startedAt = performance.now();
  const sums = new Map(experiment.cells.map(({ name }) => [name, { n: 0, sum: 0 }]));
  const [measure] = experiment.measures;
  let noted = 0;
  const add = ({ run, outcome }: RunOutcome): void => {
    const value = outcome?.ok === true && measure ? outcome.run.figures[measure.name] : null;
    const sum = sums.get(run.cell.name);
    if (sum === undefined || value === null || value === undefined) return;
    sum.n += 1;
    sum.sum += value;
  };
  const show = (progress: ExperimentProgress, last: RunOutcome): void => {
    add(last);
    if (last.outcome?.ok === false) {
      output.note(`run ${last.run.id} failed: ${last.outcome.error}`);
    }
    const line = lineOf(progress, (performance.now() - startedAt) / 1_000);
    if (output.isTerminal && !isJson) {
      output.redraw(() => [
        [barOf(progress), ` ${line}`],
        ...[...sums].map(([cell, { n, sum }]) => [
          `  ${cell}: ${measure?.name} ${n === 0 ? "-" : (sum / n).toPrecision(4)} (n = ${n})`,
        ]),
      ]);
      return;
    }
    const share = progress.done / progress.planned;
    if (share < noted + NOTE_SHARE && share < 1) return;
    noted = share;
    output.note(line);
  };
  return { show, end: () => output.redraw(() => []) };
};

const barOf = ({ done, planned }: ExperimentProgress): string => {
  const full = Math.round((BAR_CHARS * done) / planned);
  return `${"█".repeat(full)}${"░".repeat(BAR_CHARS - full)}`;
};

const lineOf = (
  { done, failed, made, planned, usd }: ExperimentProgress,
  elapsedS: number,
): string => {
  const left = secondsLeft({ elapsedS, made, left: planned - done });
  const parts = [
    `${done} of ${planned} runs`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(usd === 0 ? [] : [`${usd.toFixed(2)} USD`]),
    ...(left === null || left === 0 ? [] : [`about ${timeText(left)} left`]),
  ];
  return parts.join(", ");
};

export const timeText = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
