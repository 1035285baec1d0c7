import {
  agentsIn,
  type CountedFrom,
  countedFrom,
  economyOf,
  rowAt,
  runFigures,
  wealthIn,
} from "../../figures/index.ts";
import type { Event, Result, State } from "../../kernel/index.ts";
import { counted, listed, shortened } from "../../text/index.ts";
import { decodeEvent, isRunEvent, type JournalReader, type JournalRow } from "../../world/index.ts";

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
type Difference<Value> = { readonly name: string; readonly values: readonly (Value | null)[] };

type ComparedEvent = Pick<JournalRow, "seq" | "kind" | "principal"> & {
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

/** Returns the run, or why it cannot be compared. */
export const comparedFrom = ({
  id,
  journal,
  state,
  kept,
}: Omit<Compared, "settings"> & { readonly kept: Result<Pick<Compared, "settings">> }): Result<{
  compared: Compared;
}> => {
  if (!kept.ok) return kept;
  if (!state.world.has("world")) {
    return { ok: false, problem: `${id}: nothing has happened in this run yet` };
  }
  return { ok: true, compared: { id, journal, state, settings: kept.settings } };
};

export const compareRuns = (first: Compared, others: readonly Compared[]) => {
  const all = [first, ...others];
  const counted = withBases(all);
  const figures = differences(counted.map(figuresOf));
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
    counted_from: counted.map(({ base: { seq, at_ms } }) => ({ seq, at_ms })),
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

/** A run, and the event after which its figures count. */
type CountedRun = { readonly run: Compared; readonly base: CountedFrom };

const withBases = (all: readonly Compared[]): readonly CountedRun[] => {
  const seq = commonSeq(...all.map(({ journal }) => journal));
  return all.map((run) => {
    const own = countedFrom(run.journal);
    if (seq === null || seq === own.seq) return { run, base: own };
    const at_ms = rowAt(run.journal, seq)?.atMs ?? own.at_ms;
    return { run, base: { run: own.run, seq, at_ms } };
  });
};

const figuresOf = ({ run: { journal, state }, base }: CountedRun): ReadonlyMap<string, number> => {
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

export const divergenceText = (divergence: ComparedDivergence, first: string): string => {
  const { run, related, alike, events, same_physics, shift } = divergence;
  if (!related && events !== null) return unrelatedText(divergence, first);
  const past = related ? "since their shared past" : "from the start";
  if (events === null) {
    const how = same_physics ? "has" : "has other physics but";
    return `${run} ${how} the same events as ${first} (${alike} ${past})`;
  }
  const [mine, theirs] = events;
  return (
    `${run} diverges from ${first} after ${alike} equal events ${past}: ` +
    `${first} has ${eventText(mine)}; ${run} has ${eventText(theirs)}${shiftText(shift)}`
  );
};

const VALUE_CHARS = 60;
/** How much of a long value is shown before the first difference. */
const CONTEXT_CHARS = 15;

/** The first differing event of each run in one line, and the fields that differ. */
export const differingEventLines = (
  divergence: ComparedDivergence,
  first: string,
): readonly string[] => {
  const { run, related, events } = divergence;
  if (!related || events === null) return [];
  const bodyLine = (name: string, event: ComparedEvent | null): readonly string[] =>
    event === null ? [] : [`  ${name}: ${shortened(JSON.stringify(event.body), 160)}`];
  const [mine, theirs] = events;
  return [...bodyLine(first, mine), ...bodyLine(run, theirs), ...fieldsLine(mine, theirs)];
};

/** The bodies of two events of different kinds have nothing in common to compare. */
const fieldsLine = (
  mine: ComparedEvent | null,
  theirs: ComparedEvent | null,
): readonly string[] => {
  if (mine === null || theirs === null) return [];
  const isSameKind = mine.kind === theirs.kind;
  const fieldsOf = ({ kind, at_ms, principal, body }: ComparedEvent): ComparedEvent["body"] => ({
    kind,
    at_ms,
    principal,
    ...(isSameKind ? body : {}),
  });
  const [before, after] = [fieldsOf(mine), fieldsOf(theirs)];
  const names = new Set(Object.keys({ ...before, ...after }));
  const fields = [...names].flatMap((name) => {
    const [one, other] = [before, after].map((fields) => JSON.stringify(fields[name]) ?? "none");
    if (one === undefined || other === undefined || one === other) return [];
    return [`${name} (${excerptsOf(one, other).join(" and ")})`];
  });
  return [`  they differ in ${fields.join(", ")}`];
};

/** Two different texts, cut so that each excerpt shows the first difference. */
const excerptsOf = (one: string, other: string): readonly string[] => {
  if (Math.max(one.length, other.length) <= VALUE_CHARS) return [one, other];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - CONTEXT_CHARS);
  return [one, other].map((text) =>
    shortened(`${from === 0 ? "" : "…"}${text.slice(from)}`, VALUE_CHARS),
  );
};

/** Their first different event says nothing about runs that never had the same past. */
const unrelatedText = (divergence: ComparedDivergence, first: string): string => {
  const { run, figures_differ, wealth_differs } = divergence;
  const count = (number: number, noun: string): string =>
    counted(number, noun, number === 0 ? "no" : String(number));
  const differing = `${count(figures_differ, "figure")} and the wealth of`;
  const all = `${differing} ${count(wealth_differs, "agent")} differ`;
  return `${run} and ${first} share no past, so only figures are compared: ${all}`;
};

/** Names the event after which each run's figures count. Returns no lines if all events count. */
export const countingText = ({
  runs,
  counted_from: bases,
}: Pick<Comparison, "runs" | "counted_from">): readonly string[] => {
  const [first] = bases;
  const isShared = bases.every(({ seq }) => seq === first?.seq);
  if (!isShared) {
    return bases.map(
      ({ seq, at_ms }, at) => `figures of ${runs[at]} count from event ${seq}, ${at_ms / 1_000} s`,
    );
  }
  return first === undefined || first.seq === 0
    ? []
    : [`figures count from event ${first.seq}, ${first.at_ms / 1_000} s, the shared past`];
};

const eventText = (event: ComparedEvent | null): string =>
  event === null
    ? "no more events"
    : `event ${event.seq} at ${event.at_ms / 1_000} s, ${event.kind} (${event.principal ?? "-"})`;

const shiftText = (shift: number): string => {
  if (shift === 0) return "";
  const many = `${Math.abs(shift)} ${shift > 0 ? "more" : "fewer"}`;
  return ` (the event numbers differ: ${many} notes and amendments come before this event)`;
};

/** The labels of figures, with units. A figure without a label is shown with its key. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["duration_s", "run time (s)"],
  ["refused", "actions refused"],
  ["cost_usd", "model calls of agents (USD)"],
  ["scrip_total", "total scrip"],
  ["scrip_minted", "scrip minted"],
  ["scrip_burned", "scrip burned"],
  ["gini", "Gini of the agents' wealth (0 to 1)"],
  ["invocations_paid", "paid calls"],
  ["spawned", "agents spawned"],
  ["freezes", "times an agent froze"],
  ["rescues", "times an agent was rescued"],
  ["thaws", "times an agent bought itself free"],
  ["bankruptcies", "bankrupt agents"],
  ["alarms", "alarms raised"],
]);

/** The figures with labels instead of keys. */
export const labelledFigures = (figures: Comparison["figures"]): Comparison["figures"] =>
  figures.map((row) => ({ ...row, name: LABELS.get(row.name) ?? row.name }));

export const differenceHeads = (runs: readonly string[]): readonly string[] =>
  runs.length === 2 ? ["difference"] : runs.slice(1).map((run) => `${run} differs by`);

/** Each other value minus the first value. Null if one of the two values is not a number. */
export const differencesIn = ({
  values: [first, ...others],
}: Difference<number | string>): readonly (number | null)[] =>
  others.map((other) =>
    typeof first === "number" && typeof other === "number" ? rounded(other - first) : null,
  );

const rounded = (difference: number): number => Math.round(difference * 1e6) / 1e6;

export const signedText = (difference: number | null): string =>
  difference === null ? "-" : difference > 0 ? `+${difference}` : String(difference);

const NAMES_MAX = 4;

/**
 * Says of each run that shares no past with the first one how its world differs: the seed, the
 * settings and the agents. Empty for related runs.
 */
export const worldsText = (comparison: Comparison): readonly string[] => {
  const { runs, divergences } = comparison;
  return divergences.flatMap(({ related, events, run }, at) =>
    related || events === null
      ? []
      : [`Different worlds: ${run} and ${runs[0]} ${worldDifference(comparison, at + 1)}.`],
  );
};

const worldDifference = ({ runs, settings, wealth }: Comparison, at: number): string => {
  const differing = settings
    .filter(({ values }) => values[0] !== values[at])
    .map(({ name }) => name);
  const others = differing.filter((name) => name !== SEED);
  const only = (has: number, lacks: number): readonly string[] =>
    wealth
      .filter(({ values }) => values[has] !== null && values[lacks] === null)
      .map(({ name }) => name);
  const [mine, theirs] = [only(0, at), only(at, 0)];
  const parts = [
    ...(differing.includes(SEED) ? ["have other seeds"] : []),
    ...(others.length > 0 ? [`have other settings (${listed(others, NAMES_MAX)})`] : []),
    ...(mine.length > 0 ? [`agents only in ${runs[0]}: ${listed(mine, NAMES_MAX)}`] : []),
    ...(theirs.length > 0 ? [`agents only in ${runs[at]}: ${listed(theirs, NAMES_MAX)}`] : []),
  ];
  return parts.length === 0 ? "have the same settings, but share no past" : parts.join("; ");
};

const SEED = "run.seed";

/** Sorts rows by the largest difference of their values, relative to the largest value. */
export const largestFirst = <Row extends Difference<number>>(
  rows: readonly Row[],
): readonly Row[] => rows.toSorted((a, b) => relativeDifference(b) - relativeDifference(a));

const relativeDifference = ({ values }: Difference<number>): number => {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return 1;
  const spread = Math.max(...known) - Math.min(...known);
  return spread === 0 ? 0 : spread / Math.max(...known.map(Math.abs));
};
