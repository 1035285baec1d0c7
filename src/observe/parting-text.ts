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
