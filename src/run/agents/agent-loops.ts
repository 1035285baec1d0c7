import type { Event, Id } from "../../kernel/index.ts";
import type { OpenThought } from "../../world/index.ts";
import { AgentLoop, type AgentLoopParts } from "./agent-loop.ts";

/** The loops of all agents of a run, including agents that are spawned during the run. */
export class AgentLoops {
  readonly #parts: Omit<AgentLoopParts, "id">;
  readonly #loops = new Map<Id, AgentLoop>();

  constructor(parts: Omit<AgentLoopParts, "id">) {
    this.#parts = parts;
  }

  /** `thoughts` are the thoughts in progress, in the order in which they started. */
  start(thoughts: readonly OpenThought[]): void {
    const agents = [...this.#parts.world.state.agents.rows()];
    for (const { id } of agents.sort((a, b) => a.order - b.order)) this.#start(id);
    for (const { agent, view } of thoughts) this.#loops.get(agent)?.continueThought(view);
  }

  openThoughts(): readonly OpenThought[] {
    const open = [...this.#loops.values()].flatMap(({ openThought }) => openThought ?? []);
    return open.sort((a, b) => a.view.now - b.view.now);
  }

  onEvents(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "agent_created":
          this.#start(event.id);
          break;
        case "artifact_written":
          this.#pokeIfFrozen(event.artifact_id);
          break;
        case "agent_state_changed":
          this.#loops.get(event.agent)?.poke();
          break;
      }
    }
  }

  /** The new configuration of a frozen agent may have cheaper thoughts. */
  #pokeIfFrozen(id: Id): void {
    const agent = this.#parts.world.state.agents.get(id);
    if (agent?.state === "frozen") this.#loops.get(id)?.poke();
  }

  #start(id: Id): void {
    const { world, clock } = this.#parts;
    const loop = new AgentLoop({ ...this.#parts, id });
    this.#loops.set(id, loop);
    // A world in which every agent is frozen or stopped ends at once.
    loop.thaw();
    clock.spawn(() => loop.run(), world.state.agents.get(id)?.order ?? 0);
  }
}
