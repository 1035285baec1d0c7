import { cutText, type Json, type JsonObject, jsonIn } from "../../kernel/index.ts";

type Unflattened =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** Fields of an action that flat replies carry as JSON text. */
const AS_TEXT: { readonly [field: string]: string } = {
  interface_json: "interface",
  metadata_json: "metadata",
  args_json: "args",
};

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["noop", []],
  ["read_artifact", ["artifact_id", "max_price"]],
  [
    "write_artifact",
    [
      ...["artifact_id", "artifact_type", "content", "code", "price", "read_price", "access"],
      ...["access_locked", "interface", "depends_on", "metadata", "has_standing", "max_price"],
    ],
  ],
  ["invoke_artifact", ["artifact_id", "method", "args", "attach", "max_price"]],
]);

/** So much of a faulty value is told. */
const SHOWN_CHARS = 80;

/** The nested form of a flat reply; any other object as it is. */
export const unflattened = (found: JsonObject): Unflattened => {
  const reply = found;
  const { action_type: kind } = reply;
  if (typeof kind !== "string" || "action" in reply) return { ok: true, value: reply };
  const fields = FIELDS.get(kind);
  if (fields === undefined) {
    const choice = [...FIELDS.keys()].join(", ");
    return {
      ok: false,
      problem: `action_type "${cutText(kind, SHOWN_CHARS)}" is none of ${choice}`,
    };
  }
  const opened = withOpenedText(reply);
  if (!opened.ok) return opened;
  const given: JsonObject = { ...opened.value, ...attachmentOf(opened.value) };
  const action = Object.fromEntries(
    fields.flatMap((field) => {
      const value = given[field];
      return value === undefined || value === null || isUnset(field, value)
        ? []
        : [[field, value] as const];
    }),
  );
  return { ok: true, value: { ...given, action: { [kind]: action }, sleep: sleepOf(given) } };
};

/** What can only be set says nothing when it is false. */
const isUnset = (field: string, value: Json): boolean =>
  (field === "has_standing" || field === "access_locked") && value === false;

const withOpenedText = (reply: JsonObject): Unflattened => {
  const opened: { [key: string]: Json } = { ...reply };
  for (const [key, name] of [...Object.entries(AS_TEXT), ["sleep_until_json", "until"] as const]) {
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
