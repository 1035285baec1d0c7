import { authorize, tollSum } from "../access/access.ts";
import { unfrozen } from "../agent/events.ts";
import { agentOfMemory } from "../agent/memory.ts";
import type { Artifact } from "../artifact/artifact.ts";
import { rootOf } from "../artifact/owners.ts";
import { find } from "../artifact/tables.ts";
import { accept, type Permit, type Refused, refuse } from "../core/decision.ts";
import { type Id, isReserved } from "../core/ids.ts";
import { overflows } from "../core/money.ts";
import { physicsOf } from "../core/world.ts";
import { QUOTA_NAMES, quotaOf } from "../ledger/account.ts";
import { type Payment, paymentEvents, paymentRefusal, priceRefusal } from "../ledger/payment.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import { mailboxOf } from "../messages/mailbox.ts";
import type { ActionDecision, ActionEvent, ActionTables } from "./events.ts";

type Deletion = {
  readonly by: Subject;
  readonly artifact: Id;
  readonly permit?: Permit;
  /** The cost of the deletion, in addition to the toll. `max_price` limits fees plus toll. */
  readonly fees: readonly Payment[];
  readonly max_price: number | null;
};

/** Checks, in this order: existence, reserved id, permission, present use, price, funds. */
export const decideDelete = (state: ActionTables, request: Deletion): ActionDecision => {
  const { by, permit, fees, max_price } = request;
  const found = find(state, request.artifact);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  if (isReserved(artifact.id)) {
    return refuse("not_authorized", `${artifact.id} belongs to the world and cannot be deleted`);
  }
  const access = authorize(state, { by, verb: "delete", artifact }, permit);
  if (access.kind !== "granted") return access;
  const payments = [...fees, ...access.toll];
  const refused =
    neededRefusal(state, by, artifact) ??
    priceRefusal(tollSum(payments), max_price) ??
    paymentRefusal(state, by, payments);
  if (refused !== null) return refused;
  const event: ActionEvent = {
    ...stamp(by),
    kind: "artifact_deleted",
    artifact_id: artifact.id,
    by: by.actor,
  };
  const left = returnedQuotas(state, by, artifact);
  const events = [...access.events, ...paymentEvents(by, access.toll), ...left, event];
  return accept(events, { artifact: artifact.id, freed_bytes: artifact.sizeBytes });
};

/** Moves the quotas to the first of owner, parent and family root that has another account. */
const returnedQuotas = (
  state: ActionTables,
  by: Subject,
  { id, owner }: Artifact,
): readonly ActionEvent[] => {
  const account = state.accounts.get(id);
  const receiver = [owner, account?.parent ?? id, rootOf(state, id)]
    .filter((receiver) => receiver !== id)
    .map((receiver) => state.accounts.get(receiver))
    .find((receiver) => receiver !== undefined);
  if (account === undefined || receiver === undefined) return [];
  const moves = QUOTA_NAMES.map((resource) => ({ resource, amount: quotaOf(account, resource) }));
  return moves
    .filter(({ amount }) => amount > 0)
    .filter(({ resource, amount }) => !overflows(quotaOf(receiver, resource), amount))
    .flatMap(({ resource, amount }): readonly ActionEvent[] => {
      const to = receiver.id;
      const moved = { kind: "quota_transferred", from: id, to, resource, amount } as const;
      return [{ ...stamp(by), ...moved }, ...unfrozen(state, stamp(by), to, resource, amount)];
    });
};

const neededRefusal = (state: ActionTables, by: Subject, artifact: Artifact): Refused | null => {
  if (by.stack.includes(artifact.id) || by.origin === artifact.id) {
    const message = `${artifact.id} is running in this call; delete it in a later action`;
    return refuse("not_empty", message);
  }
  if (artifact.canExecute)
    return refuse("not_empty", `${artifact.id} is an agent, and agents cannot be deleted`);
  const bid = state.submissions.get(artifact.id);
  if (bid !== undefined) {
    const until = bid.stage === "bid" ? "the auction ends or you cancel the bid" : "it is scored";
    return refuse("not_empty", `${artifact.id} is at the mint as ${bid.id}; wait until ${until}`);
  }
  const agent = agentOfMemory(state, artifact.id);
  if (agent !== null) return refuse("not_empty", `${artifact.id} is the memory of ${agent}`);
  const account = state.accounts.get(artifact.id);
  if (account === undefined) return null;
  if (account.owned > 0) {
    const message = `${artifact.id} owns ${account.owned} artifacts; transfer or delete them first`;
    return refuse("not_empty", message);
  }
  const balance = account.scrip + account.held + account.llmBudgetMicros;
  return balance === 0
    ? sentRefusal(state, by, artifact.id)
    : refuse("not_empty", `${artifact.id} still has scrip or model budget; transfer it first`);
};

/** A family could send without limit if it deleted its programs and gave accounts to new ones. */
const sentRefusal = (state: ActionTables, by: Subject, id: Id): Refused | null => {
  const last = mailboxOf(state, id).sentAtMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  const next = last + physicsOf(state).resources.window_ms;
  if (next <= by.atMs) return null;
  const why = `${id} sent a message in the last ${physicsOf(state).resources.window_ms / 1_000} s`;
  return refuse("rate_limited", `${why}; delete ${id} at ${next / 1_000} s or later`);
};
