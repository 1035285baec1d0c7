import {
  ACTION_FIELDS,
  ACTION_KINDS,
  type ActionField,
  cutText,
  fieldsOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
} from "../../kernel/index.ts";
import type { ReadResult } from "./ask-until-read.ts";
import { unknownFieldProblem } from "./known-fields.ts";

const SHOWN_CHARS = 80;

/**
 * Reads an `action` that is the name of an action, with fields next to it, or JSON text, or holds
 * the flat form.
 */
export const withOpenedAction = (reply: JsonObject): ReadResult<JsonObject> => {
  const { action: named, ...others } = reply;
  if (isObject(named) && isFlat(named)) {
    const inner = unflattened(named);
    if (!inner.ok) return inner;
    const { action = null, sleep = null } = inner.value;
    return { ok: true, value: { ...others, action, sleep: others.sleep ?? sleep } };
  }
  if (typeof named !== "string") return { ok: true, value: reply };
  if (ACTION_KINDS.some((kind) => kind === named.trim())) {
    return { ok: true, value: { ...others, action_type: named.trim() } };
  }
  const written = jsonIn(named);
  if (isObject(written)) return withOpenedAction({ ...others, action: written });
  const right = `"action" is an object such as {"noop": {}}, for one of ${ACTION_KINDS.join(", ")}`;
  return { ok: false, problem: `"${cutText(named, SHOWN_CHARS)}" is not an action; ${right}` };
};

/** Converts a flat reply to the nested form. Returns any other object unchanged. */
export const unflattened = (reply: JsonObject): ReadResult<JsonObject> => {
  const { action_type: named } = reply;
  if (typeof named !== "string" || "action" in reply) return { ok: true, value: reply };
  const kind = ACTION_KINDS.find((known) => known === named);
  if (kind === undefined) {
    const shown = cutText(named, SHOWN_CHARS);
    const problem = `action_type "${shown}" is not one of ${ACTION_KINDS.join(", ")}`;
    return { ok: false, problem };
  }
  const opened = withOpenedText(reply);
  if (!opened.ok) return opened;
  const problem = unknownFieldProblem(kind, opened.value, FLAT_KEYS);
  if (problem !== null) return { ok: false, problem };
  const given: JsonObject = { ...opened.value, ...attachmentOf(opened.value) };
  const action = Object.fromEntries(
    fieldsOf(kind).flatMap((field) => {
      const value = given[field.name];
      return value === undefined || isUnset(field, value) ? [] : [[field.name, value] as const];
    }),
  );
  return { ok: true, value: { ...given, action: { [kind]: action }, sleep: sleepOf(given) } };
};

/** Returns whether an action has `action_type` and at least one key that only flat replies have. */
const isFlat = (action: JsonObject): boolean =>
  "action_type" in action &&
  Object.keys(action).some((key) => key.endsWith(TEXT_ENDING) || FLAT_ONLY.includes(key));

const FLAT_ONLY = ["attach_scrip", "attach_artifacts", "sleep_for_s", "sleep_until"];

/** The keys of a flat reply after its JSON text is read. The form has the fields of all actions. */
const FLAT_KEYS: readonly string[] = [
  ...ACTION_FIELDS.map(({ name }) => name),
  ...["action_type", "sleep", ...FLAT_ONLY],
];

/** Returns whether a field is unset: null, or false for a flag. A flat reply has every field. */
const isUnset = ({ type }: ActionField, value: Json): boolean =>
  value === null || (type === "flag" && value === false);

/** Keys of a flat reply with this ending hold JSON text, in an interface too. */
const TEXT_ENDING = "_json";

/**
 * Replaces each `<name>_json` by `<name>` with the value of its JSON text. Drops unset keys, which
 * are null or blank text. Only the result of an example can be null.
 */
const withOpenedText = (reply: JsonObject): ReadResult<JsonObject> => {
  const opened: (readonly [string, Json])[] = [];
  for (const [key, given] of Object.entries(reply)) {
    if (given === null && key !== "result") continue;
    if (key.endsWith(TEXT_ENDING) && typeof given === "string") {
      if (given.trim() === "") continue;
      const value = jsonIn(given);
      if (value === undefined) {
        return { ok: false, problem: `${key} is not JSON text: ${cutText(given, SHOWN_CHARS)}` };
      }
      opened.push([key.slice(0, -TEXT_ENDING.length), value]);
    } else {
      const inner = openedPart(key, given);
      if (!inner.ok) return inner;
      opened.push([key, inner.value]);
    }
  }
  return { ok: true, value: Object.fromEntries(opened) };
};

/** The parts of a flat reply that can hold JSON text and null keys themselves. */
const NESTED: ReadonlySet<string> = new Set(["interface", "methods", "examples", "sleep_until"]);

const openedPart = (key: string, given: Json): ReadResult<Json> => {
  if (!NESTED.has(key)) return { ok: true, value: given };
  if (isObject(given)) return withOpenedText(given);
  if (!isList(given)) return { ok: true, value: given };
  const opened: Json[] = [];
  for (const item of given) {
    const inner: ReadResult<Json> = isObject(item)
      ? withOpenedText(item)
      : { ok: true, value: item };
    if (!inner.ok) return inner;
    opened.push(inner.value);
  }
  return { ok: true, value: opened };
};

const attachmentOf = ({
  attach_scrip: scrip,
  attach_artifacts: artifacts,
}: JsonObject): JsonObject => {
  const attach = {
    ...(typeof scrip === "number" && scrip > 0 ? { scrip } : {}),
    ...(Array.isArray(artifacts) && artifacts.length > 0 ? { artifacts } : {}),
  };
  return Object.keys(attach).length === 0 ? {} : { attach };
};

const sleepOf = ({ sleep, sleep_for_s: for_s, sleep_until: until }: JsonObject): Json => {
  if (sleep !== undefined) return sleep;
  if (typeof for_s !== "number" || for_s <= 0) return null;
  return until === undefined ? { for_s } : { for_s, until };
};
