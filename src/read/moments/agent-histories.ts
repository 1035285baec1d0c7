import { momentVerb, NodeNames } from "../../coding-agents/index.ts";
import {
  Balances,
  descriptionOf,
  kindsWith,
  type LogEntry,
  MOVING,
  movementIn,
  type Narrative,
  type Projection,
  readLog,
  rowAt,
  type SeqEvent,
  stateCountedFrom,
  threadNarrative,
} from "../../figures/index.ts";
import {
  type ActionEnd,
  asId,
  type Event,
  endsAction,
  genesisName,
  isList,
  isObject,
  isReserved,
  type Json,
  jsonIn,
  type Message,
  mailboxOf,
  memoryIds,
  type State,
} from "../../kernel/index.ts";
import { hasTurns, isPlayed } from "../../mind/index.ts";
import { decodeEvent, type JournalReader } from "../../world/index.ts";
import type { AgentMoment, ArtifactWrite, MomentMoney, MomentType } from "./agent-moment.ts";
import {
  type DecidedThought,
  type Iteration,
  type IterationEnd,
  iterationOf,
  proseIn,
  saidIn,
  workIn,
} from "./iteration.ts";

/** What an action affected, by its target and the events of its transaction. */
const affectedBy = (
  events: readonly Event[],
  target: string | null,
  end: IterationEnd,
  decided: Json,
): Pick<AgentMoment, "things" | "narratives" | "written"> => {
  const things = new Set(events.flatMap((event) => descriptionOf(event)?.things?.(event) ?? []));
  if (target !== null) things.add(target);
  const called = end.kind === "thought_failed" || end.method === null ? null : end;
  const votes = target === VOTING && called !== null ? voteIn(decided, called.result) : [];
  return {
    things: [...things].filter((id) => spaceOf(id) === null),
    narratives: [
      ...events.flatMap((event) => descriptionOf(event)?.narratives?.(event) ?? []),
      ...votes,
    ],
    written: events.flatMap(writeIn),
  };
};

const VOTING = "genesis_voting";

/** The proposal of a vote: an argument of the call, or the answer to a new proposal. */
const voteIn = (decided: Json, result: string | null): readonly Narrative[] => {
  const call = isObject(decided) ? (decided.invoke_artifact ?? null) : null;
  const args = isObject(call) && isList(call.args ?? null) ? call.args : [];
  const given = isList(args) ? (args[0] ?? null) : null;
  const answer = result === null ? null : jsonIn(result);
  const made = isObject(answer) ? (answer.proposal_id ?? null) : null;
  const id = [made, given].find((each) => typeof each === "string" && PROPOSAL.test(each));
  return typeof id === "string" ? [{ kind: "proposal", id }] : [];
};

const PROPOSAL = /^proposal_\d+$/;

const writeIn = (event: Event): readonly ArtifactWrite[] => {
  if (event.kind !== "artifact_written") return [];
  const { artifact_id: artifact, version, created, fields } = event;
  const content = created || fields.code !== undefined || fields.content !== undefined;
  return [{ artifact, version, created, content, depends_on: fields.depends_on ?? [] }];
};

/** The space that a genesis artifact is: `mint` for `genesis_mint`. Null for all others. */
const spaceOf = (id: string): string | null => {
  const name = genesisName(id);
  return name === id ? null : name;
};

const MARKET = "market";

/**
 * Where an action happened: at a genesis contract, in the handbook, at the market, or in the
 * workspace of the agent, which is also where it writes and where its own artifacts are.
 */
const placeOf = (
  action: string,
  target: string | null,
  actor: string,
  owner: string | null,
): string => {
  const isInside = target === null || action === "write_artifact" || owner === actor;
  if (isInside) return memoryIds(actor).workspace;
  return spaceOf(target) ?? (isReserved(target) ? "handbook" : MARKET);
};

const ACCESS = /^contract_/;
/** The memories and workspaces of agents. Their names only repeat the name of the agent. */
const MEMORY = /_(?:memory|working_memory|workspace)(?:_\d+)?$/;

/** What the moments need to know of the world, from its events. */
class WorldIndex {
  readonly names = new NodeNames();
  readonly #minds = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  readonly #agents = new Set<string>();
  readonly #mail = new Map<string, readonly Pick<Message, "number" | "thread">[]>();

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
        return this.names.add(event.description.slice(0, 60));
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
    return hasTurns(this.#minds.get(agent));
  }

  isPlayed(agent: string): boolean {
    return isPlayed(this.#minds.get(agent));
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

/** The events that moments are about, that move scrip, or that the world index and bids need. */
const WATCHED: ReadonlySet<string> = new Set([
  ...kindsWith("things", "narratives", "flow"),
  ...MOVING,
  "agent_created",
  "artifact_scored",
  "action_proposed",
]);

/** What is known of an agent while its history is read. */
type History = {
  thought: SeqEvent<DecidedThought> | null;
  /** What the agent has read or proposed since its last moment. */
  narratives: readonly Narrative[];
  /** Whether it has read a message since its last moment. */
  hasRead: boolean;
  readThrough: number;
  /** Whether it has acted in a turn that has not ended. Only if a client plays the agent. */
  inTurn: boolean;
  previous: number | null;
};

/** Called with each new moment and its iteration, which has the texts. */
export type MomentListener = (moment: AgentMoment, iteration: Iteration) => void;

/**
 * The moments of all agents of a run, in the order of their last events. It takes all events after
 * the start state, and keeps no texts.
 */
export class AgentHistories implements Projection {
  readonly #journal: JournalReader;
  readonly #listener: MomentListener | null;
  readonly #world: WorldIndex;
  readonly #books: MomentBooks;
  readonly #histories = new Map<string, History>();
  readonly #moments: AgentMoment[] = [];
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
    this.#world = new WorldIndex(state);
    this.#books = new MomentBooks(state);
  }

  /** All moments so far, by `seq`. */
  get all(): readonly AgentMoment[] {
    return this.#moments;
  }

  get names(): NodeNames {
    return this.#world.names;
  }

  /** The ids of all agents and all artifacts, also of those that are gone. */
  get ids(): WorldIndex["ids"] {
    return this.#world.ids;
  }

  /** The moment that event `seq` ended, or null. */
  at(seq: number): AgentMoment | null {
    return this.#moments[this.#places.get(seq) ?? -1] ?? null;
  }

  event(entry: LogEntry): void {
    const { kind, seq } = entry.row;
    const isEnd =
      kind === "thought_completed" || kind === "thought_failed" || endsAction(entry.row);
    if (!isEnd && !WATCHED.has(kind)) return;
    if (entry.event === null) return;
    const event = { ...entry.event, seq };
    if (!isEnd) {
      this.#waiting.push(event);
      return;
    }
    if (endsAction(event)) return this.#act(event);
    this.settle();
    if (event.kind === "thought_completed") this.#think(event);
    else if (event.kind === "thought_failed") this.#end(event, [], []);
  }

  #historyOf(id: string): History {
    const known = this.#histories.get(id);
    if (known !== undefined) return known;
    const history: History = {
      thought: null,
      narratives: [],
      hasRead: false,
      readThrough: 0,
      inTurn: false,
      previous: null,
    };
    this.#histories.set(id, history);
    return history;
  }

  #think(thought: SeqEvent<DecidedThought>): void {
    const actor = thought.principal ?? "";
    const history = this.#historyOf(actor);
    history.thought = thought;
    const through = thought.read_through ?? 0;
    if (through <= history.readThrough) return;
    history.readThrough = through;
    const threads = this.#world.read(actor, through);
    history.hasRead ||= threads.length > 0;
    history.narratives = [...history.narratives, ...threads.map(threadNarrative)];
  }

  #act(end: SeqEvent<ActionEnd>): void {
    const events = this.#transaction(end.seq);
    const money = this.#books.moved(end.principal ?? "", events);
    for (const event of events) this.#world.count(event);
    this.#end(end, events, money);
  }

  /** Takes the waiting events that are in the transaction of the action that event `end` ends. */
  #transaction(end: number): readonly SeqEvent[] {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const last = this.#transactionEnd(first.seq);
      if (last >= end) break;
      this.settle(last);
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

  /**
   * Counts the waiting events up to `upTo`, which belong to no action. Call it without `upTo` after
   * the last row of a whole transaction.
   */
  settle(upTo: number = Number.MAX_SAFE_INTEGER): void {
    if (this.#waiting.length === 0) return;
    const over = this.#waiting.filter(({ seq }) => seq <= upTo);
    this.#waiting = this.#waiting.slice(over.length);
    for (const event of over) {
      this.#world.count(event);
      const later = this.#books.count(event);
      if (later !== null) this.#change(later.moment, later.money);
      if (event.kind !== "action_proposed") continue;
      const history = this.#historyOf(event.principal ?? "");
      const review: Narrative = { kind: "review", id: String(event.proposal) };
      history.narratives = [...history.narratives, review];
    }
  }

  #change(seq: number, money: MomentMoney): void {
    const place = this.#places.get(seq) ?? -1;
    const moment = this.#moments[place];
    if (moment !== undefined) this.#moments[place] = { ...moment, money: [...moment.money, money] };
  }

  /** Ends an iteration. If it acted, failed or ended a turn, adds a moment. */
  #end(
    end: SeqEvent<IterationEnd>,
    events: readonly SeqEvent[],
    money: readonly MomentMoney[],
  ): void {
    const actor = end.principal ?? "";
    const history = this.#historyOf(actor);
    const hasTools = this.#world.hasTools(actor);
    // A thought that failed decided nothing. The last decision belongs to an earlier moment.
    const thought = end.kind === "thought_failed" ? null : history.thought;
    const iteration = iterationOf(thought, end, hasTools);
    const type = this.#typeOf(end, history, iteration);
    if (type === null) return;
    const acted = aboutAction(end, iteration);
    const { target } = acted;
    const owner = target === null ? null : this.#world.ownerOf(target);
    // The target of a refused action can be any text.
    const known = owner === null ? null : target;
    const affected = affectedBy(events, known, end, thought?.action ?? null);
    const moment: AgentMoment = {
      seq: end.seq,
      at_ms: end.at_ms,
      actor,
      type,
      thought: thought?.seq ?? null,
      ...acted,
      verb: momentVerb(saidIn(iteration), workIn(iteration)),
      space: placeOf(acted.action, target, actor, owner),
      previous: history.previous,
      things: affected.things,
      narratives: distinct([...history.narratives, ...affected.narratives]),
      written: affected.written,
      money,
      names: this.names.count,
      hasTools,
    };
    this.#books.bid(events, end.seq);
    this.#places.set(end.seq, this.#moments.length);
    this.#moments.push(moment);
    Object.assign(history, { narratives: [], hasRead: false, previous: end.seq });
    this.#listener?.(moment, iteration);
  }

  /** The type of the moment of an iteration. Null if it only waits, so it is not a moment. */
  #typeOf(end: IterationEnd, history: History, { step, tools }: Iteration): MomentType | null {
    const isNoop = end.kind === "action_completed" && end.action === "noop";
    const actor = end.principal ?? "";
    const isRest = end.kind === "thought_failed" || (isNoop && history.thought?.sleep !== null);
    const ended = step?.ended === true || (history.inTurn && isRest);
    if (isNoop && !ended && (step === null || !tools.some((tool) => tool !== "noop"))) return null;
    history.inTurn = this.#world.isPlayed(actor) && !ended && !isRest;
    if (ended) return "COMPLETION";
    const isTask = step?.began === true && step.trigger === "task";
    const isAsked = history.hasRead && (step === null || step.began);
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

/** A payment of the mint for a bid, and the moment of the bid by its `seq`. */
type Later = { readonly moment: number; readonly money: MomentMoney };

/**
 * The scrip that moments move. The auction of the mint comes after the bid, and no action causes
 * it. So the moment of the bid gets what the bidder is paid for the score, and what it pays.
 */
class MomentBooks {
  readonly #balances: Balances;
  /** The moments of open bids, by submission and by hold. */
  readonly #bids = new Map<string, number>();

  /** `state` is the state before the first event. */
  constructor(state: State) {
    this.#balances = new Balances(state);
  }

  /** Counts the events of an action, and returns how they moved the scrip of its actor. */
  moved(actor: string, events: readonly SeqEvent[]): readonly MomentMoney[] {
    return events.flatMap((event): readonly MomentMoney[] => {
      const movement = movementIn(event, event.seq, actor, this.#balances.ownerOf);
      this.#balances.count(event);
      if (movement === null) return [];
      const { at_ms: _, reason: __, ...money } = movement;
      const minted = event.kind === "scrip_minted" && movement.amount > 0;
      return [{ ...money, later: false, minted }];
    });
  }

  /** Counts an event that belongs to no action. Returns the moment that it pays, if any. */
  count(event: SeqEvent): Later | null {
    const later = this.#laterOf(event);
    if (MOVING.has(event.kind)) this.#balances.count(event);
    return later;
  }

  /** Notes the bids of an action that became the moment `moment`. */
  bid(events: readonly SeqEvent[], moment: number): void {
    for (const event of events) {
      if (event.kind !== "bid_placed") continue;
      this.#bids.set(event.submission, moment);
      this.#bids.set(event.hold, moment);
    }
  }

  #laterOf(event: SeqEvent): Later | null {
    switch (event.kind) {
      case "hold_split": {
        const moment = this.#bids.get(event.hold);
        if (moment !== undefined) this.#bids.set(event.into, moment);
        return null;
      }
      case "proceeds_collected": {
        const money = { amount: -event.amount, what: "mint price", minted: false };
        return this.#later(event.hold, event, money);
      }
      case "artifact_scored": {
        const money = { amount: event.minted, what: "minted for a score", minted: true };
        return event.minted === 0 ? null : this.#later(event.submission, event, money);
      }
      default:
        return null;
    }
  }

  #later(
    bid: string,
    { seq, artifact_id: artifact }: { readonly seq: number; readonly artifact_id: string },
    money: Pick<MomentMoney, "amount" | "what" | "minted">,
  ): Later | null {
    const moment = this.#bids.get(bid);
    if (moment === undefined) return null;
    return { moment, money: { seq, ...money, other: null, artifact, later: true } };
  }
}

/** The moments of a run up to event `upTo`. Reads the journal once. */
export const readAgentHistories = (
  journal: JournalReader,
  upTo?: number,
  listener: MomentListener | null = null,
): AgentHistories => {
  const histories = new AgentHistories(journal, listener);
  readLog(journal, [histories], { upTo });
  return histories;
};

/** The text of a moment, read from its two events. */
export const proseOf = (
  journal: JournalReader,
  { seq, thought, hasTools }: AgentMoment,
): string => {
  const end = eventAt(journal, seq);
  if (end === null || !(endsAction(end) || end.kind === "thought_failed")) return "";
  const decided = thought === null ? null : eventAt(journal, thought);
  const isThought = decided?.kind === "thought_completed";
  return proseIn(iterationOf(isThought ? decided : null, end, hasTools));
};

const eventAt = (journal: JournalReader, seq: number) => {
  const row = rowAt(journal, seq);
  return row === null ? null : decodeEvent(row);
};
