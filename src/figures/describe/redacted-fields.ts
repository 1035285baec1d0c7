import { ACTION_KINDS, isObject, type Json, type JsonObject } from "../../kernel/index.ts";

/** Stands where a text was, so that readers do not take it for an empty one. */
export const LEFT_OUT = "[left out]";

/** Takes texts out of the fields of an event. Figures, names and times stay. */
export type Redact = (body: JsonObject) => JsonObject;

/** What a copy without thoughts, or without content, has of a field. `none`: all of it. */
export type Redacted =
  | "none"
  | { readonly without: "thoughts" | "content"; readonly leaves: (value: Json) => Json };

type Left = Json | ((value: Json) => Json);

const leavesOf = (left: Left): ((value: Json) => Json) =>
  typeof left === "function" ? left : () => left;

/** A field that is a thought. `left`: what stays of it. */
export const thoughts = (left: Left): Redacted => ({ without: "thoughts", leaves: leavesOf(left) });

/** A field that is content. `left`: what stays of it. */
export const content = (left: Left): Redacted => ({ without: "content", leaves: leavesOf(left) });

/** Redacts the fields that an event has. */
export const redacting =
  (fields: Readonly<Record<string, Redacted>>, without: "thoughts" | "content"): Redact =>
  (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const rule = Object.hasOwn(fields, name) ? fields[name] : "none";
        const isKept = rule === undefined || rule === "none" || rule.without !== without;
        return [name, isKept ? value : rule.leaves(value)];
      }),
    );

/** Replaces fields that the event has. */
export const replacing =
  (fields: JsonObject): Redact =>
  (body) => ({
    ...body,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in body)),
  });

/** The fields of an action that say what it does, but not with which texts. */
const SHOWN_OF_ACTION: readonly string[] = [
  ...["kind", "action_type"],
  ...["artifact_id", "method", "max_price", "price"],
];

const shownFields = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => SHOWN_OF_ACTION.includes(name)));

/** An action is `{ KIND: FIELDS }`, or its kind stands among its fields. */
export const redactedAction = (action: Json): Json => {
  if (!isObject(action)) return LEFT_OUT;
  const kinds = ACTION_KINDS.flatMap((kind) => {
    const fields = action[kind];
    return fields === undefined ? [] : [[kind, isObject(fields) ? shownFields(fields) : {}]];
  });
  return { ...shownFields(action), ...Object.fromEntries(kinds) };
};

/** The decision of a reviewer. */
export const redactedDecision = (decision: Json): Json => {
  if (!isObject(decision)) return LEFT_OUT;
  const { kind, action = null } = decision;
  switch (kind) {
    case "accept":
      return { kind };
    case "edit":
      return { kind, action: redactedAction(action) };
    case "feedback":
      return { kind, text: LEFT_OUT };
    default:
      return LEFT_OUT;
  }
};

const JOINING = replacing({ content: LEFT_OUT, workspace: LEFT_OUT });

/** A fingerprint (`print`) would let a reader test guesses at the code. */
const WRITTEN = replacing({
  content: LEFT_OUT,
  code: LEFT_OUT,
  print: "",
  interface: null,
  metadata: {},
});

/** The fields of an artifact that a write sets. */
export const redactedWrite = (fields: Json): Json => (isObject(fields) ? WRITTEN(fields) : {});

/** The entries of the schedule. */
export const redactedEntries = (entries: Json): Json =>
  [entries]
    .flat()
    .map((entry) =>
      isObject(entry) ? { ...entry, change: redactedChange(entry.change ?? null) } : entry,
    );

const redactedChange = (change: Json): Json => {
  if (!isObject(change)) return change;
  const { fields, agent } = change;
  return {
    ...change,
    ...(isObject(fields) ? { fields: WRITTEN(fields) } : {}),
    ...(isObject(agent) ? { agent: JOINING(agent) } : {}),
  };
};
