import fc from "fast-check";
import type { ChatMessage, ToolResult } from "../../../src/model/index.ts";
import { resultsFor, withMessages } from "../../../src/tools/conversation/conversation.ts";
import { type Conversation, conversationIn } from "../../../src/tools/index.ts";

export const EMPTY = conversationIn(null);

/** A step that makes as many calls as there are results, by the lengths of the results. */
export const step = (id: string, lengths: readonly number[]): readonly ChatMessage[] => {
  const calls = lengths.map((_, at) => ({ id: `${id}_${at}`, name: "look" }));
  const results = lengths.map((length, at): ToolResult => {
    return { id: `${id}_${at}`, name: "look", text: "x".repeat(length), is_error: false };
  });
  return [
    {
      role: "assistant",
      blocks: calls.map((call) => ({ type: "tool_call", ...call, args: {} }) as const),
    },
    { role: "tool", results: resultsFor(calls, results) },
  ];
};

/** A turn with a step of one call for each length. */
export const turn = (lengths: readonly number[], n: number): readonly ChatMessage[] => [
  { role: "user", text: `turn ${n}` },
  ...lengths.flatMap((length, at) => step(`call_${n}_${at}`, [length])),
];

export const conversationOf = (lengths: readonly (readonly number[])[]): Conversation =>
  withMessages(EMPTY, lengths.flatMap(turn));

const result = fc.oneof(fc.nat(40), fc.nat(5_000), fc.nat(40_000));
const steps = fc.array(fc.array(result, { minLength: 1, maxLength: 3 }), { maxLength: 6 });

/** Whole turns with several calls in a step. Some end with a word, as the last step of a turn. */
const turns = fc.array(fc.record({ steps, hasEnd: fc.boolean() }), { minLength: 1, maxLength: 6 });

export const conversations: fc.Arbitrary<Conversation> = turns.map((all) =>
  withMessages(
    EMPTY,
    all.flatMap((one, n): readonly ChatMessage[] => [
      { role: "user", text: `turn ${n}` },
      ...one.steps.flatMap((lengths, at) => step(`call_${n}_${at}`, lengths)),
      ...(one.hasEnd
        ? [{ role: "assistant", blocks: [{ type: "text", text: "Done." }] } as const]
        : []),
    ]),
  ),
);

const callsOf = (message: ChatMessage | undefined): readonly string[] =>
  message?.role === "assistant"
    ? message.blocks.flatMap((block) => (block.type === "tool_call" ? [block.id] : []))
    : [];

const answersOf = (message: ChatMessage | undefined): readonly string[] =>
  message?.role === "tool" ? message.results.map(({ id }) => id) : [];

/** The places where calls and results do not stand side by side. Providers refuse such messages. */
export const unpaired = (messages: readonly ChatMessage[]): readonly string[] =>
  [...messages, undefined].flatMap((message, at) => {
    const called = callsOf(messages[at - 1]).join();
    const answered = answersOf(message).join();
    return called === answered ? [] : [`${at}: calls ${called}, results ${answered}`];
  });
