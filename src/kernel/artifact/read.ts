import { authorize, tollSum } from "../access/access.ts";
import { accept, type Decision, type ReadRequest, type Refused, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import { type Subject, stamp } from "../invocation/subject.ts";
import { paymentEvents, paymentRefusal, priceOf } from "../ledger/payment.ts";
import type { Id } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";
import type { State } from "../state.ts";
import type { Artifact } from "./artifact.ts";

export const find = (state: State, id: Id): Decision<Artifact> => {
  const artifact = state.artifacts.get(id);
  if (artifact === undefined) {
    const message = `there is no artifact "${id}"; genesis_store.search("words") finds some`;
    return refuse("not_found", message);
  }
  if (artifact.deleted !== null) {
    const { at, by } = artifact.deleted;
    const deleted = `${id} was deleted by ${by} at ${at / 1_000} s`;
    return refuse("deleted", `${deleted}; its id cannot be used again`);
  }
  return accept([], artifact);
};

/** The live artifact if the actor owns it, or a refusal. */
export const findOwned = (state: State, by: Subject, id: Id): Decision<Artifact> => {
  const found = find(state, id);
  if (found.kind !== "accepted" || found.answer.owner === by.actor) return found;
  return refuse("not_owner", `${by.actor} does not own ${id}; ${found.answer.owner} does`);
};

export const priceRefusal = (asked: number, limit: number | null): Refused | null =>
  limit === null || asked <= limit
    ? null
    : refuse("price_exceeded", `this costs ${asked} scrip now, more than max_price ${limit}`, {
        price: asked,
      });

/** Checks, in this order: existence, permission, `max_price`, funds. */
export const decideRead = (state: State, request: ReadRequest): Decision => {
  const { by, artifact_id, max_price, permit } = request;
  const found = find(state, artifact_id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  const access = authorize(state, { by, verb: "read", artifact }, permit);
  if (access.kind !== "granted") return access;
  const fee = priceOf(state, by, { artifact, reason: "read_price" });
  const price = fee.amount;
  const dear = priceRefusal(price + tollSum(access.toll), max_price);
  if (dear !== null) return dear;
  const payments = [...access.toll, fee];
  const poor = paymentRefusal(state, by, payments);
  if (poor !== null) return poor;
  const read: Event = {
    ...stamp(by),
    kind: "artifact_read",
    artifact_id,
    by: by.actor,
    version: artifact.version,
    price,
  };
  return accept([...access.events, ...paymentEvents(by, payments), read], readerView(artifact));
};

/** What a reader sees of an artifact: everything except the artifact's state. */
export const readerView = (artifact: Artifact): Json => ({
  artifact_id: artifact.id,
  type: artifact.type,
  content: artifact.content,
  code: artifact.code,
  methods: artifact.methods,
  version: artifact.version,
  owner: artifact.owner,
  created_by: artifact.createdBy,
  access: artifact.access,
  price: artifact.price,
  read_price: artifact.readPrice,
  interface: artifact.interface,
  depends_on: artifact.dependsOn,
  metadata: artifact.metadata,
  has_standing: artifact.hasStanding,
});
