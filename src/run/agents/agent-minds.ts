import { type Id, isObject, must } from "../../kernel/index.ts";
import { findingsOf, type Mind, type OpenKind, offMind } from "../../mind/index.ts";
import { JsonCounter, type World } from "../../world/index.ts";
import {
  agentConfigSchema,
  type ReadAgent,
  readAgent,
  readableAgentsIn,
} from "../minds/agent-config.ts";
import { kindOf, type RunMindKind, type RunMindParts } from "../minds/kinds.ts";

/**
 * The minds of the agents of a run. An agent has a new mind when its artifact has changed.
 *
 * The code of a kind is loaded when an agent needs it. Loading takes real time but no run time: a
 * loop awaits `whenReady` while it is awake, so the virtual clock stands still until then, and the
 * order of events is the same as with code that was loaded before.
 */
export class AgentMinds {
  readonly #world: World;
  readonly #parts: RunMindParts;
  readonly #off: ReadonlySet<Id>;
  readonly #open = new Map<RunMindKind, OpenKind>();
  readonly #made = new Map<Id, { readonly version: number; readonly mind: Mind }>();

  /** @param off the agents that must not think, because their code is not trusted. */
  constructor(world: World, parts: RunMindParts, off: ReadonlySet<Id>) {
    this.#world = world;
    this.#parts = parts;
    this.#off = off;
  }

  /** Loads the kinds of all agents that are in the world or will join it. */
  async loadAll(): Promise<void> {
    for (const { id, kind } of readableAgentsIn(this.#world.state)) {
      if (!this.#off.has(id) && !this.#open.has(kind)) await this.#load(kind);
    }
  }

  /** Resolves when `of` can make the mind of an agent. Null if it can at once. */
  readonly whenReady = (id: Id): Promise<void> | null => {
    if (this.#off.has(id)) return null;
    const { version, content } = this.#artifactOf(id);
    if (this.#made.get(id)?.version === version) return null;
    const { kind } = storedAgent(content);
    return this.#open.has(kind) ? null : this.#load(kind);
  };

  /** The mind of an agent whose kind is loaded. */
  readonly of = (id: Id): Mind => {
    if (this.#off.has(id)) return offMind(id);
    const { version, content } = this.#artifactOf(id);
    const known = this.#made.get(id);
    if (known?.version === version) return known.mind;
    const agent = must(this.#world.state.agents.get(id), `an agent must have a loop: ${id}`);
    const { kind, config } = storedAgent(content);
    const open = must(this.#open.get(kind), `the kind of a mind must be loaded: ${config.mind}`);
    const mind = open.create(agent, config);
    this.#made.set(id, { version, mind });
    return mind;
  };

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((kind) => kind.close?.()));
  }

  async #load(kind: RunMindKind): Promise<void> {
    const { open } = await kind.load();
    // Two loops can wait for one kind.
    if (!this.#open.has(kind)) this.#open.set(kind, open(this.#parts));
  }

  #artifactOf(id: Id) {
    return must(this.#world.state.artifacts.get(id), `an agent must be an artifact: ${id}`);
  }
}

/** The configuration of an agent that is in a world. */
const storedAgent = (content: string): ReadAgent => {
  const read = readAgent(content);
  return must(read.ok ? read : null, "the artifact of an agent must be a valid configuration");
};

/** The maximum nesting. Reading scripts is recursive, so more nesting could overflow the stack. */
const DEPTH_MAX = 64;
const PROBLEMS_SHOWN = 3;

/** Returns why an agent cannot write this text as a configuration, or null if it can. */
export const agentProblem = (content: string): string | null => {
  if (nestingOf(content) > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
  const read = readAgent(content);
  if (read.ok) return read.kind.onlyPersonas?.(read.config) ?? null;
  const { error, given } = read;
  if (error === null) return 'it is not JSON, such as {"mind":"policy/explorer"}';
  const mind = isObject(given) ? given.mind : null;
  // A kind that no agent can have is refused as a whole.
  const foreign = kindOf(mind)?.onlyPersonas?.({ mind: String(mind) }) ?? null;
  if (foreign !== null) return foreign;
  const found = findingsOf(error, { schema: agentConfigSchema, value: given });
  const said = found
    .slice(0, PROBLEMS_SHOWN)
    .map(({ message, hint }) => (hint === null ? message : `${message}; ${hint}`));
  const more = found.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};

/** Returns why the configuration in an agent's artifact cannot be used, or null if it can. */
export const storedProblem = (content: string): string | null =>
  readAgent(content).ok ? null : agentProblem(content);

/** The deepest nesting in a JSON text. If the text is not JSON, the result is meaningless. */
const nestingOf = (text: string): number => {
  const counts = new JsonCounter();
  counts.take(Buffer.from(text));
  return counts.found.deepest;
};
