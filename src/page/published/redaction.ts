import { LEFT_OUT, redactionOf, replacing } from "../../figures/index.ts";
import { isObject, type Json, jsonIn } from "../../kernel/index.ts";
import { CopiedJournal, type JournalCopy } from "../../world/index.ts";
import type { RunRecord } from "../routes/index.ts";
import type { PublishedRun, Redaction } from "./publication.ts";

/** The settings that contain texts, with all keys below them. */
const SETTINGS: { readonly [R in Redaction]: readonly string[] } = {
  prompts: ["agent.prompt"],
  thoughts: [],
  content: ["mint.tasks"],
};

/** True for the key of a setting whose value is left out. */
export const isLeftOut = (key: string, left: readonly Redaction[]): boolean =>
  left.some((each) => SETTINGS[each].some((top) => key === top || key.startsWith(`${top}.`)));

/** The schedule loses the interfaces of artifacts, which are content. Its changes stay. */
const redactedSchedule = (value: Json): Json =>
  [value].flat().map((entry) => {
    if (!isObject(entry)) return entry;
    const { install } = entry;
    if (!isObject(install)) return entry;
    return { ...entry, install: replacing({ interface: LEFT_OUT })(install) };
  });

const redactedSetting = (key: string, left: readonly Redaction[], value: string): string => {
  if (isLeftOut(key, left)) return JSON.stringify(LEFT_OUT);
  if (key !== "schedule" || !left.includes("content")) return value;
  return JSON.stringify(redactedSchedule(jsonIn(value) ?? null));
};

export const redactedSettings = (
  settings: ReadonlyMap<string, string>,
  left: readonly Redaction[],
): PublishedRun["settings"] =>
  [...settings].map(([key, value]) => [key, redactedSetting(key, left, value)]);

/** The record of a run names the settings that differ from the shipped ones. */
export const redactedRecord = (record: RunRecord, left: readonly Redaction[]): RunRecord => ({
  ...record,
  changed: Object.fromEntries(
    Object.entries(record.changed).map(([key, value]) => [
      key,
      jsonIn(redactedSetting(key, left, JSON.stringify(value))),
    ]),
  ),
});

/** The commands of all events repeat texts, so a copy without thoughts or content has none. */
const leavesOutCommands = (left: ReadonlySet<Redaction>): boolean =>
  left.has("thoughts") || left.has("content");

/**
 * A copy of a journal without some texts. The recorded model calls repeat all texts, so only a copy
 * with all texts has them.
 */
export const redacted = (copy: JournalCopy, left: ReadonlySet<Redaction>): JournalCopy => {
  if (left.size === 0) return copy;
  const whole = new CopiedJournal(copy);
  const { names, events, transactions } = copy;
  const before = copy.base?.seq ?? 0;
  const stated = new Map<number, string>();
  const body = events.body.map((text, at) => {
    const kind = names[events.kind[at] ?? -1] ?? "";
    // A recorded model call is not an event, so events lose nothing without `prompts`.
    const rules = [...left].flatMap((each) =>
      each === "prompts" ? [] : (redactionOf(kind, each) ?? []),
    );
    const given = jsonIn(text);
    if (rules.length === 0 || !isObject(given)) return text;
    stated.set(before + at + 1, whole.hashOf(before + at + 1));
    return JSON.stringify(rules.reduce((kept, rule) => rule(kept), given));
  });
  const { last_seq: ends } = transactions;
  if (leavesOutCommands(left)) {
    for (const [at] of ends.entries()) {
      const first = (ends[at - 1] ?? before) + 1;
      stated.set(first, whole.hashOf(first));
    }
  }
  const sorted = [...stated].toSorted(([a], [b]) => a - b);
  return {
    ...copy,
    events: { ...events, body },
    transactions: {
      ...transactions,
      command: leavesOutCommands(left) ? ends.map(() => "") : transactions.command,
    },
    calls: { seq: [], body: [] },
    stated: { seq: sorted.map(([seq]) => seq), hash: sorted.map(([, hash]) => hash) },
  };
};
