import {
  type Agent,
  type Due,
  draw,
  type Id,
  isObject,
  type Json,
  type JsonObject,
  must,
  type Patch,
  patchOf,
  physicsOf,
  scarceResource,
  seedPrng,
  selfOf,
  type View,
  type ViewBounds,
  viewOf,
} from "../../kernel/index.ts";
import type { Decided, Mind, Thought } from "../../mind/index.ts";
import type { Clock, Keeping, Timer, World } from "../../world/index.ts";
import { CancellableThought } from "./cancellable-thought.ts";

export type AgentLoopParts = {
  readonly id: Id;
  readonly world: World;
  readonly clock: Clock;
  readonly mindOf: (id: Id) => Mind;
  readonly bounds: ViewBounds;
  readonly signal: AbortSignal;
};

/** The loop of one agent: observe, think, act, wait. Its next step is in the world's state. */
export class AgentLoop {
  readonly id: Id;
  readonly #parts: AgentLoopParts;
  readonly #timer: Timer;
  readonly #thought: CancellableThought;
  #epoch = 0;
  /** The step that failed last: `due` stayed the same. The loop does not retry this step. */
  #failed: Due | null = null;

  constructor(parts: AgentLoopParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#timer = parts.clock.timer(this.#agent().order);
    this.#thought = new CancellableThought(parts.signal);
  }

  /** Wakes the loop after the agent changed. Cancels a thought that the change made invalid. */
  poke(): void {
    this.#timer.poke();
    if (this.#agent().epoch !== this.#epoch) this.#thought.cancel();
  }

  /** Resolves when the agent has stopped permanently or when the run ends. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    this.#rememberLast();
    for (;;) {
      const agent = this.#agent();
      if (agent.state === "stopped") return;
      const { due } = agent;
      const dueMs = due === null || due === this.#failed ? Number.POSITIVE_INFINITY : due.atMs;
      const wake = await this.#timer.until(dueMs, signal);
      if (wake === "cancelled" || signal.aborted) return;
      if (wake === "poked" || this.#agent().due !== due || due === null) continue;
      if (due.step === "act") this.#act();
      else {
        await this.#think();
        this.#actAtOnce();
      }
      if (this.#agent().due === due) this.#failed = due;
    }
  }

  #agent(): Agent {
    return must(
      this.#parts.world.state.agents.get(this.id),
      `an agent must have a loop: ${this.id}`,
    );
  }

  /** Remembers the last action if the run stopped before the agent's mind remembered it. */
  #rememberLast(): void {
    const { id, actions } = this.#agent();
    if (actions.at(-1)?.atMs !== this.#parts.clock.now()) return;
    this.#remember(this.#parts.mindOf(id));
  }

  /** In real time, executes a due action at once. A timer would queue it behind other agents. */
  #actAtOnce(): void {
    const { clock, signal } = this.#parts;
    const { due, state } = this.#agent();
    if (clock.kind === "virtual" || clock.held || signal.aborted || state !== "running") return;
    if (due?.step === "act" && due.atMs <= clock.now()) this.#act();
  }

  #act(): void {
    const { world, clock, mindOf } = this.#parts;
    world.submit({ kind: "execute_decision", at_ms: clock.now(), principal: this.id });
    this.#remember(mindOf(this.id));
  }

  #remember(mind: Mind): void {
    const { counters, memories } = this.#agent();
    if (memories.through === counters.actions) return;
    const { world, clock } = this.#parts;
    for (const keeping of this.#recollected(mind, [])) {
      world.submit({ kind: "remember", at_ms: clock.now(), agent: this.id, ...keeping });
    }
  }

  #recollected(mind: Mind, said: readonly string[]): readonly Keeping[] {
    if (mind.recollect === null) return [];
    const { notes, text } = mind.recollect(selfOf(this.#parts.world.state, this.id), said);
    if (notes.length === 0) return [];
    const write = text === null ? null : ({ into: "memory", content: text } as const);
    return [{ notes, through: this.#agent().counters.actions, write }];
  }

  async #think(): Promise<void> {
    const { world, clock, mindOf, bounds, signal } = this.#parts;
    const at_ms = clock.now();
    if (this.#endsWait(at_ms)) return;
    const mind = mindOf(this.id);
    if (this.#mustWait(mind, at_ms)) return;
    this.#remember(mind);
    const { epoch } = this.#agent();
    this.#epoch = epoch;
    const view = viewOf(world.state, this.id, { now: at_ms, bounds });
    const conclude = (thought: Thought): void => {
      if (!signal.aborted) this.#conclude(thought, { mind, view, epoch });
    };
    const thinking = mind.decide(view, this.#thought.signal);
    const thought = await this.#thought.wait(thinking, conclude);
    if (thought !== null) conclude(thought);
  }

  /** Ends a pause, sleep or freeze whose time is over. Returns false in all other states. */
  #endsWait(at_ms: number): boolean {
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

  #mustWait(mind: Mind, at_ms: number): boolean {
    const { world } = this.#parts;
    const { price } = mind;
    const { call: cpu_gas } = physicsOf(world.state).sandbox.gas_table;
    const amounts = { actions: 1, llm_calls: price.calls, llm_tokens: price.tokens, cpu_gas };
    const lack = scarceResource(world.state, this.id, { now: at_ms, amounts });
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

  #conclude(thought: Thought, { mind, view, epoch }: ThoughtStart): void {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    switch (thought.kind) {
      case "finished":
        // If the agent was changed during the thought, the thought cannot stop the agent.
        if (this.#agent().epoch === epoch) this.#change("stopped", thought.reason, null);
        return;
      case "failed": {
        const { kind: _, memory, ...failure } = thought;
        world.submit({
          kind: "fail_thought",
          at_ms,
          agent: this.id,
          ...failure,
          ...(memory === null ? {} : { mind: this.#mindChange(memory) }),
          epoch,
        });
        return;
      }
      case "decided": {
        const { reasoning, memory, usage, waitMs, sleep } = thought;
        const action = withDefaultMaxPrice(thought.action, view);
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

  /** Returns the change of the mind's state, because whole states are too large for the journal. */
  #mindChange(memory: Json): Patch {
    return patchOf(this.#agent().mind, memory);
  }

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

  /** A duration within `mind.thinkMs`. Depends only on the seed, agent and thought number. */
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

type ThoughtStart = { readonly mind: Mind; readonly view: View; readonly epoch: number };

const PRICES = [
  ["invoke_artifact", "price"],
  ["read_artifact", "read_price"],
] as const;

type Shown = Pick<View, "market" | "owned">;

/** If an action sets no `max_price`, sets `max_price` to the price that the view shows. */
export const withDefaultMaxPrice = (action: Json, view: Shown): Json => {
  if (!isObject(action)) return action;
  const named = action.kind ?? action.action_type;
  for (const [kind, price] of PRICES) {
    // The fields of an action are next to its kind (`{kind, …}`) or in an object (`{[kind]: {…}}`).
    if (named === kind) return priced(action, price, view);
    const fields = action[kind];
    if (isObject(fields)) return { ...action, [kind]: priced(fields, price, view) };
  }
  return action;
};

const priced = (fields: JsonObject, price: "price" | "read_price", view: Shown): JsonObject => {
  if ((fields.max_price ?? null) !== null) return fields;
  const shown = (offering: Shown["market"][number]): boolean => offering.id === fields.artifact_id;
  const found = view.market.find(shown) ?? view.owned.find(shown);
  return found === undefined ? fields : { ...fields, max_price: found[price] };
};
