import type { Agent, AgentState, Event, State } from "../../kernel/index.ts";
import { addTo, sumOf } from "./statistics.ts";

/** The status of an agent that stopped for good because it had no model budget for too long. */
export const BANKRUPT = "bankrupt";

export type AgentStatus = AgentState | typeof BANKRUPT;

/** The agent's state, with `bankrupt` instead of `stopped` if the agent went bankrupt. */
export const agentStatus = ({ state, cause }: Pick<Agent, "state" | "cause">): AgentStatus =>
  cause === BANKRUPT ? BANKRUPT : state;

export const isBankrupt = (status: string | null): boolean => status === BANKRUPT;

/** Agent counts by status, with active agents first. Example: `8 active, 5 bankrupt`. */
export const statusCounts = (statuses: readonly string[]): string => {
  const counts = new Map<string, number>([["active", 0]]);
  for (const status of statuses) {
    addTo(counts, status === "running" || status === "sleeping" ? "active" : status);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
};

/** An agent's status since `sinceMs`, and its time alive and time frozen before `sinceMs`. */
type Life = {
  readonly group: string | null;
  status: string;
  sinceMs: number;
  aliveMs: number;
  frozenMs: number;
};

type FrozenTime = { readonly aliveMs: number; readonly frozenMs: number };

/** The agents of a run with their status. A stopped agent is not alive. */
export class Roster {
  readonly #lives = new Map<string, Life>();

  constructor(state: State, atMs: number) {
    for (const { id, ...agent } of [...state.agents.rows()].sort((a, b) => a.order - b.order)) {
      this.#add(id, { group: agent.group, status: agentStatus(agent), sinceMs: atMs });
    }
  }

  count(event: Event): void {
    const { at_ms: atMs } = event;
    switch (event.kind) {
      case "agent_created":
        return this.#add(event.id, { group: event.group, status: "running", sinceMs: atMs });
      case "agent_state_changed": {
        const { agent, to, cause = null } = event;
        return this.#change(agent, agentStatus({ state: to, cause }), atMs);
      }
      default:
    }
  }

  ids(): readonly string[] {
    return [...this.#lives.keys()];
  }

  get size(): number {
    return this.#lives.size;
  }

  /** Returns null if `id` is not an agent. */
  statusOf(id: string): string | null {
    return this.#lives.get(id)?.status ?? null;
  }

  /** The number of agents in each status that an agent has. */
  statuses(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { status } of this.#lives.values()) addTo(counts, status);
    return counts;
  }

  groupOf(id: string): string | null {
    return this.#lives.get(id)?.group ?? null;
  }

  frozenOf(id: string, atMs: number): FrozenTime {
    const life = this.#lives.get(id);
    return life === undefined ? { aliveMs: 0, frozenMs: 0 } : timeOf(life, atMs);
  }

  frozen(atMs: number): FrozenTime {
    const times = [...this.#lives.values()].map((life) => timeOf(life, atMs));
    return {
      aliveMs: sumOf(times.map(({ aliveMs }) => aliveMs)),
      frozenMs: sumOf(times.map(({ frozenMs }) => frozenMs)),
    };
  }

  #add(id: string, life: Pick<Life, "group" | "status" | "sinceMs">): void {
    this.#lives.set(id, { ...life, aliveMs: 0, frozenMs: 0 });
  }

  #change(id: string, status: string, atMs: number): void {
    const life = this.#lives.get(id);
    if (life !== undefined) Object.assign(life, { ...timeOf(life, atMs), status, sinceMs: atMs });
  }
}

const timeOf = ({ status, sinceMs, aliveMs, frozenMs }: Life, atMs: number): FrozenTime => {
  const spentMs = status === "stopped" || status === BANKRUPT ? 0 : atMs - sinceMs;
  return { aliveMs: aliveMs + spentMs, frozenMs: frozenMs + (status === "frozen" ? spentMs : 0) };
};

export const frozenShare = ({ aliveMs, frozenMs }: FrozenTime): number =>
  aliveMs === 0 ? 0 : frozenMs / aliveMs;
