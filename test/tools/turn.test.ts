import { expect, it } from "vitest";
import type { View } from "../../src/kernel/index.ts";
import { type Conversation, conversationIn, messagesOf } from "../../src/tools/index.ts";
import { withActionResult, withNewTurn } from "../../src/tools/turn.ts";
import { viewWith } from "../support/view.ts";

const CALL = { id: "a", name: "invoke_artifact" };

/** A turn whose step chose the fifth action of the agent. */
const START = { trigger: "autonomous", owes: null, sent_before: 0 } as const;
const WAITING: Conversation = {
  ...withNewTurn(conversationIn(null), "the situation", START),
  turn: {
    ...START,
    step: 1,
    same: null,
    awaits: false,
    pending: { calls: [CALL], results: [], acting: CALL.id, actions: 4 },
  },
};

const viewAfter = (actions: number): View => {
  const view = viewWith({ acted: true, lastResult: "42" });
  const { agent } = view;
  return { ...view, agent: { ...agent, counters: { ...agent.counters, actions } } };
};

const resultAfter = (actions: number): unknown =>
  messagesOf(withActionResult(WAITING, viewAfter(actions))).at(-1);

it("a call that acts gets the result of its own action", () => {
  const text = expect.stringMatching(/\n42\n<\/data>$/);
  expect(resultAfter(5)).toEqual({ role: "tool", results: [{ ...CALL, text, is_error: false }] });
});

it("a call whose action was dropped does not get the result of another action", () => {
  const text = "[Tool result missing — session was interrupted]";
  for (const actions of [4, 6]) {
    expect(resultAfter(actions)).toEqual({
      role: "tool",
      results: [{ ...CALL, text, is_error: true }],
    });
  }
});
