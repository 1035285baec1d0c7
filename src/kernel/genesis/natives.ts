import type { Attachment } from "../action/action.ts";
import { argsRefusal, fitArgs } from "../artifact/interface.ts";
import { priceRefusal } from "../artifact/read.ts";
import { accept, type Decision, type NativeRequest, type Refused, refuse } from "../command.ts";
import { fundsOf, type Subject } from "../invocation/subject.ts";
import { type Payment, paymentEvents, paymentRefusal } from "../ledger/payment.ts";
import type { Id } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";
import { physicsOf, type State } from "../state.ts";
import { EVENT_LOG } from "./event-log.ts";
import { LEDGER } from "./ledger.ts";
import { MINT } from "./mint.ts";
import type { NativeArtifact, NativeMethod } from "./native.ts";
import { RIGHTS_REGISTRY } from "./rights-registry.ts";
import { STORE } from "./store.ts";

/** All native artifacts. A world's configuration can omit some of them. */
export const NATIVES: readonly NativeArtifact[] = [LEDGER, RIGHTS_REGISTRY, MINT, EVENT_LOG, STORE];

const BY_ID: ReadonlyMap<string, NativeArtifact> = new Map(NATIVES.map((row) => [row.id, row]));

export const isNative = (id: Id): boolean => BY_ID.has(id);

export const nativeWrites = ({ artifact_id, method }: NativeRequest): boolean =>
  BY_ID.get(artifact_id)?.methods.find(({ name }) => name === method)?.writes === true;

/** Checks, in this order: the artifact, method, attachments, arguments, `max_price`, funds. */
export const decideNative = (state: State, request: NativeRequest): Decision => {
  const { by, artifact_id, attach, max_price, permit, trial, agent_check } = request;
  const native = BY_ID.get(artifact_id);
  if (native === undefined || !state.artifacts.has(artifact_id)) {
    return refuse("not_found", `${artifact_id} does not exist in this world`);
  }
  if (request.method === "describe") return accept([], describe(state, native));
  const method = native.methods.find((candidate) => candidate.name === request.method);
  if (method === undefined) {
    const names = ["describe", ...native.methods.map(({ name }) => name)].join(", ");
    return refuse("not_found", `${native.id} has no method "${request.method}"; it has: ${names}`);
  }
  const odd = attachmentRefusal(attach, { native, method });
  if (odd !== null) return odd;
  const fitted = fitArgs(method, request.args);
  if (fitted.kind !== "accepted") return fitted;
  const long = argsRefusal(state, request.args);
  if (long !== null) return long;
  const fees = feesOf(state, by, { native, method });
  const cost = fees.reduce((sum, fee) => sum + fee.amount, 0);
  const payments = [...fees, ...offered(state, by, attach)];
  const refused = priceRefusal(cost, max_price) ?? paymentRefusal(state, by, payments);
  if (refused !== null) return refused;
  const evidence = {
    ...(permit === undefined ? {} : { permit }),
    ...(trial === undefined ? {} : { trial }),
    ...(agent_check === undefined ? {} : { agent_check }),
  };
  const call = { by, args: fitted.answer, scrip: attach.scrip, fees, max_price, ...evidence };
  const decision = method.decide(state, call);
  if (decision.kind !== "accepted" || cost === 0) return decision;
  return accept([...paymentEvents(by, fees), ...decision.events], decision.answer);
};

type NativeTarget = { readonly native: NativeArtifact; readonly method: NativeMethod };

const attachmentRefusal = (
  attach: Attachment,
  { native, method }: NativeTarget,
): Refused | null => {
  const name = `${native.id}.${method.name}`;
  if (attach.artifacts.length > 0) {
    return refuse("invalid_argument", `${name} accepts no attached artifacts`);
  }
  return attach.scrip > 0 && method.takesScrip !== true
    ? refuse("invalid_argument", `${name} accepts no attached scrip`)
    : null;
};

/** The attached scrip as a payment. The actor must be able to pay it together with the fees. */
const offered = (state: State, by: Subject, { scrip }: Attachment): readonly Payment[] =>
  scrip === 0 ? [] : [{ from: fundsOf(state, by), to: null, amount: scrip, reason: "attached" }];

const costOf = (state: State, native: string, method: string): number =>
  physicsOf(state).genesis.costs[native]?.[method] ?? 0;

const feesOf = (state: State, by: Subject, { native, method }: NativeTarget): Payment[] => {
  const amount = costOf(state, native.id, method.name);
  if (amount === 0) return [];
  const memo = `${native.id}.${method.name}`;
  return [{ from: fundsOf(state, by), to: null, amount, reason: "burned", memo }];
};

const describe = (state: State, native: NativeArtifact): Json => ({
  id: native.id,
  description: native.description,
  methods: native.methods.map((method) => ({
    name: method.name,
    description: method.description,
    cost: costOf(state, native.id, method.name),
    input_schema: method.input_schema,
    examples: method.examples,
  })),
});
