import { isObject, type Json } from "../../kernel/index.ts";
import type { Custom, Dossier, Scored, Scorer } from "./scorer.ts";
import { resemblance, sketchOf } from "./sketch.ts";

/** So much custom is half of what any could be worth; √scrip, summed over families. */
const HALF_CUSTOM = 10;
/** What a program is worth whose examples do not run, as a part of what it would be. */
const UNPROVEN_PART = 0.5;
/** Earlier codes of one artifact that are remembered, so that none is new again. */
const SKETCHES_MAX = 8;

/** The fingerprint of a code, and its place in the order in which codes were written. */
type Sketch = { readonly print: string; readonly ordinal: number };

/** What is kept of an artifact between its scorings. */
type Memo = {
  /** By family: the net custom that has been scored already. */
  readonly counted: ReadonlyMap<string, number>;
  readonly sketches: readonly Sketch[];
};

/**
 * The offline judge. It asks what others have really paid since the last time, how many of them,
 * how unlike the code is to everything scored before, and whether the declared examples hold. It
 * reads no prose: neither content nor comments change anything.
 */
export const usageScorer: Scorer = {
  score: (dossier) => Promise.resolve(judged(dossier)),
};

const judged = (dossier: Dossier): Scored => {
  const { custom, examples } = dossier;
  const { counted, sketches } = memoIn(dossier.memo);
  const fresh = custom
    .map(({ family, net }) => Math.max(0, net - (counted.get(family) ?? 0)))
    .filter((net) => net > 0);
  const weight = fresh.reduce((sum, net) => sum + Math.sqrt(net), 0);
  const use = weight / (weight + HALF_CUSTOM);
  const sketch = { print: sketchOf(dossier.code), ordinal: dossier.codeOrdinal };
  const novelty = 1 - mostTaken(sketch, { own: sketches, others: dossier.others });
  const proven = examples.run === 0 ? 0 : examples.passed / examples.run;
  const proof = UNPROVEN_PART + (1 - UNPROVEN_PART) * proven;
  const score = Math.round(100 * use * novelty * proof);
  const scrip = fresh.reduce((sum, net) => sum + net, 0);
  const reason =
    `${fresh.length} unrelated families paid ${scrip} scrip net since it was last scored ` +
    `(${use.toFixed(2)}); novelty ${novelty.toFixed(2)}; ` +
    `${examples.passed} of ${examples.run} declared examples hold (${proof.toFixed(2)})`;
  const memo = {
    counted: countedNow(counted, custom),
    sketches: fresh.length === 0 ? sketches.map(noted) : withSketch(sketches, sketch).map(noted),
  };
  return { ok: true, score, reason, memo };
};

/** What was counted once stays counted, also after some of it has gone back. */
const countedNow = (counted: Memo["counted"], custom: readonly Custom[]): Json => {
  const now = new Map(counted);
  for (const { family, net } of custom) now.set(family, Math.max(net, now.get(family) ?? 0));
  return Object.fromEntries(now);
};

const noted = ({ print, ordinal }: Sketch): Json => [print, ordinal];

/** The same code written again is as old as it was. What nobody used leaves no sketch. */
const withSketch = (known: readonly Sketch[], sketch: Sketch): readonly Sketch[] => {
  const same = known.find(({ print }) => print === sketch.print) ?? sketch;
  return [...known.filter(({ print }) => print !== sketch.print), same].slice(-SKETCHES_MAX);
};

type Compared = { readonly own: readonly Sketch[]; readonly others: Dossier["others"] };

/**
 * The largest part that a code has in common with another that is older, less what that other had
 * in common with a still older code of this same artifact: a copy takes nothing from what was there
 * before it, also when that is improved later.
 */
const mostTaken = (sketch: Sketch, { own, others }: Compared): number => {
  let most = 0;
  for (const { memo } of others) {
    for (const other of memoIn(memo).sketches) {
      if (other.ordinal >= sketch.ordinal) continue;
      const given = own
        .filter(({ ordinal }) => ordinal < other.ordinal)
        .map(({ print }) => resemblance(print, other.print));
      most = Math.max(most, resemblance(sketch.print, other.print) - Math.max(0, ...given));
    }
  }
  return most;
};

/** Another scorer may have noted something else, which tells this one nothing. */
const memoIn = (given: Json): Memo => {
  const { counted = null, sketches = null } = isObject(given) ? given : {};
  const sums = isObject(counted) ? Object.entries(counted) : [];
  const listed = Array.isArray(sketches) ? sketches : [];
  return {
    counted: new Map(
      sums.flatMap(([family, sum]) => (typeof sum === "number" ? [[family, sum] as const] : [])),
    ),
    sketches: listed.flatMap((row) => {
      const [print, ordinal] = Array.isArray(row) ? row : [];
      return typeof print === "string" && typeof ordinal === "number" ? [{ print, ordinal }] : [];
    }),
  };
};
