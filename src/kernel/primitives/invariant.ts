/**
 * Thrown if a rule is broken. Only a bug can break a rule, so nothing catches this error. The run
 * stops, and the journal ends with the last good transaction.
 */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function invariant(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new InvariantBroken(rule);
}

/** Returns `value`, or throws `InvariantBroken` if it is null or undefined. */
export const must = <T>(value: T | null | undefined, rule: string): T => {
  invariant(value !== null && value !== undefined, rule);
  return value;
};
