import { isObject, type Json, type JsonObject } from "../../kernel/index.ts";

/** Stands where a text was, so that readers do not take it for an empty one. */
export const LEFT_OUT = "[left out]";

/** Takes texts out of the fields of an event. Figures, names and times stay. */
export type Redact = (body: JsonObject) => JsonObject;

/** Replaces fields that the event has. */
export const replacing =
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

export const withoutActionTexts: Redact = (body) => ({
  ...body,
  action: redactedAction(body.action),
});

/** The decision of a reviewer. */
export const redactedDecision = (decision: Json): Json =>
  isObject(decision)
    ? replacing({ text: LEFT_OUT })(withoutActionTexts(decision))
    : { kind: "accept" };

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

/** An entry of the schedule. */
export const redactedEntry = (entry: Json): Json =>
  isObject(entry) ? { ...entry, change: redactedChange(entry.change ?? null) } : entry;

const redactedChange = (change: Json): Json => {
  if (!isObject(change)) return change;
  const { fields, agent } = change;
  return {
    ...change,
    ...(isObject(fields) ? { fields: WRITTEN(fields) } : {}),
    ...(isObject(agent) ? { agent: JOINING(agent) } : {}),
  };
};
