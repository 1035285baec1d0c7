import {
  type ActionEnd,
  type Agent,
  type Event,
  endsAction,
  type Id,
  jsonIn,
  must,
  type View,
} from "../../kernel/index.ts";
import type { SeatMove } from "../../mind/index.ts";
import { type ControlAnswer, RUN_OVER, refusal } from "../../run/index.ts";
import { type SeatOutcome, shortResult } from "../core/seat-look.ts";

type GivenMove = Extract<SeatMove, { readonly kind: "move" }>;

/** `given`: the seat is not to move yet. `taken`: the thought has it. `decided`: it is pending. */
type InFlight = {
  readonly move: GivenMove;
  readonly settle: (answer: ControlAnswer<SeatOutcome>) => void;
  stage: "given" | "taken" | "decided";
};

type Shown = Pick<View, "market" | "texts" | "owned">;

/** A thought that waits for a move, until `signal` aborts. */
type WaitingThought = {
  readonly resolve: (move: SeatMove) => void;
  readonly signal: AbortSignal;
  readonly forget: () => void;
};

/** One seat of a run: the thought that waits for a move, the move in flight, and its clients. */
export class Seat {
  readonly id: Id;
  readonly #ending: AbortSignal;
  readonly #onAlone: () => void;
  #thought: WaitingThought | null = null;
  #inFlight: InFlight | null = null;
  #absentAfterMs: number | null = null;
  #absence: ReturnType<typeof setTimeout> | null = null;
  /** True if `onAlone` was called since the last client has connected. */
  #isKnownAlone = false;
  /** The open connections of clients that have shown the token. */
  readonly #clients = new Set<AbortSignal>();
  readonly #waiting = new Set<() => void>();
  /** What the last look has shown: the number of the last message, and the prices. */
  #shown: { readonly message: number; readonly prices: Shown | null } = {
    message: 0,
    prices: null,
  };

  /**
   * @param ending aborts when the run ends.
   * @param onAlone called when a thought waits for a move and no client is connected, once until
   * a client connects.
   */
  constructor(id: Id, ending: AbortSignal, onAlone: () => void) {
    this.id = id;
    this.#ending = ending;
    this.#onAlone = onAlone;
  }

  /** True while the thought of the seat waits for a move. */
  get isToMove(): boolean {
    return this.#thought !== null;
  }

  get shown() {
    return this.#shown;
  }

  noteLook(message: number, prices: Shown): void {
    this.#shown = { message: Math.max(this.#shown.message, message), prices };
  }

  /** Resolves with the next move. If `signal` aborts, resolves only at the end of the run. */
  nextMove(absentAfterMs: number | null, signal: AbortSignal): Promise<SeatMove> {
    return new Promise((resolve) => {
      const forget = (): void => this.#endThought(this.#ending.aborted ? ABSENT : null);
      if (signal.aborted) return resolve(ABSENT);
      this.#absentAfterMs = absentAfterMs;
      this.#thought = { resolve, signal, forget };
      signal.addEventListener("abort", forget);
      this.#armAbsence();
      this.#giveMove();
      this.#noteAlone();
      this.checkWaiting();
    });
  }

  /** Ends at the end of the run what the thought and the clients wait for. */
  close(): void {
    this.#endThought(ABSENT);
    this.#settle(RUN_OVER);
    this.checkWaiting();
  }

  /** Counts a client as connected until `closed` aborts. */
  addClient(closed: AbortSignal): void {
    if (closed.aborted || this.#clients.has(closed)) return;
    this.#clients.add(closed);
    this.#isKnownAlone = false;
    this.#disarmAbsence();
    closed.addEventListener("abort", () => {
      this.#clients.delete(closed);
      this.#armAbsence();
      this.#noteAlone();
    });
  }

  /** Makes a move. Resolves when its action has ended. `signal` takes back a move not yet made. */
  act(move: GivenMove, agent: Agent, signal: AbortSignal): Promise<ControlAnswer<SeatOutcome>> {
    const problem = this.#inFlight === null ? unableBecause(agent) : IN_FLIGHT;
    if (problem !== null) return Promise.resolve(refusal(`${this.id} ${problem}`));
    if (signal.aborted) return Promise.resolve(refusal(CANCELLED));
    return new Promise((resolve) => {
      const inFlight: InFlight = { move, settle: resolve, stage: "given" };
      this.#inFlight = inFlight;
      const takeBack = (): void => {
        if (this.#inFlight === inFlight && inFlight.stage === "given") {
          this.#settle(refusal(CANCELLED));
        }
      };
      signal.addEventListener("abort", takeBack, { once: true });
      this.#giveMove();
    });
  }

  /** Resolves with what `found` returns as soon as it is not null, or null if `signal` aborts. */
  until<Found>(found: () => Found | null, signal: AbortSignal): Promise<Found | null> {
    return new Promise((resolve) => {
      const look = (): void => {
        const value = signal.aborted ? null : found();
        if (value === null && !signal.aborted) return;
        this.#waiting.delete(look);
        signal.removeEventListener("abort", look);
        resolve(value);
      };
      this.#waiting.add(look);
      signal.addEventListener("abort", look);
      look();
    });
  }

  /** Ends each `until` that has found what it waits for. */
  checkWaiting(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Follows the move in flight. `agent` is the agent after these events. */
  onEvents(events: readonly Event[], agent: Agent): void {
    for (const event of events) this.#follow(event, agent);
    const stage = this.#inFlight?.stage;
    const unable = stage === "given" ? unableBecause(agent) : null;
    if (unable !== null) this.#settle(refusal(`${this.id} ${unable}`));
    // A move that waits for a reviewer is not pending, and can still be made.
    if (stage === "decided" && agent.pending === null && agent.state !== "in_review") {
      this.#settle(refusal(`the move was not made: ${agent.reason}`));
    }
    this.checkWaiting();
  }

  #follow(event: Event, agent: Agent): void {
    if (event.kind === "proposal_decided" && event.agent === this.id) {
      const isDone = event.decision.kind !== "feedback";
      if (!isDone && this.#inFlight?.stage === "decided") this.#settle(notDone(agent));
    }
    if (event.principal !== this.id) return;
    if (event.kind === "thought_completed") this.#advance("taken", "decided");
    if (event.kind === "thought_dropped" && this.#inFlight?.stage === "taken") {
      this.#settle(refusal(`the move was not made: ${event.reason}`));
    }
    if (endsAction(event) && this.#inFlight?.stage === "decided") this.#settle(ended(event, agent));
  }

  #giveMove(): void {
    if (this.#thought === null || this.#inFlight?.stage !== "given") return;
    this.#inFlight.stage = "taken";
    this.#endThought(this.#inFlight.move);
  }

  #advance(from: InFlight["stage"], to: InFlight["stage"]): void {
    if (this.#inFlight?.stage === from) this.#inFlight.stage = to;
  }

  #settle(answer: ControlAnswer<SeatOutcome>): void {
    const inFlight = this.#inFlight;
    this.#inFlight = null;
    inFlight?.settle(answer);
  }

  /** With null, the thought is forgotten: it was cancelled, and the next thought gets the move. */
  #endThought(move: SeatMove | null): void {
    const thought = this.#thought;
    this.#thought = null;
    this.#disarmAbsence();
    thought?.signal.removeEventListener("abort", thought.forget);
    if (move !== null) thought?.resolve(move);
  }

  #noteAlone(): void {
    const isAlone = this.#thought !== null && this.#clients.size === 0;
    if (!isAlone || this.#isKnownAlone || this.#absentAfterMs === 0) return;
    this.#isKnownAlone = true;
    this.#onAlone();
  }

  #armAbsence(): void {
    const afterMs = this.#absentAfterMs;
    if (this.#thought === null || this.#clients.size > 0 || afterMs === null) return;
    this.#disarmAbsence();
    this.#absence = setTimeout(() => this.#endThought(ABSENT), afterMs);
  }

  #disarmAbsence(): void {
    if (this.#absence !== null) clearTimeout(this.#absence);
    this.#absence = null;
  }
}

const ABSENT: SeatMove = { kind: "absent" };
export const CANCELLED = "the client has cancelled the request";
const IN_FLIGHT = "has a move in flight; wait until it has ended";

/** Why an agent cannot make a move now, as a phrase after its id. A sleeping agent can, later. */
const unableBecause = ({ state, reason }: Agent): string | null =>
  state === "running" || state === "sleeping" ? null : `is ${state}: ${reason}`;

/** The result is the one that the agent remembers, because the event of a read has none. */
const ended = (event: ActionEnd, { last }: Agent): ControlAnswer<SeatOutcome> => {
  const { at_ms, action, target, method, message, charged } = event;
  const code = event.kind === "action_refused" ? event.code : null;
  const { result: text, cut } = shortResult(last ?? event);
  const isJson = text !== null && !cut && action !== "read_artifact";
  const result = isJson ? (jsonIn(text) ?? text) : text;
  const told = { at_ms, action, target, method, message, cut, cost: { ...charged } };
  return { ok: true, value: { success: code === null, code, result, ...told } };
};

/** The outcome of a move that a reviewer has answered with feedback, which the agent remembers. */
const notDone = ({ last }: Agent): ControlAnswer<SeatOutcome> => {
  const { atMs: at_ms, action, target, method, message } = must(last, "feedback must be a result");
  const told = { at_ms, action, target, method, message, cut: false, cost: FREE };
  return { ok: true, value: { success: false, code: null, result: null, ...told } };
};

const FREE = { scrip: 0, gas: 0, bytes: 0 } as const;
