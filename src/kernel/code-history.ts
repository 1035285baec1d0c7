import type { Artifact } from "./artifact.ts";
import type { Id } from "./ids.ts";
import { areAkin } from "./lineage.ts";
import { liveArtifact, type State, wholeOf } from "./state.ts";

/** A code that an artifact has, or has had. */
export type DatedCode = {
  /** By which it can be compared with others: what is left of a code that was replaced. */
  readonly print: string;
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

/**
 * Past codes that are kept of one artifact. They are no part of its size, since nobody can read
 * them; each takes no more than a print does.
 */
const PAST_CODES_MAX = 7;

/** All codes of a live artifact that are still known, oldest first, the present one last. */
export const codesOf = (state: State, id: Id): readonly DatedCode[] => {
  const row = liveArtifact(state, id);
  return row === undefined ? [] : codesWith(state, row);
};

/** The past codes of an artifact and the one in this row of it. */
const codesWith = (state: State, row: Artifact): readonly DatedCode[] => {
  const { past = [], sold = false } = state.histories.get(row.id) ?? {};
  const { codePrint: print, codeOrdinal: ordinal } = row;
  return print === "" ? past : [...past, { print, ordinal, sold }];
};

/** To be called when an artifact has got other fields, with the row as it was. */
export const noteCode = (state: State, before: Artifact, after: Artifact): void => {
  if (before.codePrint === "" || before.codeOrdinal === after.codeOrdinal) return;
  const past = thinned(codesWith(state, before), wholeOf(state).codesWritten);
  state.histories.put(after.id, { artifact: after.id, sold: false, past });
};

/** To be called when a call was paid for. Money within a family sells nothing. */
export const noteSale = (state: State, artifact: Id, [payer, payee]: readonly [Id, Id]): void => {
  const known = state.histories.get(artifact);
  const { codePrint = "" } = liveArtifact(state, artifact) ?? {};
  if (known?.sold === true || codePrint === "" || areAkin(state, payer, payee)) return;
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
