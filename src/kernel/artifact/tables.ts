import { accept, type Decision, refuse } from "../core/decision.ts";
import { asId, type Id, isReserved } from "../core/ids.ts";
import type { Secret } from "../core/random.ts";
import * as is from "../core/shape.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import { CORE_ROW, type CoreTables, worldRow } from "../core/world.ts";
import type { Artifact, ArtifactUsage, CodeHistory, Customer, TransferOffer } from "./artifact.ts";

export const ARTIFACT_ROW = {
  ...CORE_ROW,
  artifactsMade: is.amount,
  /** The number of code versions written so far, without those of the world's own artifacts. */
  codesWritten: is.amount,
  /** The secret key of the code fingerprints. It depends on the seed and the initial agents. */
  secret: is.integers(2) as is.Shape<Secret>,
};
type ArtifactRow = is.RecordOf<typeof ARTIFACT_ROW>;

export interface ArtifactTables extends CoreTables {
  readonly world: Table<"world", ArtifactRow>;
  readonly artifacts: Table<Id, Artifact>;
  readonly trades: Table<Id, ArtifactUsage>;
  readonly customers: Table<string, Customer>;
  /** For each artifact, its past code versions and whether its present code was sold. */
  readonly histories: Table<Id, CodeHistory>;
  readonly offers: Table<Id, TransferOffer>;
  /** The first ancestor of each principal. Deleted principals are included. */
  readonly families: Table<Id, Id>;
  readonly indexes: ReturnType<typeof artifactIndexes>;
}

/** The indexes of the tables. An index replaces a scan of a whole table. */
export const artifactIndexes = (
  artifacts: Table<Id, Artifact>,
  offers: Table<Id, TransferOffer>,
) => ({
  /** Artifacts that have an account and do not own themselves, grouped by owner. */
  principalsOwned: new TableIndex(artifacts, {
    groupOf: ({ id, owner, deleted, hasStanding }) =>
      hasStanding && deleted === null && owner !== id ? owner : null,
  }),
  /** Artifacts with a custom access contract and a known `accessBy`, grouped by owner. */
  ruledOf: new TableIndex(artifacts, {
    groupOf: ({ owner, access, accessBy, deleted }) =>
      accessBy !== null && deleted === null && !isReserved(access) ? owner : null,
  }),
  offersFrom: new TableIndex(offers, { groupOf: ({ from }) => from }),
  /** Offers by receiver. The offer of the newest artifact comes first. */
  offersTo: new TableIndex(offers, {
    groupOf: ({ to }) => to,
    rankOf: ({ artifact }) => [-(artifacts.get(artifact)?.ordinal ?? 0)],
  }),
});

/** Returns the artifact, or undefined if it does not exist or was deleted. */
export const liveArtifact = (state: ArtifactTables, id: Id): Artifact | undefined => {
  const artifact = state.artifacts.get(id);
  return artifact === undefined || artifact.deleted !== null ? undefined : artifact;
};

/** Returns the live artifact, or the refusal that tells an agent why there is none. */
export const find = (state: ArtifactTables, id: Id): Decision<Artifact> => {
  const artifact = state.artifacts.get(id);
  if (artifact === undefined) {
    const message = `there is no artifact "${id}"; genesis_store.search("words") finds some`;
    return refuse("not_found", message);
  }
  if (artifact.deleted !== null) {
    const { at, by } = artifact.deleted;
    const deleted = `${id} was deleted by ${by} at ${at / 1_000} s`;
    return refuse("deleted", `${deleted}; its id cannot be used again`);
  }
  return accept([], artifact);
};

/** The live artifact if the actor owns it, or a refusal. */
export const findOwned = (state: ArtifactTables, actor: Id, id: Id): Decision<Artifact> => {
  const found = find(state, id);
  if (found.kind !== "accepted" || found.answer.owner === actor) return found;
  return refuse("not_owner", `${actor} does not own ${id}; ${found.answer.owner} does`);
};

/** The ordinal and the access contract of the next new artifact. */
export const nextArtifact = (
  state: ArtifactTables,
): { readonly ordinal: number; readonly access: Id } => {
  const { artifactsMade, physics } = worldRow(state);
  return { ordinal: artifactsMade + 1, access: asId(physics.access.default) };
};
