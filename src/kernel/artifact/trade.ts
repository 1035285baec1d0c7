import type { Id } from "../core/ids.ts";
import { worldRow } from "../core/world.ts";
import {
  type Artifact,
  type ArtifactUsage,
  type CodeVersion,
  type Customer,
  customerKey,
  NO_USAGE,
} from "./artifact.ts";
import { areRelated, rootOf } from "./owners.ts";
import { type ArtifactTables, liveArtifact } from "./tables.ts";

/** Records that an artifact was called or read. */
export const noteUse = (
  state: ArtifactTables,
  id: Id,
  change: (row: ArtifactUsage) => ArtifactUsage,
): void => state.trades.put(id, change(state.trades.get(id) ?? NO_USAGE));

const NOTHING_BOUGHT: { calls: number; paid: number; paidTo: Customer["paidTo"] } = {
  calls: 0,
  paid: 0,
  paidTo: {},
};

/** Records a call in an action of `principal`, which does not own the artifact. */
export const noteCall = (state: ArtifactTables, artifact: Id, principal: Id): void => {
  const key = customerKey(artifact, principal);
  const { calls, paid, paidTo } = state.customers.get(key) ?? NOTHING_BOUGHT;
  state.customers.put(key, { artifact, principal, calls: calls + 1, paid, paidTo });
};

/** Records a price as paid by `payer`, even if another principal started the action. */
export const notePrice = (
  state: ArtifactTables,
  payer: Id,
  sale: {
    readonly to: Id | null;
    readonly amount: number;
    readonly reason: string;
    readonly artifact_id?: Id;
  },
): void => {
  const { to, amount, reason, artifact_id: artifact } = sale;
  if (reason !== "price" || artifact === undefined) return;
  const key = customerKey(artifact, payer);
  const { calls, paid, paidTo } = state.customers.get(key) ?? NOTHING_BOUGHT;
  const row = { artifact, principal: payer, calls, paid: paid + amount, paidTo };
  if (to === null) return state.customers.put(key, row);
  const family = rootOf(state, to);
  const before = Object.hasOwn(paidTo, family) ? (paidTo[family] ?? 0) : 0;
  state.customers.put(key, { ...row, paidTo: { ...paidTo, [family]: before + amount } });
  noteSale(state, artifact, [payer, to]);
};

/** Records a sale of the present code. A payment between related principals is not a sale. */
const noteSale = (state: ArtifactTables, artifact: Id, [payer, payee]: readonly [Id, Id]): void => {
  const known = state.histories.get(artifact);
  const { codePrint = "" } = liveArtifact(state, artifact) ?? {};
  if (known?.sold === true || codePrint === "" || areRelated(state, payer, payee)) return;
  state.histories.put(artifact, { artifact, sold: true, past: known?.past ?? [] });
};

const PAST_CODES_MAX = 7;

/** The recorded code versions of a live artifact, oldest first. The present code is last. */
export const codesOf = (state: ArtifactTables, id: Id): readonly CodeVersion[] => {
  const row = liveArtifact(state, id);
  return row === undefined ? [] : codesWith(state, row);
};

const codesWith = (state: ArtifactTables, row: Artifact): readonly CodeVersion[] => {
  const { past = [], sold = false } = state.histories.get(row.id) ?? {};
  const { codePrint: print, codeOrdinal: ordinal } = row;
  return print === "" ? past : [...past, { print, ordinal, sold }];
};

export const noteCode = (state: ArtifactTables, before: Artifact, after: Artifact): void => {
  if (before.codePrint === "" || before.codeOrdinal === after.codeOrdinal) return;
  const past = thinned(codesWith(state, before), worldRow(state).codesWritten);
  state.histories.put(after.id, { artifact: after.id, sold: false, past });
};

export const forgetCodes = (state: ArtifactTables, id: Id): void => {
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
