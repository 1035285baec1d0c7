import type { LogCall } from "../log/log.ts";
import {
  boolean,
  type ExportTable,
  integer,
  orNull,
  type RowOf,
  real,
  text,
} from "./export-table.ts";

const MODEL_CALL_COLUMNS = {
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
};

/** All model calls that `model_calls` of the report counts. Skips damaged records as well. */
export const MODEL_CALLS: ExportTable<typeof MODEL_CALL_COLUMNS> = {
  name: "model_calls",
  says: "a call of a language model or an embedding model",
  columns: MODEL_CALL_COLUMNS,
  open: () => ({ rowOfCall: callRow }),
};

const callRow = ({ id: call_id, call }: LogCall): RowOf<typeof MODEL_CALL_COLUMNS> => {
  const { request, reply, costMicros, priced, atMs } = call;
  const { usage } = reply;
  return {
    call_id,
    at_ms: Math.round(atMs),
    agent: request.agent,
    purpose: request.purpose,
    model: request.model,
    served_by: reply.servedBy,
    succeeded: reply.ok,
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
    cost_micros: costMicros,
    is_priced: priced,
    prompt_chars: request.system.length + request.prompt.length,
  };
};
