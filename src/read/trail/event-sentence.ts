import {
  type Event,
  type EventFor,
  type EventKind,
  isObject,
  type Json,
  type JsonObject,
  whyFrozen,
} from "../../kernel/index.ts";
import { counted, exactTimeText, listed, shortened, whole } from "../../text/index.ts";
import { decodeEvent, isRunEvent, type JournalRow, runEventBody } from "../../world/index.ts";

const TEXT_CHARS_MAX = 160;
const NAMES_MAX = 3;

/**
 * Says in one sentence what an event of a journal did, with the names of all who took part. Texts
 * in it are cut, and can be empty in a redacted copy of a journal.
 */
export const eventSentence = (row: JournalRow): string =>
  isRunEvent(row.kind) ? runSentence(row.kind, runEventBody(row.body)) : said(decodeEvent(row));

const said = <K extends EventKind>(event: EventFor<K>): string => SENTENCES[event.kind](event);

const scrip = (amount: number): string => `${whole(amount)} scrip`;
const lots = (count: number): string => counted(count, "lot", whole(count));
const usd = (micros: number): string => `${String(micros / 1e6)} USD of model budget`;
const who = ({ principal }: Pick<Event, "principal">): string => principal ?? "the world";
const call = (artifact: string, method: string): string => `${artifact}.${method}`;
const words = (name: string): string => name.replaceAll("_", " ");

/** Adds a text to a sentence, if there is one. */
const withText = (sentence: string, text: string): string =>
  text === "" ? sentence : `${sentence}: ${shortened(text.replace(/\s+/g, " "), TEXT_CHARS_MAX)}`;

type Told = Pick<EventFor<"action_completed">, "action" | "target" | "method">;

/** What an action does, in words for its past and for its future. */
const actionWords = ({ action, target, method }: Told): readonly [done: string, due: string] => {
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
    default:
      return [`did ${words(action)} ${thing}`.trim(), `${words(action)} ${thing}`.trim()];
  }
};

/** What a decided action, in JSON, is going to do. */
const decided = (action: Json): string => {
  const [[name, given] = ["noop", {}]] = Object.entries(fieldsIn(action));
  const { artifact_id: target, method } = fieldsIn(given ?? null);
  const text = (value: Json | undefined): string | null =>
    typeof value === "string" ? value : null;
  return actionWords({ action: name, target: text(target), method: text(method) })[1];
};

const fieldsIn = (json: Json): JsonObject => (isObject(json) ? json : {});

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

type Purpose = EventFor<"scrip_held">["purpose"];

const purposeText = (purpose: Purpose): string => {
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

const names = (ids: readonly string[]): string =>
  ids.length === 0 ? "none" : listed(ids, NAMES_MAX);

type Sentences = { readonly [K in EventKind]: (event: EventFor<K>) => string };

const SENTENCES: Sentences = {
  world_created: () => "The world began",
  physics_amended: () => "The rules of the world changed",
  schedule_planned: ({ entries }) =>
    `The schedule has ${counted(entries.length, "planned change")}`,
  schedule_executed: ({ change, problem }) =>
    problem === null
      ? `The schedule made its change: ${words(change)}`
      : withText(`The schedule could not make its change (${words(change)})`, problem),
  principal_created: ({ id, scrip: amount, llm_budget_micros: micros, parent }) =>
    `${id} opened an account with ${scrip(amount)} and ${usd(micros)}` +
    (parent === null ? "" : `, as a child of ${parent}`),
  random_drawn: ({ draws }) => `The world drew ${counted(draws, "random number")}`,

  artifact_written: ({ artifact_id, by, owner, created, version, size_bytes }) =>
    `${by} ${created ? "created" : "changed"} ${artifact_id} (version ${version}, ` +
    `${whole(size_bytes)} bytes)${owner === by ? "" : `, which ${owner} owns`}`,
  artifact_read: ({ artifact_id, by, price }) =>
    `${by} read ${artifact_id}${price === 0 ? "" : ` for ${scrip(price)}`}`,
  artifact_deleted: ({ artifact_id, by }) => `${by} deleted ${artifact_id}`,
  artifact_state_changed: ({ artifact_id, size_bytes }) =>
    `${artifact_id} changed its state (${whole(size_bytes)} bytes)`,
  ownership_transferred: ({ artifact_id, from, to }) =>
    `${artifact_id} has a new owner: ${from} → ${to}`,
  ownership_offered: ({ artifact_id, from, to }) => `${from} offered ${artifact_id} to ${to}`,
  ownership_offer_ended: ({ artifact_id, from, to }) =>
    `The offer of ${artifact_id} by ${from} to ${to} ended`,
  dangling_contract: ({ artifact_id, contract }) =>
    `${artifact_id} asks ${contract} for access, but ${contract} no longer answers`,

  artifact_invoked: ({ artifact_id, method, caller, price, paid_to }) =>
    `${caller} called ${call(artifact_id, method)}` +
    (price === 0 ? "" : ` and paid ${scrip(price)}${paid_to === null ? "" : ` to ${paid_to}`}`),
  invocation_failed: ({ artifact_id, method, caller, code, message }) =>
    withText(
      `${caller} called ${call(artifact_id, method)}, which failed (${words(code)})`,
      message,
    ),

  scrip_transferred: ({ from, to, amount, reason, artifact_id, memo = "" }) =>
    withText(`${from} paid ${scrip(amount)} to ${to} ${why(reason, artifact_id)}`, memo),
  scrip_minted: ({ to, amount, reason }) => `${scrip(amount)} minted for ${to} ${why(reason)}`,
  scrip_burned: ({ from, amount, reason }) => `${scrip(amount)} of ${from} burned ${why(reason)}`,
  scrip_held: ({ from, amount, purpose }) =>
    `${from} set ${scrip(amount)} aside for ${purposeText(purpose)}`,
  hold_split: ({ hold, amount, purpose }) =>
    `${scrip(amount)} of the hold ${hold} are now for ${purposeText(purpose)}`,
  hold_spent: ({ hold, to, amount, reason, artifact_id }) =>
    to === null
      ? `${scrip(amount)} of the hold ${hold} burned`
      : `${to} got ${scrip(amount)} from the hold ${hold} ${why(reason, artifact_id)}`,
  hold_released: ({ hold, into }) =>
    into === null
      ? `The rest of the hold ${hold} is free again`
      : `The rest of the hold ${hold} went back to the hold ${into}`,
  proceeds_collected: ({ hold, amount, artifact_id }) =>
    `The mint collected ${scrip(amount)} from the hold ${hold} for ${artifact_id}`,
  proceeds_shared: ({ to, amount }) => `${to} got ${scrip(amount)} as its share of proceeds`,
  proceeds_burned: ({ amount }) => `${scrip(amount)} of proceeds burned`,
  compute_bid_placed: ({ bidder, lots: count, limit_price }) =>
    `${bidder} bid for ${lots(count)} of model budget, at most ${scrip(limit_price)} each`,
  compute_bid_cancelled: ({ bidder, reason }) =>
    `The bid of ${bidder} for model budget ended (${words(reason)})`,
  standing_order_set: ({ principal_id, lots: count, limit_price }) =>
    count === 0
      ? `${principal_id} no longer orders model budget`
      : `${principal_id} orders ${lots(count)} of model budget at each sale` +
        (limit_price === null ? "" : `, at most ${scrip(limit_price)} each`),
  compute_sold: ({ sale, price, offered, sold }) =>
    price === null
      ? `Sale ${sale} divided model budget among the agents`
      : `Sale ${sale} sold ${whole(sold)} of ${lots(offered)} of model budget for ` +
        `${scrip(price)} each`,
  compute_bought: ({ buyer, lots: count, price, micros }) =>
    `${buyer} bought ${lots(count)} for ${scrip(price)} each: ${usd(micros)}`,
  compute_granted: ({ to, micros }) => `${to} got ${usd(micros)}`,
  budget_issued: ({ to, micros }) => `The schedule gave ${to} ${usd(micros)}`,
  budget_withdrawn: ({ from, micros }) => `The schedule took ${usd(micros)} from ${from}`,
  budget_transferred: ({ from, to, micros }) => `${from} gave ${to} ${usd(micros)}`,
  quota_transferred: ({ from, to, resource, amount }) =>
    `${from} gave ${to} a quota of ${whole(amount)} ${words(resource)}`,
  delegation_granted: ({ grantor, contract, max_per_call }) =>
    `${grantor} lets ${contract} charge it up to ${scrip(max_per_call)} a call`,
  delegation_revoked: ({ grantor, contract }) => `${grantor} no longer lets ${contract} charge it`,
  delegation_used: ({ grantor, contract, amount }) =>
    `${contract} charged ${grantor} ${scrip(amount)}`,

  bid_placed: ({ artifact_id, bidder, amount, auction }) =>
    `${bidder} bid ${scrip(amount)} for ${artifact_id} in auction ${auction} of the mint`,
  bid_cancelled: ({ artifact_id, submission }) =>
    `The bid ${submission} for ${artifact_id} at the mint was cancelled`,
  auction_resolved: ({ auction, price, won, lost }) =>
    `Auction ${auction} of the mint ended at ${scrip(price)}; won: ${names(won)}; ` +
    `lost: ${names(lost)}`,
  artifact_scored: ({ artifact_id, score, minted, reason }) =>
    withText(
      `The mint gave ${artifact_id} a score of ${score} and minted ${scrip(minted)}`,
      reason,
    ),
  scoring_failed: ({ artifact_id, reason }) =>
    withText(`The mint could not score ${artifact_id}`, reason),
  task_posted: ({ task, poster, reward, description }) =>
    withText(`${poster ?? "The world"} posted ${task} for ${scrip(reward)}`, description),
  task_solved: ({ task, artifact_id, solver, reward }) =>
    `${solver} solved ${task} with ${artifact_id} for ${scrip(reward)}`,
  task_withdrawn: ({ task }) => `The task ${task} was withdrawn`,

  action_completed: (event) => {
    const { action, target, message } = event;
    const [done] = actionWords(event);
    const isPlain = action === "noop" || (action === "read_artifact" && message === "");
    // The message of a call repeats its name.
    const text = message.replace(`${call(target ?? "", event.method ?? "")} `, "");
    return isPlain ? `${who(event)} ${done}` : withText(`${who(event)} ${done}`, text);
  },
  action_refused: (event) =>
    withText(
      `${who(event)} tried to ${actionWords(event)[1]}, but it was refused (${words(event.code)})`,
      event.message,
    ),
  agent_created: ({ id, group }) => `${id} began its life${group === null ? "" : ` in ${group}`}`,
  agent_state_changed: ({ agent, from, to, reason }) =>
    withText(`${agent} is ${words(to)} and was ${words(from)}`, reason),
  agent_frozen: (event) => withText(`${who(event)} froze`, whyFrozen(event)),
  agent_unfrozen: ({ agent, principal }) =>
    `${agent} is free again` +
    (principal === null || principal === agent ? "" : `: ${principal} paid for it`),
  agent_rate_limited: (event) =>
    `${who(event)} waits until ${exactTimeText(event.until_ms)} for its quota of ` +
    words(event.resource),
  thought_started: (event) => `${who(event)} started to think`,
  thought_completed: (event) =>
    withText(`${who(event)} decided to ${decided(event.action)}`, event.reasoning),
  thought_dropped: (event) => withText(`A thought of ${who(event)} was dropped`, event.reason),
  agent_handed_over: ({ agent, from, to }) => `${agent} has a new owner: ${from} → ${to}`,
  memory_recorded: (event) => withText(`${event.artifact_id} remembers`, event.text),
  memory_written: ({ artifact_id, bytes }) => `${artifact_id} grew by ${whole(bytes)} bytes`,
  workspace_changed: ({ artifact_id, version }) =>
    `The files in ${artifact_id} changed (version ${version})`,
  memory_refused: ({ artifact_id, code, message }) =>
    withText(`${artifact_id} could not remember (${words(code)})`, message),
  agent_bankrupt: (event) =>
    `${who(event)} went bankrupt after ${exactTimeText(event.frozen_ms)} frozen, with ` +
    scrip(event.scrip),
  bankruptcy_deferred: (event) =>
    `${who(event)} is not bankrupt yet; the world looks again at ${exactTimeText(event.due_at_ms)}`,
  thought_failed: (event) =>
    withText(`A thought of ${who(event)} failed (${words(event.reason)})`, event.message),
  message_sent: ({ from, to, text, scrip: amount, principal }) =>
    withText(
      `${principal === null ? "The operator" : from} wrote to ${to}` +
        (amount === 0 ? "" : `, with ${scrip(amount)}`),
      text,
    ),
  messages_read: ({ owner }) => `${owner} read its messages`,
  sender_blocked: ({ owner, sender }) => `${owner} blocked messages of ${sender}`,
  sender_unblocked: ({ owner, sender }) => `${owner} accepts messages of ${sender} again`,
  contacts_set: ({ agent, contacts }) =>
    `${agent} may write to ${contacts === null ? "all" : names(contacts)}`,
  review_set: ({ agent }) => `The rules for reviews of ${agent} changed`,
  action_proposed: (event) =>
    withText(
      `${who(event)} asks to ${decided(event.action)}, for at most ${scrip(event.cost)}`,
      event.reasoning,
    ),
  proposal_decided: ({ agent, proposal, decision, decided_by }) =>
    withText(
      `${decided_by === "default" ? "The default" : "A reviewer"} ` +
        `${DECISIONS[decision.kind]} action ${proposal} of ${agent}`,
      decision.kind === "feedback" ? decision.text : "",
    ),
};

const DECISIONS = { accept: "accepted", edit: "edited", feedback: "did not accept" } as const;

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
