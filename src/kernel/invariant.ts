/**
 * A broken rule that only our own code can cause. It is never caught: a run that has gone wrong
 * stops, and its journal holds everything up to the last good transaction.
 */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function invariant(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new InvariantBroken(rule);
}

/** The end of an exhaustive switch. */
export const unreachable = (value: never): never => {
  throw new InvariantBroken(`not a known case: ${JSON.stringify(value)}`);
};

/** For lookups that a decision has already proved. */
export const must = <T>(value: T | null | undefined, rule: string): T => {
  invariant(value !== null && value !== undefined, rule);
  return value;
};
