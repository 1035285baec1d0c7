import { type Artifact, NO_TRADE, type State } from "../../kernel/index.ts";
import type { Earlier, StateAt } from "./run-reader.ts";

const lineOf = (state: State, artifact: Artifact, earlier: Earlier) => {
  const now = state.trades.get(artifact.id) ?? NO_TRADE;
  const then = earlier.trades.get(artifact.id) ?? NO_TRADE;
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
    calls: now.calls - then.calls,
    calls_by_others: now.callsByOthers - then.callsByOthers,
    failures: now.failures - then.failures,
    reads: now.reads - then.reads,
    revenue: now.revenue - then.revenue,
  };
};
export type ArtifactRow = ReturnType<typeof lineOf>;

export const artifactRows = ({ state }: StateAt, earlier: Earlier): readonly ArtifactRow[] =>
  [...state.artifacts.rows()].map((artifact) => lineOf(state, artifact, earlier));

/** The fields of an artifact that its report does not have; null if there is none. */
export const artifactExtras = ({ state }: StateAt, id: string) => {
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
