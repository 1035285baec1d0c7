import type { Event, Id, ViewBounds } from "../../kernel/index.ts";
import { AgentLoop, type AgentLoopParts } from "./agent-loop.ts";

export const VIEW_BOUNDS: ViewBounds = {
  owned: 30,
  popular: 15,
  newest: 25,
  events: 20,
  principals: 50,
  tasks: 20,
  offers: 20,
  children: 20,
};

/** The loops of all agents of a run, including agents that are spawned during the run. */
export class AgentLoops {
  readonly #parts: Omit<AgentLoopParts, "id">;
  readonly #loops = new Map<Id, AgentLoop>();

  constructor(parts: Omit<AgentLoopParts, "id">) {
    this.#parts = parts;
  }

  start(): void {
    const agents = [...this.#parts.world.state.agents.rows()];
    for (const { id } of agents.sort((a, b) => a.order - b.order)) this.#start(id);
  }

  onEvents(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "agent_created":
          this.#start(event.id);
          break;
        case "agent_unfrozen":
        case "agent_woken":
        case "agent_handed_over":
          this.#loops.get(event.agent)?.poke();
          break;
        case "agent_state_changed":
          if (event.principal !== null) this.#loops.get(event.principal)?.poke();
          break;
      }
    }
  }

  #start(id: Id): void {
    const { world, clock } = this.#parts;
    const loop = new AgentLoop({ ...this.#parts, id });
    this.#loops.set(id, loop);
    clock.spawn(() => loop.run(), world.state.agents.get(id)?.order ?? 0);
  }
}
