import { authorize, tollSum } from "../access/access.ts";
import { type Artifact, sizeOf } from "../artifact/artifact.ts";
import { argsRefusal, fitArgs, methodOf } from "../artifact/interface.ts";
import { find } from "../artifact/tables.ts";
import { accept, type Permit, type Refused, refuse } from "../core/decision.ts";
import { type HoldId, type Id, parseId } from "../core/ids.ts";
import { isList, isObject, type Json } from "../core/json.ts";
import type { Refusal } from "../core/refusal.ts";
import { physicsOf } from "../core/world.ts";
import {
  holdFor,
  type Payment,
  paymentEvents,
  paymentRefusal,
  priceOf,
  priceRefusal,
  splitFor,
} from "../ledger/payment.ts";
import { diskRefusal } from "../ledger/quota.ts";
import { fundsOf, type Subject, stamp } from "../ledger/subject.ts";
import type { Attachment, InvokeRequest } from "./action.ts";
import type { ActionDecision, ActionEvent, ActionTables, Told } from "./events.ts";
import { ownershipRefusal, transferEvents } from "./transfer.ts";

export type OpenInvocation = {
  readonly by: Subject;
  readonly request: InvokeRequest;
  readonly permit?: Permit;
};

/** A permitted and paid call. The code of the called artifact can now run. */
export type Call = {
  readonly artifact: Artifact;
  readonly method: string;
  readonly args: readonly Json[];
  readonly attach: Attachment;
  readonly price: number;
  readonly paidTo: Id | null;
  readonly caller: Subject;
  /** The called artifact as an actor. */
  readonly self: Subject;
};

export type CallFailure = {
  readonly refusal: Refusal;
  readonly gas: number;
  readonly timedOut: boolean;
  readonly log: string;
};

export type CallResult = {
  readonly state: string | null;
  readonly gas: number;
  readonly log: string;
  /** Whom the program notified of the call. */
  readonly notified: readonly Id[];
  /** What the program told some of them. */
  readonly told?: readonly Told[];
};

export type FailedInvocation = {
  readonly by: Subject;
  readonly request: { readonly artifact_id: Id; readonly method: string };
  readonly failed: CallFailure;
};

/**
 * Opens a call. Checks, in this order: existence, code, method, reentrancy, depth, length of
 * arguments, permission, schema of arguments, `max_price`, attachments, funds. Moves the price and
 * the attachments before the code runs. A failed call is rolled back as a whole.
 */
export const decideOpen = (state: ActionTables, command: OpenInvocation): ActionDecision<Call> => {
  const { by, request, permit } = command;
  const found = find(state, request.artifact_id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  const uncallable = callRefusal(state, by, artifact, request.method);
  if (uncallable !== null) return uncallable;
  const { method } = request;
  const long = argsRefusal(state, request.args);
  if (long !== null) return long;
  const fitted = fitArgs(methodOf(artifact.interface, method), request.args);
  // The access contract and the code get the same args. Args that do not fit are refused below.
  const args = fitted.kind === "accepted" ? fitted.answer : request.args;
  const access = authorize(state, { by, verb: "invoke", artifact, method, args }, permit);
  if (access.kind !== "granted") return access;
  if (fitted.kind !== "accepted") return fitted;
  const fee = priceOf(state, by, artifact, "price");
  const price = fee.amount;
  const dear = priceRefusal(price + tollSum(access.toll), request.max_price);
  if (dear !== null) return dear;
  const attached = attach(state, by, artifact, request.attach);
  if (attached.kind !== "accepted") return attached;
  const { payments, events, purse } = attached.answer;
  const poor = paymentRefusal(state, by, [...access.toll, fee, ...payments]);
  if (poor !== null) return poor;
  const call: Call = {
    artifact,
    method,
    args,
    attach: request.attach,
    price,
    paidTo: price > 0 ? artifact.owner : null,
    caller: by,
    self: { ...by, actor: artifact.id, purse, stack: [...by.stack, artifact.id] },
  };
  return accept([...access.events, ...paymentEvents(by, [...access.toll, fee]), ...events], call);
};

const callRefusal = (
  state: ActionTables,
  by: Subject,
  artifact: Artifact,
  method: string,
): Refused | null => {
  if (artifact.code === null) {
    const message = `${artifact.id} has no code to run; read it with read_artifact`;
    return refuse("invalid_type", message);
  }
  if (!artifact.methods.includes(method)) {
    const names = artifact.methods.join(", ");
    const message = `${artifact.id} has no method "${method}"; it has: ${names}`;
    return refuse("not_found", message);
  }
  if (by.stack.includes(artifact.id)) {
    const message = `${artifact.id} is already running in this call and cannot be entered again`;
    return refuse("reentrant_call", message);
  }
  const { invoke_depth_max } = physicsOf(state).sandbox;
  return by.stack.length < invoke_depth_max
    ? null
    : refuse("depth_exceeded", `calls can be nested at most ${invoke_depth_max} deep`);
};

type Attached = {
  /** The payment of the attached scrip, to check the funds. `events` already moves the scrip. */
  readonly payments: readonly Payment[];
  readonly events: readonly ActionEvent[];
  readonly purse: HoldId | null;
};

/** Moves scrip to the callee. For a callee without account, uses a purse and refuses artifacts. */
const attach = (
  state: ActionTables,
  by: Subject,
  artifact: Artifact,
  attachment: Attachment,
): ActionDecision<Attached> => {
  const gifts = attachedArtifacts(state, by, artifact.id, attachment);
  if (gifts.kind !== "accepted") return gifts;
  const { scrip } = attachment;
  const from = fundsOf(state, by);
  const { id } = artifact;
  const payment: Payment = { from, to: id, amount: scrip, reason: "attached", artifact: id };
  const payments = scrip === 0 ? [] : [payment];
  if (artifact.hasStanding) {
    const events = [...paymentEvents(by, payments), ...gifts.answer];
    return accept([], { payments, events, purse: null });
  }
  if (scrip === 0 || from.kind === "none") return accept([], { payments, events: [], purse: null });
  const purpose = { kind: "purse", artifact: id } as const;
  const { hold: purse, event } =
    from.kind === "account"
      ? holdFor(state, by, purpose, scrip)
      : splitFor(state, stamp(by), from.hold, purpose, scrip);
  return accept([], { payments, events: [event], purse });
};

const attachedArtifacts = (
  state: ActionTables,
  by: Subject,
  to: Id,
  attachment: Attachment,
): ActionDecision<readonly ActionEvent[]> => {
  const events: ActionEvent[] = [];
  let adds = 0;
  for (const id of attachment.artifacts) {
    const found = find(state, id);
    if (found.kind !== "accepted") return found;
    if (found.answer.owner === to && by.actor === to) continue;
    if (found.answer.owner !== by.actor) {
      const message = `${by.actor} cannot attach ${id}, which ${found.answer.owner} owns`;
      return refuse("not_owner", message);
    }
    const refused = ownershipRefusal(state, found.answer, to);
    if (refused !== null) return refused;
    adds += found.answer.sizeBytes;
    events.push(...transferEvents(state, by, found.answer, to));
  }
  const full = diskRefusal(state, to, adds, "the attachment");
  return full ?? accept(events, events);
};

/** Closes a call: saves the new state if the disk has room, and refunds the rest of the purse. */
export const decideClose = (
  state: ActionTables,
  { call, ran }: { readonly call: Call; readonly ran: CallResult },
): ActionDecision => {
  const { artifact, self, caller } = call;
  const events: ActionEvent[] = [];
  const row = state.artifacts.get(artifact.id) ?? artifact;
  const isChanged = ran.state !== null && ran.state !== row.state;
  const named = new Set([...ran.notified, ...(isChanged ? agentsIn(state, call.args) : [])]);
  if (isChanged) {
    const sizeBytes = sizeOf({ ...row, state: ran.state });
    const adds = sizeBytes - row.sizeBytes;
    const full = diskRefusal(state, row.owner, adds, `the state of ${row.id}`);
    if (full !== null) return full;
    events.push({
      ...stamp(self),
      kind: "artifact_state_changed",
      artifact_id: row.id,
      state: ran.state,
      size_bytes: sizeBytes,
    });
  }
  if (self.purse !== null) {
    const into = purseOfOrigin(state, self.purse, caller);
    events.push({ ...stamp(self), kind: "hold_released", hold: self.purse, into });
  }
  events.push({
    ...stamp(self),
    kind: "artifact_invoked",
    artifact_id: artifact.id,
    method: call.method,
    caller: caller.actor,
    depth: caller.stack.length,
    price: call.price,
    paid_to: call.paidTo,
    gas: ran.gas,
    ...(ran.log === "" ? {} : { log: ran.log }),
    ...(named.size === 0 ? {} : { named: [...named] }),
    ...(ran.told === undefined || ran.told.length === 0 ? {} : { told: ran.told }),
  });
  return accept(events, null);
};

/** The maximum number of agents that a program can notify of one call. */
export const NOTIFIED_MAX = 8;

/** The maximum length of a text in a notification. A longer text is cut. */
export const NOTICE_CHARS_MAX = 200;

/** The maximum number of agents in the arguments, and of values that are searched for them. */
const NAMED_MAX = 8;
const VALUES_MAX = 100;

/** Returns the agents whose ids are among the arguments, also within lists and records. */
const agentsIn = (state: ActionTables, args: readonly Json[]): readonly Id[] => {
  const named = new Set<Id>();
  const values: Json[] = [...args];
  for (let at = 0; at < Math.min(values.length, VALUES_MAX) && named.size < NAMED_MAX; at++) {
    const value = values[at] ?? null;
    const id = parseId(value);
    if (id !== null && state.agents.has(id)) named.add(id);
    if (isList(value) || isObject(value)) values.push(...Object.values(value).slice(0, VALUES_MAX));
  }
  return [...named];
};

/** Returns the purse that `purse` was split from: the caller's. Null if an account paid instead. */
const purseOfOrigin = (state: ActionTables, purse: HoldId, caller: Subject): HoldId | null => {
  if (caller.purse === null) return null;
  const [from, own] = [state.holds.get(caller.purse), state.holds.get(purse)];
  return from !== undefined && from.owner === own?.owner ? caller.purse : null;
};

export const decideFailure = ({ by, request, failed }: FailedInvocation): ActionDecision => {
  const event: ActionEvent = {
    ...stamp(by),
    kind: "invocation_failed",
    artifact_id: request.artifact_id,
    method: request.method,
    caller: by.actor,
    depth: by.stack.length,
    code: failed.refusal.code,
    message: failed.refusal.message,
    gas: failed.gas,
    timed_out: failed.timedOut,
    ...(failed.log === "" ? {} : { log: failed.log }),
  };
  return accept([event], null);
};
