import { type ActionRecord, cutText, type PublicEvent } from "../../../kernel/index.ts";
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

const eventLine = ({ n, kind, principal, target, other, amount, code }: PublicEvent): string => {
  let facts = principal === null ? "" : `by ${principal}`;
  facts = listed(facts, target);
  facts = listed(facts, other === null ? null : `with ${other}`);
  facts = listed(facts, amount === null ? null : `amount ${amount}`);
  return `- ${n} ${kind}: ${listed(facts, code)}`;
};

const listed = (facts: string, fact: string | null): string =>
  fact === null ? facts : facts === "" ? fact : `${facts}, ${fact}`;

/** Returns the newest events and the events that concern the agent, in order of time. */
const eventsShown = ({ view, settings }: PromptSource): readonly PublicEvent[] => {
  const { id, events, owned } = view;
  const own = new Set<string>([id, ...owned.map((each) => each.id)]);
  const concerns = (event: PublicEvent): boolean =>
    event.principal !== id &&
    ((event.other !== null && own.has(event.other)) ||
      (event.target !== null && own.has(event.target)));
  const concerning = events.filter(concerns).slice(-settings.recent_events);
  const newest = settings.see_others ? events.slice(-settings.recent_events) : [];
  const chosen = new Set([...concerning, ...newest]);
  return settings.recent_events === 0 ? [] : events.filter((event) => chosen.has(event));
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
  recent_events: section(
    { title: "Recent events", priority: 40, tokensMax: 300, keeps: "end" },
    (source) => eventsShown(source).map(eventLine),
  ),
};
