import { type Id, must } from "../kernel/index.ts";
import {
  type AgentConfig,
  type Mind,
  type MindParts,
  mindFor,
  readAgentConfig,
} from "../mind/index.ts";
import type { World } from "../world/index.ts";
import type { MindSource } from "./agent-loop.ts";

/**
 * Minds made from the agents' own artifacts. A mind is made
 * anew when its artifact has a new version; writes that would not be a configuration are refused by
 * the world, so what is read here is always valid.
 */
export class MindsOfWorld implements MindSource {
  readonly #world: World;
  readonly #parts: MindParts;
  readonly #made = new Map<Id, { readonly version: number; readonly mind: Mind }>();

  constructor(world: World, parts: MindParts) {
    this.#world = world;
    this.#parts = parts;
  }

  mindOf(id: Id): Mind {
    const artifact = must(this.#world.state.artifacts.get(id), `an agent is an artifact: ${id}`);
    const known = this.#made.get(id);
    if (known?.version === artifact.version) return known.mind;
    const mind = mindFor(id, configOf(artifact.content), this.#parts);
    this.#made.set(id, { version: artifact.version, mind });
    return mind;
  }
}

const configOf = (content: string): AgentConfig => {
  const read = readAgentConfig(content);
  return must(read.ok ? read.config : null, "the artifact of an agent is a valid configuration");
};
