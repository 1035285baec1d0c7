import type { Event, Result, State } from "../../kernel/index.ts";
import { decodeEvent, isRunEvent, type JournalReader, type JournalRow } from "../../world/index.ts";
import { type CountedFrom, countedFrom, rowAt } from "../log/log.ts";
import { agentsIn, economyOf, wealthIn } from "../metrics/economy.ts";
import { runFigures } from "../metrics/measure-run.ts";

/** The most runs that a page compares. The server keeps all of them open. */
export const COMPARED_MAX = 6;

export type Compared = {
  readonly id: string;
  readonly journal: JournalReader;
  /** The state after the last event. */
  readonly state: State;
  /** The configuration, keyed by dotted path. */
  readonly settings: ReadonlyMap<string, string>;
};

/** One value per run, in the order of the runs, or null where a run has no value. */
export type Difference<Value> = {
  readonly name: string;
  readonly values: readonly (Value | null)[];
};

export type ComparedEvent = Pick<JournalRow, "seq" | "kind" | "principal"> & {
  readonly at_ms: number;
  /** The other fields of the event. */
  readonly body: { readonly [field: string]: unknown };
};

/** The first difference between the events of two runs. */
type Divergence = {
  /** True if the runs share a past up to the latest fork. Then only later events were compared. */
  readonly related: boolean;
  /** The number of equal events before the first difference, without the shared past. */
  readonly alike: number;
  /** The first differing event of each run (null at the run's end), or null if all are equal. */
  readonly events: readonly [ComparedEvent | null, ComparedEvent | null] | null;
  /** The number of changes to the physics of each run after the shared past. */
  readonly amended: readonly [number, number];
  /** True if these changes are equal. */
  readonly same_physics: boolean;
  /** The event number of `events[1]` minus that of `events[0]`, or 0 if unknown. */
  readonly shift: number;
};

/** The first difference, and the numbers of figures and of agents' wealth that differ. */
type ComparedDivergence = Divergence & {
  readonly run: string;
  readonly figures_differ: number;
  readonly wealth_differs: number;
};

/** How each run differs from the first run, in the shape of `sim compare --json`. */
export type Comparison = ReturnType<typeof compareRuns>;

type Given = Omit<Compared, "settings"> & { readonly kept: Result<Pick<Compared, "settings">> };

/** Returns the run, or a one-line problem if the run cannot be compared. */
export const comparedFrom = ({ id, journal, state, kept }: Given): Compared | string => {
  if (!kept.ok) return kept.problem;
  if (!state.world.has("world")) return `${id}: nothing has happened in this run yet`;
  return { id, journal, state, settings: kept.settings };
};

export const compareRuns = (first: Compared, others: readonly Compared[]) => {
  const all = [first, ...others];
  const bases = basesOf(all);
  const figures = differences(
    all.map((run, at) => figuresOf(run, bases[at] ?? countedFrom(run.journal))),
  );
  const wealth = differences(all.map(wealthOf));
  const divergences = others.map(({ id, journal }, at): ComparedDivergence => {
    const differing = (rows: readonly Difference<number>[]): number =>
      rows.filter(({ values }) => values[0] !== values[at + 1]).length;
    const counts = { figures_differ: differing(figures), wealth_differs: differing(wealth) };
    return { run: id, ...divergenceOf(first.journal, journal), ...counts };
  });
  return {
    runs: all.map(({ id }) => id),
    /** True if all runs have the same events, or the same figures without a shared past. */
    same: divergences.every(isEqual),
    divergences,
    settings: differences(all.map(({ settings }) => settings)).filter(
      ({ values }) => new Set(values).size > 1,
    ),
    /** Figures count from the latest fork if all runs share it, else from each run's own start. */
    counted_from: bases.map(({ seq, at_ms }) => ({ seq, at_ms })),
    figures,
    wealth,
  };
};

const isEqual = (divergence: ComparedDivergence): boolean => {
  const { related, events, same_physics, figures_differ, wealth_differs } = divergence;
  if (!related && events !== null) return figures_differ + wealth_differs === 0;
  return events === null && same_physics;
};

const differences = <Value>(
  columns: readonly ReadonlyMap<string, Value>[],
): readonly Difference<Value>[] => {
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...names].map((name) => {
    return { name, values: columns.map((column) => column.get(name) ?? null) };
  });
};

const basesOf = (all: readonly Compared[]): readonly CountedFrom[] => {
  const seq = commonSeq(...all.map(({ journal }) => journal));
  return all.map(({ journal }) => {
    const own = countedFrom(journal);
    if (seq === null || seq === own.seq) return own;
    return { run: own.run, seq, at_ms: rowAt(journal, seq)?.atMs ?? own.at_ms };
  });
};

const figuresOf = (
  { journal, state }: Compared,
  base: CountedFrom,
): ReadonlyMap<string, number> => {
  const figures = runFigures(journal, base);
  const { actions, thinking, lives } = figures.activity;
  return new Map<string, number>([
    ["duration_s", figures.atMs / 1_000],
    ["actions", actions.total],
    ["refused", actions.failed],
    ["thoughts", thinking.calls],
    ["cost_usd", thinking.cost_usd],
    ...Object.entries(economyOf(state, figures.activity)),
    ...Object.entries(lives),
    ["alarms", figures.alarms.length],
  ]);
};

const wealthOf = ({ state }: Compared): ReadonlyMap<string, number> =>
  new Map(agentsIn(state).map(({ id }) => [id, wealthIn(state, id)]));

/**
 * Finds the first event whose time, kind, principal or body differs. Skips notes and amendments of
 * the physics. Does not compare event numbers and hashes, because notes change them.
 */
const divergenceOf = (a: JournalReader, b: JournalReader): Divergence => {
  const since = commonSeq(a, b);
  const after = since ?? 0;
  const related = after > 0;
  const changes = [amendments(a, after), amendments(b, after)] as const;
  const amended = [changes[0].length, changes[1].length] as const;
  const same_physics = changes[0].join("\n") === changes[1].join("\n");
  const found = { related, amended, same_physics };
  const [left, right] = [behaviour(a, after), behaviour(b, after)];
  for (let alike = 0; ; alike += 1) {
    const [x, y] = [left.next().value ?? null, right.next().value ?? null];
    if (x === null && y === null) return { ...found, alike, events: null, shift: 0 };
    if (x === null || y === null || !isSame(x, y)) {
      const shift = since !== null && x !== null && y !== null ? y.seq - x.seq : 0;
      return { ...found, alike, events: [comparedEvent(x), comparedEvent(y)], shift };
    }
  }
};

/** The event of the latest fork, or 0 without forks. Null if the runs differ up to that event. */
const commonSeq = (...journals: readonly JournalReader[]): number | null => {
  const seq = Math.max(...journals.map((journal) => journal.baseMark()?.seq ?? 0));
  return new Set(journals.map((journal) => hashAfter(journal, seq))).size === 1 ? seq : null;
};

const hashAfter = (journal: JournalReader, seq: number): string | null => {
  if (seq === 0) return "";
  const base = journal.baseMark();
  if (base?.seq === seq) return base.hash;
  return rowAt(journal, seq)?.hash ?? null;
};

/** What a fork changes before its first event. */
const AMENDING: ReadonlySet<string> = new Set<Event["kind"]>([
  "physics_amended",
  "schedule_planned",
]);

/** The changes of the physics as JSON text. */
const amendments = (journal: JournalReader, after: number): readonly string[] =>
  [...journal.events({ after, kind: "physics_amended" })].map(({ body }) => body);

function* behaviour(journal: JournalReader, after: number): Generator<JournalRow, void> {
  for (const row of journal.events({ after })) {
    if (!isRunEvent(row.kind) && !AMENDING.has(row.kind)) yield row;
  }
}

const isSame = (a: JournalRow, b: JournalRow): boolean =>
  a.atMs === b.atMs && a.kind === b.kind && a.principal === b.principal && a.body === b.body;

const comparedEvent = (row: JournalRow | null): ComparedEvent | null => {
  if (row === null) return null;
  const { at_ms, kind, principal, ...body } = decodeEvent(row);
  return { seq: row.seq, at_ms, kind, principal, body };
};
