import { endsAction, type ThoughtUsage } from "../../kernel/index.ts";
import {
  boolean,
  EVENT_COLUMNS,
  eventTable,
  integer,
  orNull,
  placeOf,
  real,
  tableOf,
  text,
} from "./export-table.ts";

export const EVENTS = tableOf(
  "events",
  "an event of the journal",
  {
    ...EVENT_COLUMNS,
    kind: text("kind of event ([journal](dev/journal.md#kinds-of-event)), or note of the run"),
    principal: orNull(text("who caused the event; null if the world did")),
    json: text("all other fields of the event, as a JSON object"),
  },
  () => ({
    rowsOf: (step) => {
      const { kind, principal, body: json } = step.row;
      return [{ ...placeOf(step), kind, principal, json }];
    },
  }),
);

export const ACTIONS = eventTable(
  "actions",
  "a completed or refused action",
  {
    agent: orNull(text("who acted")),
    action: text("kind of action"),
    target: orNull(text("the artifact that the action names")),
    method: orNull(text("the called method")),
    succeeded: boolean("false if the action was refused"),
    code: orNull(text("code of the refusal")),
    message: text("the result in words"),
    charged_scrip: integer("the agent's loss of scrip, free and held; 0 after a gain", "scrip"),
    charged_gas: integer("the gas that the action used", "gas"),
    charged_bytes: integer("the bytes that the action wrote", "bytes"),
  },
  (event) => {
    if (!endsAction(event)) return null;
    const { principal: agent, action, target, method, message, charged } = event;
    const code = event.kind === "action_refused" ? event.code : null;
    const { scrip: charged_scrip, gas: charged_gas, bytes: charged_bytes } = charged;
    const charges = { charged_scrip, charged_gas, charged_bytes };
    return { agent, action, target, method, succeeded: code === null, code, message, ...charges };
  },
);

export const THOUGHTS = eventTable(
  "thoughts",
  "a thought of an agent that ended",
  {
    agent: orNull(text("who thought")),
    outcome: text("`completed`, `failed` or `dropped`"),
    reason: orNull(text("the reason for the decision, or why the thought failed or was dropped")),
    fault: orNull(text("the fault of the model, if a model failed")),
    model_calls: integer("calls of models", "calls"),
    input_tokens: integer("tokens read", "tokens"),
    output_tokens: integer("tokens written", "tokens"),
    cost_micros: integer("what the agent paid from its model budget", "micro-dollars"),
    api_cost_micros: integer("the part owed to a model provider", "micro-dollars"),
  },
  (event) => {
    switch (event.kind) {
      case "thought_completed":
        return { outcome: "completed", reason: event.reasoning, fault: null, ...costOf(event) };
      case "thought_failed": {
        const fault = event.fault ?? event.reason;
        return { outcome: "failed", reason: event.message, fault, ...costOf(event) };
      }
      case "thought_dropped":
        return { outcome: "dropped", reason: event.reason, fault: null, ...costOf(event) };
      default:
        return null;
    }
  },
);

const costOf = ({
  principal: agent,
  usage,
}: {
  readonly principal: string | null;
  readonly usage: ThoughtUsage;
}) => ({ agent, ...usage, model_calls: usage.calls });

export const CALLS = eventTable(
  "calls",
  "a call of a program, by an agent or by another program; native methods are not programs",
  {
    artifact_id: text("the called program or contract"),
    method: text("the called method"),
    caller: text("the agent or program that made the call"),
    principal: orNull(text("the agent whose action caused the call")),
    depth: integer("0 for a call by an agent, 1 for a call within this call, and so on"),
    price: orNull(integer("the price paid; null if the call failed", "scrip")),
    paid_to: orNull(text("who was paid; null if nothing was paid")),
    gas: integer("the gas that the program used", "gas"),
    succeeded: boolean("false if the call failed and was rolled back"),
    code: orNull(text("code of the failure")),
  },
  (event) => {
    if (event.kind !== "artifact_invoked" && event.kind !== "invocation_failed") return null;
    const { artifact_id, method, caller, principal, depth, gas } = event;
    const about = { artifact_id, method, caller, principal, depth, gas };
    if (event.kind === "invocation_failed") {
      return { ...about, price: null, paid_to: null, succeeded: false, code: event.code };
    }
    return { ...about, price: event.price, paid_to: event.paid_to, succeeded: true, code: null };
  },
);

/** All model calls that `model_calls` of the report counts. Skips damaged records as well. */
export const MODEL_CALLS = tableOf(
  "model_calls",
  "a call of a language model or an embedding model",
  {
    call_id: integer("number of the call, from 1"),
    at_ms: integer("run time: start of the thought, or end of a call outside of thoughts", "ms"),
    agent: orNull(text("the agent that paid; null if the run paid")),
    purpose: text(
      "why the model was called, such as `decide`, `step`, or the name of a workflow step",
    ),
    model: text("the requested model"),
    served_by: text("the model of the last attempt; it may be a fallback"),
    succeeded: boolean("false if the call failed"),
    fault: orNull(text("the fault of a failed call ([models](models.md#when-a-call-fails))")),
    error: orNull(text("message of the fault")),
    attempts: orNull(integer("requests to providers; null if unknown", "requests")),
    latency_ms: real("real time of all attempts, without queues", "ms"),
    input_tokens: integer("tokens read, also cached ones", "tokens"),
    cached_input_tokens: integer("tokens that the provider read from its cache", "tokens"),
    cache_write_tokens: integer("tokens that the provider wrote to its cache", "tokens"),
    output_tokens: integer("tokens written, also reasoning", "tokens"),
    reasoning_tokens: integer("tokens of reasoning", "tokens"),
    is_estimated: boolean("true if the provider gave no valid counts of tokens"),
    cost_micros: integer("cost of the call", "micro-dollars"),
    is_priced: boolean("false if the cost is based on the default price"),
    prompt_chars: integer("length of the prompt, with the system text", "characters"),
  },
  () => ({
    rowOfCall: ({ id: call_id, call }) => {
      const { request, reply, costMicros: cost_micros, priced: is_priced, atMs } = call;
      const { agent, purpose, model, system, prompt } = request;
      const { usage, ok: succeeded } = reply;
      return {
        call_id,
        at_ms: Math.round(atMs),
        agent,
        purpose,
        model,
        served_by: reply.servedBy,
        succeeded,
        fault: reply.ok ? null : reply.fault,
        error: reply.ok ? null : reply.message,
        attempts: reply.attempts?.length ?? null,
        latency_ms: reply.latencyMs,
        input_tokens: usage.input,
        cached_input_tokens: usage.cachedInput,
        cache_write_tokens: usage.cacheWrite,
        output_tokens: usage.output,
        reasoning_tokens: usage.reasoning,
        is_estimated: usage.estimated,
        cost_micros,
        is_priced,
        prompt_chars: system.length + prompt.length,
      };
    },
  }),
);
