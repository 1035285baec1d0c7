import { decodeEvent, type ThoughtUsage } from "../../kernel/index.ts";
import type { JournalRow } from "../../world/index.ts";

const MARK = '"usage":';
/** What stands behind the usage in the body of a completed thought (`kernel/event.ts`). */
const REST = /^(\{[^{}]*\}),"act_at_ms":\d+,"sleep":/;

/**
 * What a completed thought has used, without reading what the mind keeps: that is most of the text
 * of a journal, and no figure asks for it. Nothing behind the last mark is an author's text, since
 * quotes are escaped in there.
 */
export const usageOfThought = (row: JournalRow): ThoughtUsage | null => {
  const [, usage] = REST.exec(row.body.slice(row.body.lastIndexOf(MARK) + MARK.length)) ?? [];
  if (usage !== undefined) return JSON.parse(usage);
  const event = decodeEvent(row);
  return event.kind === "thought_completed" ? event.usage : null;
};
