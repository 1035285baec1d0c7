import {
  type Agent,
  type Due,
  draw,
  type Id,
  type Json,
  must,
  type Patch,
  patchOf,
  physicsOf,
  scarce,
  seedPrng,
  selfOf,
  type View,
  type ViewBounds,
  viewOf,
} from "../kernel/index.ts";
import type { Decided, Mind, Thought } from "../mind/index.ts";
import type { Clock, Keeping, Timer, World } from "../world/index.ts";
import { Attention } from "./attention.ts";
import { withToldPrice } from "./told-price.ts";

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
  readonly #timer: Timer;
  readonly #attention: Attention;
  /** The epoch of the agent when its last thought began. */
  #epoch = 0;
  /** What came due and changed nothing, as in a state that somebody else has set; it is over. */
  #vain: Due | null = null;

  constructor(parts: AgentLoopParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#timer = parts.clock.timer(this.#agent().order);
    this.#attention = new Attention(parts.signal);
  }

  /**
   * Lets the loop look again at what it is to do, because somebody else has changed that. A thought
   * that no longer counts is given up.
   */
  poke(): void {
    this.#timer.poke();
    if (this.#agent().epoch !== this.#epoch) this.#attention.giveUp();
  }

  /** Ends when the agent has stopped for good or the run is over. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    this.#finishDeed();
    for (;;) {
      const agent = this.#agent();
      if (agent.state === "stopped") return;
      const { due } = agent;
      const dueMs = due === null || due === this.#vain ? Number.POSITIVE_INFINITY : due.atMs;
      const wake = await this.#timer.until(dueMs, signal);
      if (wake === "cancelled" || signal.aborted) return;
      if (wake === "poked" || this.#agent().due !== due || due === null) continue;
      if (due.step === "act") this.#act();
      else {
        await this.#think();
        this.#actAtOnce();
      }
      if (this.#agent().due === due) this.#vain = due;
    }
  }

  #agent(): Agent {
    return must(this.#parts.world.state.agents.get(this.id), `an agent has a loop: ${this.id}`);
  }

  /** The state may have been cut between a deed and the memory of it: both are of one moment. */
  #finishDeed(): void {
    const { id, deeds } = this.#agent();
    if (deeds.at(-1)?.atMs !== this.#parts.clock.now()) return;
    this.#remember(this.#parts.minds.mindOf(id));
  }

  /**
   * In real time a deed that is due when it is decided on does not wait behind all who wake now:
   * many agents in step would each wait for the whole crowd once more. Virtual time has an order.
   */
  #actAtOnce(): void {
    const { clock, signal } = this.#parts;
    const { due, state } = this.#agent();
    if (clock.kind === "virtual" || clock.held || signal.aborted || state !== "running") return;
    if (due?.step === "act" && due.atMs <= clock.now()) this.#act();
  }

  #act(): void {
    const { world, clock, minds } = this.#parts;
    const backoff = minds.mindOf(this.id).backsOff;
    world.submit({ kind: "carry_out", at_ms: clock.now(), principal: this.id, backoff });
    this.#remember(minds.mindOf(this.id));
  }

  /** Takes into memory what was done since the last time. */
  #remember(mind: Mind): void {
    const { counters, memories } = this.#agent();
    if (memories.through === counters.actions) return;
    const { world, clock } = this.#parts;
    for (const keeping of this.#recollected(mind, [])) {
      world.submit({ kind: "remember", at_ms: clock.now(), agent: this.id, ...keeping });
    }
  }

  /** What there is to keep of what was done since the last time, and of what the mind says. */
  #recollected(mind: Mind, said: readonly string[]): readonly Keeping[] {
    if (mind.recollect === null) return [];
    const { notes, text } = mind.recollect(selfOf(this.#parts.world.state, this.id), said);
    if (notes.length === 0) return [];
    const write = text === null ? null : ({ into: "memory", content: text } as const);
    return [{ notes, through: this.#agent().counters.actions, write }];
  }

  async #think(): Promise<void> {
    const { world, clock, minds, bounds, signal } = this.#parts;
    const at_ms = clock.now();
    if (this.#goesOn(at_ms)) return;
    const mind = minds.mindOf(this.id);
    if (this.#mustWait(mind, at_ms)) return;
    this.#remember(mind);
    const { epoch } = this.#agent();
    this.#epoch = epoch;
    const view = viewOf(world.state, this.id, { now: at_ms, bounds });
    const conclude = (thought: Thought): void => {
      if (!signal.aborted) this.#conclude(thought, { mind, view, epoch });
    };
    const thinking = mind.decide(view, this.#attention.signal);
    const thought = await this.#attention.on(thinking, conclude);
    if (thought !== null) conclude(thought);
  }

  /** Ends what has lasted its time: a pause, a sleep, or the patience with one who is frozen. */
  #goesOn(at_ms: number): boolean {
    switch (this.#agent().state) {
      case "paused":
        this.#change("running", "it has rested", at_ms);
        return true;
      case "sleeping":
        this.#change("running", "it has slept", at_ms);
        return true;
      case "frozen":
        this.#parts.world.submit({ kind: "declare_bankrupt", at_ms, agent: this.id });
        return true;
      default:
        return false;
    }
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

  #conclude(thought: Thought, { mind, view, epoch }: ThoughtBegun): void {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    switch (thought.kind) {
      case "finished":
        // What it was has been changed since: it is not for the old self to say that it is done.
        if (this.#agent().epoch === epoch) this.#change("stopped", thought.reason, null);
        return;
      case "failed": {
        const { reason, message, memory, usage } = thought;
        const backoff = mind.backsOff;
        world.submit({
          kind: "fail_thought",
          at_ms,
          agent: this.id,
          reason,
          message,
          ...(memory === null ? {} : { mind: this.#mindChange(memory) }),
          usage,
          backoff,
          epoch,
        });
        return;
      }
      case "decided": {
        const { reasoning, memory, usage, waitMs, sleep } = thought;
        const action = withToldPrice(thought.action, view);
        const think_ms = waitMs + this.#thinkMs(mind);
        world.submit({
          kind: "complete_thought",
          at_ms,
          agent: this.id,
          action,
          reasoning,
          mind: this.#mindChange(memory),
          usage,
          think_ms,
          sleep,
          epoch,
          keeps: this.#kept(mind, thought),
        });
      }
    }
  }

  /** Minds keep kilobytes and change little of them at a time: the journal has what changes. */
  #mindChange(memory: Json): Patch {
    return patchOf(this.#agent().mind, memory);
  }

  /** What a thought wants to keep besides its decision. */
  #kept(mind: Mind, { keeps }: Decided): readonly Keeping[] {
    if (keeps === undefined) return [];
    const { notes, workingMemory: content } = keeps;
    const { through } = this.#agent().memories;
    const write = content === null ? null : ({ into: "working_memory", content } as const);
    return [
      ...(write === null ? [] : [{ notes: [], through, write }]),
      ...(notes.length === 0 ? [] : this.#recollected(mind, notes)),
    ];
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

/** How a thought began. */
type ThoughtBegun = { readonly mind: Mind; readonly view: View; readonly epoch: number };
