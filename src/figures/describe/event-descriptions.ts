import {
  describeAction,
  type Event,
  type EventFor,
  type EventKind,
  type Json,
  type JsonObject,
  OPERATOR,
  whyFrozen,
} from "../../kernel/index.ts";
import { type FlowKind, flowKindOf } from "../../run/index.ts";
import { counted, exactTimeText, listed, shortened, whole } from "../../text/index.ts";
import { decodeEvent, isRunEvent, type JournalRow, runEventBody } from "../../world/index.ts";
import {
  content,
  LEFT_OUT,
  type Redact,
  type Redacted,
  redactedAction,
  redactedDecision,
  redactedEntries,
  redactedWrite,
  redacting,
  thoughts,
} from "./redacted-fields.ts";

/** What a moment is about, besides artifacts. */
export type Narrative = {
  /** A proposal is one to vote on. A review is of an action that the agent proposed. */
  readonly kind: "task" | "thread" | "proposal" | "review";
  /** The id of the task or proposal, or the number of the thread or review. */
  readonly id: string;
};

/** Scrip that moved. `from` or `to` is null if the world gave or received it. */
export type Flow = {
  readonly kind: FlowKind | "endowment";
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
  /** The reason code of the event, or `endowment` for a starting balance. */
  readonly reason: string;
  /** The artifact that the scrip paid for, if the event names one. */
  readonly artifact: string | null;
};

/** Gives the principal that owned a hold before an event, or null. */
export type OwnerOf = (hold: string) => string | null;

/** A kind of landmark of a run. */
export type MarkKind =
  | "auction"
  | "alarm"
  | "checkpoint"
  | "birth"
  | "freeze"
  | "bankruptcy"
  | "review"
  | "message";

export type Landmark = { readonly kind: MarkKind; readonly text: string };

/** Whether a value of this type can hold a text, and not only ids and the words of a list. */
type CanHoldText<T> = [string] extends [T]
  ? true
  : T extends readonly (infer Item)[]
    ? CanHoldText<Item>
    : T extends string | number | boolean | null | undefined
      ? false
      : string extends keyof T
        ? true
        : { [K in keyof T]-?: CanHoldText<T[K]> }[keyof T];

type TextField<E> = {
  [K in Exclude<keyof E, "kind">]-?: true extends CanHoldText<E[K]> ? K : never;
}[Exclude<keyof E, "kind">];

/**
 * What a published copy loses of each field that can hold a text. A kind with such fields must
 * decide each of them, so that no text is published because nobody thought of it.
 */
type Redaction<E> = [TextField<E>] extends [never]
  ? { readonly redact?: Readonly<Record<string, never>> }
  : { readonly redact: { readonly [K in TextField<E>]: Redacted } };

/** All that trails, moments, pages and redaction know of a kind of event. */
type Description<E> = Said<E> & Redaction<E>;

type Said<E> = {
  /** What happened, in one sentence with all who took part. Texts in it are cut. */
  readonly says: (event: E) => string;
  /** The artifacts that a moment with the event is about. */
  readonly things?: (event: E) => readonly string[];
  /** What else a moment with the event is about. */
  readonly narratives?: (event: E) => readonly Narrative[];
  readonly flow?: (event: E, ownerOf: OwnerOf) => Flow;
  /** The decision of the world behind later payments at the same run time. */
  readonly decision?: (event: E) => { readonly artifact: string | null; readonly says: string };
  /** `isPerson` says whether a person plays an agent. */
  readonly landmark?: (event: E, isPerson: (id: string) => boolean) => Landmark | null;
};

type Descriptions = { readonly [K in EventKind]: Description<EventFor<K>> };

const scrip = (amount: number): string => `${whole(amount)} scrip`;
const lots = (count: number): string => counted(count, "lot", whole(count));
const usd = (micros: number): string => `${String(micros / 1e6)} USD of model budget`;
const who = ({ principal }: { readonly principal: string | null }): string =>
  principal ?? "the world";
const call = (artifact: string, method: string): string => `${artifact}.${method}`;
const words = (name: string): string => name.replaceAll("_", " ");

/** Adds a text to a sentence, if there is one. */
const withText = (sentence: string, text: string): string =>
  text === "" ? sentence : `${sentence}: ${shortened(text.replace(/\s+/g, " "), 160)}`;

/** What an action does, in words for its past and for its future. */
const actionWords = ({
  action,
  target,
  method,
}: {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
}): readonly [done: string, due: string] => {
  const thing = target ?? "";
  const called = call(thing, method ?? "run");
  switch (action) {
    case "noop":
      return ["did nothing", "do nothing"];
    case "read_artifact":
      return [`read ${thing}`, `read ${thing}`];
    case "write_artifact":
      return [`wrote ${thing}`, `write ${thing}`];
    case "invoke_artifact":
      return [`called ${called}`, `call ${called}`];
    case "unknown":
      return ["did something unknown", "do something unknown"];
    default:
      return [`did ${words(action)} ${thing}`.trim(), `${words(action)} ${thing}`.trim()];
  }
};

/** What a decided action, in JSON, is going to do. */
const decided = (action: Json): string => actionWords(describeAction(action))[1];

const REASONS: ReadonlyMap<string, string> = new Map([
  ["transfer", "as a gift"],
  ["price", "as the price of a call"],
  ["read_price", "as the price of a read"],
  ["access", "for access"],
  ["attached", "with a call"],
  ["pay", "as a payment by a program"],
  ["charge", "as a charge by a program"],
  ["spawn", "to found it"],
  ["task", "for a task"],
  ["mint", "for a score"],
  ["burned", "as a fee"],
]);

/** Why scrip moved. Any other reason is the name of a method or of a rule. */
const why = (reason: string, artifact?: string): string => {
  const text = REASONS.get(reason) ?? `for ${reason}`;
  return artifact === undefined ? text : `${text} (${artifact})`;
};

const purposeText = (purpose: EventFor<"scrip_held">["purpose"]): string => {
  switch (purpose.kind) {
    case "purse":
      return `a call of ${purpose.artifact}`;
    case "bid":
      return `the bid ${purpose.submission} at the mint`;
    case "task":
      return `the reward of ${purpose.task}`;
    case "compute_bid":
      return "a bid for model budget";
  }
};

const names = (ids: readonly string[]): string => (ids.length === 0 ? "none" : listed(ids, 3));

const task = (id: string): readonly Narrative[] => [{ kind: "task", id }];

export const threadNarrative = (thread: number): Narrative => ({
  kind: "thread",
  id: String(thread),
});

/** The fields of an action that has ended. */
const OUTCOME = {
  action: "none",
  target: "none",
  method: "none",
  message: content(LEFT_OUT),
  result: content(null),
} as const;

const DESCRIPTIONS: Descriptions = {
  world_created: { says: () => "The world began", redact: { physics: "none" } },
  physics_amended: { says: () => "The rules of the world changed", redact: { physics: "none" } },
  schedule_planned: {
    says: ({ entries }) => `The schedule has ${counted(entries.length, "planned change")}`,
    redact: { entries: content(redactedEntries), settings: "none" },
  },
  schedule_executed: {
    says: ({ change, problem }) =>
      problem === null
        ? `The schedule made its change: ${words(change)}`
        : withText(`The schedule could not make its change (${words(change)})`, problem),
    decision: ({ change }) => ({ artifact: null, says: change }),
    redact: { change: "none", problem: "none" },
  },
  principal_created: {
    says: ({ id, scrip: amount, llm_budget_micros: micros, parent }) =>
      `${id} opened an account with ${scrip(amount)} and ${usd(micros)}` +
      (parent === null ? "" : `, as a child of ${parent}`),
    flow: ({ id: to, scrip: amount }) => {
      return { kind: "endowment", from: null, to, amount, reason: "endowment", artifact: null };
    },
  },
  random_drawn: { says: ({ draws }) => `The world drew ${counted(draws, "random number")}` },

  artifact_written: {
    says: ({ artifact_id, by, owner, created, version, size_bytes }) =>
      `${by} ${created ? "created" : "changed"} ${artifact_id} (version ${version}, ` +
      `${whole(size_bytes)} bytes)${owner === by ? "" : `, which ${owner} owns`}`,
    things: ({ artifact_id, fields }) => [artifact_id, ...(fields.depends_on ?? [])],
    redact: { fields: content(redactedWrite) },
  },
  artifact_read: {
    says: ({ artifact_id, by, price }) =>
      `${by} read ${artifact_id}${price === 0 ? "" : ` for ${scrip(price)}`}`,
    things: ({ artifact_id }) => [artifact_id],
  },
  artifact_deleted: {
    says: ({ artifact_id, by }) => `${by} deleted ${artifact_id}`,
    things: ({ artifact_id }) => [artifact_id],
  },
  artifact_state_changed: {
    says: ({ artifact_id, size_bytes }) =>
      `${artifact_id} changed its state (${whole(size_bytes)} bytes)`,
    redact: { state: content("null") },
  },
  ownership_transferred: {
    says: ({ artifact_id, from, to }) => `${artifact_id} has a new owner: ${from} → ${to}`,
    things: ({ artifact_id }) => [artifact_id],
  },
  ownership_offered: {
    says: ({ artifact_id, from, to }) => `${from} offered ${artifact_id} to ${to}`,
  },
  ownership_offer_ended: {
    says: ({ artifact_id, from, to }) => `The offer of ${artifact_id} by ${from} to ${to} ended`,
  },
  dangling_contract: {
    says: ({ artifact_id, contract }) =>
      `${artifact_id} asks ${contract} for access, but ${contract} no longer answers`,
  },

  artifact_invoked: {
    says: ({ artifact_id, method, caller, price, paid_to }) =>
      `${caller} called ${call(artifact_id, method)}` +
      (price === 0 ? "" : ` and paid ${scrip(price)}${paid_to === null ? "" : ` to ${paid_to}`}`),
    things: ({ artifact_id }) => [artifact_id],
    redact: { method: "none", log: content(LEFT_OUT), told: content([]) },
  },
  invocation_failed: {
    says: ({ artifact_id, method, caller, code, message }) =>
      withText(
        `${caller} called ${call(artifact_id, method)}, which failed (${words(code)})`,
        message,
      ),
    things: ({ artifact_id }) => [artifact_id],
    redact: { method: "none", message: content(LEFT_OUT), log: content(LEFT_OUT) },
  },

  scrip_transferred: {
    says: ({ from, to, amount, reason, artifact_id, memo = "" }) =>
      withText(`${from} paid ${scrip(amount)} to ${to} ${why(reason, artifact_id)}`, memo),
    flow: (event) => {
      const { from, to, amount, reason, artifact_id: artifact = null } = event;
      return { kind: flowKindOf(event), from, to, amount, reason, artifact };
    },
    redact: { memo: content(LEFT_OUT) },
  },
  scrip_minted: {
    says: ({ to, amount, reason }) => `${scrip(amount)} minted for ${to} ${why(reason)}`,
    flow: (event) => {
      const { to, amount, reason } = event;
      return { kind: flowKindOf(event), from: null, to, amount, reason, artifact: null };
    },
    redact: { reason: "none" },
  },
  scrip_burned: {
    says: ({ from, amount, reason }) => `${scrip(amount)} of ${from} burned ${why(reason)}`,
    flow: (event) => {
      const { from, amount, reason } = event;
      return { kind: flowKindOf(event), from, to: null, amount, reason, artifact: null };
    },
    redact: { reason: "none" },
  },
  scrip_held: {
    says: ({ from, amount, purpose }) =>
      `${from} set ${scrip(amount)} aside for ${purposeText(purpose)}`,
    redact: { purpose: "none" },
  },
  hold_split: {
    says: ({ hold, amount, purpose }) =>
      `${scrip(amount)} of the hold ${hold} are now for ${purposeText(purpose)}`,
    redact: { purpose: "none" },
  },
  hold_spent: {
    says: ({ hold, to, amount, reason, artifact_id }) =>
      to === null
        ? `${scrip(amount)} of the hold ${hold} burned`
        : `${to} got ${scrip(amount)} from the hold ${hold} ${why(reason, artifact_id)}`,
    flow: (event, ownerOf) => {
      const { hold, to, amount, reason, artifact_id: artifact = null } = event;
      return { kind: flowKindOf(event), from: ownerOf(hold), to, amount, reason, artifact };
    },
  },
  hold_released: {
    says: ({ hold, into }) =>
      into === null
        ? `The rest of the hold ${hold} is free again`
        : `The rest of the hold ${hold} went back to the hold ${into}`,
  },
  proceeds_collected: {
    says: ({ hold, amount, artifact_id }) =>
      `The mint collected ${scrip(amount)} from the hold ${hold} for ${artifact_id}`,
    flow: (event, ownerOf) => {
      const { hold, amount, artifact_id: artifact } = event;
      const from = ownerOf(hold);
      return { kind: flowKindOf(event), from, to: null, amount, reason: "proceeds", artifact };
    },
  },
  proceeds_shared: {
    says: ({ to, amount }) => `${to} got ${scrip(amount)} as its share of proceeds`,
    flow: (event) => {
      const { to, amount } = event;
      const kind = flowKindOf(event);
      return { kind, from: null, to, amount, reason: "proceeds", artifact: null };
    },
  },
  proceeds_burned: { says: ({ amount }) => `${scrip(amount)} of proceeds burned` },
  compute_bid_placed: {
    says: ({ bidder, lots: count, limit_price }) =>
      `${bidder} bid for ${lots(count)} of model budget, at most ${scrip(limit_price)} each`,
  },
  compute_bid_cancelled: {
    says: ({ bidder, reason }) => `The bid of ${bidder} for model budget ended (${words(reason)})`,
  },
  standing_order_set: {
    says: ({ principal_id, lots: count, limit_price }) =>
      count === 0
        ? `${principal_id} no longer orders model budget`
        : `${principal_id} orders ${lots(count)} of model budget at each sale` +
          (limit_price === null ? "" : `, at most ${scrip(limit_price)} each`),
  },
  compute_sold: {
    says: ({ sale, price, offered, sold }) =>
      price === null
        ? `Sale ${sale} divided model budget among the agents`
        : `Sale ${sale} sold ${whole(sold)} of ${lots(offered)} of model budget for ` +
          `${scrip(price)} each`,
    decision: ({ sold, offered, price }) => {
      return { artifact: null, says: `${sold} of ${offered} lots sold, price ${price ?? 0}` };
    },
  },
  compute_bought: {
    says: ({ buyer, lots: count, price, micros }) =>
      `${buyer} bought ${lots(count)} for ${scrip(price)} each: ${usd(micros)}`,
    flow: (event) => {
      const amount = event.lots * event.price;
      const kind = flowKindOf(event);
      return { kind, from: event.buyer, to: null, amount, reason: "compute", artifact: null };
    },
  },
  compute_granted: { says: ({ to, micros }) => `${to} got ${usd(micros)}` },
  budget_issued: { says: ({ to, micros }) => `The schedule gave ${to} ${usd(micros)}` },
  budget_withdrawn: { says: ({ from, micros }) => `The schedule took ${usd(micros)} from ${from}` },
  budget_transferred: { says: ({ from, to, micros }) => `${from} gave ${to} ${usd(micros)}` },
  quota_transferred: {
    says: ({ from, to, resource, amount }) =>
      `${from} gave ${to} a quota of ${whole(amount)} ${words(resource)}`,
  },
  delegation_granted: {
    says: ({ grantor, contract, max_per_call }) =>
      `${grantor} lets ${contract} charge it up to ${scrip(max_per_call)} a call`,
  },
  delegation_revoked: {
    says: ({ grantor, contract }) => `${grantor} no longer lets ${contract} charge it`,
  },
  delegation_used: {
    says: ({ grantor, contract, amount }) => `${contract} charged ${grantor} ${scrip(amount)}`,
  },

  bid_placed: {
    says: ({ artifact_id, bidder, amount, auction }) =>
      `${bidder} bid ${scrip(amount)} for ${artifact_id} in auction ${auction} of the mint`,
    things: ({ artifact_id }) => [artifact_id],
    redact: { submission: "none" },
  },
  bid_cancelled: {
    says: ({ artifact_id, submission }) =>
      `The bid ${submission} for ${artifact_id} at the mint was cancelled`,
    redact: { submission: "none" },
  },
  auction_resolved: {
    says: ({ auction, price, won, lost }) =>
      `Auction ${auction} of the mint ended at ${scrip(price)}; won: ${names(won)}; ` +
      `lost: ${names(lost)}`,
    decision: ({ auction, price }) => {
      return { artifact: null, says: `auction ${auction}, price ${price}` };
    },
    landmark: ({ auction, price, won }) => ({
      kind: "auction",
      text:
        won.length === 0
          ? `auction ${auction}: no winner`
          : `auction ${auction}: ${won.length} won, for ${price} scrip each`,
    }),
    redact: { won: "none", lost: "none", void: "none" },
  },
  artifact_scored: {
    says: ({ artifact_id, score, minted, reason }) =>
      withText(
        `The mint gave ${artifact_id} a score of ${score} and minted ${scrip(minted)}`,
        reason,
      ),
    decision: ({ artifact_id: artifact, score, reason }) => {
      return { artifact, says: `score ${score}: ${reason}` };
    },
    redact: { submission: "none", memo: content(null), reason: content(LEFT_OUT) },
  },
  scoring_failed: {
    says: ({ artifact_id, reason }) => withText(`The mint could not score ${artifact_id}`, reason),
    redact: { submission: "none", reason: content(LEFT_OUT) },
  },
  task_posted: {
    says: ({ task, poster, reward, description }) =>
      withText(`${poster ?? "The world"} posted ${task} for ${scrip(reward)}`, description),
    narratives: (event) => task(event.task),
    redact: {
      task: "none",
      description: content(LEFT_OUT),
      public_tests: content([]),
      hidden_tests: content([]),
    },
  },
  task_solved: {
    says: ({ task, artifact_id, solver, reward }) =>
      `${solver} solved ${task} with ${artifact_id} for ${scrip(reward)}`,
    things: ({ artifact_id }) => [artifact_id],
    narratives: (event) => task(event.task),
    decision: ({ artifact_id: artifact, task }) => ({ artifact, says: `task ${task}` }),
    redact: { task: "none" },
  },
  task_withdrawn: {
    says: ({ task }) => `The task ${task} was withdrawn`,
    narratives: (event) => task(event.task),
    redact: { task: "none" },
  },

  action_completed: {
    says: (event) => {
      const { action, target, message } = event;
      const [done] = actionWords(event);
      const isPlain = action === "noop" || (action === "read_artifact" && message === "");
      // The message of a call repeats its name.
      const text = message.replace(`${call(target ?? "", event.method ?? "")} `, "");
      return isPlain ? `${who(event)} ${done}` : withText(`${who(event)} ${done}`, text);
    },
    redact: OUTCOME,
  },
  action_refused: {
    says: (event) => {
      const [, due] = actionWords(event);
      const tried = `${who(event)} tried to ${due}, but it was refused (${words(event.code)})`;
      return withText(tried, event.message);
    },
    redact: OUTCOME,
  },
  agent_created: {
    says: ({ id, group }) => `${id} began its life${group === null ? "" : ` in ${group}`}`,
    landmark: ({ id }) => ({ kind: "birth", text: `${id} was created` }),
    redact: { group: "none", values: "none" },
  },
  agent_state_changed: {
    says: ({ agent, from, to, reason }) =>
      withText(`${agent} is ${words(to)} and was ${words(from)}`, reason),
    // The kernel has the words for each change.
    redact: { reason: "none" },
  },
  agent_frozen: {
    says: (event) => withText(`${who(event)} froze`, whyFrozen(event)),
    landmark: ({ principal, lacks }) => {
      const resource = lacks === "llm_budget" ? "model budget" : words(lacks);
      return { kind: "freeze", text: `${principal} froze: too little ${resource}` };
    },
  },
  agent_unfrozen: {
    says: ({ agent, principal }) =>
      `${agent} is free again` +
      (principal === null || principal === agent ? "" : `: ${principal} paid for it`),
  },
  agent_rate_limited: {
    says: (event) =>
      `${who(event)} waits until ${exactTimeText(event.until_ms)} for its quota of ` +
      words(event.resource),
  },
  thought_started: { says: (event) => `${who(event)} started to think` },
  thought_completed: {
    says: (event) => withText(`${who(event)} decided to ${decided(event.action)}`, event.reasoning),
    redact: {
      reasoning: thoughts(LEFT_OUT),
      mind: thoughts({ in: {} }),
      action: content(redactedAction),
      inbox: "none",
    },
  },
  thought_dropped: {
    says: (event) => withText(`A thought of ${who(event)} was dropped`, event.reason),
    redact: { reason: "none" },
  },
  agent_handed_over: { says: ({ agent, from, to }) => `${agent} has a new owner: ${from} → ${to}` },
  memory_recorded: {
    says: (event) => withText(`${event.artifact_id} remembers`, event.text),
    redact: { text: thoughts(LEFT_OUT) },
  },
  memory_written: {
    says: ({ artifact_id, bytes }) => `${artifact_id} grew by ${whole(bytes)} bytes`,
  },
  workspace_changed: {
    says: ({ artifact_id, version }) => `The files in ${artifact_id} changed (version ${version})`,
    redact: { patch: content({ in: {} }) },
  },
  memory_refused: {
    says: ({ artifact_id, code, message }) =>
      withText(`${artifact_id} could not remember (${words(code)})`, message),
    redact: { message: content(LEFT_OUT) },
  },
  agent_bankrupt: {
    says: (event) =>
      `${who(event)} went bankrupt after ${exactTimeText(event.frozen_ms)} frozen, with ` +
      scrip(event.scrip),
    landmark: ({ principal }) => ({ kind: "bankruptcy", text: `${principal} went bankrupt` }),
  },
  bankruptcy_deferred: {
    says: (event) =>
      `${who(event)} is not bankrupt yet; the world looks again at ` +
      exactTimeText(event.due_at_ms),
  },
  thought_failed: {
    says: (event) =>
      withText(`A thought of ${who(event)} failed (${words(event.reason)})`, event.message),
    redact: { fault: "none", message: thoughts(LEFT_OUT), mind: thoughts({ in: {} }) },
  },
  message_sent: {
    says: ({ from, to, text, scrip: amount, principal }) =>
      withText(
        `${principal === null ? "The operator" : from} wrote to ${to}` +
          (amount === 0 ? "" : `, with ${scrip(amount)}`),
        text,
      ),
    narratives: (event) => [threadNarrative(event.thread)],
    landmark: ({ from, to, reset }, isPerson) => {
      const isOfPerson = from === OPERATOR || isPerson(from);
      return isOfPerson && reset === null
        ? { kind: "message", text: `${from} wrote to ${to}` }
        : null;
    },
    redact: { text: content(LEFT_OUT) },
  },
  messages_read: { says: ({ owner }) => `${owner} read its messages` },
  sender_blocked: { says: ({ owner, sender }) => `${owner} blocked messages of ${sender}` },
  sender_unblocked: { says: ({ owner, sender }) => `${owner} accepts messages of ${sender} again` },
  contacts_set: {
    says: ({ agent, contacts }) =>
      `${agent} may write to ${contacts === null ? "all" : names(contacts)}`,
  },
  review_set: {
    says: ({ agent }) => `The rules for reviews of ${agent} changed`,
    redact: { review: "none" },
  },
  action_proposed: {
    says: (event) =>
      withText(
        `${who(event)} asks to ${decided(event.action)}, for at most ${scrip(event.cost)}`,
        event.reasoning,
      ),
    landmark: ({ principal }) => ({ kind: "review", text: `${principal} asked for a review` }),
    redact: { reasoning: thoughts(LEFT_OUT), action: content(redactedAction) },
  },
  proposal_decided: {
    says: ({ agent, proposal, decision, decided_by }) =>
      withText(
        `${decided_by === "default" ? "The default" : "A reviewer"} ` +
          `${DECISIONS[decision.kind]} action ${proposal} of ${agent}`,
        decision.kind === "feedback" ? decision.text : "",
      ),
    landmark: ({ agent }) => ({ kind: "review", text: `an action of ${agent} was reviewed` }),
    redact: { decision: content(redactedDecision) },
  },
};

const DECISIONS = { accept: "accepted", edit: "edited", feedback: "did not accept" } as const;

/** Undefined for an unknown kind in a foreign journal. */
export const descriptionOf = <K extends EventKind>(
  event: EventFor<K>,
): Description<EventFor<K>> | undefined =>
  Object.hasOwn(DESCRIPTIONS, event.kind) ? DESCRIPTIONS[event.kind] : undefined;

/** What a published copy loses of the body of an event. */
export const redactionOf = (kind: string, without: "thoughts" | "content"): Redact | undefined => {
  if (!Object.hasOwn(DESCRIPTIONS, kind)) return undefined;
  const fields: Readonly<Record<string, Redacted>> = DESCRIPTIONS[kind as EventKind].redact ?? {};
  const decided = Object.values(fields);
  const isRedacted = decided.some((each) => each !== "none" && each.without === without);
  return isRedacted ? redacting(fields, without) : undefined;
};

/** The kinds of events with one of these descriptions. */
export const kindsWith = (
  ...parts: readonly Exclude<keyof Said<Event>, "says">[]
): readonly EventKind[] =>
  (Object.keys(DESCRIPTIONS) as EventKind[]).filter((kind) =>
    parts.some((part) => DESCRIPTIONS[kind][part] !== undefined),
  );

/**
 * Says in one sentence what an event of a journal did, with the names of all who took part. Texts
 * in it are cut, and can be empty in a redacted copy of a journal.
 */
export const eventSentence = (row: JournalRow): string => {
  if (isRunEvent(row.kind)) return runSentence(row.kind, runEventBody(row.body));
  const event = decodeEvent(row);
  return descriptionOf(event)?.says(event) ?? words(row.kind);
};

const runSentence = (kind: string, body: JsonObject): string => {
  const text = (name: string): string => words(String(body[name] ?? ""));
  switch (kind) {
    case "run_started":
      return `The run started with seed ${text("seed")}`;
    case "run_resumed":
      return "The run resumed";
    case "run_stopped":
      return `The run ended (${text("stopped_by")})`;
    case "checkpoint_saved":
      return `A checkpoint was saved after event ${whole(Number(body.last_seq))}`;
    case "alarm_raised":
      return withText(`Alarm: ${text("alarm")}`, String(body.cause ?? ""));
    case "alarm_cleared":
      return `The alarm ended: ${text("alarm")}`;
    default:
      return withText("Warning", String(body.text ?? ""));
  }
};
