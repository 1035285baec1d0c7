import { asId, type Json, type ThoughtUsage } from "../../kernel/index.ts";
import { type ChatMessage, conversationIn, sessionName, summaryText } from "../../mind/index.ts";
import { decodeEvent, type Journal, type JournalRow, replay } from "../../world/index.ts";

/** A message of an agent with tools. The results of tools are messages of their own. */
export type TranscriptMessage = {
  /** The event that added the message. */
  readonly seq: number;
  readonly at_ms: number;
  /** `main`, and after each reset of the conversation `main-2`, `main-3` and so on. */
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
export const transcriptOf = (journal: Journal, agent: string): readonly TranscriptMessage[] => {
  const id = asId(agent);
  const found: TranscriptMessage[] = [];
  let mind: Json = null;
  let summary = "";
  let known = 0;
  const knownTexts = new Set<string>();
  let last: JournalRow | null = null;
  const collect = (now: Json): void => {
    if (now === mind) return;
    mind = now;
    const conversation = conversationIn(now);
    const about = aboutOf(last, sessionName(conversation));
    if (conversation.summary !== summary) {
      summary = conversation.summary;
      if (summary !== "") found.push({ ...about, role: "user", content: summaryText(summary) });
    }
    for (const [number, message] of Object.entries(conversation.messages)) {
      if (Number(number) > known) found.push(...linesOf(message, about, last));
      for (const added of conversation.added[number] ?? []) {
        const key = JSON.stringify([number, added]);
        if (knownTexts.has(key)) continue;
        knownTexts.add(key);
        found.push({ ...about, role: "user", plugin: added.plugin, content: added.text });
      }
    }
    known = Math.max(known, conversation.next - 1);
  };
  const before = (row: JournalRow, state: ReturnType<typeof replay>["state"]): void => {
    collect(state.agents.get(id)?.mind ?? null);
    last = row;
  };
  const { state } = replay(journal, { before });
  collect(state.agents.get(id)?.mind ?? null);
  return found;
};

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
  const content = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = message.blocks.flatMap((block) =>
    block.type === "tool_call" ? [{ id: block.id, name: block.name, args: block.args }] : [],
  );
  const usage = row === null ? null : usageIn(row);
  return [
    {
      ...about,
      role: "assistant",
      content: content.join("\n"),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(usage === null ? {} : { usage }),
    },
  ];
};

const usageIn = (row: JournalRow): ThoughtUsage | null => {
  const event = decodeEvent(row);
  return event.kind === "thought_completed" ? event.usage : null;
};
