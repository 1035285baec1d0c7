import { basename } from "node:path";
import type { State } from "../kernel/index.ts";
import { keptSettings, showProblem } from "../runner/index.ts";
import type { Journal } from "../world/index.ts";
import { agentsIn, economyOf, wealthIn } from "./economy.ts";
import { type CountedFrom, countedFrom } from "./metrics/index.ts";
import { commonSeq, type Parting, partingOf } from "./parting.ts";
import { readRun } from "./run-reading.ts";

/** One run of a comparison. */
export type Compared = {
  readonly id: string;
  readonly journal: Journal;
  /** As it is after the last event. */
  readonly state: State;
  /** The configuration, by dotted key. */
  readonly settings: ReadonlyMap<string, string>;
};

/** What differs from run to run: one value a run, in their order; null where a run has none. */
export type Difference<Value> = {
  readonly name: string;
  readonly values: readonly (Value | null)[];
};

/** Where and how runs differ, in the shape of `sim compare --json`. The first is held against. */
export type Comparison = {
  readonly runs: readonly string[];
  /** True when all are one and the same, event for event. */
  readonly same: boolean;
  /** Of each further run, against the first. */
  readonly partings: readonly (Parting & { readonly run: string })[];
  readonly settings: readonly Difference<string>[];
  /**
   * From where on the figures of each run count what happens: one and the same event for all, where
   * they have one past up to it, and otherwise the beginning of each.
   */
  readonly counted_from: readonly Omit<CountedFrom, "run">[];
  readonly figures: readonly Difference<number>[];
  /** Scrip of each agent at the end, free and held. */
  readonly wealth: readonly Difference<number>[];
};

/** A run as it lies in a folder, or in a line why it cannot be compared. */
export const comparedFrom = (folder: string, journal: Journal, state: State): Compared | string => {
  const id = basename(folder);
  const kept = keptSettings(folder);
  if (!kept.ok) return kept.problems.map(showProblem).join("; ");
  if (!state.whole.has("world")) return `${id}: nothing has happened in this run yet`;
  return { id, journal, state, settings: kept.settings };
};

export const compareRuns = (first: Compared, others: readonly Compared[]): Comparison => {
  const all = [first, ...others];
  const partings = others.map(({ id, journal }) => ({
    run: id,
    ...partingOf(first.journal, journal),
  }));
  const bases = basesOf(all);
  return {
    runs: all.map(({ id }) => id),
    same: partings.every(
      ({ events, amended: [mine, theirs] }) => events === null && mine === theirs,
    ),
    partings,
    settings: differences(all.map(({ settings }) => settings)).filter(
      ({ values }) => new Set(values).size > 1,
    ),
    counted_from: bases.map(({ seq, at_ms }) => ({ seq, at_ms })),
    figures: differences(
      all.map((run, at) => figuresOf(run, bases[at] ?? countedFrom(run.journal))),
    ),
    wealth: differences(all.map(wealthOf)),
  };
};

const differences = <Value>(
  columns: readonly ReadonlyMap<string, Value>[],
): readonly Difference<Value>[] => {
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...names].map((name) => ({
    name,
    values: columns.map((column) => column.get(name) ?? null),
  }));
};

const basesOf = (all: readonly Compared[]): readonly CountedFrom[] => {
  const seq = commonSeq(...all.map(({ journal }) => journal));
  return all.map(({ journal }) => {
    const own = countedFrom(journal);
    if (seq === null || seq === own.seq) return own;
    const [event] = journal.events({ after: seq - 1, upTo: seq });
    return { run: own.run, seq, at_ms: event?.atMs ?? own.at_ms };
  });
};

const figuresOf = (
  { journal, state }: Compared,
  base: CountedFrom,
): ReadonlyMap<string, number> => {
  const reading = readRun(journal, base);
  const { atMs, alarms } = reading;
  const { actions, thinking, lives } = reading.tally;
  return new Map<string, number>([
    ["duration_s", atMs / 1_000],
    ["actions", actions.total],
    ["refused", actions.failed],
    ["thoughts", thinking.calls],
    ["cost_usd", thinking.cost_usd],
    ...Object.entries(economyOf(state, reading.tally)),
    ...Object.entries(lives),
    ["alarms", alarms.length],
  ]);
};

const wealthOf = ({ state }: Compared): ReadonlyMap<string, number> =>
  new Map(agentsIn(state).map(({ id }) => [id, wealthIn(state, id)]));
