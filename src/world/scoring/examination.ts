import type { DatedCode, Json } from "../../kernel/index.ts";
import { memoIn, noted, type Sketch } from "./memo.ts";
import type { Custom, Dossier } from "./scorer.ts";
import { resemblance, sketchOf } from "./sketch.ts";

/** What a program is worth whose examples do not run, as a part of what it would be. */
const UNPROVEN_PART = 0.5;
/** Codes of one artifact that a memo holds. */
const SKETCHES_MAX = 8;

/** By family: the net custom that was not there when the artifact was scored the last time. */
export const freshCustom = ({ custom, memo }: Dossier): readonly Custom[] => {
  const { counted } = memoIn(memo);
  return custom
    .map(({ family, net }) => ({ family, net: Math.max(0, net - (counted.get(family) ?? 0)) }))
    .filter(({ net }) => net > 0);
};

/** From one half to 1, for the share of the declared examples that hold. */
export const proofOf = ({ examples: { run, passed } }: Dossier): number => {
  const proven = run === 0 ? 0 : passed / run;
  return UNPROVEN_PART + (1 - UNPROVEN_PART) * proven;
};

/** A code of the artifact itself, and how much of it was taken from older ones of others. */
type Own = Sketch & { readonly taken: number };

/**
 * From 0 for a copy to 1: how unlike the code is to whatever others had written before it that was
 * scored or sold, except for what they have from an older code of this artifact. And that one has
 * no more to give than was its own.
 */
export const noveltyOf = (dossier: Dossier): number => {
  const scored = dossier.others.flatMap(({ memo }) => memoIn(memo).sketches);
  const codes = dossier.others.flatMap((other) => other.codes);
  const used = [...scored, ...codes.filter(({ sold }) => sold).map(sketched)];
  // What nobody used is in nobody's way, but whoever copied it has nothing to give.
  const known = [...scored, ...codes.map(sketched)];
  const earlier: Own[] = [];
  for (const code of earlierOf(dossier)) {
    earlier.push({ ...code, taken: takenBy(code, earlier, known) });
  }
  return 1 - takenBy(presentOf(dossier), earlier, used);
};

/**
 * What the scorer wants to know the next time: the custom that has been counted, which stays so
 * also after some of it has gone back, and, where this code `keeps` its place, its fingerprint.
 */
export const memoAfter = (dossier: Dossier, { keeps }: { readonly keeps: boolean }): Json => {
  const { counted, sketches } = memoIn(dossier.memo);
  const now = new Map(counted);
  for (const { family, net } of dossier.custom)
    now.set(family, Math.max(net, now.get(family) ?? 0));
  if (!keeps) return noted({ counted: now, sketches });
  const present = presentOf(dossier);
  const others = sketches.filter(({ print }) => print !== present.print);
  return noted({ counted: now, sketches: [...others, present].slice(-SKETCHES_MAX) });
};

/** Oldest first. */
const earlierOf = ({ memo, pastCodes }: Dossier): readonly Sketch[] =>
  [...memoIn(memo).sketches, ...pastCodes.map(sketched)].sort((a, b) => a.ordinal - b.ordinal);

/** The same code written again is as old as it was. */
const presentOf = (dossier: Dossier): Sketch => {
  const present = { print: sketchOf(dossier.code), ordinal: dossier.codeOrdinal };
  return earlierOf(dossier).find(({ print }) => print === present.print) ?? present;
};

const sketched = ({ code, ordinal }: DatedCode): Sketch => ({ print: sketchOf(code), ordinal });

/** The largest part that a code has from an older one of others, from 0 to 1. */
const takenBy = (code: Sketch, own: readonly Own[], others: readonly Sketch[]): number => {
  let most = 0;
  for (const other of others) {
    if (other.ordinal >= code.ordinal) continue;
    const alike = resemblance(code.print, other.print);
    if (alike > most) most = Math.max(most, alike - givenTo(other, own));
  }
  return most;
};

/** The largest part that another code has from an older one of this artifact. */
const givenTo = (other: Sketch, own: readonly Own[]): number => {
  const given = own
    .filter(({ ordinal }) => ordinal < other.ordinal)
    .map(({ print, taken }) => resemblance(print, other.print) - taken);
  return Math.max(0, ...given);
};
