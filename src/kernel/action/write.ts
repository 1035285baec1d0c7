import { authorize, BUILT_IN, CHECK_METHOD, PRIVATE, tollSum } from "../access/access.ts";
import { agentOfMemory, namesakeRefusal, reservedFor, reservedForOwner } from "../agent/memory.ts";
import { type Artifact, blankArtifact } from "../artifact/artifact.ts";
import { interfaceProblem } from "../artifact/interface.ts";
import { ownerChainRefusal, rootOf } from "../artifact/owners.ts";
import { find, liveArtifact, nextArtifact } from "../artifact/tables.ts";
import {
  accept,
  type CodeCheck,
  type Evidence,
  type Question,
  type Refused,
  refuse,
} from "../core/decision.ts";
import { type Id, isReserved, reservedRule } from "../core/ids.ts";
import { byteLength, type Json } from "../core/json.ts";
import type { ArtifactPhysics } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import {
  emptyAccount,
  type Payment,
  paymentEvents,
  paymentRefusal,
  priceRefusal,
} from "../ledger/payment.ts";
import { diskRefusal, principalLimitRefusal, windowRefusal } from "../ledger/quota.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import { ACTION_FIELDS, type WriteRequest } from "./action.ts";
import {
  type ActionDecision,
  type ActionEvent,
  type ActionTables,
  type WrittenFields,
  writeEvent,
} from "./events.ts";

export type WriteCommand = Evidence & {
  readonly by: Subject;
  readonly request: WriteRequest;
  /** Bytes that earlier writes of the same action used. */
  readonly bytesSpent: number;
};

/** The answer to the actor, and the bytes to charge to the origin's window of written bytes. */
export type WriteResult = { readonly answer: Json; readonly bytes: number };

/**
 * Checks, in this order: existence, permission, fields that only the owner may set, code, shapes
 * and sizes, dependencies, `max_price`, toll, window of written bytes, disk of the owner.
 */
export const decideWrite = (
  state: ActionTables,
  command: WriteCommand,
): ActionDecision<WriteResult> => {
  const { by, request, permit } = command;
  const unknown = missingEvidence(state, command);
  if (unknown !== null) return { kind: "asks", question: unknown };
  const before = state.artifacts.get(request.artifact_id);
  if (before !== undefined) {
    const found = find(state, request.artifact_id);
    if (found.kind !== "accepted") return found;
    const access = authorize(state, { by, verb: "write", artifact: before }, permit);
    if (access.kind !== "granted") return access;
    const refused = ownerFieldsRefusal(command, before) ?? boundsRefusal(state, command, before);
    return refused ?? settle(state, command, before, access.toll, access.events);
  }
  const refused = creationRefusal(state, command) ?? boundsRefusal(state, command, null);
  return refused ?? settle(state, command, null, [], []);
};

/** Asks for evidence first, so that the gas used does not depend on the results of checks. */
const missingEvidence = (state: ActionTables, command: WriteCommand): Question | null => {
  const { request, code_check, agent_check } = command;
  const { code = null, content } = request;
  if (code !== null && code_check === undefined) return { kind: "code_check", code };
  const isAgent = liveArtifact(state, request.artifact_id)?.canExecute === true;
  if (!isAgent || content === undefined || agent_check !== undefined) return null;
  return { kind: "agent_check", content };
};

const ownerOfNew = (state: ActionTables, by: Subject): Id => {
  if (state.accounts.has(by.actor)) return by.actor;
  return state.artifacts.get(by.actor)?.owner ?? by.origin;
};

const creationRefusal = (state: ActionTables, command: WriteCommand): Refused | null => {
  const id = command.request.artifact_id;
  if (isReserved(id)) {
    return refuse("not_authorized", reservedRule(id));
  }
  const owner = ownerOfNew(state, command.by);
  const [principal, keeper] = [reservedFor(state, id), reservedForOwner(state, id)];
  if (principal !== null && principal !== command.by.actor) {
    return refuse("not_authorized", `"${id}" is reserved for ${principal}; choose another id`);
  }
  if (keeper !== null && keeper !== owner) {
    const message = `"${id}" is reserved: it is the memory id of an artifact that ${keeper} owns`;
    return refuse("not_authorized", `${message}; choose another id`);
  }
  return ownerChainRefusal(state, owner);
};

/** Only the owner may set prices, access or standing. Locked access can never be changed. */
const ownerFieldsRefusal = (command: WriteCommand, before: Artifact): Refused | null => {
  const { request, by } = command;
  if (before.accessLocked && request.access !== undefined && request.access !== before.access) {
    return refuse("not_authorized", `the access of ${before.id} is locked permanently`);
  }
  if (by.actor === before.owner) return null;
  const given: Readonly<Record<string, unknown>> = request;
  const touched = ACTION_FIELDS.find(
    ({ name, ownerOnly }) => ownerOnly && given[name] !== undefined,
  );
  if (touched === undefined) return null;
  const rule = `only the owner of ${before.id}, ${before.owner}, can set ${touched.name}`;
  return refuse("not_owner", rule);
};

const boundsRefusal = (
  state: ActionTables,
  command: WriteCommand,
  before: Artifact | null,
): Refused | null => {
  const { request, code_check, agent_check } = command;
  const limits = physicsOf(state).artifacts;
  if (code_check !== undefined && "refusal" in code_check) {
    return { kind: "refused", refusal: code_check.refusal };
  }
  const { access } = request;
  const problem = agent_check?.problem ?? null;
  if (problem !== null) {
    const why = `${request.artifact_id} must stay a valid agent: ${problem}`;
    return refuse("invalid_argument", why);
  }
  return (
    textRefusal(request, limits) ??
    (access === undefined || access === before?.access ? null : accessRefusal(state, access)) ??
    memoryRefusal(state, request) ??
    standingProblem(state, command, before) ??
    dependencyProblem(state, request, limits)
  );
};

const textRefusal = (request: WriteRequest, limits: ArtifactPhysics): Refused | null => {
  const { artifact_type: type, metadata, interface: declared } = request;
  if (type !== undefined && (type.length === 0 || type.length > limits.type_chars_max)) {
    const rule = `artifact_type must have 1 to ${limits.type_chars_max} characters`;
    return refuse("invalid_argument", rule);
  }
  const metadataBytes = metadata === undefined ? 0 : byteLength(JSON.stringify(metadata));
  if (metadataBytes > limits.metadata_bytes_max) {
    const rule = `metadata must be at most ${limits.metadata_bytes_max} bytes of JSON`;
    return refuse("invalid_argument", rule);
  }
  if (declared === undefined || declared === null) return null;
  const problem = interfaceProblem(declared);
  if (problem !== null) return refuse("invalid_argument", `interface: ${problem}`);
  return byteLength(JSON.stringify(declared)) > limits.interface_bytes_max
    ? refuse("invalid_argument", `interface must be at most ${limits.interface_bytes_max} bytes`)
    : null;
};

/** Refuses a contract that is neither built in nor a live artifact with `check_permission`. */
export const accessRefusal = (state: ActionTables, access: Id): Refused | null => {
  if (BUILT_IN.has(access)) return null;
  const contract = liveArtifact(state, access);
  if (contract?.methods.includes(CHECK_METHOD)) return null;
  const names = [...BUILT_IN.keys()].join(", ");
  return refuse(
    "not_found",
    `access "${access}" is not a contract: name one of ${names}, or an artifact whose code ` +
      `defines ${CHECK_METHOD}(request)`,
  );
};

const memoryRefusal = (state: ActionTables, request: WriteRequest): Refused | null => {
  const { artifact_id, code = null, has_standing } = request;
  if (code === null && has_standing === undefined) return null;
  const agent = agentOfMemory(state, artifact_id);
  if (agent === null) return null;
  const message = `${artifact_id} is the memory of ${agent}`;
  return refuse("invalid_argument", `${message}; a memory can have neither code nor standing`);
};

const standingProblem = (
  state: ActionTables,
  { request, by }: WriteCommand,
  before: Artifact | null,
): Refused | null => {
  if (request.has_standing !== true || before?.hasStanding === true) return null;
  const owner = before?.owner ?? ownerOfNew(state, by);
  const refused =
    namesakeRefusal(state, request.artifact_id, owner) ?? principalLimitRefusal(state);
  if (refused !== null) return refused;
  const { standing_max } = physicsOf(state).agents;
  const family = rootOf(state, owner);
  if (rootOf(state, by.origin) !== family) {
    const who = `${by.origin}, who started this action, is not in the family of ${family}`;
    const cure = `so ${by.actor} cannot open an account there; omit has_standing`;
    return refuse("not_authorized", `${who}, ${cure}`);
  }
  return openedBy(state, family) < standing_max
    ? null
    : refuse(
        "quota_exceeded",
        `the family of ${family} already has the maximum of ${standing_max} accounts`,
      );
};

const openedBy = (state: ActionTables, family: Id): number => {
  const { accountsOfFamily, agentsOfFamily } = state.indexes;
  const isProgram = state.accounts.has(family) && !state.agents.has(family);
  return accountsOfFamily.sizeOf(family) - agentsOfFamily.sizeOf(family) - (isProgram ? 1 : 0);
};

const dependencyProblem = (
  state: ActionTables,
  request: WriteRequest,
  limits: ArtifactPhysics,
): Refused | null => {
  const { depends_on, artifact_id } = request;
  if (depends_on === undefined) return null;
  if (depends_on.length > limits.depends_on_max) {
    const message = `depends_on can name at most ${limits.depends_on_max} artifacts`;
    return refuse("invalid_argument", message);
  }
  const missing = depends_on.find((id) => liveArtifact(state, id) === undefined);
  if (missing !== undefined) return refuse("not_found", `depends_on: there is no "${missing}"`);
  const problem = cycleProblem(state, artifact_id, depends_on);
  return problem === null ? null : refuse("invalid_argument", `depends_on: ${problem}`);
};

/** The fields to store. A new artifact with a principal's memory id is private by default. */
const fieldsOf = (
  state: ActionTables,
  command: WriteCommand,
  before: Artifact | null,
): WrittenFields => {
  const { artifact_type, artifact_id: id, max_price: _limit, ...named } = command.request;
  const { code_check = NO_CODE } = command;
  const fresh = named.code !== undefined && named.code !== null;
  const type = artifact_type ?? (before === null ? (fresh ? "program" : "data") : undefined);
  return {
    ...(type === undefined ? {} : { type }),
    ...(before === null && reservedFor(state, id) !== null ? { access: PRIVATE } : {}),
    ...named,
    ...(named.code === undefined || "refusal" in code_check ? {} : code_check),
  };
};

const NO_CODE: CodeCheck = { methods: [], print: "" };

/** `accessEvents`: what to record about the access that was granted for `toll`. */
const settle = (
  state: ActionTables,
  command: WriteCommand,
  before: Artifact | null,
  toll: readonly Payment[],
  accessEvents: readonly ActionEvent[],
): ActionDecision<WriteResult> => {
  const { by, request } = command;
  const fields = fieldsOf(state, command, before);
  const owner = before?.owner ?? ownerOfNew(state, by);
  const row =
    before ?? blankArtifact(nextArtifact(state), request.artifact_id, owner, by.actor, by.atMs);
  const event = writeEvent(row, stamp(by), by.actor, fields);
  const { max_price = null, ...written } = request;
  const bytes = byteLength(JSON.stringify(written));
  const refused =
    priceRefusal(tollSum(toll), max_price) ??
    paymentRefusal(state, by, toll) ??
    windowRefusal(state, by, bytes, command.bytesSpent) ??
    diskRefusal(state, owner, event.size_bytes - row.sizeBytes, request.artifact_id);
  if (refused !== null) return refused;
  const { version, size_bytes } = event;
  const opens = fields.has_standing === true && before?.hasStanding !== true;
  const events = [
    ...accessEvents,
    ...paymentEvents(by, toll),
    event,
    ...(opens ? [emptyAccount(stamp(by), row.id, owner)] : []),
  ];
  const answer = { artifact_id: row.id, version, size_bytes, owner };
  return accept(events, { answer, bytes });
};

/** Why `id` may not depend on `targets`: a cycle, or too many links or artifacts. Else null. */
const cycleProblem = (state: ActionTables, id: Id, targets: readonly Id[]): string | null => {
  const { depends_depth_max, depends_on_max } = physicsOf(state).artifacts;
  const visitsMax = depends_depth_max * depends_on_max * 4;
  const seen = new Set<Id>();
  let layer: readonly Id[] = targets;
  for (let depth = 1; layer.length > 0; depth++) {
    if (layer.includes(id)) return `${id} would depend on itself`;
    if (depth > depends_depth_max)
      return `the chain of dependencies has more than ${depends_depth_max} links`;
    const next: Id[] = [];
    for (const target of layer) {
      if (seen.has(target)) continue;
      seen.add(target);
      next.push(...(state.artifacts.get(target)?.dependsOn ?? []));
    }
    if (seen.size > visitsMax) return `it reaches more than ${visitsMax} artifacts`;
    layer = next;
  }
  return null;
};
