import { momentVerb, type NodeNames } from "../../coding-agents/index.ts";
import { type ActionEnd, type EventKind, endsAction } from "../../kernel/index.ts";
import { decodeEvent, type JournalReader, type JournalRow } from "../../world/index.ts";
import { stateCountedFrom } from "../metrics/measure-run.ts";
import { MOVING } from "../metrics/money/balances.ts";
import type { SeqEvent } from "../trail/past-events.ts";
import {
  type DecidedThought,
  type Iteration,
  type IterationEnd,
  iterationOf,
  saidIn,
  workIn,
} from "./iteration.ts";
import { KnownWorld } from "./known-world.ts";
import type { LifeMoment, MomentMoney, MomentType, Narrative } from "./life-moment.ts";
import { MomentBooks } from "./moment-books.ts";
import { placeOf, threadNarrative, touchedBy } from "./touched.ts";

const TOUCHING: readonly EventKind[] = [
  ...(["artifact_written", "artifact_read", "artifact_deleted", "artifact_invoked"] as const),
  ...(["invocation_failed", "ownership_transferred", "bid_placed", "artifact_scored"] as const),
  ...(["task_posted", "task_solved", "task_withdrawn", "message_sent"] as const),
  ...(["action_proposed", "agent_created"] as const),
];
const WATCHED: ReadonlySet<string> = new Set([...TOUCHING, ...MOVING]);

type Seq<E> = E & { readonly seq: number };

/** What is known of an agent while its life is read. */
type Life = {
  thought: Seq<DecidedThought> | null;
  /** What the agent has read or proposed since its last moment. */
  narratives: readonly Narrative[];
  /** Whether it has read a message since its last moment. */
  hasRead: boolean;
  readThrough: number;
  /** Whether it has acted in a turn that has not ended. Only if a client plays the agent. */
  inTurn: boolean;
  previous: number | null;
};

/** What happened in an action, and how it moved the scrip of its actor. */
type Happened = { readonly events: readonly SeqEvent[]; readonly money: readonly MomentMoney[] };

const NOTHING: Happened = { events: [], money: [] };

/** Called with each new moment and its iteration, which has the texts. */
export type MomentListener = (moment: LifeMoment, iteration: Iteration) => void;

/**
 * The moments of all agents of a run, in the order of their last events. Give it all rows of the
 * journal after the start state, in order, once. It keeps no texts.
 */
export class Lives {
  readonly #journal: JournalReader;
  readonly #listener: MomentListener | null;
  readonly #world: KnownWorld;
  readonly #books: MomentBooks;
  readonly #lives = new Map<string, Life>();
  readonly #moments: LifeMoment[] = [];
  /** The places of the moments in `#moments`, by `seq`. */
  readonly #places = new Map<number, number>();
  /** The events since the last thought or action. They can belong to the next action. */
  #waiting: SeqEvent[] = [];
  #transactions: ReturnType<JournalReader["transactions"]> | null = null;
  /** The last event of the last transaction that was read. */
  #lastSeq = 0;

  constructor(journal: JournalReader, listener: MomentListener | null = null) {
    this.#journal = journal;
    this.#listener = listener;
    const state = stateCountedFrom(journal);
    this.#world = new KnownWorld(state);
    this.#books = new MomentBooks(state);
  }

  /** All moments so far, by `seq`. */
  get all(): readonly LifeMoment[] {
    return this.#moments;
  }

  get names(): NodeNames {
    return this.#world.names;
  }

  /** The ids of all agents and all artifacts, also of those that are gone. */
  get ids(): KnownWorld["ids"] {
    return this.#world.ids;
  }

  /** The moment that event `seq` ended, or null. */
  at(seq: number): LifeMoment | null {
    return this.#moments[this.#places.get(seq) ?? -1] ?? null;
  }

  add(row: JournalRow): void {
    const { kind, seq } = row;
    if (WATCHED.has(kind)) this.#waiting.push({ ...decodeEvent(row), seq });
    if (kind !== "thought_completed" && kind !== "thought_failed" && !endsAction(row)) return;
    const event = Object.assign(decodeEvent(row), { seq });
    if (endsAction(event)) return this.#act(event);
    this.#settle();
    if (event.kind === "thought_completed") this.#think(event);
    else if (event.kind === "thought_failed") this.#end(event, NOTHING);
  }

  /** Call it after the last row of a whole transaction, such as after all committed rows. */
  settle(): void {
    this.#settle();
  }

  #lifeOf(id: string): Life {
    const known = this.#lives.get(id);
    if (known !== undefined) return known;
    const fresh = { thought: null, narratives: [], hasRead: false, inTurn: false, previous: null };
    const life: Life = { ...fresh, readThrough: 0 };
    this.#lives.set(id, life);
    return life;
  }

  #think(thought: Seq<DecidedThought>): void {
    const actor = thought.principal ?? "";
    const life = this.#lifeOf(actor);
    life.thought = thought;
    const through = thought.read_through ?? 0;
    if (through <= life.readThrough) return;
    life.readThrough = through;
    const threads = this.#world.read(actor, through);
    life.hasRead ||= threads.length > 0;
    life.narratives = [...life.narratives, ...threads.map(threadNarrative)];
  }

  #act(end: Seq<ActionEnd>): void {
    const events = this.#transaction(end.seq);
    const money = this.#books.moved(end.principal ?? "", events);
    for (const event of events) this.#world.note(event);
    this.#end(end, { events, money });
  }

  /** Takes the waiting events that are in the transaction of the action that event `end` ends. */
  #transaction(end: number): readonly SeqEvent[] {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const last = this.#transactionEnd(first.seq);
      if (last >= end) break;
      this.#settle(last);
    }
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }

  /** The last event of the transaction with event `seq`. `seq` never falls from call to call. */
  #transactionEnd(seq: number): number {
    // One pass over all transactions is faster than a query for each action.
    for (let isFresh = false; this.#lastSeq < seq; ) {
      const next = this.#transactions?.next();
      if (next?.done === false) this.#lastSeq = next.value.lastSeq;
      else if (isFresh) return seq;
      else this.#transactions = this.#journal.transactions({ after: this.#lastSeq });
      isFresh = next?.done !== false;
    }
    return this.#lastSeq;
  }

  /** Counts the waiting events up to `upTo`, which belong to no action. */
  #settle(upTo: number = Number.MAX_SAFE_INTEGER): void {
    if (this.#waiting.length === 0) return;
    const over = this.#waiting.filter(({ seq }) => seq <= upTo);
    this.#waiting = this.#waiting.slice(over.length);
    for (const event of over) {
      this.#world.note(event);
      const later = this.#books.count(event);
      if (later !== null) this.#change(later.moment, later.money);
      if (event.kind !== "action_proposed") continue;
      const life = this.#lifeOf(event.principal ?? "");
      const review: Narrative = { kind: "review", id: String(event.proposal) };
      life.narratives = [...life.narratives, review];
    }
  }

  #change(seq: number, money: MomentMoney): void {
    const place = this.#places.get(seq) ?? -1;
    const moment = this.#moments[place];
    if (moment !== undefined) this.#moments[place] = { ...moment, money: [...moment.money, money] };
  }

  /** Ends an iteration. If it acted, failed or ended a turn, adds a moment. */
  #end(end: Seq<IterationEnd>, { events, money }: Happened): void {
    const actor = end.principal ?? "";
    const life = this.#lifeOf(actor);
    const hasTools = this.#world.hasTools(actor);
    // A thought that failed decided nothing. The last decision belongs to an earlier moment.
    const thought = end.kind === "thought_failed" ? null : life.thought;
    const iteration = iterationOf(thought, end, hasTools);
    const type = this.#typeOf(end, life, iteration);
    if (type === null) return;
    const acted = aboutAction(end, iteration);
    const { target } = acted;
    const owner = target === null ? null : this.#world.ownerOf(target);
    const space = placeOf(acted, actor, owner);
    // The target of a refused action can be any text.
    const about = { events, target: owner === null ? null : target };
    const touched = touchedBy(about, end, thought?.action ?? null);
    const moment: LifeMoment = {
      ...{ seq: end.seq, at_ms: end.at_ms, actor, type, thought: thought?.seq ?? null },
      ...{ ...acted, verb: momentVerb(saidIn(iteration), workIn(iteration)), space },
      ...{ previous: life.previous, ...touched, money, names: this.names.count, hasTools },
      narratives: distinct([...life.narratives, ...touched.narratives]),
    };
    this.#books.bid(events, end.seq);
    this.#places.set(end.seq, this.#moments.length);
    this.#moments.push(moment);
    Object.assign(life, { narratives: [], hasRead: false, previous: end.seq });
    this.#listener?.(moment, iteration);
  }

  /** The type of the moment of an iteration. Null if it only waits, so it is not a moment. */
  #typeOf(end: IterationEnd, life: Life, { step, tools }: Iteration): MomentType | null {
    const isNoop = end.kind === "action_completed" && end.action === "noop";
    const actor = end.principal ?? "";
    const isRest = end.kind === "thought_failed" || (isNoop && life.thought?.sleep !== null);
    const ended = step?.ended === true || (life.inTurn && isRest);
    if (isNoop && !ended && (step === null || !tools.some((tool) => tool !== "noop"))) return null;
    life.inTurn = this.#world.isPlayed(actor) && !ended && !isRest;
    if (ended) return "COMPLETION";
    const isTask = step?.began === true && step.trigger === "task";
    const isAsked = life.hasRead && (step === null || step.began);
    return isTask || isAsked ? "ASSIGNMENT" : "CONVERSATION";
  }
}

const aboutAction = (end: IterationEnd, { step }: Iteration) => {
  if (end.kind === "thought_failed") {
    return { action: "think", target: null, method: null, problem: end.reason };
  }
  const { action, target, method } = end;
  const isInside = action === "noop" && step !== null;
  const problem = end.kind === "action_refused" ? end.code : null;
  return { action: isInside ? "work" : action, target, method, problem };
};

const distinct = (narratives: readonly Narrative[]): readonly Narrative[] => [
  ...new Map(narratives.map((each) => [`${each.kind} ${each.id}`, each])).values(),
];
