import {
  ACTION_KINDS,
  type ActionKind,
  cutText,
  fieldsOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
} from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import type { ReadResult } from "./ask-until-read.ts";

/** Keys in which models comment on an action. They change nothing and are dropped. */
const COMMENTS: ReadonlySet<string> = new Set([
  "action_rationale",
  "comment",
  "explanation",
  "rationale",
  "reason",
  "reasoning",
  "situation_assessment",
  "thought",
  "thought_process",
  "thoughts",
]);

/**
 * Returns an action in the nested form, without comments and empty unknown fields. Any other
 * unknown field is a problem, because the action would not do what its author meant. Returns an
 * action of an unknown kind unchanged: the world names the kinds.
 */
export const withKnownFields = (action: JsonObject): ReadResult<JsonObject> => {
  const { kind: named, action_type: typed, ...others } = action;
  const name = named ?? typed;
  if (name !== undefined) {
    const kind = ACTION_KINDS.find((known) => known === name);
    return kind === undefined ? { ok: true, value: action } : nested(kind, others);
  }
  const kinds = ACTION_KINDS.filter((known) => Object.hasOwn(action, known));
  const [kind, second] = kinds;
  if (kind === undefined) return { ok: true, value: action };
  if (second !== undefined) {
    return { ok: false, problem: `there are ${kinds.join(" and ")}; choose one action` };
  }
  const [stray] = Object.keys(action).filter((key) => key !== kind && isMeant(key, action[key]));
  if (stray !== undefined) {
    const right = `fields go into ${kind}, and sleep goes next to action`;
    return { ok: false, problem: `"${cutText(stray, NAME_CHARS)}" is next to ${kind}; ${right}` };
  }
  const fields = action[kind] ?? {};
  return isObject(fields) ? nested(kind, fields) : { ok: true, value: { [kind]: fields } };
};

const nested = (kind: ActionKind, fields: JsonObject): ReadResult<JsonObject> => {
  const known = fieldsOf(kind).map(({ name }) => name);
  const problem = unknownFieldProblem(kind, fields, known);
  if (problem !== null) return { ok: false, problem };
  const kept = Object.entries(fields).filter(([name]) => known.includes(name));
  return { ok: true, value: { [kind]: Object.fromEntries(kept) } };
};

/** Returns a problem if a reply has a field of its action next to the action, or null. */
export const fieldOutside = (reply: JsonObject, action: JsonObject): string | null => {
  const kind = ACTION_KINDS.find((known) => Object.hasOwn(action, known));
  if (kind === undefined) return null;
  const lost = fieldsOf(kind).find(({ name }) => isMeant(name, reply[name]));
  return lost === undefined ? null : `"${lost.name}" is next to action; it goes into ${kind}`;
};

const NAME_CHARS = 40;
const NAMES_MAX = 3;

/** Names the fields that are not in `known` and mean something. Null if there are none. */
export const unknownFieldProblem = (
  kind: ActionKind,
  fields: JsonObject,
  known: readonly string[],
): string | null => {
  const unknown = Object.keys(fields)
    .filter((name) => !known.includes(name) && isMeant(name, fields[name]))
    .slice(0, NAMES_MAX);
  if (unknown.length === 0) return null;
  const own = fieldsOf(kind).map(({ name }) => name);
  const shown = unknown.map((name) => {
    const value = name.replace(/_json$/, "");
    const isText = value !== name && own.includes(value);
    const meant = isText ? `write \`${value}\`, not as text` : didYouMean(name, own);
    const quoted = `"${cutText(name, NAME_CHARS)}"`;
    return meant === null ? quoted : `${quoted} (${meant})`;
  });
  const rule = own.length === 0 ? NO_FIELDS : `its fields are ${own.join(", ")}`;
  return `${kind} has no field ${shown.join(", ")}; ${rule}`;
};

const NO_FIELDS = "it has no fields, and sleep goes next to action";

const isMeant = (name: string, value: Json | undefined): boolean =>
  !COMMENTS.has(name) && value !== undefined && !isEmpty(value);

const isEmpty = (value: Json): boolean =>
  value === null ||
  value === "" ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
