import type { Json } from "../../kernel/index.ts";
import { countedIn, countedKey, noted, printsIn } from "./memo.ts";
import { presentCode } from "./novelty.ts";
import type { Custom, Dossier } from "./scorer.ts";

/** What a program is worth whose examples do not run, as a part of what it would be. */
const UNPROVEN_PART = 0.5;
/** Codes of one artifact that a memo holds. */
const PRINTS_MAX = 8;

/** By family: the net custom that was not there when the artifact was scored before. */
export const freshCustom = ({ custom, memo }: Dossier): readonly Custom[] => {
  const counted = countedIn(memo);
  return custom
    .map((row) => {
      const before = row.paid.reduce((sum, paid) => sum + (counted.get(countedKey(paid)) ?? 0), 0);
      return { ...row, net: Math.max(0, row.net - before) };
    })
    .filter(({ net }) => net > 0);
};

/** From one half to 1, for the share of the declared examples that hold. */
export const proofOf = ({ examples: { run, passed } }: Dossier): number => {
  const proven = run === 0 ? 0 : passed / run;
  return UNPROVEN_PART + (1 - UNPROVEN_PART) * proven;
};

/**
 * What the scorer wants to know the next time: the custom that has been counted, which stays so
 * also after some of it has gone back, and, where this code `keeps` its place, its fingerprint.
 */
export const memoAfter = (dossier: Dossier, { keeps }: { readonly keeps: boolean }): Json => {
  const prints = printsIn(dossier.memo);
  const counted = countedAfter(dossier);
  if (!keeps) return noted({ counted, prints });
  const present = presentCode(dossier);
  const others = prints.filter(({ print }) => print !== present.print);
  return noted({ counted, prints: [...others, present].slice(-PRINTS_MAX) });
};

/** What is fresh is counted of those payments of which something has not been. */
const countedAfter = (dossier: Dossier): ReadonlyMap<string, number> => {
  const counted = new Map(countedIn(dossier.memo));
  for (const { net, paid } of freshCustom(dossier)) {
    let left = net;
    for (const payment of paid) {
      const key = countedKey(payment);
      const before = counted.get(key) ?? 0;
      const now = Math.min(left, Math.max(0, payment.amount - before));
      if (now > 0) counted.set(key, before + now);
      left -= now;
    }
  }
  return counted;
};
