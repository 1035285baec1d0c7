import { decodeEvent } from "../../kernel/index.ts";
import { type RecordedCall, readCalls } from "../../mind/index.ts";
import type { Journal } from "../../world/index.ts";
import type { AskedModel, Remembered, ThoughtTrail } from "./thought-trail.ts";

/**
 * The same thoughts, by their numbers, with what models were asked for them and what was remembered
 * then. All are looked up in one pass, since a record of a call may name the text of another one.
 */
export const withCalls = (
  journal: Journal,
  thoughts: readonly ThoughtTrail[],
): ReadonlyMap<number, ThoughtTrail> => {
  const calls = callsOf(journal, thoughts);
  return new Map(
    thoughts.map((thought) => {
      const asked = calls.get(thought.seq) ?? [];
      return [
        thought.seq,
        { ...thought, calls: asked, memories: recalled(journal, thought, asked) },
      ];
    }),
  );
};

const callsOf = (
  journal: Journal,
  thoughts: readonly ThoughtTrail[],
): ReadonlyMap<number, readonly AskedModel[]> => {
  const found = new Map<number, AskedModel[]>();
  const upTo = Math.max(0, ...thoughts.map(({ seq }) => seq));
  // A record is kept under the number of the last event before it.
  let seqOfRecord = 0;
  function* rows() {
    for (const row of journal.modelCalls({ upTo })) {
      seqOfRecord = row.seq;
      yield row;
    }
  }
  for (const read of readCalls(rows())) {
    if (!read.ok) continue;
    const { agent } = read.call.request;
    const thought = thoughts.find(
      ({ agent: thinker, since_seq, seq }) =>
        thinker === agent && since_seq <= seqOfRecord && seqOfRecord < seq,
    );
    if (thought === undefined) continue;
    const asked = found.get(thought.seq) ?? [];
    found.set(thought.seq, [...asked, askedModel(read.id, read.call)]);
  }
  return found;
};

const askedModel = (
  id: number,
  { request, reply, costMicros, atMs }: RecordedCall,
): AskedModel => ({
  id,
  at_ms: atMs,
  model: reply.servedBy,
  purpose: request.purpose,
  system: request.system,
  prompt: request.prompt,
  reply: reply.ok ? reply.text : null,
  fault: reply.ok ? null : reply.fault,
  cost_micros: costMicros,
});

/**
 * A prompt has the first line that says something of what was recalled, and of a long one only the
 * beginning.
 */
const BEGINNING_CHARS = 120;

const recalled = (
  journal: Journal,
  { agent, seq: upTo }: ThoughtTrail,
  calls: readonly AskedModel[],
): readonly Remembered[] => {
  if (calls.length === 0) return [];
  const found: Remembered[] = [];
  for (const row of journal.events({ kind: "memory_recorded", principal: agent, upTo })) {
    const event = decodeEvent(row);
    if (event.kind !== "memory_recorded") continue;
    const { number, at_ms, text } = event;
    const beginning = beginningOf(text);
    if (beginning === "") continue;
    if (calls.some(({ prompt }) => prompt.includes(beginning))) {
      found.push({ number, seq: row.seq, at_ms, text });
    }
  }
  return found.toReversed();
};

const beginningOf = (text: string): string => {
  const [line = ""] = text.trimStart().split("\n", 1);
  return line.trimEnd().slice(0, BEGINNING_CHARS);
};
