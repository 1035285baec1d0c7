import type { ComparedEvent, Comparison, Difference } from "./comparison.ts";

type Divergence = Comparison["divergences"][number];

export const divergenceText = (divergence: Divergence, first: string): string => {
  const { run, related, alike, events, amended, shift } = divergence;
  if (!related && events !== null) return unrelatedText(divergence, first);
  const past = related ? "since their shared past" : "from the start";
  const [before, after] = amended;
  if (events === null) {
    const how = before === after ? "has" : "has other physics but";
    return `${run} ${how} the same events as ${first} (${alike} ${past})`;
  }
  const [mine, theirs] = events;
  return (
    `${run} diverges from ${first} after ${alike} equal events ${past}: ` +
    `${first} has ${eventText(mine)}; ${run} has ${eventText(theirs)}${shiftText(shift)}`
  );
};

/** Their first different event says nothing about runs that never had the same past. */
const unrelatedText = (divergence: Divergence, first: string): string => {
  const { run, figures_differ, wealth_differs } = divergence;
  const count = (number: number, noun: string): string =>
    `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
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
