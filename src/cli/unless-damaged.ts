import { damageIn, type Journal, JournalFailure } from "../world/index.ts";
import { UsageProblem } from "./usage-problem.ts";

/**
 * What `read` finds in journals. Where it stumbles, it is found out whether one of them is damaged:
 * of the rows of a sound one every reader may be sure, and need not look at each as a stranger.
 * @throws JournalFailure that says of which, how, and what to do.
 */
export const unlessDamaged = <Found>(journals: readonly Journal[], read: () => Found): Found => {
  try {
    return read();
  } catch (error) {
    if (error instanceof JournalFailure || error instanceof UsageProblem) throw error;
    for (const journal of journals) {
      const damage = damageIn(journal);
      if (damage !== null) throw new JournalFailure(damage);
    }
    throw error;
  }
};
