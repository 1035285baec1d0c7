import { sizeOf } from "./artifact.ts";
import type { WorldCommand } from "./command.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import { withFields } from "./evolve-artifact.ts";
import { liveArtifact, type State } from "./state.ts";
import { diskFull } from "./write.ts";

/** What a person changes in a world that goes on: nobody in it has asked for that. */
type Of<K extends WorldCommand["kind"]> = Extract<WorldCommand, { readonly kind: K }>;

export const decideAmend = (state: State, command: Of<"amend_physics">): Decision => {
  if (!state.whole.has("world")) return refuse("not_found", "there is no world yet");
  const { at_ms, physics } = command;
  return accept([{ at_ms, principal: null, kind: "physics_amended", physics }], null);
};

/** The agent is there → its owner has the disk. Whoever asks has checked the configuration. */
export const decideRewrite = (state: State, command: Of<"rewrite_agent">): Decision => {
  const { at_ms, id, content } = command;
  const before = liveArtifact(state, id);
  if (before === undefined || !state.agents.has(id)) {
    return refuse("not_found", `"${id}" is no agent of this world`);
  }
  const { owner } = before;
  const size_bytes = sizeOf(withFields(before, { content }, owner));
  const full = diskFull(state, owner, { adds: size_bytes - before.sizeBytes, what: id });
  if (full !== null) return full;
  const written: Event = {
    at_ms,
    principal: null,
    kind: "artifact_written",
    artifact_id: id,
    by: owner,
    owner,
    created: false,
    version: before.version + 1,
    size_bytes,
    fields: { content },
  };
  return accept([written], null);
};
