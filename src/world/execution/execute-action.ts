import {
  type Action,
  type Charge,
  cutText,
  decide,
  describeAction,
  type Id,
  type Json,
  liveArtifact,
  must,
  parseAction,
  physicsOf,
  principalSubject,
  type Refusal,
  refusal,
  type Subject,
  windowLeft,
} from "../../kernel/index.ts";
import type { Outcome } from "../core/request.ts";
import type { ActionStep } from "./context.ts";
import { type Invoker, refusalOf } from "./invoker.ts";
import { Meter } from "./transaction.ts";

type ProposedAction = {
  readonly principal: Id;
  readonly atMs: number;
  readonly action: Json;
  /** As in `end_action`. */
  readonly backs_off?: false | undefined;
};

type Done = {
  readonly refusal: Refusal | null;
  readonly message: string;
  readonly result: string | null;
};

/** Checks, runs, charges and records one action. The last event says if the action was refused. */
export const executeAction = (invoker: Invoker, proposed: ProposedAction): Outcome => {
  const { tx } = invoker;
  const by = principalSubject(proposed.principal, proposed.atMs);
  const account = must(tx.state.accounts.get(by.origin), `only a principal can act: ${by.origin}`);
  const worth = account.scrip + account.held;
  const left = (resource: "actions" | "cpu_gas") =>
    windowLeft(tx.state, by.origin, resource, by.atMs);
  const actions = left("actions");
  const { gas_max } = physicsOf(tx.state).sandbox;
  const meter = new Meter(Math.min(gas_max, left("cpu_gas").available));
  const done =
    actions.available < 1
      ? rateLimited(by, actions.quota)
      : run(invoker, { by, meter }, proposed.action);
  const after = must(tx.state.accounts.get(by.origin), "a principal must keep its account");
  const charged = {
    scrip: Math.max(0, worth - after.scrip - after.held),
    gas: tx.takesAllGas ? meter.limit : meter.used,
    bytes: tx.bytes,
  };
  tx.keepDraws(by);
  const ended = { ...describeAction(proposed.action), ...done, ...charged };
  const pace = proposed.backs_off === undefined ? {} : { backs_off: proposed.backs_off };
  tx.record(decide(tx.state, { kind: "end_action", by, ended, ...pace }));
  return endedWith(done, charged);
};

const NO_CHARGE: Charge = { scrip: 0, gas: 0, bytes: 0 };

export const endedWith = ({ refusal, message, result }: Done, charged = NO_CHARGE): Outcome => ({
  success: refusal === null,
  message,
  result,
  error_code: refusal?.code ?? null,
  retriable: refusal?.retriable ?? false,
  charged,
});

const refused = (why: Refusal): Done => {
  const result = why.data === undefined ? null : JSON.stringify(why.data);
  return { refusal: why, message: why.message, result };
};

const rateLimited = (by: Subject, quota: number): Done =>
  refused(
    refusal(
      "rate_limited",
      `${by.origin} has used its ${quota} actions of this window; wait, or get more quota`,
    ),
  );

const run = (invoker: Invoker, step: ActionStep, raw: Json): Done => {
  const parsed = parseAction(raw, physicsOf(invoker.tx.state).artifacts.json_depth_max);
  if (parsed.kind !== "accepted") return refused(refusalOf(parsed));
  const action = parsed.answer;
  switch (action.kind) {
    case "noop":
      return { refusal: null, message: "nothing was done", result: null };
    case "read_artifact":
      return read(invoker, step, action);
    case "write_artifact":
      return write(invoker, step, action);
    case "invoke_artifact":
      return invoke(invoker, step, action);
  }
};

type ActionOf<K extends Action["kind"]> = Extract<Action, { readonly kind: K }>;

const read = (invoker: Invoker, step: ActionStep, action: ActionOf<"read_artifact">): Done => {
  const { artifact_id, max_price } = action;
  const command = { kind: "read_artifact", by: step.by, artifact_id, max_price } as const;
  const decision = invoker.decideGated(step, command);
  if (decision.kind !== "accepted") return refused(refusalOf(decision));
  const artifact = liveArtifact(invoker.tx.state, artifact_id);
  const message = `read ${artifact_id}, version ${artifact?.version ?? 0}`;
  return { refusal: null, message, result: null };
};

const write = (invoker: Invoker, step: ActionStep, action: ActionOf<"write_artifact">): Done => {
  const decision = invoker.write(step, action.request);
  if (decision.kind !== "accepted") return refused(refusalOf(decision));
  const result = JSON.stringify(decision.answer.answer);
  const message = `wrote ${action.request.artifact_id}, ${decision.answer.bytes} bytes`;
  return { refusal: null, message, result };
};

const PREVIEW_CHARS = 100;

const invoke = (invoker: Invoker, step: ActionStep, action: ActionOf<"invoke_artifact">): Done => {
  const returned = invoker.invoke(step, action);
  if (!returned.ok) return refused(returned.refusal);
  const { result } = returned;
  const cut = cutText(result, PREVIEW_CHARS);
  const preview = cut === result ? result : `${cut}…`;
  const message = `${action.artifact_id}.${action.method} returned ${preview}`;
  return { refusal: null, message, result };
};
