import type { Artifact } from "./artifact.ts";
import type { Id } from "./ids.ts";
import { areAkin } from "./lineage.ts";
import { liveArtifact, type State, wholeOf } from "./state.ts";

/** A code that an artifact has, or has had. */
export type DatedCode = {
  readonly code: string;
  /** Its place among all codes in the order in which they were written. */
  readonly ordinal: number;
  /** Whether somebody of another family paid for a call while the artifact had it. */
  readonly sold: boolean;
};

/** What must be known of an artifact's code beside the code itself, so that it can be dated. */
export type CodeHistory = {
  readonly artifact: Id;
  /** Whether the code that it has now was sold. */
  readonly sold: boolean;
  /** What it had before, oldest first. */
  readonly past: readonly DatedCode[];
};

/** Past codes that are kept of one artifact. They are no part of its size: nobody can read them. */
const PAST_CODES_MAX = 7;

/** All codes of a live artifact that are still known, oldest first, the present one last. */
export const codesOf = (state: State, id: Id): readonly DatedCode[] => {
  const { past = [], sold = false } = state.histories.get(id) ?? {};
  const { code = null, codeOrdinal: ordinal = 0 } = liveArtifact(state, id) ?? {};
  return code === null ? past : [...past, { code, ordinal, sold }];
};

/** To be called when an artifact has got other fields, with the row as it was. */
export const noteCode = (state: State, before: Artifact, after: Artifact): void => {
  if (before.code === null || before.codeOrdinal === after.codeOrdinal) return;
  const past = thinned(codesBefore(state, before, before.code), wholeOf(state).codesWritten);
  state.histories.put(after.id, { artifact: after.id, sold: false, past });
};

const codesBefore = (state: State, row: Artifact, code: string): readonly DatedCode[] => {
  const { past = [], sold = false } = state.histories.get(row.id) ?? {};
  return [...past, { code, ordinal: row.codeOrdinal, sold }];
};

/** To be called when a call was paid for. Money within a family sells nothing. */
export const noteSale = (state: State, artifact: Id, [payer, payee]: readonly [Id, Id]): void => {
  const known = state.histories.get(artifact);
  const isSold = known?.sold === true || (liveArtifact(state, artifact)?.code ?? null) === null;
  if (isSold || areAkin(state, payer, payee)) return;
  state.histories.put(artifact, { artifact, sold: true, past: known?.past ?? [] });
};

export const forgetCodes = (state: State, id: Id): void => {
  if (state.histories.has(id)) state.histories.remove(id);
};

/**
 * At most so many codes: the first stays, and what nobody bought goes before what was bought. Of
 * those the one goes in whose place the fewest codes of others can lie, between its neighbours.
 */
const thinned = (codes: readonly DatedCode[], codesWritten: number): readonly DatedCode[] => {
  if (codes.length <= PAST_CODES_MAX) return codes;
  const later = codes.slice(1);
  const unsold = later.filter(({ sold }) => !sold);
  const room = ({ ordinal }: DatedCode): number => {
    const at = codes.findIndex((code) => code.ordinal === ordinal);
    return (codes[at + 1]?.ordinal ?? codesWritten) - (codes[at - 1]?.ordinal ?? 0);
  };
  const [least] = (unsold.length > 0 ? unsold : later).toSorted((a, b) => room(a) - room(b));
  return codes.filter((code) => code !== least);
};
