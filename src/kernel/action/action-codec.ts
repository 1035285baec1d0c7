import { type ActionOutcome, accept, answered, type Decision, refuse } from "../command.ts";
import { cutText, isObject, jsonProblem, textProblem } from "../primitives/json.ts";
import {
  ACTION_KINDS,
  type Action,
  type ActionKind,
  type FieldsOf,
  fieldProblem,
  fieldsOf,
  type InvokeRequest,
  NOTHING_ATTACHED,
  type ReadAction,
  type WriteRequest,
} from "./action.ts";

/** Parses an agent's action. A refusal names the invalid field and its rule. */
export const parseAction = (raw: unknown, jsonDepthMax: number): Decision<Action> => {
  if (!isObject(raw)) {
    return refuse("invalid_argument", `an action must be an object with one key of: ${KINDS}`);
  }
  const problem = jsonProblem(raw, jsonDepthMax);
  if (problem !== null) {
    return refuse("invalid_argument", `the action is not plain JSON: ${problem}`);
  }
  const [named, given] = kindAndFields(raw);
  const kind = ACTION_KINDS.find((known) => known === named);
  switch (kind) {
    case "noop":
      return accept([], { kind });
    case "read_artifact":
      return parseReadRequest(given);
    case "write_artifact":
      return answered(parseWriteRequest(given), (request) => ({ kind, request }));
    case "invoke_artifact":
      return answered(parseInvokeRequest(given), (request) => ({ kind, ...request }));
    case undefined: {
      const shown = JSON.stringify(named) ?? "that";
      return refuse("invalid_type", `${shown} is not an action; choose one of: ${KINDS}`);
    }
  }
};

const KINDS = ACTION_KINDS.join(", ");
type Given = Readonly<Record<string, unknown>>;

const kindAndFields = (raw: Given): readonly [unknown, Given] => {
  const named = raw.kind ?? raw.action_type;
  if (named !== undefined) return [named, raw];
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0) return [undefined, raw];
  const inner = raw[only];
  return [only, isObject(inner) ? inner : {}];
};

const parseFields = <K extends ActionKind>(kind: K, given: Given): Decision<FieldsOf<K>> => {
  if (given.artifact_id === undefined) return refuse("missing_argument", "artifact_id is missing");
  const checked: Record<string, unknown> = {};
  for (const field of fieldsOf(kind)) {
    const value = given[field.name];
    if (value === undefined) continue;
    const problem = fieldProblem(field, value);
    if (problem !== null) return refuse("invalid_argument", problem);
    checked[field.name] = value;
  }
  return accept([], checked as FieldsOf<K>);
};

export const parseReadRequest = (given: Given): Decision<ReadAction> =>
  answered(parseFields("read_artifact", given), ({ artifact_id, max_price = null }) => ({
    kind: "read_artifact",
    artifact_id,
    max_price,
  }));

export const parseWriteRequest = (given: Given): Decision<WriteRequest> =>
  parseFields("write_artifact", given);

export const parseInvokeRequest = (given: Given): Decision<InvokeRequest> =>
  answered(parseFields("invoke_artifact", given), (fields) => ({
    artifact_id: fields.artifact_id,
    method: fields.method ?? "run",
    args: fields.args ?? [],
    attach: { ...NOTHING_ATTACHED, ...fields.attach },
    max_price: fields.max_price ?? null,
  }));

/** Returns the kind, target and method of an action, truncated for storage. Accepts any value. */
export const describeAction = (
  raw: unknown,
): Pick<ActionOutcome, "action" | "target" | "method"> => {
  if (!isObject(raw)) return { action: "unknown", target: null, method: null };
  const [kind, fields] = kindAndFields(raw);
  const known = ACTION_KINDS.find((name) => name === kind);
  return {
    action: known ?? "unknown",
    target: shortText(fields.artifact_id, 128),
    method: known !== "invoke_artifact" ? null : (shortText(fields.method, 64) ?? "run"),
  };
};

const shortText = (value: unknown, max: number): string | null =>
  typeof value === "string" && textProblem(value) === null ? cutText(value, max) : null;
