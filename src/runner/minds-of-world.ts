import { type Id, must } from "../kernel/index.ts";
import {
  type AgentConfig,
  agentConfigSchema,
  type Mind,
  type MindParts,
  mindFor,
  readAgentConfig,
} from "../mind/index.ts";
import type { World } from "../world/index.ts";
import type { MindSource } from "./agent-loop.ts";
import { findingsOf } from "./config/index.ts";

/**
 * The seeds' `load_agents_from_store`: minds made from the agents' own artifacts. A mind is made
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

/** Scripts are read by functions that call themselves: deeper ones would end the process. */
const DEPTH_MAX = 64;

/** What the world asks before it lets an agent's artifact be written. */
export const agentProblem = (content: string): string | null => {
  if (nestingOf(content) > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
  const read = readAgentConfig(content);
  if (read.ok) return null;
  if (read.error === null) return 'it is not JSON, such as {"mind":"policy/explorer"}';
  const found = findingsOf(read.error, { schema: agentConfigSchema, value: read.given });
  const said = found.slice(0, SHOWN_MAX).map(({ message, hint }) => {
    return hint === null ? message : `${message}; ${hint}`;
  });
  const more = found.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};

/** What is wrong is told so far, and how much more there is. */
const SHOWN_MAX = 3;

/** How deeply the lists and maps of JSON text lie in one another; of other text, some number. */
const nestingOf = (text: string): number => {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') quoted = !quoted;
    else if (quoted) at += mark === "\\" ? 1 : 0;
    else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};
