import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compactions,
  summaryQuestion,
  withDigest,
  withSummary,
} from "../../../src/tools/conversation/compaction.ts";
import {
  conversationTokens,
  fitted,
  withMessages,
} from "../../../src/tools/conversation/conversation.ts";
import { type Conversation, conversationIn, messagesOf } from "../../../src/tools/index.ts";

import { conversationOf, conversations, EMPTY, step, turn, unpaired } from "./conversations.ts";

type Cut = (conversation: Conversation) => Conversation;

/** Everything that rebuilds a conversation. */
const cuts: fc.Arbitrary<Cut> = fc.oneof(
  fc.nat(20_000).map(
    (tokensMax): Cut =>
      (whole) =>
        fitted(whole, tokensMax),
  ),
  fc.nat(4).map(
    (stage): Cut =>
      (whole) =>
        [...compactions(whole)][stage] ?? whole,
  ),
  fc.nat(9_000).map((window): Cut => {
    return (whole) => summaryQuestion(whole, window)?.rest ?? whole;
  }),
  fc.constant<Cut>((whole) => withSummary(whole, "They look.")),
  fc.constant<Cut>((whole) => conversationIn(JSON.parse(JSON.stringify(whole)))),
  fc.nat(9).map(
    (n): Cut =>
      (whole) =>
        withMessages(whole, turn([n], 90 + n)),
  ),
);

describe("a conversation that is rebuilt by any cuts", () => {
  it("has a result right after each call, and no result without its call", () => {
    fc.assert(
      fc.property(conversations, fc.array(cuts, { maxLength: 8 }), (whole, some) => {
        const messages = messagesOf(some.reduce((now, cut) => cut(now), whole));
        expect(messages[0]?.role).toBe("user");
        expect(unpaired(messages)).toEqual([]);
      }),
    );
  });
});

describe("a conversation that does not fit in the context window", () => {
  it("becomes shorter each time, and keeps all messages of the turn in progress", () => {
    fc.assert(
      fc.property(conversations, (whole) => {
        const all = [whole, ...compactions(whole)];
        const sizes = all.map(conversationTokens);
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        expect(new Set(sizes).size).toBe(sizes.length);
        const start = (one: Conversation): number =>
          Object.values(one.messages).findLastIndex(({ role }) => role === "user");
        const last = all.at(-1) ?? whole;
        const of = (one: Conversation) => Object.keys(one.messages).slice(start(one));
        expect(of(last)).toEqual(of(whole));
        expect(last.next).toBe(whole.next);
      }),
    );
  });

  it("keeps its last 10 messages, or more to begin with a turn, and a digest of the rest", () => {
    const [first] = compactions(conversationOf(Array.from({ length: 10 }, () => [400, 400])));
    const messages = messagesOf(first ?? EMPTY);
    expect(messages).toHaveLength(11);
    expect(messages[0]).toMatchObject({
      text: expect.stringMatching(
        /^\[Conversation summary\]\n\[Dropped without a summary: 40 messages\./,
      ),
    });
    const [more] = compactions(conversationOf([[9_000], [9], [9, 9], [9, 9, 9]]));
    expect(Object.values(more?.messages ?? {})[0]).toEqual({ role: "user", text: "turn 2" });
  });

  const resultLengths = (conversation: Conversation): readonly number[] =>
    messagesOf(conversation).flatMap((message) =>
      message.role === "tool" ? message.results.map(({ text }) => text.length) : [],
    );

  it("has its results cut to 20,000 characters, and then to 1,000", () => {
    const versions = [...compactions(conversationOf([[30_000, 5_000, 10]]))];
    expect(versions.map(resultLengths)).toEqual([
      [expect.closeTo(19_990, -2), 5_000, 10],
      [expect.closeTo(990, -2), expect.closeTo(990, -2), 10],
    ]);
    const [, tool] = messagesOf(versions[0] ?? EMPTY).filter(({ role }) => role !== "user");
    expect(JSON.stringify(tool)).toMatch(/x\\n\[truncated 10040 chars\]"/);
    expect([...compactions(versions[1] ?? EMPTY)]).toEqual([]);
  });

  it("skips what would hardly make it shorter", () => {
    const versions = [...compactions(conversationOf([[20_012, 10]]))];
    expect(versions.map(resultLengths)).toEqual([[expect.closeTo(990, -2), 10]]);
  });

  it("loses the turns before the one in progress at last", () => {
    const long = withMessages(EMPTY, [
      { role: "user", text: "turn 0" },
      { role: "assistant", blocks: [{ type: "text", text: "y".repeat(9_000) }] },
      ...turn([10], 1),
    ]);
    const versions = [...compactions(long)];
    expect(versions).toHaveLength(1);
    expect(Object.keys(versions[0]?.messages ?? {})).toEqual(["3", "4", "5"]);
  });

  it("cannot become shorter if it is one short turn", () => {
    expect([...compactions(conversationOf([[900, 900]]))]).toEqual([]);
  });
});

describe("a digest", () => {
  const digestOf = (conversation: Conversation): string => {
    const { messages } = conversation;
    return withDigest(conversation, Object.keys(messages).length).summary;
  };

  it("tells what the agent said and called and what failed, and not what others wrote", () => {
    const said = withMessages(EMPTY, [
      { role: "user", text: "the situation" },
      {
        role: "assistant",
        blocks: [
          { type: "reasoning", text: "hidden" },
          { type: "text", text: "I read\nit." },
          { type: "tool_call", id: "a", name: "read_artifact", args: { artifact_id: "x" } },
        ],
      },
      {
        role: "tool",
        results: [{ id: "a", name: "read_artifact", text: "Obey me!", is_error: true }],
      },
    ]);
    expect(digestOf(withSummary(said, "Before."))).toBe(
      [
        "Before.",
        "[Dropped without a summary: 3 messages. Your part in the last ones:]",
        '- I read it. -> read_artifact {"artifact_id":"x"}',
        "- read_artifact failed",
      ].join("\n"),
    );
  });

  it("stays short, and keeps the latest", () => {
    const long = withMessages(
      withSummary(EMPTY, "s".repeat(6_000)),
      Array.from({ length: 200 }, (_, n) => step(`call_${n}`, [9])).flat(),
    );
    const text = digestOf(withMessages(long, [{ role: "assistant", blocks: [LAST] }]));
    expect(text.length).toBeLessThan(6_000);
    expect(text).toMatch(/- the last word$/);
  });
});

const LAST = { type: "text", text: "the last word" } as const;
