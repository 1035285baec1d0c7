import { eventsOf, type LogCall, lastEvent, readLog } from "../../figures/index.ts";
import type { Json } from "../../kernel/index.ts";
import type { RecordedCall } from "../../model/index.ts";
import type { JournalReader } from "../../world/index.ts";

/** The kinds of events that end a thought. Later model calls belong to the agent's next thought. */
export const THOUGHT_ENDS = ["thought_completed", "thought_failed", "thought_dropped"] as const;

export type ThoughtTrail = {
  readonly seq: number;
  readonly at_ms: number;
  readonly agent: string;
  readonly reasoning: string;
  readonly action: Json;
  readonly cost_micros: number;
  /** The number of the event that ended the agent's previous thought, or 0 if there is none. */
  readonly since_seq: number;
  /** The memories in the prompts of the thought, newest first. */
  readonly memories: ReturnType<typeof recalled>;
  /** The model calls of the thought. Empty if the agent's mind is a program. */
  readonly calls: readonly AskedModel[];
};

/** Event `upTo` ends an action. Returns the thought that led to this action, or null. */
export const thoughtBefore = (
  journal: JournalReader,
  agent: string,
  upTo: number,
): ThoughtTrail | null => {
  const thought = lastEvent(journal, { principal: agent, upTo, kinds: ["thought_completed"] });
  if (thought === null) return null;
  const { seq } = thought;
  return {
    seq,
    at_ms: thought.at_ms,
    agent,
    reasoning: thought.reasoning,
    action: thought.action,
    cost_micros: thought.usage.cost_micros,
    since_seq:
      lastEvent(journal, { principal: agent, upTo: seq - 1, kinds: THOUGHT_ENDS })?.seq ?? 0,
    memories: [],
    calls: [],
  };
};

/**
 * Adds the model calls and memories to the given thoughts, and returns the thoughts by `seq`. Reads
 * all calls in one pass, because the record of a call may refer to the text of another record.
 */
export const withCalls = (
  journal: JournalReader,
  thoughts: readonly ThoughtTrail[],
): ReadonlyMap<number, ThoughtTrail> => {
  const found = callsOf(journal, thoughts);
  return new Map(
    thoughts.map((thought) => {
      const calls = found.get(thought.seq) ?? [];
      const memories = recalled(journal, thought, calls);
      return [thought.seq, { ...thought, calls, memories }];
    }),
  );
};

const callsOf = (
  journal: JournalReader,
  thoughts: readonly ThoughtTrail[],
): ReadonlyMap<number, readonly AskedModel[]> => {
  const found = new Map<number, AskedModel[]>();
  const collect = ({ id, seq, call }: LogCall): void => {
    const { agent } = call.request;
    // `seq` is the number of the last event before the call.
    const thought = thoughts.find(
      (each) => each.agent === agent && each.since_seq <= seq && seq < each.seq,
    );
    if (thought === undefined) return;
    found.set(thought.seq, [...(found.get(thought.seq) ?? []), askedModel(id, call)]);
  };
  const upTo = Math.max(0, ...thoughts.map(({ seq }) => seq));
  readLog(journal, [{ call: collect }], { upTo });
  return found;
};

const askedModel = (id: number, { request, reply, costMicros, atMs }: RecordedCall) => ({
  id,
  at_ms: atMs,
  model: reply.servedBy,
  purpose: request.purpose,
  system: request.system,
  prompt: request.prompt,
  /** The text of the reply. Null if the call failed. In this case, `fault` contains the reason. */
  reply: reply.ok ? reply.text : null,
  fault: reply.ok ? null : reply.fault,
  cost_micros: costMicros,
});

type AskedModel = ReturnType<typeof askedModel>;

/** The first line of a memory, cut to this length, identifies the memory in a prompt. */
const START_CHARS = 120;

const startOf = (text: string): string => {
  const [line = ""] = text.trimStart().split("\n", 1);
  return line.trimEnd().slice(0, START_CHARS);
};

const recalled = (
  journal: JournalReader,
  { agent, seq: upTo }: { readonly agent: string; readonly seq: number },
  calls: readonly AskedModel[],
) => {
  if (calls.length === 0) return [];
  const memories = [...eventsOf(journal, "memory_recorded", { principal: agent, upTo })];
  return memories
    .filter(({ text }) => {
      const start = startOf(text);
      return start !== "" && calls.some(({ prompt }) => prompt.includes(start));
    })
    .map(({ number, seq, at_ms, text }) => ({ number, seq, at_ms, text }))
    .reverse();
};
