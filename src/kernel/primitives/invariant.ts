/** Thrown if a bug breaks a rule. Stops the run. The journal keeps all earlier transactions. */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function invariant(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new InvariantBroken(rule);
}

export const must = <T>(value: T | null | undefined, rule: string): T => {
  invariant(value !== null && value !== undefined, rule);
  return value;
};
