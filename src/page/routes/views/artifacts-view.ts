import type { Artifact, State } from "../../../kernel/index.ts";
import { artifactNamed, tradeSince } from "../../../read/index.ts";
import type { StateAt } from "../reader/run-reader.ts";

const lineOf = (state: State, artifact: Artifact, earlier: State) => {
  const { id, type, owner, version, price, sizeBytes: size_bytes } = artifact;
  const about = { id, type, owner, version, price, size_bytes };
  return { ...about, deleted: artifact.deleted !== null, ...tradeSince(id, state, earlier) };
};
export type ArtifactRow = ReturnType<typeof lineOf>;

export const artifactRows = ({ state }: StateAt, earlier: State): readonly ArtifactRow[] =>
  [...state.artifacts.rows()].map((artifact) => lineOf(state, artifact, earlier));

/** The fields of an artifact that `artifactReport` omits. Null if the artifact does not exist. */
export const artifactExtras = ({ state }: StateAt, id: string) => {
  const artifact = artifactNamed(state, id);
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
