import type { Artifact, State } from "../../kernel/index.ts";
import type { Moment } from "./run-reader.ts";

const lineOf = (state: State, artifact: Artifact) => {
  const trade = state.trades.get(artifact.id);
  return {
    id: artifact.id,
    type: artifact.type,
    owner: artifact.owner,
    created_by: artifact.createdBy,
    created_ms: artifact.createdAt,
    version: artifact.version,
    executable: artifact.methods.length > 0,
    price: artifact.price,
    read_price: artifact.readPrice,
    size_bytes: artifact.sizeBytes,
    deleted: artifact.deleted !== null,
    calls: trade?.calls ?? 0,
    calls_by_others: trade?.callsByOthers ?? 0,
    failures: trade?.failures ?? 0,
    reads: trade?.reads ?? 0,
    revenue: trade?.revenue ?? 0,
  };
};
export type ArtifactRow = ReturnType<typeof lineOf>;

export const artifactRows = ({ state }: Moment): readonly ArtifactRow[] =>
  [...state.artifacts.rows()].map((artifact) => lineOf(state, artifact));

/** What else there is to see of one artifact than its report; null where there is none. */
export const artifactExtras = ({ state }: Moment, id: string) => {
  const artifact = [...state.artifacts.rows()].find((each) => each.id === id);
  if (artifact === undefined) return null;
  return {
    state: artifact.state,
    metadata: artifact.metadata,
    depends_on: artifact.dependsOn,
    has_standing: artifact.hasStanding,
    is_agent: state.agents.has(artifact.id),
  };
};
export type ArtifactExtras = NonNullable<ReturnType<typeof artifactExtras>>;
