import type { Event, Id, ViewBounds } from "../kernel/index.ts";
import type { Clock, World } from "../world/index.ts";
import { AgentLoop, type MindSource } from "./agent-loop.ts";

export type AgentLoopsParts = {
  readonly world: World;
  readonly clock: Clock;
  readonly minds: MindSource;
  readonly bounds: ViewBounds;
  readonly signal: AbortSignal;
};

/** The loops of all agents of a run: of those it begins with, and of those born on the way. */
export class AgentLoops {
  readonly #parts: AgentLoopsParts;
  readonly #loops = new Map<Id, AgentLoop>();

  constructor(parts: AgentLoopsParts) {
    this.#parts = parts;
  }

  /** Starts the loop of every agent there is. */
  beginAll(): void {
    const agents = [...this.#parts.world.state.agents.rows()];
    for (const { id } of agents.sort((a, b) => a.order - b.order)) this.#begin(id);
  }

  /** Starts loops that are new, and wakes those whose plans others have changed. */
  hear(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "agent_created":
          this.#begin(event.id);
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

  #begin(id: Id): void {
    const { world, clock } = this.#parts;
    const loop = new AgentLoop({ ...this.#parts, id });
    this.#loops.set(id, loop);
    clock.spawn(() => loop.run(), world.state.agents.get(id)?.order ?? 0);
  }
}
