import { type Event, endsAction } from "../../kernel/index.ts";
import {
  boolean,
  EVENT_COLUMNS,
  type ExportTable,
  integer,
  orNull,
  placeOf,
  text,
} from "./export-table.ts";

const EVENTS_COLUMNS = {
  ...EVENT_COLUMNS,
  kind: text("kind of event ([journal](dev/journal.md#kinds-of-event)), or note of the run"),
  principal: orNull(text("who caused the event; null if the world did")),
  json: text("all other fields of the event, as a JSON object"),
};

export const EVENTS: ExportTable<typeof EVENTS_COLUMNS> = {
  name: "events",
  says: "an event of the journal",
  columns: EVENTS_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { kind, principal, body: json } = step.row;
      return [{ ...placeOf(step), kind, principal, json }];
    },
  }),
};

const ACTION_COLUMNS = {
  ...EVENT_COLUMNS,
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
};

export const ACTIONS: ExportTable<typeof ACTION_COLUMNS> = {
  name: "actions",
  says: "a completed or refused action",
  columns: ACTION_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { event } = step;
      if (event === null || !endsAction(event)) return [];
      const { principal: agent, action, target, method, message, charged } = event;
      const code = event.kind === "action_refused" ? event.code : null;
      return [
        {
          ...placeOf(step),
          agent,
          action,
          target,
          method,
          succeeded: code === null,
          code,
          message,
          charged_scrip: charged.scrip,
          charged_gas: charged.gas,
          charged_bytes: charged.bytes,
        },
      ];
    },
  }),
};

const THOUGHT_COLUMNS = {
  ...EVENT_COLUMNS,
  agent: orNull(text("who thought")),
  outcome: text("`completed`, `failed` or `dropped`"),
  reason: orNull(text("the reason for the decision, or why the thought failed or was dropped")),
  fault: orNull(text("the fault of the model, if a model failed")),
  model_calls: integer("calls of models", "calls"),
  input_tokens: integer("tokens read", "tokens"),
  output_tokens: integer("tokens written", "tokens"),
  cost_micros: integer("what the agent paid from its model budget", "micro-dollars"),
  api_cost_micros: integer("the part owed to a model provider", "micro-dollars"),
};

/** How a thought ended, or null if the event ends no thought. */
const endOf = (event: Event) => {
  switch (event.kind) {
    case "thought_completed":
      return { outcome: "completed", reason: event.reasoning, fault: null };
    case "thought_failed":
      return { outcome: "failed", reason: event.message, fault: event.fault ?? event.reason };
    case "thought_dropped":
      return { outcome: "dropped", reason: event.reason, fault: null };
    default:
      return null;
  }
};

export const THOUGHTS: ExportTable<typeof THOUGHT_COLUMNS> = {
  name: "thoughts",
  says: "a thought of an agent that ended",
  columns: THOUGHT_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { event } = step;
      const end = event === null ? null : endOf(event);
      if (event === null || end === null || !("usage" in event)) return [];
      const { calls: model_calls, ...usage } = event.usage;
      return [{ ...placeOf(step), agent: event.principal, ...end, model_calls, ...usage }];
    },
  }),
};

const CALL_COLUMNS = {
  ...EVENT_COLUMNS,
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
};

export const CALLS: ExportTable<typeof CALL_COLUMNS> = {
  name: "calls",
  says: "a call of a program, by an agent or by another program; native methods are not programs",
  columns: CALL_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { event } = step;
      if (event?.kind !== "artifact_invoked" && event?.kind !== "invocation_failed") return [];
      const { artifact_id, method, caller, principal, depth, gas } = event;
      const about = { artifact_id, method, caller, principal, depth, gas };
      const ended =
        event.kind === "artifact_invoked"
          ? { price: event.price, paid_to: event.paid_to, succeeded: true, code: null }
          : { price: null, paid_to: null, succeeded: false, code: event.code };
      return [{ ...placeOf(step), ...about, ...ended }];
    },
  }),
};
