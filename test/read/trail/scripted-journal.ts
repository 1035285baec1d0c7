import { join } from "node:path";
import { onTestFinished } from "vitest";
import { asId, type Event, type Json } from "../../../src/kernel/index.ts";
import { CallWriter } from "../../../src/model/recording/recorded-call-codec.ts";
import { recordedRequest, requestKey } from "../../../src/model/recording/recording.ts";
import { Journal } from "../../../src/world/index.ts";
import { encodeEvent } from "../../../src/world/journal/wire-codec.ts";
import { answer, request } from "../../model/requests.ts";
import { actionCompleted } from "../../support/iterations.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A call of a model, by what it was asked; the model answers under a name of its own. */
export type ScriptedCall = {
  readonly agent: string;
  readonly prompt: string;
  readonly servedBy?: string;
};

/** Events that happen in one transaction, or a call of a model. */
export type JournalEntry = readonly Event[] | ScriptedCall;

/** A journal in which just this happened, in this order. */
export const journalOf = (...told: readonly JournalEntry[]): Journal => {
  const path = join(temporaryFolder(), "journal.db");
  const opened = Journal.create(path, { sync: "normal", groupMs: 1e6 });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  onTestFinished(() => journal.close());
  const calls = new CallWriter();
  for (const each of told) {
    if ("prompt" in each) journal.noteModelCall((number) => calls.write(callOf(each), number));
    else journal.append({ command: "{}", timedOut: false, events: each.map(encodeEvent) });
  }
  journal.flush();
  return journal;
};

const callOf = ({
  agent,
  prompt,
  servedBy = "small",
}: ScriptedCall): Parameters<CallWriter["write"]>[0] => {
  const asked = recordedRequest(request({ agent: asId(agent), prompt }));
  const about = { costMicros: 20, priced: true, atMs: 0 };
  return { key: requestKey(asked), request: asked, reply: answer({ servedBy }), ...about };
};

const USAGE = { calls: 1, input_tokens: 1, output_tokens: 1, cost_micros: 1, api_cost_micros: 1 };

/** An agent has decided what to do. */
export const thinks = (agent: string, reasoning: string, action: Json = null): Event => ({
  kind: "thought_completed",
  at_ms: 0,
  principal: asId(agent),
  action,
  reasoning,
  mind: { to: null },
  usage: USAGE,
  act_at_ms: 0,
  sleep: null,
});

/** Nothing came of what an agent thought. */
export const failsToThink = (agent: string): Event => ({
  kind: "thought_failed",
  at_ms: 0,
  principal: asId(agent),
  reason: "llm_error",
  message: "it did not answer",
  usage: USAGE,
  next_at_ms: 0,
});

export const remembers = (agent: string, text: string): Event => ({
  kind: "memory_recorded",
  at_ms: 0,
  principal: asId(agent),
  artifact_id: asId(`${agent}_memory`),
  number: 1,
  memory: "observation",
  text,
  through: 0,
});

/** An agent has done what it decided. */
export const acts = (agent: string, action = "invoke_artifact"): Event =>
  actionCompleted(agent, { at_ms: 0, action, next_at_ms: 0 });
