import { describe, expect, it } from "vitest";
import { asId, type Command, type OperatorMessage } from "../../../src/kernel/index.ts";
import { changesState, ends, thinks } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import { agent, given } from "../../support/scenario.ts";

const ALICE = agent("alice");
const sends = (
  text: string,
  reset: OperatorMessage["reset"] = null,
  to = asId("alice"),
): Command => ({ kind: "send_message", at_ms: NOW, to, text, reset });

describe("a message of the operator", () => {
  it("waits for the mind, with a number for each agent", () => {
    const scene = given(ALICE, sends("one"), sends("", "conversation"));
    scene
      .when(sends("three"))
      .thenHappened([
        { kind: "message_sent", principal: null, to: asId("alice"), number: 3, text: "three" },
      ]);
    const { messages = [] } = scene.state.agents.get(asId("alice")) ?? {};
    expect(messages.map(({ number, text, reset }) => [number, text, reset])).toEqual([
      [1, "one", null],
      [2, "", "conversation"],
      [3, "three", null],
    ]);
  });

  it("is gone when the mind has taken it", () => {
    const scene = given(ALICE, sends("one"), sends("two"), thinks("alice", { taken: 1 }));
    const { messages, messagesReceived } = scene.state.agents.get(asId("alice")) ?? {};
    expect(messages).toMatchObject([{ number: 2, text: "two" }]);
    expect(messagesReceived).toBe(2);
  });

  it("wakes an agent that sleeps", () => {
    const sleep = { for_ms: 10_000, until: [] };
    const scene = given(ALICE, thinks("alice", { sleep }), ends("alice"));
    scene.when(sends("wake up")).thenHappened([
      { kind: "message_sent", number: 1 },
      { kind: "agent_state_changed", from: "sleeping", to: "running", due_at_ms: NOW },
    ]);
  });

  it.each([
    ["an unknown agent", sends("hi", null, asId("bob")), "not_found"],
    ["a text that is too long", sends("x".repeat(20_001)), "invalid_argument"],
  ] as const)("is refused for %s", (_, command, code) => {
    given(ALICE).when(command).thenRefused(code);
  });

  it("is refused if twenty messages wait", () => {
    const twenty = Array.from({ length: 20 }, (_, n) => sends(String(n)));
    given(ALICE, ...twenty)
      .when(sends("more"))
      .thenRefused("invalid_argument");
  });

  it("is refused for an agent that has stopped", () => {
    given(ALICE, changesState("alice", "stopped"))
      .when(sends("hi"))
      .thenRefused("invalid_argument");
  });
});
