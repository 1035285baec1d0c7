import { NodeNames } from "../../coding-agents/index.ts";
import {
  asId,
  type Event,
  genesisName,
  isObject,
  isReserved,
  jsonIn,
  mailboxOf,
  type State,
} from "../../kernel/index.ts";
import { MARKET } from "./affected.ts";

const NAME_CHARS_MAX = 60;
const ACCESS = /^contract_/;
/** The memories and workspaces of agents. Their names only repeat the name of the agent. */
const MEMORY = /_(?:memory|working_memory|workspace)(?:_\d+)?$/;

/** The minds whose memory is a conversation, and those that a client outside of the run moves. */
const WITH_TOOLS: ReadonlySet<string> = new Set(["tools", "code"]);
const PLAYED: ReadonlySet<string> = new Set(["seat", "cli"]);

type UnreadMessage = { readonly number: number; readonly thread: number };

/** What the moments need to know of the world, from its events. */
export class WorldIndex {
  readonly names = new NodeNames();
  readonly #minds = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  readonly #agents = new Set<string>();
  readonly #mail = new Map<string, readonly UnreadMessage[]>();

  /** `state` is the state before the first event. */
  constructor(state: State) {
    this.names.add(MARKET);
    for (const { id, owner, content } of state.artifacts.rows()) this.#write(id, owner, content);
    for (const { id } of state.agents.rows()) {
      this.#agents.add(id);
      this.#mail.set(id, mailboxOf(state, asId(id)).unread);
    }
  }

  count(event: Event): void {
    switch (event.kind) {
      case "principal_created":
        return this.#name(event.id);
      case "agent_created":
        this.#agents.add(event.id);
        return;
      case "artifact_written":
        return this.#write(event.artifact_id, event.owner, event.fields.content);
      case "ownership_transferred":
        this.#owners.set(event.artifact_id, event.to);
        return;
      case "task_posted":
        return this.names.add(event.description.slice(0, NAME_CHARS_MAX));
      case "message_sent": {
        const { to, number, thread } = event;
        this.#mail.set(to, [...(this.#mail.get(to) ?? []), { number, thread }]);
        return;
      }
      default:
    }
  }

  /** The ids of all agents, and of all artifacts, in the order in which they came. */
  get ids(): { readonly agents: readonly string[]; readonly artifacts: readonly string[] } {
    return { agents: [...this.#agents], artifacts: [...this.#owners.keys()] };
  }

  ownerOf(artifact: string): string | null {
    return this.#owners.get(artifact) ?? null;
  }

  hasTools(agent: string): boolean {
    return WITH_TOOLS.has(this.#minds.get(agent) ?? "");
  }

  isPlayed(agent: string): boolean {
    return PLAYED.has(this.#minds.get(agent) ?? "");
  }

  /** The threads of the messages that an agent has read now: all up to number `through`. */
  read(agent: string, through: number): readonly number[] {
    const unread = this.#mail.get(agent) ?? [];
    const read = unread.filter(({ number }) => number <= through);
    if (read.length > 0) this.#mail.set(agent, unread.slice(read.length));
    return read.map(({ thread }) => thread);
  }

  /** A genesis contract has the name of its space. Access contracts are not spaces. */
  #name(id: string): void {
    const space = genesisName(id);
    if (space !== id && !ACCESS.test(space)) this.names.add(space);
    else if (!isReserved(id) && !MEMORY.test(id)) this.names.add(id);
  }

  #write(id: string, owner: string, content: string | undefined): void {
    this.#owners.set(id, owner);
    this.#name(id);
    if (content?.includes('"mind"') !== true) return;
    const config = jsonIn(content);
    if (isObject(config) && typeof config.mind === "string") this.#minds.set(id, config.mind);
  }
}
