import type { Comparison } from "./comparison.ts";
import type { SeenEvent } from "./parting.ts";

/** Where a run parts from the first of a comparison, in one line; how far they are alike if not. */
export const partingText = (parting: Comparison["partings"][number], first: string): string => {
  const { run, related, alike, events, amended, shift } = parting;
  const past = related ? "since their common past" : "from the beginning";
  const [before, after] = amended;
  if (events === null) {
    const same = `${first}, event for event (${alike} alike ${past})`;
    return before === after ? `${run} is ${same}` : `${run} has other physics and does as ${same}`;
  }
  const [mine, theirs] = events;
  return (
    `${run} parts from ${first} after ${alike} events ${past}: ${first} has ${told(mine)}; ` +
    `${run} has ${told(theirs)}${shifted(shift)}`
  );
};

/** From where on the figures of compared runs count, in lines; none where all is counted. */
export const countingText = ({
  runs,
  counted_from: bases,
}: Pick<Comparison, "runs" | "counted_from">): readonly string[] => {
  const [first] = bases;
  const isOne = bases.every(({ seq }) => seq === first?.seq);
  if (!isOne) {
    return bases.map(
      ({ seq, at_ms }, at) => `figures of ${runs[at]} count from event ${seq}, ${at_ms / 1_000} s`,
    );
  }
  return first === undefined || first.seq === 0
    ? []
    : [`figures count from event ${first.seq}, ${first.at_ms / 1_000} s, their common past`];
};

const told = (event: SeenEvent | null): string =>
  event === null
    ? "the end"
    : `event ${event.seq} at ${event.at_ms / 1_000} s, ${event.kind} (${event.principal ?? "-"})`;

/** Two events at one place have two numbers where one of the runs was stopped in between. */
const shifted = (shift: number): string => {
  if (shift === 0) return "";
  const many = `${Math.abs(shift)} ${shift > 0 ? "more" : "fewer"}`;
  return ` (the same place: ${many} notes and amendments are numbered there)`;
};
