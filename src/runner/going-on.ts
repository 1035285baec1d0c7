import {
  asId,
  canonical,
  type Id,
  liveArtifact,
  type Physics,
  physicsOf,
} from "../kernel/index.ts";
import type { World } from "../world/index.ts";
import { createAgentArtifacts, type Newcomer } from "./create-agent-artifacts.ts";

/** What a person wants of a world that goes on. Who is not named goes on as before. */
export type Change = {
  readonly physics: Physics;
  readonly newcomers: readonly Newcomer[];
};

/**
 * Puts into a world what has been changed since its state was kept, at the run time at which it
 * goes on. Where nothing is changed nothing happens, so that a run in two parts ends as a run in
 * one. Returns what could not be done.
 */
export const goOnWith = (world: World, change: Change, atMs: number): readonly string[] => {
  const { physics } = change;
  if (canonical(physics) !== canonical(physicsOf(world.state))) {
    world.submit({ kind: "amend_physics", at_ms: atMs, physics });
  }
  const { agents } = world.state;
  const known = change.newcomers.filter(({ id }) => agents.has(asId(id)));
  const fresh = change.newcomers.filter(({ id }) => !agents.has(asId(id)));
  const refused = known.flatMap(({ id, content }) =>
    rewritten(world, { id: asId(id), content }, atMs),
  );
  return [...refused, ...createAgentArtifacts(world, fresh, atMs)];
};

const rewritten = (
  world: World,
  { id, content }: Pick<Newcomer, "content"> & { readonly id: Id },
  atMs: number,
): readonly string[] => {
  if (liveArtifact(world.state, id)?.content === content) return [];
  const { success, message } = world.submit({ kind: "rewrite_agent", at_ms: atMs, id, content });
  return success ? [] : [`${id}: ${message}`];
};
