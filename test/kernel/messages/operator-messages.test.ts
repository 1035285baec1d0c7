import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  type Message,
  mailboxOf,
  OPERATOR,
  owedFor,
} from "../../../src/kernel/index.ts";
import { calls } from "../../support/commands.ts";
import { changesState, ends, thinks } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import { agent, given, type Scenario } from "../../support/scenario.ts";

const ALICE = agent("alice");

type Sent = { readonly reset?: Message["reset"]; readonly to?: string; readonly reply_to?: number };

const sends = (text: string, { reset = null, to = "alice", reply_to }: Sent = {}): Command => ({
  kind: "send_message",
  at_ms: NOW,
  to: asId(to),
  text,
  reset,
  reply_to: reply_to ?? null,
});

const unread = ({ state }: Scenario, owner = "alice") => mailboxOf(state, asId(owner)).unread;

describe("a message of the operator", () => {
  it("waits in the mailbox until the mind has read it", () => {
    const scene = given(ALICE, sends("one"), sends("", { reset: "conversation" }));
    scene
      .when(sends("three"))
      .thenHappened([
        {
          kind: "message_sent",
          principal: null,
          from: OPERATOR,
          to: asId("alice"),
          number: 3,
          thread: 3,
          text: "three",
        },
      ]);
    expect(unread(scene).map(({ number, text, reset }) => [number, text, reset])).toEqual([
      [1, "one", null],
      [2, "", "conversation"],
      [3, "three", null],
    ]);
    scene.when(thinks("alice", { read_through: 2 })).thenHappened([{ kind: "thought_completed" }]);
    expect(unread(scene)).toMatchObject([{ number: 3 }]);
    // A reset has no text to read again.
    expect(mailboxOf(scene.state, asId("alice")).read).toMatchObject([{ number: 1 }]);
  });

  it("wakes an agent that sleeps", () => {
    const sleep = { for_ms: 10_000, until: [] };
    const scene = given(ALICE, thinks("alice", { sleep }), ends("alice"));
    scene.when(sends("wake up")).thenHappened([
      { kind: "message_sent", number: 1 },
      { kind: "agent_state_changed", from: "sleeping", to: "running", due_at_ms: NOW },
    ]);
  });

  it("keeps an agent awake that would sleep without having read it", () => {
    const sleep = { for_ms: 10_000, until: [] };
    const scene = given(ALICE, thinks("alice", { sleep }), sends("wait"), ends("alice"));
    expect(scene.agent("alice").state).toBe("running");
  });

  it("answers a message that the agent sent, in its thread, and counts it as read", () => {
    const asks = calls("alice", "genesis_messenger.send", { args: ["operator", "May I?"] });
    const scene = given(ALICE, asks);
    expect(unread(scene, "operator")).toMatchObject([{ number: 1, from: "alice" }]);
    scene
      .when(sends("You may.", { reply_to: 1 }))
      .thenHappened([{ kind: "message_sent", number: 2, reply_to: 1, thread: 1 }]);
    expect(unread(scene, "operator")).toEqual([]);
  });

  it("owes an answer, also if it is an answer itself", () => {
    const asks = calls("alice", "genesis_messenger.send", { args: ["operator", "May I?"] });
    const scene = given(ALICE, asks, sends("You may.", { reply_to: 1 }));
    const mailbox = mailboxOf(scene.state, asId("alice"));
    const [answer] = mailbox.unread;
    expect(answer && owedFor(mailbox, answer)).toMatchObject({ number: 2, from: OPERATOR });
  });

  it.each([
    ["for an unknown agent", sends("hi", { to: "bob" }), "not_found"],
    ["without a text", sends(" "), "invalid_argument"],
    ["with a text that is too long", sends("x".repeat(20_001)), "invalid_argument"],
    [
      "as the answer to a message that the agent did not send",
      sends("hi", { reply_to: 9 }),
      "not_found",
    ],
  ] as const)("is refused %s", (_, command, code) => {
    given(ALICE).when(command).thenRefused(code);
  });

  it("is refused if the mailbox is full", () => {
    const eight = Array.from({ length: 8 }, (_, n) => sends(String(n)));
    given(ALICE, ...eight)
      .when(sends("more"))
      .thenRefused("quota_exceeded", /the mailbox of alice is full/);
  });

  it("is refused for an agent that has stopped", () => {
    given(ALICE, changesState("alice", "stopped"))
      .when(sends("hi"))
      .thenRefused("invalid_argument");
  });
});
