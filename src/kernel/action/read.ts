import { authorize, tollSum } from "../access/access.ts";
import type { Artifact } from "../artifact/artifact.ts";
import { find } from "../artifact/tables.ts";
import { accept, type Permit } from "../core/decision.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { paymentEvents, paymentRefusal, priceOf, priceRefusal } from "../ledger/payment.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import type { ActionDecision, ActionEvent, ActionTables } from "./events.ts";
export type ReadRequest = {
  readonly by: Subject;
  readonly artifact_id: Id;
  readonly max_price: number | null;
  readonly permit?: Permit;
};

/** Checks, in this order: existence, permission, `max_price`, funds. */
export const decideRead = (state: ActionTables, request: ReadRequest): ActionDecision => {
  const { by, artifact_id, max_price, permit } = request;
  const found = find(state, artifact_id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  const access = authorize(state, { by, verb: "read", artifact }, permit);
  if (access.kind !== "granted") return access;
  const fee = priceOf(state, by, artifact, "read_price");
  const price = fee.amount;
  const dear = priceRefusal(price + tollSum(access.toll), max_price);
  if (dear !== null) return dear;
  const payments = [...access.toll, fee];
  const poor = paymentRefusal(state, by, payments);
  if (poor !== null) return poor;
  const read: ActionEvent = {
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
const readerView = (artifact: Artifact): Json => ({
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
