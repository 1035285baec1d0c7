import { counted, listed, shortened } from "../../text/index.ts";
import type { ComparedEvent, Comparison, Difference } from "./comparison.ts";

type Divergence = Comparison["divergences"][number];

export const divergenceText = (divergence: Divergence, first: string): string => {
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

const BODY_CHARS = 160;
const VALUE_CHARS = 60;
/** How much of a long value is shown before the first difference. */
const CONTEXT_CHARS = 15;

/** The first differing event of each run in one line, and the fields that differ. */
export const differingEventLines = (divergence: Divergence, first: string): readonly string[] => {
  const { run, related, events } = divergence;
  if (!related || events === null) return [];
  const bodyLine = (name: string, event: ComparedEvent | null): readonly string[] =>
    event === null ? [] : [`  ${name}: ${shortened(JSON.stringify(event.body), BODY_CHARS)}`];
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
const unrelatedText = (divergence: Divergence, first: string): string => {
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
