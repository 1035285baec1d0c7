import type { Artifact } from "../artifact/artifact.ts";
import { partiesOf } from "../artifact/owners.ts";
import { liveArtifact } from "../artifact/tables.ts";
import {
  type AccessVerb,
  type Asks,
  accept,
  type Decision,
  type Permit,
  type Refused,
  refuse,
} from "../core/decision.ts";
import { type EventIn, rowsOf } from "../core/event.ts";
import { asId, type Id, parseId } from "../core/ids.ts";
import { cutText, isObject, type Json } from "../core/json.ts";
import { isAmountOrZero } from "../core/money.ts";
import { physicsOf } from "../core/world.ts";
import type { LedgerTables } from "../ledger/account.ts";
import { useGrant } from "../ledger/delegation.ts";
import type { LedgerEvent } from "../ledger/events.ts";
import type { Payment } from "../ledger/payment.ts";
import { type Funds, fundsOf, type Subject, stamp } from "../ledger/subject.ts";

export const FREEWARE = asId("genesis_contract_freeware");
export const SELF_OWNED = asId("genesis_contract_self_owned");
export const PRIVATE = asId("genesis_contract_private");
const PUBLIC = asId("genesis_contract_public");

type Rule = (caller: Id, verb: AccessVerb, artifact: Artifact) => boolean;

/** The built-in access contracts. `caller` is the immediate caller and can be a program. */
export const BUILT_IN: ReadonlyMap<Id, Rule> = new Map<Id, Rule>([
  [FREEWARE, (caller, verb, { owner }) => verb === "read" || verb === "invoke" || caller === owner],
  [SELF_OWNED, (caller, _verb, { id, owner }) => caller === id || caller === owner],
  [PRIVATE, (caller, _verb, { owner }) => caller === owner],
  [PUBLIC, () => true],
]);

export const BUILT_IN_MEANING: ReadonlyMap<Id, string> = new Map([
  [FREEWARE, "anyone may read and invoke; only the owner may write and delete"],
  [SELF_OWNED, "only the artifact itself and its owner may do anything"],
  [PRIVATE, "only the owner may do anything"],
  [PUBLIC, "anyone may do anything except take ownership"],
]);

/** True if a built-in contract forbids the call. Always false for custom contracts. */
export const isClosedTo = (caller: Id, artifact: Artifact): boolean =>
  BUILT_IN.get(artifact.access)?.(caller, "invoke", artifact) === false;

export const CHECK_METHOD = "check_permission";

export const ACCESS_EVENTS = {
  dangling_contract: rowsOf<LedgerTables>()<{ artifact_id: Id; contract: Id }>({
    about: "an artifact's access contract is missing, so only the artifact's owner has access",
    concerns: ({ artifact_id }, state) => partiesOf(state, artifact_id),
    facts: ({ artifact_id, contract }) => ({ target: artifact_id, other: contract }),
    isRead: true,
  }),
};

export type AccessEvent = LedgerEvent | EventIn<typeof ACCESS_EVENTS>;

type AccessQuery = {
  readonly by: Subject;
  readonly verb: AccessVerb;
  readonly artifact: Artifact;
  readonly method?: string;
  readonly args?: readonly Json[];
};

/** A grant of access. `toll` lists the payments to make. `events` lists the events to record. */
type Granted = {
  readonly kind: "granted";
  readonly toll: readonly Payment[];
  readonly events: readonly AccessEvent[];
};

/** Grants or refuses the access, or returns a question for the artifact's access contract. */
export const authorize = (
  state: LedgerTables,
  query: AccessQuery,
  permit: Permit | undefined,
): Granted | Refused | Asks => {
  const { by, verb, artifact } = query;
  if (verb === "delete" && by.actor === artifact.owner && !artifact.accessLocked) return FREE;
  const rule = BUILT_IN.get(artifact.access);
  if (rule !== undefined) {
    return rule(by.actor, verb, artifact) ? FREE : denied(query, artifact.access);
  }
  const contract = liveArtifact(state, artifact.access);
  if (contract === undefined) return withoutContract(state, query);
  if (permit === undefined || permit.contract !== contract.id) return ask(query, contract.id);
  if (!permit.allowed) return denied(query, contract.id, permit.reason);
  return granted(state, query, permit);
};

const FREE: Granted = { kind: "granted", toll: [], events: [] };

const denied = (query: AccessQuery, contract: Id, reason?: string): Refused => {
  const { by, verb, artifact } = query;
  const why = reason ?? BUILT_IN_MEANING.get(contract) ?? "the contract denied it";
  const what = `${by.actor} may not ${verb} ${artifact.id} (owner ${artifact.owner})`;
  const message = `${what}: ${contract} says: ${why}`;
  return refuse("not_authorized", message);
};

const withoutContract = (state: LedgerTables, query: AccessQuery): Granted | Refused => {
  const { by, verb, artifact } = query;
  const fallback = BUILT_IN.get(asId(physicsOf(state).access.default_on_missing));
  const allowed = (fallback ?? BUILT_IN.get(PRIVATE))?.(by.actor, verb, artifact) === true;
  if (!allowed) {
    const { access, id, owner } = artifact;
    const missing = `the access contract ${access} of ${id} does not exist`;
    const message = `${missing}, so only its owner ${owner} may ${verb} it`;
    return refuse("not_authorized", message, { dangling_contract: artifact.access });
  }
  const event: AccessEvent = {
    ...stamp(by),
    kind: "dangling_contract",
    artifact_id: artifact.id,
    contract: artifact.access,
  };
  return { kind: "granted", toll: [], events: [event] };
};

const ask = (query: AccessQuery, contract: Id): Asks => ({
  kind: "asks",
  question: {
    kind: "permission",
    contract,
    request: {
      caller: query.by.actor,
      verb: query.verb,
      target: query.artifact.id,
      owner: query.artifact.owner,
      method: query.method ?? null,
      args: query.args ?? [],
    },
  },
});

/** Grants access for a toll. Only a caller may pay itself: others would reveal their balance. */
const granted = (
  state: LedgerTables,
  query: AccessQuery,
  permit: Permit,
): Granted | Refused | Asks => {
  if (permit.cost === 0) return FREE;
  const { by, artifact } = query;
  const payer = payerOf(state, query, permit);
  if (payer.kind !== "accepted") return payer;
  const to = permit.recipient ?? artifact.owner;
  if (!state.accounts.has(to)) {
    const message = `${permit.contract} names ${to} as recipient, which has no account`;
    return refuse("not_authorized", message);
  }
  const from = payer.answer;
  if (from.kind === "account" && from.id === to && to !== by.actor) {
    const wants = `${permit.contract} names ${to} as both payer and recipient`;
    return refuse("not_authorized", `${wants}: name another recipient or payer, or set cost to 0`);
  }
  const toll: Payment = { from, to, amount: permit.cost, reason: "access", artifact: artifact.id };
  return { kind: "granted", toll: [toll], events: payer.events };
};

/**
 * Returns the payer's funds. A contract may charge the caller and itself. A contract may charge the
 * target's owner if that owner chose the contract. Other payers need a delegation to the contract.
 */
const payerOf = (
  state: LedgerTables,
  query: AccessQuery,
  permit: Permit,
): Decision<Funds, AccessEvent> => {
  const { by, artifact } = query;
  const { payer, contract, cost: amount } = permit;
  if (payer === null || payer === by.actor) return accept([], fundsOf(state, by));
  const account: Funds = { kind: "account", id: payer };
  const chose = payer === artifact.owner && artifact.accessBy === artifact.owner;
  if ((chose || payer === contract) && state.accounts.has(payer)) return accept([], account);
  if (payer === contract) {
    return refuse(
      "not_authorized",
      `${contract} names itself as payer but has no account; name another payer`,
    );
  }
  const use = useGrant(state, by, payer, contract, amount);
  if (use.kind === "accepted") return accept(use.events, account);
  if (use.kind !== "refused") return use;
  const { code, message, data } = use.refusal;
  return refuse(code, `${contract} names ${payer} as payer: ${message}`, data);
};

export const tollSum = (toll: readonly Payment[]): number =>
  toll.reduce((sum, payment) => sum + payment.amount, 0);

/** Parses the result of `check_permission`. An invalid result denies access. */
export const parsePermit = (contract: Id, answer: Json): Permit => {
  const deny = (reason: string): Permit => ({
    contract,
    allowed: false,
    reason,
    cost: 0,
    payer: null,
    recipient: null,
  });
  if (!isObject(answer)) {
    return deny("the contract did not return {allowed, reason?, cost?, payer?, recipient?}");
  }
  const { allowed, reason, cost, payer, recipient } = answer;
  const why = typeof reason === "string" ? cutText(reason, 300) : "";
  if (allowed !== true) return deny(why === "" ? "the contract denied it" : why);
  const price = cost ?? 0;
  if (!isAmountOrZero(price)) {
    return deny("the contract returned a cost that is not a whole number of scrip");
  }
  const [from, to] = [parseId(payer), parseId(recipient)];
  if (
    (from === null && (payer ?? null) !== null) ||
    (to === null && (recipient ?? null) !== null)
  ) {
    return deny("the contract returned a payer or recipient that is not an id");
  }
  return { contract, allowed: true, reason: why, cost: price, payer: from, recipient: to };
};
