import type { Attachment, InvokeRequest } from "../action/action.ts";
import type { ActionDecision } from "../action/events.ts";
import { argsRefusal, fitArgs } from "../artifact/interface.ts";
import { accept, type Evidence, type Refused, refuse } from "../core/decision.ts";
import { asId, genesisName, type Id } from "../core/ids.ts";
import { isObject, type Json } from "../core/json.ts";
import type { Physics } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { type Payment, paymentEvents, paymentRefusal, priceRefusal } from "../ledger/payment.ts";
import { fundsOf, type Subject } from "../ledger/subject.ts";
import { EVENTS_LIMIT_MAX, invokersOf, queryEvents, type SearchTables } from "../search/query.ts";
import { COMPUTE } from "./compute.ts";

import { LEDGER } from "./ledger.ts";
import { MESSENGER } from "./messenger.ts";
import { MINT } from "./mint.ts";
import {
  costOf,
  EXAMPLES_AT_MS,
  ID_SCHEMA,
  interfaceOf,
  methodsIn,
  type NativeArtifact,
  type NativeMethod,
  named,
  takes,
} from "./native.ts";
import { RIGHTS_REGISTRY } from "./rights-registry.ts";
import { STORE } from "./store.ts";

const SHOWN: Json = {
  n: 50,
  at_ms: EXAMPLES_AT_MS,
  kind: "artifact_invoked",
  principal: "bob",
  target: "my_tool",
  method: "run",
  other: "bob",
  amount: 5,
  code: null,
};

const EVENT_LOG: NativeArtifact = {
  id: "genesis_event_log",
  description: "Public events, and who called which artifact.",
  methods: named({
    read: {
      description: `Public events, oldest first: after a number, or the last ${EVENTS_LIMIT_MAX}.`,
      input_schema: takes(
        {
          filter: {
            type: "object",
            properties: {
              after: { type: "integer", minimum: 0 },
              limit: { type: "integer", minimum: 1, maximum: EVENTS_LIMIT_MAX },
              kind: { type: "string" },
              principal: ID_SCHEMA,
            },
            additionalProperties: false,
          },
        },
        [],
      ),
      examples: () => [
        { args: [{ kind: "artifact_invoked", limit: 1 }], result: { events: [SHOWN], last: 50 } },
        {
          args: [{ principal: "alice", kind: "artifact_invoked" }],
          result: { events: [], last: 50 },
        },
        { args: [{ after: 9_999 }], result: { events: [], last: 50 } },
      ],
      decide: (state, { args }) => queryEvents(state, isObject(args[0]) ? args[0] : {}),
    },
    get_invokers: {
      description:
        "The callers of an artifact other than its owner, with their calls and payments.",
      input_schema: takes({ artifact: ID_SCHEMA }),
      examples: () => [{ args: ["my_tool"], result: [{ principal: "bob", calls: 2, paid: 10 }] }],
      decide: (state, { args }) => accept([], invokersOf(state, asId(String(args[0])))),
    },
  }),
};

/** All native artifacts. A world's configuration can omit some of them. */
export const NATIVES: readonly NativeArtifact[] = [
  LEDGER,
  RIGHTS_REGISTRY,
  MINT,
  COMPUTE,
  EVENT_LOG,
  STORE,
  MESSENGER,
];

/** The native artifacts of a world, each with the methods that this world has. */
export const nativesIn = (physics: Physics): readonly NativeArtifact[] =>
  NATIVES.filter(({ id }) => physics.genesis.enabled.includes(genesisName(id))).map((native) => ({
    ...native,
    methods: methodsIn(physics, native),
  }));

const BY_ID: ReadonlyMap<string, NativeArtifact> = new Map(NATIVES.map((row) => [row.id, row]));

export const isNative = (id: Id): boolean => BY_ID.has(id);

export type NativeRequest = Evidence & InvokeRequest & { readonly by: Subject };

type NativeName = Pick<NativeRequest, "artifact_id" | "method">;

const methodNamed = ({ artifact_id, method }: NativeName): NativeMethod | undefined =>
  BY_ID.get(artifact_id)?.methods.find(({ name }) => name === method);

export const nativeWrites = (request: NativeName): boolean => methodNamed(request)?.writes === true;

/** The fee of a call, and the scrip that it moves or lets others take. May be infinity. */
export const nativeSpending = (
  state: SearchTables,
  request: NativeName & Pick<NativeRequest, "args">,
): number => {
  const physics = physicsOf(state);
  const { artifact_id, method, args } = request;
  const fee = costOf(physics, artifact_id, method);
  return fee + (methodNamed(request)?.spends?.(args, physics) ?? 0);
};

/** Checks, in this order: the artifact, method, attachments, arguments, `max_price`, funds. */
export const decideNative = (state: SearchTables, request: NativeRequest): ActionDecision => {
  const { by, artifact_id, attach, max_price, permit, trial, agent_check } = request;
  const native = BY_ID.get(artifact_id);
  if (native === undefined || !state.artifacts.has(artifact_id)) {
    return refuse("not_found", `${artifact_id} does not exist in this world`);
  }
  if (request.method === "describe") return accept([], describe(state, native));
  const methods = methodsIn(physicsOf(state), native);
  const method = methods.find((candidate) => candidate.name === request.method);
  if (method === undefined) {
    const names = ["describe", ...methods.map(({ name }) => name)].join(", ");
    return refuse("not_found", `${native.id} has no method "${request.method}"; it has: ${names}`);
  }
  const odd = attachmentRefusal(attach, `${native.id}.${method.name}`, method);
  if (odd !== null) return odd;
  const { name, input_schema } = method;
  const fitted = fitArgs(
    {
      name,
      input_schema,
      get examples() {
        return method.examples(physicsOf(state));
      },
    },
    request.args,
  );
  if (fitted.kind !== "accepted") return fitted;
  const long = argsRefusal(state, request.args);
  if (long !== null) return long;
  const fees = feesOf(state, by, native.id, method.name);
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

const attachmentRefusal = (
  attach: Attachment,
  name: string,
  method: NativeMethod,
): Refused | null => {
  if (attach.artifacts.length > 0) {
    return refuse("invalid_argument", `${name} accepts no attached artifacts`);
  }
  if (attach.scrip === 0 || method.takesScrip === true) return null;
  const cure = method.scripCure ?? "leave out attach";
  return refuse("invalid_argument", `${name} accepts no attached scrip; ${cure}`);
};

/** The attached scrip as a payment. The actor must be able to pay it together with the fees. */
const offered = (state: SearchTables, by: Subject, { scrip }: Attachment): readonly Payment[] =>
  scrip === 0 ? [] : [{ from: fundsOf(state, by), to: null, amount: scrip, reason: "attached" }];

const feesOf = (state: SearchTables, by: Subject, native: string, method: string): Payment[] => {
  const amount = costOf(physicsOf(state), native, method);
  if (amount === 0) return [];
  const memo = `${native}.${method}`;
  return [{ from: fundsOf(state, by), to: null, amount, reason: "burned", memo }];
};

const describe = (state: SearchTables, native: NativeArtifact): Json => {
  const physics = physicsOf(state);
  const { description, methods } = interfaceOf(native, physics);
  const priced = methods.map(({ name, description: about, input_schema, examples = [] }) => {
    const cost = costOf(physics, native.id, name);
    return { name, description: about, cost, input_schema, examples };
  });
  return { id: native.id, description, methods: priced };
};
