import { PRIVATE, SELF_OWNED } from "./access.ts";
import { type Artifact, sizeOf } from "./artifact.ts";
import type { WorldCommand } from "./command.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import type { Event, EventOf, WrittenFields } from "./event.ts";
import { withFields } from "./evolve-artifact.ts";
import { asId, type Id } from "./ids.ts";
import { blankArtifact, physicsOf, type State, wholeOf } from "./state.ts";

type Of<K extends WorldCommand["kind"]> = Extract<WorldCommand, { readonly kind: K }>;

export const decideCreateWorld = (state: State, command: Of<"create_world">): Decision => {
  if (state.whole.has("world")) return refuse("already_exists", "a world is created once");
  const { at_ms, physics } = command;
  return accept([{ at_ms, principal: null, kind: "world_created", physics }], null);
};

export const decideMoveHorizon = (_state: State, command: Of<"move_horizon">): Decision => {
  const { at_ms, horizon_ms } = command;
  return accept([{ at_ms, principal: null, kind: "horizon_moved", horizon_ms }], null);
};

type Birth = {
  readonly at: number;
  readonly principal: Id | null;
  readonly id: Id;
  readonly owner: Id;
  readonly fields: WrittenFields;
};

/** The first version of an artifact that the world itself puts there. */
const written = (state: State, birth: Birth): EventOf<"artifact_written"> => {
  const { at, id, owner, fields } = birth;
  const row: Artifact = withFields(
    blankArtifact(wholeOf(state), { id, owner, by: owner, at }),
    fields,
  );
  return {
    at_ms: at,
    principal: birth.principal,
    kind: "artifact_written",
    artifact_id: id,
    by: owner,
    owner,
    created: true,
    version: 1,
    size_bytes: sizeOf(row),
    fields,
  };
};

export const decideInstall = (state: State, command: Of<"install_artifact">): Decision => {
  const { id, at_ms: at, owner, fields } = command;
  if (state.artifacts.has(id)) return refuse("already_exists", `${id} exists`);
  return accept([written(state, { at, principal: null, id, owner, fields })], null);
};

/** An agent of the first day: its account, its own artifact, its memory, its loop. */
export const decideCreateAgent = (state: State, command: Of<"create_agent">): Decision => {
  const { id, at_ms: at, endowment } = command;
  const memory = asId(`${id}_memory`);
  const { principals_max } = physicsOf(state).agents;
  const taken = [id, memory].find((name) => state.artifacts.has(name));
  if (taken !== undefined) return refuse("already_exists", `"${taken}" exists`);
  if (state.accounts.size >= principals_max) {
    return refuse("quota_exceeded", `the world has its ${principals_max} principals already`);
  }
  const agent = written(state, {
    at,
    principal: id,
    id,
    owner: id,
    fields: {
      type: "agent",
      content: command.content,
      access: SELF_OWNED,
      has_standing: true,
      can_execute: true,
      memory_artifact_id: memory,
    },
  });
  const fields = { type: "memory", content: command.memory, access: PRIVATE };
  const notes = written(state, { at, principal: id, id: memory, owner: id, fields });
  const account: Event = {
    at_ms: at,
    principal: id,
    kind: "principal_created",
    id,
    scrip: endowment.scrip,
    llm_budget_micros: endowment.llm_budget_micros,
    disk_quota: endowment.disk_bytes + agent.size_bytes + notes.size_bytes,
    quotas: endowment.quotas,
    parent: null,
  };
  const loop: Event = {
    at_ms: at,
    principal: id,
    kind: "agent_created",
    id,
    memory_artifact_id: memory,
    order: wholeOf(state).agentsMade,
    due_at_ms: command.starts_at_ms,
  };
  return accept([account, agent, notes, loop], null);
};
