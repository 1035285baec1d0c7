import { asId, type Json, type ThoughtUsage } from "../../kernel/index.ts";
import { type ChatMessage, callsOf, textsOf } from "../../model/index.ts";
import {
  type Conversation,
  conversationIn,
  HEARTBEAT,
  sessionName,
  summaryText,
} from "../../tools/index.ts";
import { decodeEvent, type JournalReader, type JournalRow, replay } from "../../world/index.ts";

/** A message of an agent with tools. The results of tools are messages of their own. */
export type TranscriptMessage = {
  /** The event that added the message. */
  readonly seq: number;
  readonly at_ms: number;
  /**
   * `main`, and after each reset of the conversation `main-2`, `main-3` and so on. Helpers and
   * heartbeats have conversations of their own, such as `main/helper-1`.
   */
  readonly session: string;
  /** The plugin that added this text to the message before it. */
  readonly plugin?: string;
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: Json;
  }[];
  readonly tool_call_id?: string;
  readonly is_error?: boolean;
  /** The tokens and the cost of the call that returned this message. */
  readonly usage?: ThoughtUsage;
};

/**
 * The whole conversation of an agent in a run, also the part that its mind has dropped. A fork has
 * the conversation that its past left it, and what came after. Empty for minds without tools.
 */
export const transcriptOf = (
  journal: JournalReader,
  agent: string,
): readonly TranscriptMessage[] => {
  const id = asId(agent);
  const found: TranscriptMessage[] = [];
  const heard = new Map<string, Heard>();
  let mind: Json = null;
  let last: JournalRow | null = null;
  const collect = (now: Json): void => {
    if (now === mind) return;
    mind = now;
    const main = conversationIn(now);
    for (const { name, key, conversation } of conversationsOf(main)) {
      const before = heard.get(key) ?? { summary: "", known: 0, texts: new Set<string>() };
      found.push(...newIn(conversation, before, aboutOf(last, name), last));
      const known = Math.max(before.known, conversation.next - 1);
      heard.set(key, { ...before, summary: conversation.summary, known });
    }
  };
  const before = (row: JournalRow, state: ReturnType<typeof replay>["state"]): void => {
    collect(state.agents.get(id)?.mind ?? null);
    last = row;
  };
  const { state } = replay(journal, { before });
  collect(state.agents.get(id)?.mind ?? null);
  return found;
};

type Named = {
  readonly name: string;
  /** Differs from the keys of all other conversations of the agent. */
  readonly key: string;
  readonly conversation: Pick<Conversation, "summary" | "messages" | "added" | "next">;
};

/** The main conversation and its sides. All heartbeats have one name. Helpers have their own. */
const conversationsOf = (main: Conversation): readonly Named[] => {
  const session = sessionName(main);
  const sides = Object.entries(main.sides).map(([side, conversation]): Named => {
    const name = `${session}/${side}`;
    const key = side === HEARTBEAT ? `${name} at ${main.last_heartbeat_ms}` : name;
    return { name, key, conversation };
  });
  return [{ name: session, key: session, conversation: main }, ...sides];
};

/** What was collected of a conversation: its summary, the last message, and texts of plugins. */
type Heard = { readonly summary: string; readonly known: number; readonly texts: Set<string> };

function* newIn(
  { summary, messages, added }: Pick<Conversation, "summary" | "messages" | "added">,
  heard: Heard,
  about: About,
  row: JournalRow | null,
): Iterable<TranscriptMessage> {
  if (summary !== heard.summary && summary !== "") {
    yield { ...about, role: "user", content: summaryText(summary) };
  }
  for (const [number, message] of Object.entries(messages)) {
    if (Number(number) > heard.known) yield* linesOf(message, about, row);
    for (const text of added[number] ?? []) {
      const key = JSON.stringify([number, text]);
      if (heard.texts.has(key)) continue;
      heard.texts.add(key);
      yield { ...about, role: "user", plugin: text.plugin, content: text.text };
    }
  }
}

type About = Pick<TranscriptMessage, "seq" | "at_ms" | "session">;

const aboutOf = (row: JournalRow | null, session: string): About => ({
  seq: row?.seq ?? 0,
  at_ms: row?.atMs ?? 0,
  session,
});

const linesOf = (
  message: ChatMessage,
  about: About,
  row: JournalRow | null,
): readonly TranscriptMessage[] => {
  if (message.role === "user") return [{ ...about, role: "user", content: message.text }];
  if (message.role === "tool") {
    return message.results.map(({ id, text, is_error }) => {
      return { ...about, role: "tool", content: text, tool_call_id: id, is_error };
    });
  }
  const calls = callsOf(message.blocks).map(({ id, name, args }) => ({ id, name, args }));
  const usage = row === null ? null : usageIn(row);
  return [
    {
      ...about,
      role: "assistant",
      content: textsOf(message.blocks).join("\n"),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(usage === null ? {} : { usage }),
    },
  ];
};

const usageIn = (row: JournalRow): ThoughtUsage | null => {
  const event = decodeEvent(row);
  return event.kind === "thought_completed" ? event.usage : null;
};
