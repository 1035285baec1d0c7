import {
  ACTION_KINDS,
  type Action,
  type Attachment,
  type InvokeRequest,
  NOTHING_ATTACHED,
  type ReadAction,
  type WriteRequest,
} from "./action.ts";
import { checkedArgs, checkedWrite } from "./action-codec.ts";
import { AMOUNT_RULE, isAmountOrZero } from "./amount.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import { ID_RULE, type Id, parseId } from "./ids.ts";
import { cutText, isObject, jsonProblem, textProblem } from "./json.ts";

/**
 * Reads an action as an agent gave it: `{ "<kind>": {fields} }`, or `{ kind | action_type, … }`
 * with the fields beside. Every fault is a refusal that names the field and says what is right.
 */
export const parseAction = (raw: unknown, jsonDepthMax: number): Decision<Action> => {
  if (!isObject(raw)) {
    return refuse("invalid_argument", `an action is an object with one of: ${KINDS}`);
  }
  const fault = jsonProblem(raw, jsonDepthMax);
  if (fault !== null) return refuse("invalid_argument", `the action is not plain data: ${fault}`);
  const [kind, fields] = kindAndFields(raw);
  switch (kind) {
    case "noop":
      return accept([], { kind });
    case "read_artifact":
      return parseReadRequest(fields);
    case "write_artifact":
      return parseWrite(fields);
    case "invoke_artifact":
      return parseInvoke(fields);
    default:
      return refuse(
        "invalid_type",
        `${JSON.stringify(kind) ?? "that"} is not an action; choose one of: ${KINDS}`,
      );
  }
};

const KINDS = ACTION_KINDS.join(", ");
type Fields = Readonly<Record<string, unknown>>;

const kindAndFields = (raw: Fields): readonly [unknown, Fields] => {
  const named = raw.kind ?? raw.action_type;
  if (named !== undefined) return [named, raw];
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0) return [undefined, raw];
  const inner = raw[only];
  return [only, isObject(inner) ? inner : {}];
};

/** The id under `key`, or the refusal that says what is wrong with it. */
const parseTarget = (fields: Fields): Decision<Id> => {
  const given = fields.artifact_id;
  if (given === undefined) return refuse("missing_argument", "artifact_id is missing");
  const id = parseId(given);
  return id === null
    ? refuse("invalid_argument", `artifact_id ${JSON.stringify(given)} is not an id: ${ID_RULE}`)
    : accept([], id);
};

const parseLimit = (fields: Fields): Decision<number | null> => {
  const given = fields.max_price;
  if (given === undefined || given === null) return accept([], null);
  return isAmountOrZero(given)
    ? accept([], given)
    : refuse("invalid_argument", "max_price must be a whole number of scrip, 0 or more");
};

export const parseReadRequest = (fields: Fields): Decision<ReadAction> => {
  const target = parseTarget(fields);
  if (target.kind !== "accepted") return target;
  const limit = parseLimit(fields);
  if (limit.kind !== "accepted") return limit;
  return accept([], {
    kind: "read_artifact",
    artifact_id: target.answer,
    max_price: limit.answer,
  });
};

const parseWrite = (fields: Fields): Decision<Action> => {
  const request = parseWriteRequest(fields);
  return request.kind === "accepted"
    ? accept([], { kind: "write_artifact", request: request.answer })
    : request;
};

const parseInvoke = (fields: Fields): Decision<Action> => {
  const request = parseInvokeRequest(fields);
  return request.kind === "accepted"
    ? accept([], { kind: "invoke_artifact", ...request.answer })
    : request;
};

export const parseInvokeRequest = (fields: Fields): Decision<InvokeRequest> => {
  const target = parseTarget(fields);
  if (target.kind !== "accepted") return target;
  const limit = parseLimit(fields);
  if (limit.kind !== "accepted") return limit;
  const { method = "run", args = [], attach } = fields;
  if (typeof method !== "string" || method.length > 64) {
    return refuse(
      "invalid_argument",
      "method must be the name of a function, 64 characters at most",
    );
  }
  if (!Array.isArray(args)) return refuse("invalid_argument", 'args must be a list, e.g. [1, "a"]');
  const attachment = parseAttachment(attach);
  if (attachment.kind !== "accepted") return attachment;
  return accept([], {
    artifact_id: target.answer,
    method,
    args: checkedArgs(args),
    attach: attachment.answer,
    max_price: limit.answer,
  });
};

const ATTACH_RULE = 'attach is {"scrip"?: amount, "artifacts"?: [ids]}';

const parseAttachment = (given: unknown): Decision<Attachment> => {
  if (given === undefined || given === null) return accept([], NOTHING_ATTACHED);
  if (!isObject(given)) return refuse("invalid_argument", ATTACH_RULE);
  const unknown = Object.keys(given).find((key) => key !== "scrip" && key !== "artifacts");
  if (unknown !== undefined) return refuse("invalid_argument", `${ATTACH_RULE}, not "${unknown}"`);
  const { scrip = 0, artifacts = [] } = given;
  if (!isAmountOrZero(scrip)) {
    return refuse("invalid_argument", `attach.scrip is not an amount: ${AMOUNT_RULE}`);
  }
  if (!Array.isArray(artifacts)) return refuse("invalid_argument", ATTACH_RULE);
  const ids = artifacts.map(parseId);
  if (ids.includes(null) || new Set(ids).size !== ids.length) {
    return refuse("invalid_argument", "attach.artifacts must be a list of different ids");
  }
  return accept([], { scrip, artifacts: ids.filter((id) => id !== null) });
};

/** The shape of each field of a write; null means that it is right. */
const WRITE_FIELDS: { readonly [field: string]: (value: unknown) => string | null } = {
  artifact_type: (v) => (typeof v === "string" ? null : "must be a string"),
  content: (v) => (typeof v === "string" ? null : "must be a string; put JSON in as text"),
  code: (v) => (v === null || typeof v === "string" ? null : "must be JavaScript text, or null"),
  price: (v) => (isAmountOrZero(v) ? null : "must be a whole number of scrip, 0 or more"),
  read_price: (v) => (isAmountOrZero(v) ? null : "must be a whole number of scrip, 0 or more"),
  access: (v) => (parseId(v) !== null ? null : "must be the id of a contract"),
  access_locked: (v) => (v === true ? null : "can only be true, and never be taken back"),
  interface: (v) => (v === null || isObject(v) ? null : "must be an object, or null"),
  depends_on: (v) =>
    Array.isArray(v) && v.every((id) => parseId(id) !== null) ? null : "must be a list of ids",
  metadata: (v) => (isObject(v) ? null : "must be an object"),
  has_standing: (v) => (v === true ? null : "can only be true, and never be taken back"),
  max_price: (v) =>
    v === null || isAmountOrZero(v) ? null : "must be a whole number of scrip, 0 or more",
};

export const parseWriteRequest = (fields: Fields): Decision<WriteRequest> => {
  const target = parseTarget(fields);
  if (target.kind !== "accepted") return target;
  const given: Record<string, unknown> = { artifact_id: target.answer };
  for (const [field, problem] of Object.entries(WRITE_FIELDS)) {
    const value = fields[field];
    if (value === undefined) continue;
    const fault = problem(value);
    if (fault !== null) return refuse("invalid_argument", `${field} ${fault}`);
    given[field] = value;
  }
  return accept([], checkedWrite(given));
};

/** A short name for journals and histories, of anything an agent may have proposed. */
export const describeAction = (
  raw: unknown,
): { readonly action: string; readonly target: string | null; readonly method: string | null } => {
  if (!isObject(raw)) return { action: "unknown", target: null, method: null };
  const [kind, fields] = kindAndFields(raw);
  const known = ACTION_KINDS.find((name) => name === kind);
  const target = fields.artifact_id;
  const method = fields.method;
  return {
    action: known ?? "unknown",
    target: shortText(target, 128),
    method: known !== "invoke_artifact" ? null : (shortText(method, 64) ?? "run"),
  };
};

const shortText = (value: unknown, max: number): string | null =>
  typeof value === "string" && textProblem(value) === null ? cutText(value, max) : null;
