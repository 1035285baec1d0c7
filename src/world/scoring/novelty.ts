import { setImmediate as nextTurn } from "node:timers/promises";
import { type DatedPrint, printsIn } from "./memo.ts";
import type { Dossier } from "./scorer.ts";
import { resemblance, type Sketch, sketchIn } from "./sketch.ts";

/** Comparisons, which take about a microsecond each, after which others get a turn. */
const COMPARED_AT_ONCE_MAX = 10_000;

/**
 * From 0 for a copy to 1: how unlike the code is to whatever others had written before it that was
 * scored or sold, except for what they have from an older code of this artifact. And that one has
 * no more to give than was its own.
 */
export const noveltyOf = async (dossier: Dossier): Promise<number> => {
  const codes = ownCodes(dossier);
  const others = await compared(codes, othersIn(dossier));
  const present = codes.length - 1;
  const taken: number[] = [];
  for (const [at, { ordinal }] of codes.entries()) {
    // What nobody used is in nobody's way, but whoever copied it has nothing to give.
    const older = others.filter((other) => other.ordinal < ordinal && (other.used || at < present));
    taken.push(mostTaken(older, { codes, taken }));
  }
  return 1 - (taken[present] ?? 0);
};

/** The code as it is. The same code written again is as old as it was. */
export const presentCode = (dossier: Dossier): DatedPrint => {
  const { print, codeOrdinal: ordinal } = dossier;
  return earlierCodes(dossier).find((row) => row.print === print) ?? { print, ordinal };
};

/** Oldest first, each once. */
const earlierCodes = ({ memo, pastCodes }: Dossier): readonly DatedPrint[] => {
  const codes = [...printsIn(memo), ...pastCodes].sort((a, b) => a.ordinal - b.ordinal);
  return codes
    .filter(({ print }, at) => codes.findIndex((code) => code.print === print) === at)
    .map(({ print, ordinal }) => ({ print, ordinal }));
};

/** The codes of the artifact itself, the present one last. */
const ownCodes = (dossier: Dossier): readonly DatedPrint[] => {
  const present = presentCode(dossier);
  return [...earlierCodes(dossier).filter(({ print }) => print !== present.print), present];
};

/** A code of another artifact; `used` where it was scored or sold. */
type Other = DatedPrint & { readonly used: boolean };

/** No two codes have the same place in the order in which they were written. */
const othersIn = ({ others }: Dossier): readonly Other[] => {
  const known = new Map<number, Other>();
  for (const { memo, codes } of others) {
    for (const { print, ordinal, sold } of codes)
      known.set(ordinal, { print, ordinal, used: sold });
    for (const print of printsIn(memo)) known.set(print.ordinal, { ...print, used: true });
  }
  return [...known.values()];
};

/** How like each of the artifact's own codes another one is, from 0 to 1. */
type Compared = Omit<Other, "print"> & { readonly alike: readonly number[] };

const compared = async (
  codes: readonly DatedPrint[],
  others: readonly Other[],
): Promise<readonly Compared[]> => {
  const sketches: readonly Sketch[] = codes.map(({ print }) => sketchIn(print));
  const atOnceMax = Math.ceil(COMPARED_AT_ONCE_MAX / sketches.length);
  const rows: Compared[] = [];
  for (const { print, ordinal, used } of others) {
    const sketch = sketchIn(print);
    rows.push({ ordinal, used, alike: sketches.map((own) => resemblance(own, sketch)) });
    if (rows.length % atOnceMax === 0) await nextTurn();
  }
  return rows;
};

type Earlier = {
  readonly codes: readonly DatedPrint[];
  /** What the first of them had from others; the code that is asked about comes after those. */
  readonly taken: readonly number[];
};

/** The largest part that the code after the earlier ones has from one of these. */
const mostTaken = (others: readonly Compared[], earlier: Earlier): number => {
  const at = earlier.taken.length;
  return others.reduce((most, other) => {
    const alike = other.alike[at] ?? 0;
    return alike > most ? Math.max(most, alike - givenTo(other, earlier)) : most;
  }, 0);
};

/** The largest part that another code has from an older one of this artifact. */
const givenTo = ({ ordinal, alike }: Compared, { codes, taken }: Earlier): number =>
  taken.reduce((most, had, at) => {
    const isOlder = (codes[at]?.ordinal ?? ordinal) < ordinal;
    return isOlder ? Math.max(most, (alike[at] ?? 0) - had) : most;
  }, 0);
