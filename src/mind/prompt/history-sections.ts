import {
  type ActionRecord,
  type EventSum,
  type InboxEvent,
  type PublicEvent,
  summed,
  unseenOf,
} from "../../kernel/index.ts";
import { seconds } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import { oneLine } from "./fence.ts";
import { type PromptSource, section } from "./prompt.ts";

const MESSAGE_CHARS = 200;
/** The prompt warns the agent after this many failures of the same action in a row. */
const REPEATS_NAMED = 3;

const callOf = ({ action, target, method }: ActionRecord): string =>
  `${action}(${[target, method].filter((part) => part !== null).join(".")})`;

const actionLine = (record: ActionRecord): string => {
  const outcome = record.ok ? "SUCCESS" : `FAILED${record.code === null ? "" : ` ${record.code}`}`;
  return `${callOf(record)} -> ${outcome}: ${oneLine(record.message, MESSAGE_CHARS)}`;
};

const repetition = (records: readonly ActionRecord[]): readonly string[] => {
  const last = records.at(-1);
  if (last === undefined) return [];
  const isOther = (record: ActionRecord) => record.ok || callOf(record) !== callOf(last);
  const count = records.length - 1 - records.findLastIndex(isOther);
  if (count < REPEATS_NAMED) return [];
  const tried = `You have tried ${callOf(last)} ${count} times in a row`;
  return [`${tried} and failed every time. Do something else.`];
};

/** Says in words what an event means for the agent `me`. Null if the facts speak for themselves. */
const eventWords = (event: PublicEvent, me: string): string | null => {
  const { kind, principal, target, other, amount } = event;
  const to = other === me ? "you" : other;
  switch (kind) {
    case "scrip_transferred":
      return `${principal ?? "the world"} paid ${to} ${amount} scrip${via("through", target)}`;
    case "hold_spent":
      return `${to} got ${amount} scrip that was reserved${via("for", target)}`;
    case "proceeds_shared":
      return `${to} got ${amount} scrip, a share of the prices paid to the world`;
    case "agent_state_changed":
      return principal === null ? null : `${principal} is now ${target}`;
    default:
      return null;
  }
};

const via = (word: string, target: string | null): string =>
  target === null ? "" : ` ${word} ${target}`;

/** The event, with what a program told this agent about it. */
const inboxText = (event: InboxEvent, me: string): string => {
  const text =
    event.text === undefined ? "" : `, which says "${oneLine(event.text, MESSAGE_CHARS)}"`;
  return `${eventText(event, me)}${text}`;
};

const eventText = (event: PublicEvent, me: string): string => {
  const { n, kind, principal, target, method, other, amount, code } = event;
  const words = eventWords(event, me);
  if (words !== null) return `${n} ${kind}: ${words}`;
  let facts = principal === null ? "" : `by ${principal}`;
  facts = listed(facts, method === null ? target : `${target}.${method}`);
  facts = listed(facts, other === null ? null : `with ${other}`);
  facts = listed(facts, amount === null ? null : `amount ${amount}`);
  return `${n} ${kind}: ${listed(facts, code)}`;
};

const HOW_TO_READ_ON = "a program of yours can read a long text with kernel.read and return a part";

const listed = (facts: string, fact: string | null): string =>
  fact === null ? facts : facts === "" ? fact : `${facts}, ${fact}`;

/** Returns the newest public events that the inbox does not list. */
const newsLines = ({ view, settings }: PromptSource): readonly string[] => {
  const inInbox = new Set(newest(view.inbox.recent, settings.recent_events).map(({ n }) => n));
  return newest(view.events, settings.recent_events)
    .filter(({ n }) => !inInbox.has(n))
    .map((event) => `- ${eventText(event, view.id)}`);
};

const newest = <T>(items: readonly T[], max: number): readonly T[] =>
  items.slice(Math.max(0, items.length - max));

/** Up to this number of events of a kind about an artifact are listed and not counted. */
const FEW = 2;

/**
 * Lists the newest events of the inbox, and counts all other events since the last thought. Few
 * events of a kind are listed too. The counts come last, because the section keeps its end.
 */
const inboxLines = ({ view: { id, inbox }, settings }: PromptSource): readonly string[] => {
  const shown = newest(inbox.recent, settings.recent_events);
  const unseen = unseenOf(inbox);
  const isNew = new Set(unseen.map(({ n }) => n));
  const unlisted = unseen.slice(0, Math.max(0, unseen.length - shown.length));
  const isCounted = (event: InboxEvent): boolean =>
    inbox.sums.some((sum) => isOf(sum, event)) ||
    unlisted.filter((each) => isOf(event, each)).length > FEW;
  const counted = unlisted.filter(isCounted);
  const few = unlisted.filter((event) => !isCounted(event));
  const sums = summed(inbox.sums, counted, Number.POSITIVE_INFINITY);
  const lines = [
    ...[...few, ...shown].map(
      (event) => `- ${inboxText(event, id)}${isNew.has(event.n) ? "" : " (shown before)"}`,
    ),
    ...sums.map((sum) => sumLine(sum, byWhom(sum, counted))),
  ];
  return lines.length === 0 ? ["nothing yet"] : lines;
};

type Group = Pick<PublicEvent, "kind" | "target">;

const isOf = (one: Group, other: Group): boolean =>
  one.kind === other.kind && one.target === other.target;

const NAMES_MAX = 3;

/** Names those who caused the events of a sum, such as ` by ann and bob`. Empty if unknown. */
const byWhom = (sum: EventSum, counted: readonly PublicEvent[]): string => {
  const events = counted.filter((event) => isOf(sum, event));
  const names = [...new Set(events.flatMap(({ principal }) => principal ?? []))];
  if (names.length === 0) return "";
  const by = `by ${inWords(names)}`;
  return events.length === sum.count ? ` ${by}` : ` (the latest ${events.length} ${by})`;
};

const inWords = (names: readonly string[]): string => {
  const shown = names.length <= NAMES_MAX ? names : [...names.slice(0, NAMES_MAX), "others"];
  const first = shown.slice(0, -1).join(", ");
  return first === "" ? shown.join("") : `${first} and ${shown.at(-1)}`;
};

/** What to call several events of a kind, with the sum of their amounts. */
const SUM_WORDS: { readonly [kind: string]: (sum: EventSum, by: string) => string } = {
  artifact_invoked: ({ count, target, amount }, by) =>
    `${counted(count, "call")}${via("of", target)}${by} earned ${amount} scrip`,
  artifact_read: ({ count, target, amount }, by) =>
    `${counted(count, "read")}${via("of", target)}${by} earned ${amount} scrip`,
  invocation_failed: ({ count, target }, by) =>
    `${counted(count, "call")}${via("of", target)}${by}, made by programs, failed`,
  action_refused: ({ count, target }, by) =>
    `${counted(count, "action")}${via("on", target)}${by} failed`,
  scrip_transferred: ({ count, target, amount }, by) =>
    `${counted(count, "payment")} of ${amount} scrip in total to you${via("through", target)}${by}`,
};

const sumLine = (sum: EventSum, by: string): string => {
  const { kind, count, target, amount } = sum;
  const total = amount === 0 ? "" : `, total amount ${amount}`;
  const text = SUM_WORDS[kind]?.(sum, by) ?? `${count} ${kind}${via("of", target)}${by}${total}`;
  return `- earlier, since your last thought: ${text}`;
};

export const historySections = {
  // The section has no limit of its own: `agent.result_kept_chars` limits the result.
  last_action: section(
    {
      title: "The result of your last action",
      priority: 92,
      tokensMax: Number.POSITIVE_INFINITY,
      foreign: true,
    },
    ({ view }) => {
      const { last } = view.agent;
      if (last === null) return [];
      if (last.isFeedback) return [`${callOf(last)} -> NOT DONE`, ...last.message.split("\n")];
      const head = actionLine(last);
      if (last.result === null || last.result === "null") return [head];
      const cut = last.cut ? ` (its beginning; ${HOW_TO_READ_ON})` : "";
      return [head, `Its result${cut}:`, ...last.result.split("\n")];
    },
  ),
  failures: section(
    { title: "Recent failures", priority: 88, tokensMax: 300, keeps: "end", foreign: true },
    ({ view }) => view.agent.failures.map((record) => `- ${actionLine(record)}`),
  ),
  own_actions: section(
    {
      title: "Your latest actions, oldest first",
      priority: 78,
      tokensMax: 450,
      keeps: "end",
      foreign: true,
    },
    ({ view: { agent } }) => [
      ...agent.actions.map((record) => `- at ${seconds(record.atMs)} ${actionLine(record)}`),
      ...repetition(agent.actions),
    ],
  ),
  inbox: section(
    {
      title: "What others did that concerns you",
      priority: 86,
      tokensMax: 450,
      keeps: "end",
      foreign: true,
    },
    inboxLines,
  ),
  recent_events: section(
    { title: "Recent events", priority: 40, tokensMax: 300, keeps: "end", foreign: true },
    newsLines,
  ),
};
