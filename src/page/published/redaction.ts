import {
  type EventKind,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
} from "../../kernel/index.ts";
import { CopiedJournal, type JournalCopy } from "../../world/index.ts";
import type { RunRecord } from "../routes/index.ts";
import type { PublishedRun, Redaction } from "./publication.ts";

type Redact = (body: JsonObject) => JsonObject;
type Rules = { readonly [K in EventKind]?: Redact };

const NO_CHANGE = { in: {} };

/** Stands where a text was, so that readers do not take it for an empty one. */
export const LEFT_OUT = "[left out]";

/** Replaces fields that the event has. */
const replacing =
  (fields: JsonObject): Redact =>
  (body) => ({
    ...body,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in body)),
  });

/** The fields of an action that say what it does, but not with which texts. */
const SHOWN_OF_ACTION = ["action", "action_type", "artifact_id", "method", "max_price", "price"];

const redactedAction = (action: Json | undefined): Json =>
  isObject(action)
    ? Object.fromEntries(Object.entries(action).filter(([name]) => SHOWN_OF_ACTION.includes(name)))
    : null;

const withAction =
  (redact: Redact): Redact =>
  (body) =>
    redact({ ...body, action: redactedAction(body.action) });

const OUTCOME = replacing({ message: LEFT_OUT, result: null });

const JOINING = replacing({ content: LEFT_OUT, workspace: LEFT_OUT });

/** A fingerprint (`print`) would let a reader test guesses at the code. */
const WRITTEN = replacing({
  ...{ content: LEFT_OUT, code: LEFT_OUT, print: "" },
  ...{ interface: null, metadata: {} },
});

const redactedChange = (change: Json): Json => {
  if (!isObject(change)) return change;
  const { fields, agent } = change;
  return {
    ...change,
    ...(isObject(fields) ? { fields: WRITTEN(fields) } : {}),
    ...(isObject(agent) ? { agent: JOINING(agent) } : {}),
  };
};

/** What each event loses. Figures, names and times stay. */
const RULES: { readonly [R in Redaction]: Rules } = {
  // A recorded model call is not an event.
  prompts: {},
  thoughts: {
    thought_completed: replacing({ reasoning: LEFT_OUT, mind: NO_CHANGE }),
    thought_failed: replacing({ message: LEFT_OUT, mind: NO_CHANGE }),
    memory_recorded: replacing({ text: LEFT_OUT }),
    action_proposed: replacing({ reasoning: LEFT_OUT }),
  },
  content: {
    artifact_written: (body) => ({
      ...body,
      fields: isObject(body.fields) ? WRITTEN(body.fields) : {},
    }),
    schedule_planned: (body) => ({
      ...body,
      entries: [body.entries ?? []]
        .flat()
        .map((entry) =>
          isObject(entry) ? { ...entry, change: redactedChange(entry.change ?? null) } : entry,
        ),
    }),
    artifact_state_changed: replacing({ state: "null" }),
    workspace_changed: replacing({ patch: NO_CHANGE }),
    artifact_invoked: replacing({ log: LEFT_OUT, told: [] }),
    invocation_failed: replacing({ message: LEFT_OUT, log: LEFT_OUT }),
    scrip_transferred: replacing({ memo: LEFT_OUT }),
    artifact_scored: replacing({ memo: null, reason: LEFT_OUT }),
    task_posted: replacing({ description: LEFT_OUT, public_tests: [], hidden_tests: [] }),
    action_completed: OUTCOME,
    action_refused: OUTCOME,
    thought_completed: withAction((body) => body),
    action_proposed: withAction((body) => body),
    proposal_decided: (body) => ({
      ...body,
      decision: isObject(body.decision)
        ? withAction(replacing({ text: LEFT_OUT }))(body.decision)
        : { kind: "accept" },
    }),
    message_sent: replacing({ text: LEFT_OUT }),
  },
};

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
    const rules = [...left].flatMap((each) => new Map(Object.entries(RULES[each])).get(kind) ?? []);
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
