import {
  type Agent,
  type Due,
  draw,
  type Id,
  type Inbox,
  isObject,
  type Json,
  type JsonObject,
  type MemoryWrite,
  mailboxOf,
  must,
  needsReview,
  type Patch,
  patchOf,
  physicsOf,
  seedPrng,
  seenAfter,
  selfOf,
  unansweredDecision,
  VIEW_BOUNDS,
  type View,
  viewOf,
} from "../../kernel/index.ts";
import { type Decided, FREE, type Mind, type Thought } from "../../mind/index.ts";
import type { Clock, Keeping, OpenThought, Timer, World } from "../../world/index.ts";
import { CancellableThought } from "./cancellable-thought.ts";
import { hindrance, isCheaperNow } from "./thought-gate.ts";
import type { ThoughtQueue } from "./thought-queue.ts";

export type AgentLoopParts = {
  readonly id: Id;
  readonly world: World;
  readonly clock: Clock;
  readonly minds: { of(id: Id): Mind; whenReady(id: Id): Promise<void> | null };
  readonly queue: ThoughtQueue;
  /** The run time at which the run stops. A thought that ends later does not ask its model. */
  readonly stopAtMs: number;
  readonly warn: (text: string) => void;
  /** Called after a thought whose model call the budget of the run could not pay. */
  readonly onOverBudget: () => void;
  readonly signal: AbortSignal;
};

/** The part of a command that says whether failures of this mind delay and pause its agent. */
const paceOf = ({ backsOff }: Mind): { readonly backs_off?: false } =>
  backsOff === undefined ? {} : { backs_off: backsOff };

/** The loop of one agent: observe, think, act, wait. Its next step is in the world's state. */
export class AgentLoop {
  readonly id: Id;
  readonly #parts: AgentLoopParts;
  readonly #timer: Timer;
  readonly #thought: CancellableThought;
  /** The thought in progress in simulated time. `answer` asks the model, at most once. */
  #ongoing: (ThoughtStart & { readonly answer: () => Promise<Thought> }) | null = null;
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

  /** The thought in progress in simulated time, or null. */
  get openThought(): OpenThought | null {
    return this.#ongoing === null ? null : { agent: this.id, view: this.#ongoing.view };
  }

  /** Continues a thought that started before this process. `view` is the view of its start. */
  continueThought(view: View): void {
    const { thinking, epoch, due } = this.#agent();
    if (thinking === null) return;
    const isOutdated = thinking.epoch !== epoch || due === null;
    const mind = this.#parts.minds.of(this.id);
    const answer = isOutdated ? async () => OUTDATED : this.#asking(mind, view, due.atMs);
    this.#ongoing = { mind, view, epoch: thinking.epoch, answer };
  }

  /** Resolves when the agent has stopped permanently or when the run ends. */
  async run(): Promise<void> {
    const { signal, minds } = this.#parts;
    this.#rememberLast();
    for (;;) {
      const loading = this.#agent().state === "stopped" ? null : minds.whenReady(this.id);
      if (loading !== null) await loading;
      this.thaw();
      const { state, due, thinking, epoch } = this.#agent();
      if (thinking !== null && thinking.epoch !== epoch) {
        await this.#endThought();
        if (signal.aborted) return;
        continue;
      }
      if (state === "stopped") return;
      const dueMs = due === null || due === this.#failed ? Number.POSITIVE_INFINITY : due.atMs;
      const wake = await this.#timer.until(dueMs, signal);
      if (wake === "cancelled" || signal.aborted) return;
      if (wake === "poked" || this.#agent().due !== due || due === null) continue;
      // Others can have changed the mind of the agent in the meantime.
      const changed = minds.whenReady(this.id);
      if (changed !== null) {
        await changed;
        if (signal.aborted) return;
        if (this.#agent().due !== due) continue;
      }
      if (due.step === "act") await this.#act();
      else {
        await (due.step === "decide" ? this.#endThought() : this.#think());
        await this.#actAtOnce();
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

  #inbox(): Inbox {
    const { inboxes } = this.#parts.world.state;
    return must(inboxes.get(this.id), `an agent must have an inbox: ${this.id}`);
  }

  /** Remembers the last action if the run stopped before the agent's mind remembered it. */
  #rememberLast(): void {
    const { id, actions } = this.#agent();
    if (actions.at(-1)?.atMs !== this.#parts.clock.now()) return;
    this.#remember(this.#parts.minds.of(id));
  }

  /** In real time, executes a due action at once. A timer would queue it behind other agents. */
  async #actAtOnce(): Promise<void> {
    const { clock, signal } = this.#parts;
    const { due, state } = this.#agent();
    if (clock.kind === "virtual" || clock.held || signal.aborted || state !== "running") return;
    if (due?.step === "act" && due.atMs <= clock.now()) await this.#act();
  }

  /** Executes the pending action, or proposes it if a reviewer must accept it first. */
  async #act(): Promise<void> {
    const { world, clock, minds, signal } = this.#parts;
    if (needsReview(world.state, this.id)) return this.#propose();
    const about = { at_ms: clock.now(), principal: this.id, ...paceOf(minds.of(this.id)) };
    world.submit({ kind: "execute_decision", ...about });
    // The action can have changed the mind of its own agent.
    const loading = minds.whenReady(this.id);
    if (loading !== null) await loading;
    if (loading === null || !signal.aborted) this.#remember(minds.of(this.id));
  }

  #propose(): void {
    const { world, clock } = this.#parts;
    // In simulated time no reviewer is late: the default applies at once, or the clock waits.
    const { review_timeout_ms } = physicsOf(world.state).agents;
    const answer_after_ms = clock.kind === "virtual" ? 0 : review_timeout_ms;
    world.submit({ kind: "propose_action", at_ms: clock.now(), agent: this.id, answer_after_ms });
  }

  /** Decides about the proposed action without a reviewer, unless it waits for one. */
  #decideUnanswered(at_ms: number): void {
    const { world } = this.#parts;
    const decision = unansweredDecision(world.state, this.id);
    const proposal = world.state.proposals.get(this.id)?.number;
    if (decision === null || proposal === undefined) return;
    world.submit({ kind: "decide_proposal", at_ms, proposal, decided_by: "default", decision });
  }

  #remember(mind: Mind): void {
    const { counters, remembered } = this.#agent();
    if (remembered === counters.actions) return;
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
    const { world, clock, minds, signal } = this.#parts;
    const at_ms = clock.now();
    if (this.#endsWait(at_ms)) return;
    const mind = minds.of(this.id);
    const wait = hindrance(world.state, { id: this.id, mind, now: at_ms });
    if (wait !== null) {
      world.submit(wait);
      return;
    }
    this.#remember(mind);
    if (clock.kind === "virtual" && mind.parallel !== null) return this.#startThought(mind);
    const { epoch } = this.#agent();
    this.#epoch = epoch;
    const seen = viewOf(world.state, this.id, { now: at_ms, bounds: VIEW_BOUNDS });
    // The world changes while a mind waits for an answer, so such a mind needs a copy.
    const view = mind.hasLazyView ? seen : { ...seen };
    const conclude = (thought: Thought): void => {
      if (!signal.aborted) this.#conclude(thought, { mind, view, epoch });
    };
    const thinking = mind.decide(view, this.#thought.signal);
    if (!(thinking instanceof Promise)) return conclude(thinking);
    const thought = await this.#thought.wait(thinking, conclude);
    if (thought !== null) conclude(thought);
  }

  /**
   * Starts a thought in simulated time. The agent looks at the world and asks its model now. The
   * reply becomes events when the thought ends, so the order of replies changes nothing.
   */
  #startThought(mind: Mind): void {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    const think_ms = this.#thinkMs(mind);
    world.submit({ kind: "start_thought", at_ms, agent: this.id, think_ms });
    const { thinking, epoch } = this.#agent();
    if (thinking === null) return;
    const view = { ...viewOf(world.state, this.id, { now: at_ms, bounds: VIEW_BOUNDS }) };
    const answer = this.#asking(mind, view, at_ms + think_ms);
    this.#ongoing = { mind, view, epoch, answer };
  }

  /** Asks now if the thought ends before the run stops, and otherwise when `answer` is called. */
  #asking(mind: Mind, view: View, endsAtMs: number): () => Promise<Thought> {
    const { queue, stopAtMs } = this.#parts;
    const { maxMicros } = mind.parallel ?? { maxMicros: 0 };
    // Not the signal of the run: each listener of a signal looks at all others.
    const { signal } = this.#thought;
    const ask = () => queue.start(maxMicros, async () => mind.decide(view, signal));
    if (endsAtMs >= stopAtMs) return ask;
    const asked = ask();
    // If the journal fails, the call rejects before someone waits for it.
    asked.catch(() => {
      // `answer` throws it.
    });
    return () => asked;
  }

  async #endThought(): Promise<void> {
    const ongoing = must(this.#ongoing, `a thought must have started: ${this.id}`);
    const thought = await ongoing.answer();
    if (this.#parts.signal.aborted) return;
    this.#ongoing = null;
    this.#conclude(thought, ongoing);
  }

  /** Ends a pause, sleep, freeze or review whose time is over. Returns false in other states. */
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
      case "in_review":
        this.#decideUnanswered(at_ms);
        return true;
      default:
        return false;
    }
  }

  /** Continues a frozen agent if its thoughts cost less now, because settings have changed. */
  thaw(): void {
    const { world, clock, minds } = this.#parts;
    const { state, needs } = this.#agent();
    if (state !== "frozen" || needs === null) return;
    const now = clock.now();
    if (isCheaperNow(world.state, needs, { id: this.id, mind: minds.of(this.id), now })) {
      this.#change("running", "its thoughts cost less now", now);
    }
  }

  #conclude(thought: Thought, { mind, view, epoch }: ThoughtStart): void {
    const { world, clock, warn, onOverBudget } = this.#parts;
    const at_ms = clock.now();
    for (const text of thought.warnings ?? []) warn(text);
    if (thought.isOverBudget) onOverBudget();
    switch (thought.kind) {
      case "finished":
        // If the agent was changed during the thought, the thought cannot stop the agent.
        if (this.#agent().epoch === epoch) this.#change("stopped", thought.reason, null);
        return;
      case "failed": {
        const { reason, fault, message, usage, memory } = thought;
        world.submit({
          kind: "fail_thought",
          at_ms,
          agent: this.id,
          reason,
          ...(fault === undefined ? {} : { fault }),
          message,
          usage,
          ...(memory === null ? {} : { mind: this.#mindChange(memory) }),
          epoch,
          ...paceOf(mind),
        });
        return;
      }
      case "decided": {
        const { reasoning, memory, usage, waitMs, sleep } = thought;
        const read_through = thought.read_through ?? view.mailbox.unread.at(-1)?.number ?? 0;
        // A seat can read messages that arrived while its thought waited.
        const { unread } = mailboxOf(world.state, this.id);
        const isRead = unread.some(({ number }) => number <= read_through);
        const action = withDefaultMaxPrice(thought.action, view);
        // In simulated time, a thought of a model ends only after its thinking time.
        const think_ms = waitMs + (this.#agent().thinking === null ? this.#thinkMs(mind) : 0);
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
          inbox: seenAfter(view.inbox, this.#inbox()),
          ...(isRead ? { read_through } : {}),
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
    const { notes, workingMemory: content, workspace: patch = null } = keeps;
    const { remembered: through } = this.#agent();
    const writes: readonly MemoryWrite[] = [
      ...(content === null ? [] : [{ into: "working_memory", content } as const]),
      ...(patch === null ? [] : [{ into: "workspace", patch } as const]),
    ];
    return [
      ...writes.map((write) => ({ notes: [], through, write })),
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

/** The answer of a thought that is already outdated when its run resumes. No model is asked. */
const OUTDATED: Thought = {
  kind: "failed",
  reason: "llm_error",
  message: "the agent changed while it thought",
  memory: null,
  usage: FREE,
};

type ThoughtStart = { readonly mind: Mind; readonly view: View; readonly epoch: number };

const PRICES = [
  ["invoke_artifact", "price"],
  ["read_artifact", "read_price"],
] as const;

type Shown = Pick<View, "market" | "texts" | "owned">;

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
  const found = view.market.find(shown) ?? view.texts.find(shown) ?? view.owned.find(shown);
  return found === undefined ? fields : { ...fields, max_price: found[price] };
};
