import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summaryQuestion, withSummary } from "../../../src/tools/conversation/compaction.ts";
import { fitted, resultsFor, withMessages } from "../../../src/tools/conversation/conversation.ts";
import { conversationIn, messagesOf } from "../../../src/tools/index.ts";
import { conversationOf, EMPTY, turn, unpaired } from "./conversations.ts";

const turns = fc.array(fc.array(fc.nat(5_000), { maxLength: 5 }), { minLength: 1, maxLength: 6 });

describe("a conversation that is cut to a window", () => {
  it("starts with a turn, and keeps the last turn and the result of every call", () => {
    fc.assert(
      fc.property(turns, fc.nat(6_000), (lengths, tokensMax) => {
        const whole = conversationOf(lengths);
        const messages = messagesOf(fitted(whole, tokensMax));
        expect(messages[0]?.role).toBe("user");
        expect(messages).toContainEqual({ role: "user", text: `turn ${lengths.length - 1}` });
        expect(unpaired(messages)).toEqual([]);
      }),
    );
  });

  it("drops the oldest turns first, and nothing if it fits", () => {
    const whole = conversationOf([[3_000], [3_000], [30]]);
    expect(fitted(whole, 10_000)).toBe(whole);
    expect(messagesOf(fitted(whole, 1_500))[0]).toEqual({ role: "user", text: "turn 1" });
    expect(messagesOf(fitted(whole, 300))[0]).toEqual({ role: "user", text: "turn 2" });
  });

  const textsOf = (tokensMax: number): readonly string[] =>
    messagesOf(fitted(conversationOf([[9_000, 9_000]]), tokensMax)).flatMap((message) =>
      message.role === "tool" ? message.results.map(({ text }) => text) : [],
    );

  it("does not cut a result once more that it has cut", () => {
    const once = fitted(conversationOf([[9_000, 9_000]]), 1_000);
    expect(fitted(once, 100)).toEqual(once);
  });

  it("cuts old results of the turn in progress first, and the last result last", () => {
    const [old, last] = textsOf(3_500);
    expect(old).toMatch(/x\n\[truncated \d+ chars\]$/);
    expect(last).toBe("x".repeat(9_000));
    for (const text of textsOf(1_000)) expect(text).toMatch(/x\n\[truncated \d+ chars\]$/);
  });
});

describe("a summary", () => {
  const question = (lengths: readonly (readonly number[])[], windowTokens = 1e6) =>
    summaryQuestion(conversationOf(lengths), windowTokens);

  it("is asked for above 20 messages, or above 75 % of the window", () => {
    const short = Array.from({ length: 6 }, () => [10]);
    expect(question(short)).toBeNull();
    expect(question([...short, [10]])?.question.purpose).toBe("summary");
    expect(question([[4_000], [4_000], [10, 10]], 2_500)?.question.purpose).toBe("summary");
  });

  it("replaces whole turns, and keeps at least 4 messages as they are", () => {
    fc.assert(
      fc.property(turns, (lengths) => {
        const asked = question(lengths, 100);
        if (asked === null) return;
        const kept = Object.values(asked.rest.messages);
        expect(kept.length).toBeGreaterThanOrEqual(4);
        expect(kept[0]?.role).toBe("user");
        expect(messagesOf(conversationOf(lengths)).slice(-kept.length)).toEqual(kept);
      }),
    );
  });

  it("has a digest in its place until it is written", () => {
    const { rest = EMPTY } = question([[4_000], [4_000], [10, 10]], 2_500) ?? {};
    expect(rest.summary).toMatch(/^\[Dropped without a summary: 6 messages\./);
  });

  it("comes before the messages that are kept, and goes into the next summary", () => {
    const rest = question([[4_000], [4_000], [10, 10]], 2_500)?.rest ?? EMPTY;
    const summarized = withSummary(rest, " They look. ");
    expect(messagesOf(summarized)[0]).toEqual({
      role: "user",
      text: "[Conversation summary]\nThey look.",
    });
    const longer = withMessages(summarized, [turn([9_000], 9), turn([10, 10], 10)].flat());
    expect(summaryQuestion(longer, 2_500)?.question.prompt).toContain("[earlier]\nThey look.");
  });
});

it("a call without a result gets one that says so", () => {
  const calls = [
    { id: "a", name: "look" },
    { id: "b", name: "read_file" },
  ];
  const known = { id: "b", name: "read_file", text: "text", is_error: false };
  expect(resultsFor(calls, [known])).toEqual([
    {
      id: "a",
      name: "look",
      text: "[Tool result missing — session was interrupted]",
      is_error: true,
    },
    known,
  ]);
});

it("the memory of another mind is an empty conversation", () => {
  for (const mind of [null, { policy: 1 }, { messages: 3 }, "x"]) {
    expect(conversationIn(mind)).toMatchObject(EMPTY);
  }
});
