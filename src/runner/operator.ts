import { type Agent, asId, endsAction, type State } from "../kernel/index.ts";
import type { Clock, World } from "../world/index.ts";

/** What whoever watches a run can ask of it while it goes on. */
export type OperatorOrder =
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  /** Goes on until one action has ended, whoever acts, and is paused again. */
  | { readonly kind: "step" }
  | { readonly kind: "stop" }
  | { readonly kind: "checkpoint" }
  | { readonly kind: "pause_agent"; readonly agent: string }
  | { readonly kind: "resume_agent"; readonly agent: string };

/** What came of an order, in one line for whoever gave it. */
export type OrderOutcome =
  | { readonly ok: true; readonly message: string }
  | { readonly ok: false; readonly message: string };

/** `stepping`: it goes on until an action has ended. `over`: it takes no more orders. */
export type Pace = "going" | "paused" | "stepping" | "over";

export type OperatorParts = {
  readonly world: World;
  readonly clock: Clock;
  /** Keeps the state as it is now; the file is null where none is written. */
  readonly keep: () => Promise<Kept>;
  readonly stop: () => void;
};

export type Kept =
  | { readonly ok: true; readonly seq: number; readonly file: string | null }
  | { readonly ok: false; readonly problem: string };

/** Why an agent rests that an operator has paused; in its books and in the journal. */
const BY_OPERATOR = "an operator has paused it";

/** Whether this agent waits for an operator, and for nobody else. */
export const isPausedByOperator = ({ state, due, reason }: Agent): boolean =>
  state === "paused" && due === null && reason === BY_OPERATOR;

/**
 * Who may hold a run, move it on by one action, stop it and rest its agents, while it goes on.
 *
 * Pausing the run is holding its clock: nobody wakes, and run time stands still, in real time too.
 * A thought or a program under way ends, and what comes of it waits. Nothing of that is written
 * down, so a virtual run that was paused has the journal of one that was not. What changes the
 * world is a command like any other, in the journal before it is shown: an agent that is paused
 * drops what it was about to do and thinks anew when it is resumed. An order that cannot be carried
 * out changes nothing. Orders come between two transactions, never within one.
 */
export class Operator {
  readonly #parts: OperatorParts;
  readonly #listeners = new Set<(pace: Pace) => void>();
  #pace: Pace = "going";

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  get pace(): Pace {
    return this.#pace;
  }

  /** Calls `listener` with each change of pace. Returns the way to end that. */
  onPace(listener: (pace: Pace) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async carryOut(order: OperatorOrder): Promise<OrderOutcome> {
    if (this.#pace === "over") return not("the run is over");
    switch (order.kind) {
      case "pause":
        return this.#pause();
      case "resume":
        return this.#resume();
      case "step":
        return this.#step();
      case "stop":
        this.#parts.stop();
        return done("the run ends after what is being done now");
      case "checkpoint":
        return await this.#keep();
      case "pause_agent":
        return this.#pauseAgent(order.agent);
      case "resume_agent":
        return this.#resumeAgent(order.agent);
    }
  }

  /** Tells it what has happened, so that a step ends with an action. */
  hear(events: readonly { readonly kind: string }[]): void {
    if (this.#pace !== "stepping") return;
    if (!events.some(endsAction)) return;
    this.#parts.clock.hold();
    this.#become("paused");
  }

  /** The run ends: what is held goes, so that everybody can end what they do. */
  letGo(): void {
    if (this.#pace === "over") return;
    this.#become("over");
    this.#parts.clock.release();
  }

  /** Whether somebody rests who can be resumed: such a world is not at its end. */
  keepsWaiting(state: State): boolean {
    for (const agent of state.agents.rows()) if (isPausedByOperator(agent)) return true;
    return false;
  }

  #pause(): OrderOutcome {
    if (this.#pace === "paused") return not("the run is paused already");
    this.#parts.clock.hold();
    this.#become("paused");
    return done(`paused at ${this.#parts.clock.now() / 1_000} s`);
  }

  #resume(): OrderOutcome {
    if (this.#pace === "going") return not("the run is going on already");
    this.#become("going");
    this.#parts.clock.release();
    return done("the run goes on");
  }

  #step(): OrderOutcome {
    if (this.#pace === "going") return not("a run that goes on cannot be stepped; pause it first");
    if (this.#pace === "stepping") return not("the step before has not ended yet");
    this.#become("stepping");
    this.#parts.clock.release();
    return done("the run goes on until an action has ended");
  }

  async #keep(): Promise<OrderOutcome> {
    const kept = await this.#parts.keep();
    if (!kept.ok) return not(kept.problem);
    const where = kept.file === null ? "in the journal" : `as ${kept.file}`;
    return done(`the state after event ${kept.seq} is kept ${where}`);
  }

  #pauseAgent(id: string): OrderOutcome {
    const agent = this.#agent(id);
    if (agent === undefined) return not(`there is no agent "${id}"`);
    if (agent.state === "stopped") return not(`${id} has stopped for good`);
    if (isPausedByOperator(agent)) return not(`${id} is paused already`);
    return this.#change(agent, { to: "paused", reason: BY_OPERATOR, due_at_ms: null });
  }

  /** Also one that rests for another reason, such as too many failures: it need not wait. */
  #resumeAgent(id: string): OrderOutcome {
    const agent = this.#agent(id);
    if (agent === undefined) return not(`there is no agent "${id}"`);
    if (agent.state !== "paused") return not(`${id} is ${agent.state} and not paused`);
    const due_at_ms = this.#parts.clock.now();
    return this.#change(agent, { to: "running", reason: "an operator has resumed it", due_at_ms });
  }

  #agent(id: string): Agent | undefined {
    return this.#parts.world.state.agents.get(asId(id));
  }

  #change({ id }: Agent, to: Change): OrderOutcome {
    const { world, clock } = this.#parts;
    const command = { kind: "change_agent_state", at_ms: clock.now(), agent: id, ...to } as const;
    const { success, message } = world.submit(command);
    if (!success) return not(message);
    return done(to.to === "paused" ? `${id} is paused` : `${id} goes on`);
  }

  #become(pace: Pace): void {
    this.#pace = pace;
    for (const listener of this.#listeners) listener(pace);
  }
}

type Change = {
  readonly to: "paused" | "running";
  readonly reason: string;
  readonly due_at_ms: number | null;
};

const done = (message: string): OrderOutcome => ({ ok: true, message });

const not = (message: string): OrderOutcome => ({ ok: false, message });
