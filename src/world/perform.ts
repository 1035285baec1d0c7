import {
  type Action,
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
} from "../kernel/index.ts";
import { type Crank, refused } from "./crank.ts";
import type { Step } from "./machinery.ts";
import { Meter } from "./meter.ts";
import type { Outcome } from "./request.ts";

/** An action as it is to be carried out. */
export type Deed = {
  readonly principal: Id;
  readonly atMs: number;
  readonly action: Json;
  readonly backoff: boolean;
};

type Done =
  | { readonly refusal: null; readonly message: string; readonly result: string | null }
  | { readonly refusal: Refusal };

/**
 * One action of a principal from start to end: it is read, carried out, charged and remembered. It
 * always ends in one event that closes it, `action_completed` or `action_refused`.
 */
export const performAction = (crank: Crank, deed: Deed): Outcome => {
  const { tx } = crank;
  const by = principalSubject(deed.principal, deed.atMs);
  const account = must(tx.state.accounts.get(by.origin), `a principal acts: ${by.origin}`);
  const worth = account.scrip + account.held;
  const left = (resource: "actions" | "cpu_gas") =>
    windowLeft(tx.state, by.origin, { resource, now: by.atMs });
  const actions = left("actions");
  const { gas_max } = physicsOf(tx.state).sandbox;
  const meter = new Meter(Math.min(gas_max, left("cpu_gas").available));
  const done =
    actions.available < 1
      ? rateLimited(by, actions.quota)
      : carryOut(crank, { by, meter }, deed.action);
  const after = must(tx.state.accounts.get(by.origin), "a principal keeps its account");
  const charged = {
    scrip: Math.max(0, worth - after.scrip - after.held),
    gas: tx.takesAllGas ? meter.limit : meter.used,
    bytes: tx.bytes,
  };
  tx.keepDraws(by);
  const message = done.refusal === null ? done.message : done.refusal.message;
  const result = done.refusal === null ? done.result : jsonOrNull(done.refusal.data);
  const ended = {
    ...describeAction(deed.action),
    refusal: done.refusal,
    message,
    result,
    ...charged,
    backoff: deed.backoff,
  };
  tx.record(decide(tx.state, { kind: "end_action", by, ended }));
  return {
    success: done.refusal === null,
    message,
    result,
    error_code: done.refusal?.code ?? null,
    retriable: done.refusal?.retriable ?? false,
    charged,
  };
};

const jsonOrNull = (data: Json | undefined): string | null =>
  data === undefined ? null : JSON.stringify(data);

const rateLimited = (by: Subject, quota: number): Done => ({
  refusal: refusal(
    "rate_limited",
    `${by.origin} has used its ${quota} actions of this window; wait, or get quota from somebody`,
  ),
});

const carryOut = (crank: Crank, step: Step, raw: Json): Done => {
  const parsed = parseAction(raw, physicsOf(crank.tx.state).artifacts.json_depth_max);
  if (parsed.kind !== "accepted") return unfit(parsed);
  const action = parsed.answer;
  switch (action.kind) {
    case "noop":
      return { refusal: null, message: "nothing was done", result: null };
    case "read_artifact":
      return read(crank, step, action);
    case "write_artifact":
      return write(crank, step, action);
    case "invoke_artifact":
      return invoke(crank, step, action);
  }
};

const unfit = (decision: Parameters<typeof refused>[0]): Done => {
  const returned = refused(decision);
  return { refusal: returned.ok ? refusal("runtime_error", "refused") : returned.refusal };
};

type Of<K extends Action["kind"]> = Extract<Action, { readonly kind: K }>;

const read = (crank: Crank, step: Step, action: Of<"read_artifact">): Done => {
  const { artifact_id, max_price } = action;
  const command = { kind: "read_artifact", by: step.by, artifact_id, max_price } as const;
  const decision = crank.gated(step, command);
  if (decision.kind !== "accepted") return unfit(decision);
  const artifact = liveArtifact(crank.tx.state, artifact_id);
  const message = `read ${artifact_id}, version ${artifact?.version ?? 0}`;
  return { refusal: null, message, result: null };
};

const write = (crank: Crank, step: Step, action: Of<"write_artifact">): Done => {
  const decision = crank.write(step, action.request);
  if (decision.kind !== "accepted") return unfit(decision);
  const result = JSON.stringify(decision.answer.answer);
  const message = `wrote ${action.request.artifact_id}, ${decision.answer.bytes} bytes`;
  return { refusal: null, message, result };
};

const PREVIEW_CHARS = 100;

const invoke = (crank: Crank, step: Step, action: Of<"invoke_artifact">): Done => {
  const returned = crank.invoke(step, action);
  if (!returned.ok) return { refusal: returned.refusal };
  const { result } = returned;
  const cut = cutText(result, PREVIEW_CHARS);
  const preview = cut === result ? result : `${cut}…`;
  const message = `${action.artifact_id}.${action.method} returned ${preview}`;
  return { refusal: null, message, result };
};
