import { type Id, liveArtifact, type State } from "../../kernel/index.ts";

/** The configuration, as JSON text, of each agent that has not stopped or will join the world. */
export const agentContents = (
  state: State,
): readonly { readonly id: Id; readonly content: string }[] => {
  const present = [...state.agents.rows()].flatMap(({ id, state: now }) => {
    const content = now === "stopped" ? undefined : liveArtifact(state, id)?.content;
    return content === undefined ? [] : [{ id, content }];
  });
  const later = (state.world.get("world")?.schedule.entries ?? []).flatMap(({ change }) =>
    change.kind === "add" ? [{ id: change.agent.id, content: change.agent.content }] : [],
  );
  return [...present, ...later];
};
