/**
 * Thrown if a rule is broken, which only a bug can cause. Nothing catches it: the run stops, and
 * the journal has everything up to the last good transaction.
 */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function invariant(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new InvariantBroken(rule);
}

/** Returns a value that an earlier check guarantees to exist. */
export const must = <T>(value: T | null | undefined, rule: string): T => {
  invariant(value !== null && value !== undefined, rule);
  return value;
};
