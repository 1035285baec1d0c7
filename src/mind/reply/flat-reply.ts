import {
  ACTION_KINDS,
  type ActionField,
  cutText,
  fieldsOf,
  type Json,
  type JsonObject,
  jsonIn,
} from "../../kernel/index.ts";
import type { ReadResult } from "./ask-until-read.ts";
import { JSON_TEXT_KEYS } from "./reply-form.ts";

const SHOWN_CHARS = 80;

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
  const given: JsonObject = { ...opened.value, ...attachmentOf(opened.value) };
  const action = Object.fromEntries(
    fieldsOf(kind).flatMap((field) => {
      const value = given[field.name];
      return value === undefined || isUnset(field, value) ? [] : [[field.name, value] as const];
    }),
  );
  return { ok: true, value: { ...given, action: { [kind]: action }, sleep: sleepOf(given) } };
};

/** Returns whether a field is unset: null, or false for a flag. A flat reply has every field. */
const isUnset = ({ type }: ActionField, value: Json): boolean =>
  value === null || (type === "flag" && value === false);

const withOpenedText = (reply: JsonObject): ReadResult<JsonObject> => {
  const opened: { [key: string]: Json } = { ...reply };
  for (const [key, name] of [...JSON_TEXT_KEYS, ["sleep_until_json", "until"] as const]) {
    const text = reply[key];
    if (typeof text !== "string" || text.trim() === "") continue;
    const value = jsonIn(text);
    if (value === undefined) {
      return { ok: false, problem: `${key} is not JSON text: ${cutText(text, SHOWN_CHARS)}` };
    }
    opened[name] = value;
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

const sleepOf = ({ sleep_for_s: for_s, until }: JsonObject): Json => {
  if (typeof for_s !== "number" || for_s <= 0) return null;
  return until === undefined ? { for_s } : { for_s, until };
};
