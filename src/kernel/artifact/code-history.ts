import { areRelated } from "../family/family.ts";
import type { Id } from "../primitives/ids.ts";
import { liveArtifact, type State, worldRow } from "../state.ts";
import type { Artifact, CodeVersion } from "./artifact.ts";

/** Maximum number of past versions per artifact. They do not count towards the artifact's size. */
const PAST_CODES_MAX = 7;

/** The recorded code versions of a live artifact, oldest first. The present code is last. */
export const codesOf = (state: State, id: Id): readonly CodeVersion[] => {
  const row = liveArtifact(state, id);
  return row === undefined ? [] : codesWith(state, row);
};

const codesWith = (state: State, row: Artifact): readonly CodeVersion[] => {
  const { past = [], sold = false } = state.histories.get(row.id) ?? {};
  const { codePrint: print, codeOrdinal: ordinal } = row;
  return print === "" ? past : [...past, { print, ordinal, sold }];
};

export const noteCode = (state: State, before: Artifact, after: Artifact): void => {
  if (before.codePrint === "" || before.codeOrdinal === after.codeOrdinal) return;
  const past = thinned(codesWith(state, before), worldRow(state).codesWritten);
  state.histories.put(after.id, { artifact: after.id, sold: false, past });
};

/** Records a sale of the present code. A payment between related principals is not a sale. */
export const noteSale = (state: State, artifact: Id, [payer, payee]: readonly [Id, Id]): void => {
  const known = state.histories.get(artifact);
  const { codePrint = "" } = liveArtifact(state, artifact) ?? {};
  if (known?.sold === true || codePrint === "" || areRelated(state, payer, payee)) return;
  state.histories.put(artifact, { artifact, sold: true, past: known?.past ?? [] });
};

export const forgetCodes = (state: State, id: Id): void => {
  if (state.histories.has(id)) state.histories.remove(id);
};

/**
 * If there are too many versions, drops one after the first: an unsold version if there is one,
 * else a sold version. Of several, drops the version whose neighbours have the closest ordinals.
 */
const thinned = (codes: readonly CodeVersion[], codesWritten: number): readonly CodeVersion[] => {
  if (codes.length <= PAST_CODES_MAX) return codes;
  const later = codes.slice(1);
  const unsold = later.filter(({ sold }) => !sold);
  const room = ({ ordinal }: CodeVersion): number => {
    const at = codes.findIndex((code) => code.ordinal === ordinal);
    return (codes[at + 1]?.ordinal ?? codesWritten) - (codes[at - 1]?.ordinal ?? 0);
  };
  const [least] = (unsold.length > 0 ? unsold : later).toSorted((a, b) => room(a) - room(b));
  return codes.filter((code) => code !== least);
};
