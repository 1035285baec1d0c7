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

export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

export const firstLineOf = (thrown: unknown): string => {
  const [line = ""] = errorMessage(thrown).split("\n");
  return line;
};

export type WithProblem = { readonly ok: false; readonly problem: string };

/** A success with its fields, or a failure with a problem in one line. */
export type Result<Fields> = ({ readonly ok: true } & Readonly<Fields>) | WithProblem;
