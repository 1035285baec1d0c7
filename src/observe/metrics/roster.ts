import type { Event, State } from "../../kernel/index.ts";
import { BANKRUPT, standingOf } from "../standing.ts";

/** One agent's loop, and how long it has been in the run and frozen, in ms up to `sinceMs`. */
type Life = { state: string; sinceMs: number; aliveMs: number; frozenMs: number };

/** How much of their time some agents spent frozen. */
export type Frozen = { readonly aliveMs: number; readonly frozenMs: number };

/** The agents of a run, and what state each is in. An agent that has stopped is not alive. */
export class Roster {
  readonly #lives = new Map<string, Life>();

  constructor(begun: State, atMs: number) {
    for (const { id, ...agent } of [...begun.agents.rows()].sort((a, b) => a.order - b.order)) {
      const state = standingOf(agent);
      this.#lives.set(id, { state, sinceMs: atMs, aliveMs: 0, frozenMs: 0 });
    }
  }

  count(event: Event): void {
    const { at_ms: atMs, principal } = event;
    switch (event.kind) {
      case "agent_created":
        this.#lives.set(event.id, { state: "running", sinceMs: atMs, aliveMs: 0, frozenMs: 0 });
        return;
      case "agent_state_changed":
        return this.#turn(principal, event.to, atMs);
      case "agent_slept":
        return this.#turn(principal, "sleeping", atMs);
      case "agent_woken":
      case "agent_unfrozen":
        return this.#turn(event.agent, "running", atMs);
      case "agent_handed_over":
        if (event.due_at_ms !== null) this.#turn(event.agent, "running", atMs);
        return;
      case "agent_frozen":
        return this.#turn(principal, "frozen", atMs);
      case "agent_bankrupt":
        return this.#turn(principal, BANKRUPT, atMs);
      case "action_refused":
      case "thought_failed":
        if (event.paused) this.#turn(principal, "paused", atMs);
        return;
      default:
    }
  }

  /** In the order they were created. */
  ids(): readonly string[] {
    return [...this.#lives.keys()];
  }

  get size(): number {
    return this.#lives.size;
  }

  stateOf(id: string): string | null {
    return this.#lives.get(id)?.state ?? null;
  }

  frozenOf(id: string, atMs: number): Frozen {
    const life = this.#lives.get(id);
    return life === undefined ? { aliveMs: 0, frozenMs: 0 } : spanOf(life, atMs);
  }

  /** Of all agents together. */
  frozen(atMs: number): Frozen {
    let [aliveMs, frozenMs] = [0, 0];
    for (const life of this.#lives.values()) {
      const span = spanOf(life, atMs);
      aliveMs += span.aliveMs;
      frozenMs += span.frozenMs;
    }
    return { aliveMs, frozenMs };
  }

  #turn(id: string | null, state: string, atMs: number): void {
    const life = id === null ? undefined : this.#lives.get(id);
    if (life !== undefined) Object.assign(life, { ...spanOf(life, atMs), state, sinceMs: atMs });
  }
}

const spanOf = ({ state, sinceMs, aliveMs, frozenMs }: Life, atMs: number): Frozen => {
  const spentMs = state === "stopped" || state === BANKRUPT ? 0 : atMs - sinceMs;
  return {
    aliveMs: aliveMs + spentMs,
    frozenMs: frozenMs + (state === "frozen" ? spentMs : 0),
  };
};

/** The frozen part; 0 where nobody lived. */
export const frozenShare = ({ aliveMs, frozenMs }: Frozen): number =>
  aliveMs === 0 ? 0 : frozenMs / aliveMs;
