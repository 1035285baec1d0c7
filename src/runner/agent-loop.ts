import {
  type Agent,
  asId,
  draw,
  type Id,
  must,
  physicsOf,
  scarce,
  seedPrng,
  type ViewBounds,
  viewOf,
} from "../kernel/index.ts";
import type { Mind, Thought } from "../mind/index.ts";
import type { Alarm, Clock, World } from "../world/index.ts";

/** Gives an agent its mind, anew whenever its artifact has a new version. */
export type MindSource = { mindOf(id: Id): Mind };

export type AgentLoopParts = {
  readonly id: Id;
  readonly world: World;
  readonly clock: Clock;
  readonly minds: MindSource;
  readonly bounds: ViewBounds;
  readonly signal: AbortSignal;
};

/**
 * One agent's life: wait for its turn, look, think, act, rest, and again, independently of all
 * others. What it is about to do and when is part of the world's state, so a loop can be dropped
 * and made anew at any moment and goes on as if nothing had been.
 */
export class AgentLoop {
  readonly id: Id;
  readonly #parts: AgentLoopParts;
  readonly #alarm: Alarm;

  constructor(parts: AgentLoopParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#alarm = parts.clock.alarm(this.#agent().order);
  }

  /** Lets the loop look again at what it is to do, because somebody else has changed that. */
  poke(): void {
    this.#alarm.poke();
  }

  /** Ends when the agent has stopped for good or the run is over. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    for (;;) {
      const agent = this.#agent();
      if (agent.state === "stopped") return;
      const { due } = agent;
      const wake = await this.#alarm.until(due?.atMs ?? Number.POSITIVE_INFINITY, signal);
      if (wake === "cancelled" || signal.aborted) return;
      if (wake === "poked" || this.#agent().due !== due || due === null) continue;
      if (due.step === "act") this.#act();
      else await this.#think();
    }
  }

  #agent(): Agent {
    return must(this.#parts.world.state.agents.get(this.id), `an agent has a loop: ${this.id}`);
  }

  #act(): void {
    const { world, clock, minds } = this.#parts;
    const backoff = minds.mindOf(this.id).backsOff;
    world.submit({ kind: "carry_out", at_ms: clock.now(), principal: this.id, backoff });
  }

  async #think(): Promise<void> {
    const { world, clock, minds, bounds, signal } = this.#parts;
    const at_ms = clock.now();
    if (this.#agent().state === "paused") {
      this.#change("running", "it has rested", at_ms);
      return;
    }
    const mind = minds.mindOf(this.id);
    if (this.#mustWait(mind, at_ms)) return;
    const { epoch } = this.#agent();
    const view = viewOf(world.state, this.id, { now: at_ms, bounds });
    const thought = await mind.decide(view, signal);
    if (signal.aborted) return;
    this.#conclude(mind, thought, epoch);
  }

  /** Puts off a thought for which the agent lacks a resource or the money. */
  #mustWait(mind: Mind, at_ms: number): boolean {
    const { world } = this.#parts;
    const { price } = mind;
    const { gas_table } = physicsOf(world.state).sandbox;
    const amounts = {
      actions: 1,
      llm_calls: price.calls,
      llm_tokens: price.tokens,
      cpu_gas: gas_table.call,
    };
    const lack = scarce(world.state, this.id, { now: at_ms, amounts });
    if (lack !== null) {
      const { resource, amount } = lack;
      world.submit({ kind: "limit_agent", at_ms, agent: this.id, resource, amount });
      return true;
    }
    const account = world.state.accounts.get(this.id);
    if (price.micros <= (account?.llmBudgetMicros ?? 0)) return false;
    const needs_micros = price.micros;
    world.submit({ kind: "freeze_agent", at_ms, agent: this.id, needs_micros });
    return true;
  }

  #conclude(mind: Mind, thought: Thought, epoch: number): void {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    switch (thought.kind) {
      case "finished":
        this.#change("stopped", thought.reason, null);
        return;
      case "failed": {
        const { reason, message, usage } = thought;
        const backoff = mind.backsOff;
        world.submit({
          kind: "fail_thought",
          at_ms,
          agent: this.id,
          reason,
          message,
          usage,
          backoff,
          epoch,
        });
        return;
      }
      case "decided": {
        const { action, reasoning, memory, usage, waitMs } = thought;
        const think_ms = waitMs + this.#thinkMs(mind);
        world.submit({
          kind: "complete_thought",
          at_ms,
          agent: this.id,
          action,
          reasoning,
          mind: memory,
          usage,
          think_ms,
          sleep: null,
          epoch,
        });
      }
    }
  }

  /** How long this thought takes in run time: drawn from the seed and the number of the thought. */
  #thinkMs(mind: Mind): number {
    const { world } = this.#parts;
    const [least, most] = mind.thinkMs;
    const { thoughts } = this.#agent().counters;
    const stream = `${this.id}/thought/${thoughts}`;
    const [roll] = draw(seedPrng(physicsOf(world.state).seed, stream));
    return least + Math.floor(roll * (most - least + 1));
  }

  #change(to: Agent["state"], reason: string, due_at_ms: number | null): void {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    world.submit({ kind: "change_agent_state", at_ms, agent: this.id, to, reason, due_at_ms });
  }
}

/** The ids of all agents in a world, in the order they were created. */
export const agentIds = (world: World): readonly Id[] =>
  [...world.state.agents.rows()].sort((a, b) => a.order - b.order).map(({ id }) => asId(id));
