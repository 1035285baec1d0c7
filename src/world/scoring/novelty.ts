import { setImmediate as nextTurn } from "node:timers/promises";
import { resemblance, type Sketch, sketchIn } from "./fingerprint.ts";
import { type Candidate, type CodeFingerprint, fingerprintsIn } from "./scorer.ts";

/** The number of comparisons per turn of the event loop. One comparison takes a microsecond. */
const COMPARISONS_PER_SLICE = 10_000;

/**
 * The novelty of the code, from 0 (a copy) to 1: how much it differs from the older, scored or sold
 * code of other artifacts. An older version of this artifact may have invented a part that another
 * code then copied. Such a part does not reduce the novelty.
 */
export const noveltyOf = async (candidate: Candidate): Promise<number> => {
  const codes = ownCodes(candidate);
  const others = await compared(codes, othersIn(candidate));
  const present = codes.length - 1;
  const taken: number[] = [];
  for (const [at, { ordinal }] of codes.entries()) {
    // The present code is compared only with used code. An earlier version is compared with all
    // code, because a version that copied unused code is not original either.
    const older = others.filter((other) => other.ordinal < ordinal && (other.used || at < present));
    taken.push(mostTaken(older, { codes, taken }));
  }
  return 1 - (taken[present] ?? 0);
};

/** The current code. If an earlier version had the same code, returns that version's ordinal. */
export const currentCode = (candidate: Candidate): CodeFingerprint => {
  const { fingerprint: print, codeOrdinal: ordinal } = candidate;
  return earlierCodes(candidate).find((row) => row.print === print) ?? { print, ordinal };
};

/** The earlier versions of the code, oldest first and without duplicates. */
const earlierCodes = ({ memo, pastCodes }: Candidate): readonly CodeFingerprint[] => {
  const codes = [...fingerprintsIn(memo), ...pastCodes].sort((a, b) => a.ordinal - b.ordinal);
  return codes
    .filter(({ print }, at) => codes.findIndex((code) => code.print === print) === at)
    .map(({ print, ordinal }) => ({ print, ordinal }));
};

const ownCodes = (candidate: Candidate): readonly CodeFingerprint[] => {
  const present = currentCode(candidate);
  return [...earlierCodes(candidate).filter(({ print }) => print !== present.print), present];
};

/** The code of another artifact. `used` tells whether this code was scored or sold. */
type Other = CodeFingerprint & { readonly used: boolean };

const othersIn = ({ others }: Candidate): readonly Other[] => {
  const known = new Map<number, Other>();
  for (const { memo, codes } of others) {
    for (const { print, ordinal, sold } of codes)
      known.set(ordinal, { print, ordinal, used: sold });
    for (const print of fingerprintsIn(memo)) known.set(print.ordinal, { ...print, used: true });
  }
  return [...known.values()];
};

/** `alike`: the similarity of this code to each version of the candidate's code, from 0 to 1. */
type Compared = Omit<Other, "print"> & { readonly alike: readonly number[] };

const compared = async (
  codes: readonly CodeFingerprint[],
  others: readonly Other[],
): Promise<readonly Compared[]> => {
  const sketches: readonly Sketch[] = codes.map(({ print }) => sketchIn(print));
  const rowsPerSlice = Math.ceil(COMPARISONS_PER_SLICE / sketches.length);
  const rows: Compared[] = [];
  for (const { print, ordinal, used } of others) {
    const sketch = sketchIn(print);
    rows.push({ ordinal, used, alike: sketches.map((own) => resemblance(own, sketch)) });
    if (rows.length % rowsPerSlice === 0) await nextTurn();
  }
  return rows;
};

type Earlier = {
  readonly codes: readonly CodeFingerprint[];
  /** `taken[at]` is the part that `codes[at]` took from others. `codes[taken.length]` is judged. */
  readonly taken: readonly number[];
};

/** The largest part that the judged version took from a single one of the others. */
const mostTaken = (others: readonly Compared[], earlier: Earlier): number => {
  const at = earlier.taken.length;
  return others.reduce((most, other) => {
    const alike = other.alike[at] ?? 0;
    return alike > most ? Math.max(most, alike - givenTo(other, earlier)) : most;
  }, 0);
};

/** The maximum of `alike` minus `taken` over the candidate's versions older than the other code. */
const givenTo = ({ ordinal, alike }: Compared, { codes, taken }: Earlier): number =>
  taken.reduce((most, had, at) => {
    const isOlder = (codes[at]?.ordinal ?? ordinal) < ordinal;
    return isOlder ? Math.max(most, (alike[at] ?? 0) - had) : most;
  }, 0);
