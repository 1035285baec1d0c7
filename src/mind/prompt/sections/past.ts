import { cutText, type Deed, type PublicEvent } from "../../../kernel/index.ts";
import { seconds } from "../../units.ts";
import { oneLine } from "../fence.ts";
import type { PromptSource } from "../prompt.ts";
import type { Section } from "../section.ts";

const MESSAGE_CHARS = 200;
const RESULT_CHARS = 2_000;
/** So many failures of one kind in a row are called by their name. */
const REPEATS_NAMED = 3;

/** An action without how it came out. */
const callOf = ({ action, target, method }: Deed): string =>
  `${action}(${[target, method].filter((part) => part !== null).join(".")})`;

const deedLine = (deed: Deed): string => {
  const outcome = deed.ok ? "SUCCESS" : `FAILED${deed.code === null ? "" : ` ${deed.code}`}`;
  return `${callOf(deed)} -> ${outcome}: ${oneLine(deed.message, MESSAGE_CHARS)}`;
};

export const lastAction: Section = {
  name: "last_action",
  title: "What came of your last action",
  priority: 80,
  tokensMax: 700,
  keeps: "start",
  foreign: true,
  lines: ({ view }) => {
    const { last } = view.agent;
    if (last === null) return [];
    const head = deedLine(last);
    if (last.result === null || last.result === "null") return [head];
    const result = cutText(last.result, RESULT_CHARS);
    const cut = last.cut || result.length < last.result.length ? " (the beginning of it)" : "";
    return [head, `Its result${cut}:`, ...result.split("\n")];
  },
};

export const failures: Section = {
  name: "failures",
  title: "What failed lately",
  priority: 75,
  tokensMax: 300,
  keeps: "end",
  foreign: true,
  lines: ({ view }) => view.agent.failures.map((deed) => `- ${deedLine(deed)}`),
};

/** The last deed's failures in a row at the same thing, the last itself included. */
const failuresInARow = (deeds: readonly Deed[]): number => {
  const last = deeds.at(-1);
  if (last === undefined || last.ok) return 0;
  let count = 0;
  for (const deed of deeds.toReversed()) {
    if (deed.ok || callOf(deed) !== callOf(last)) break;
    count += 1;
  }
  return count;
};

const repetition = (deeds: readonly Deed[]): readonly string[] => {
  const [last, count] = [deeds.at(-1), failuresInARow(deeds)];
  if (last === undefined || count < REPEATS_NAMED) return [];
  const tried = `You have tried ${callOf(last)} ${count} times in a row`;
  return [`${tried} and failed every time. Do something else.`];
};

export const ownActions: Section = {
  name: "own_actions",
  title: "Your latest actions, oldest first",
  priority: 70,
  tokensMax: 450,
  keeps: "end",
  foreign: true,
  lines: ({ view: { agent } }) => [
    ...agent.deeds.map((deed) => `- at ${seconds(deed.atMs)} ${deedLine(deed)}`),
    ...repetition(agent.deeds),
  ],
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

/** Those that concern the agent, and with them the newest of all, oldest first. */
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

export const recentEvents: Section = {
  name: "recent_events",
  title: "What happened lately",
  priority: 40,
  tokensMax: 300,
  keeps: "end",
  foreign: false,
  lines: (source) => eventsShown(source).map(eventLine),
};
