import { STATE_INVARIANTS } from "../../kernel/index.ts";

/** One thing that was looked at. `detail` names the event where it does not hold. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export type Verdict = {
  readonly ok: boolean;
  readonly events: number;
  readonly stateHash: string;
  readonly checks: readonly Check[];
};

/** A check for each invariant of a state, given what breaks those that do not hold. */
export const invariantChecks = (broken: ReadonlyMap<number, string>): readonly Check[] =>
  STATE_INVARIANTS.map((number): Check => {
    const detail = broken.get(number);
    return { name: `invariant-${number}`, ok: detail === undefined, detail: detail ?? "" };
  });
