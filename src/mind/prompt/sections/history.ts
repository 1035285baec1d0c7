import {
  type ActionRecord,
  cutText,
  type EventSum,
  type PublicEvent,
  summed,
  unseenOf,
} from "../../../kernel/index.ts";
import { seconds } from "../../units.ts";
import { oneLine } from "../fence.ts";
import { type PromptSource, section } from "../prompt.ts";

const MESSAGE_CHARS = 200;
const RESULT_CHARS = 2_000;
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

const eventText = ({ n, kind, principal, target, other, amount, code }: PublicEvent): string => {
  let facts = principal === null ? "" : `by ${principal}`;
  facts = listed(facts, target);
  facts = listed(facts, other === null ? null : `with ${other}`);
  facts = listed(facts, amount === null ? null : `amount ${amount}`);
  return `${n} ${kind}: ${listed(facts, code)}`;
};

const listed = (facts: string, fact: string | null): string =>
  fact === null ? facts : facts === "" ? fact : `${facts}, ${fact}`;

/** Returns the newest public events that the inbox does not list. */
const newsLines = ({ view, settings }: PromptSource): readonly string[] => {
  if (!settings.see_others) return [];
  const inInbox = new Set(newest(view.inbox.recent, settings.recent_events).map(({ n }) => n));
  return newest(view.events, settings.recent_events)
    .filter(({ n }) => !inInbox.has(n))
    .map((event) => `- ${eventText(event)}`);
};

const newest = <T>(items: readonly T[], max: number): readonly T[] =>
  items.slice(Math.max(0, items.length - max));

/**
 * Lists the newest events of the inbox, and then counts all other events since the last thought.
 * The counts come last, because the section keeps its end if it is cut.
 */
const inboxLines = ({ view: { inbox }, settings }: PromptSource): readonly string[] => {
  const shown = newest(inbox.recent, settings.recent_events);
  const unseen = unseenOf(inbox);
  const isNew = new Set(unseen.map(({ n }) => n));
  const unlisted = unseen.slice(0, Math.max(0, unseen.length - shown.length));
  const sums = summed(inbox.sums, unlisted, Number.POSITIVE_INFINITY);
  const lines = [
    ...shown.map((event) => `- ${eventText(event)}${isNew.has(event.n) ? "" : " (shown before)"}`),
    ...sums.map(sumLine),
  ];
  return lines.length === 0 ? ["nothing yet"] : lines;
};

/** What to call several events of a kind, with the sum of their amounts. */
const SUM_WORDS: { readonly [kind: string]: (sum: EventSum, of: string) => string } = {
  artifact_invoked: ({ count, amount }, of) => `${count} calls${of} earned ${amount} scrip`,
  artifact_read: ({ count, amount }, of) => `${count} reads${of} earned ${amount} scrip`,
  invocation_failed: ({ count }, of) => `${count} calls${of} failed`,
  scrip_transferred: ({ count, amount }) => `${count} payments of ${amount} scrip to you`,
};

const sumLine = (sum: EventSum): string => {
  const of = sum.target === null ? "" : ` of ${sum.target}`;
  const { kind, count, amount } = sum;
  const total = amount === 0 ? "" : `, total amount ${amount}`;
  const text = SUM_WORDS[kind]?.(sum, of) ?? `${count} ${kind}${of}${total}`;
  return `- earlier, since your last thought: ${text}`;
};

export const historySections = {
  last_action: section(
    { title: "The result of your last action", priority: 80, tokensMax: 700, foreign: true },
    ({ view }) => {
      const { last } = view.agent;
      if (last === null) return [];
      const head = actionLine(last);
      if (last.result === null || last.result === "null") return [head];
      const result = cutText(last.result, RESULT_CHARS);
      const cut = last.cut || result.length < last.result.length ? " (its beginning)" : "";
      return [head, `Its result${cut}:`, ...result.split("\n")];
    },
  ),
  failures: section(
    { title: "Recent failures", priority: 75, tokensMax: 300, keeps: "end", foreign: true },
    ({ view }) => view.agent.failures.map((record) => `- ${actionLine(record)}`),
  ),
  own_actions: section(
    {
      title: "Your latest actions, oldest first",
      priority: 70,
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
    { title: "What others did that concerns you", priority: 66, tokensMax: 450, keeps: "end" },
    inboxLines,
  ),
  recent_events: section(
    { title: "Recent events", priority: 40, tokensMax: 300, keeps: "end" },
    newsLines,
  ),
};
