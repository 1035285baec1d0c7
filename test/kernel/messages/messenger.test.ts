import { describe, expect, it } from "vitest";
import { asId, type Command, type Json, mailboxOf } from "../../../src/kernel/index.ts";
import { type Actor, by, calls, deletes, inside, spawns } from "../../support/commands.ts";
import { changesState, thinks } from "../../support/iterations.ts";
import { NOW, physicsWith, QUOTAS } from "../../support/physics.ts";
import {
  agent,
  changedAccount,
  given,
  givenIn,
  type Past,
  program,
  type Scenario,
  standing,
} from "../../support/scenario.ts";

const PEOPLE: readonly Past[] = ["ada", "bob", "cyd", "dan"].map((id) => agent(id));

const does = (who: Actor, method: string, ...args: readonly Json[]) =>
  calls(who, `genesis_messenger.${method}`, { args });

/** A letter with a text and options. */
const sends = (who: Actor, to: string, ...letter: readonly Json[]) =>
  does(who, "send", to, ...(letter.length === 0 ? ["hello"] : letter));

const at = (who: string, atMs: number): Actor => ({ ...by(who), atMs });

const box = ({ state }: Scenario, owner: string) => mailboxOf(state, asId(owner));

describe("a message", () => {
  it("is in both mailboxes, and only there", () => {
    const scene = given(...PEOPLE);
    scene
      .when(sends("ada", "bob", "What does it cost?"))
      .thenAnswered({ message: 1, to: "bob", thread: 1 });
    expect(box(scene, "bob").unread).toMatchObject([
      { number: 1, from: "ada", text: "What does it cost?", thread: 1, replyTo: null },
    ]);
    scene
      .when(does("bob", "received"))
      .thenAnswered([{ message: 1, from: "ada", text: "What does it cost?", read: false }]);
    scene.when(does("ada", "sent")).thenAnswered([{ message: 1, to: "bob" }]);
    scene.when(does("cyd", "received")).thenAnswered([]);
    expect(JSON.stringify(scene.when(calls("cyd", "genesis_event_log.read")).answer)).not.toContain(
      "What does it cost?",
    );
  });

  it("stays in its thread when it is answered", () => {
    const scene = given(...PEOPLE, sends("ada", "bob"), sends("cyd", "dan"));
    scene
      .when(sends("bob", "ada", "3 scrip", { reply_to: 1 }))
      .thenAnswered({ message: 3, thread: 1 });
    expect(box(scene, "ada").unread).toMatchObject([{ number: 3, thread: 1, replyTo: 1 }]);
  });

  it("brings scrip along, which the addressee has at once", () => {
    const scene = given(...PEOPLE);
    scene.when(sends("ada", "bob", "for you", { attach: 7 })).thenHappened([
      { kind: "scrip_transferred", from: "ada", to: "bob", amount: 7, reason: "attached" },
      { kind: "message_sent", scrip: 7 },
    ]);
    expect(scene.balances()).toMatchObject({ ada: 93, bob: 107 });
  });

  it("is read when the mind was shown it, or when its owner says so", () => {
    const scene = given(...PEOPLE, sends("ada", "bob"), sends("cyd", "bob"), sends("ada", "bob"));
    scene.when(thinks("bob", { read_through: 1 })).thenHappened([{ kind: "thought_completed" }]);
    expect(box(scene, "bob").unread).toHaveLength(2);
    scene.when(does("bob", "mark_read", 2)).thenAnswered({ read: 1, unread: 1 });
    expect(box(scene, "bob")).toMatchObject({
      read: [{ number: 1 }, { number: 2 }],
      unread: [{ number: 3 }],
    });
  });

  it("is forgotten when newer ones are read: a mailbox keeps the last three", () => {
    const steps = [1, 2, 3, 4].flatMap((taken) => [
      sends(taken % 2 === 0 ? "ada" : "cyd", "bob"),
      does("bob", "mark_read", taken),
    ]);
    const scene = given(...PEOPLE, ...steps);
    expect(box(scene, "bob").read.map(({ number }) => number)).toEqual([2, 3, 4]);
    scene.when(sends("bob", "cyd", "late", { reply_to: 1 })).thenRefused("not_found");
  });
});

describe("a message is refused", () => {
  it.each<readonly [string, ReturnType<typeof sends>, string, RegExp]>([
    ["to an unknown principal", sends("ada", "zed"), "not_found", /"zed" is not a principal/],
    ["to an address that is not an id", sends("ada", "a b"), "invalid_argument", /an id has/],
    ["to its sender", sends("ada", "ada"), "invalid_argument", /to yourself/],
    ["without a text", sends("ada", "bob", " "), "invalid_argument", /must have a text/],
    [
      "with a long text",
      sends("ada", "bob", "x".repeat(201)),
      "invalid_argument",
      /200 characters/,
    ],
    [
      "with 1 MB",
      sends("ada", "bob", "x".repeat(1e6)),
      "invalid_argument",
      /args are 1000010 bytes of JSON/,
    ],
    [
      "as a reply to an unknown one",
      sends("ada", "bob", "x", { reply_to: 5 }),
      "not_found",
      /no message 5/,
    ],
    [
      "with scrip that its sender lacks",
      sends("ada", "bob", "x", { attach: 101 }),
      "insufficient_funds",
      /101/,
    ],
    [
      "with scrip that comes with the call",
      calls("ada", "genesis_messenger.send", { args: ["bob", "x"], scrip: 3 }),
      "invalid_argument",
      /send accepts no attached scrip; give { "attach": N } as its third argument$/,
    ],
    [
      "with scrip for the operator",
      sends("ada", "operator", "x", { attach: 1 }),
      "invalid_argument",
      /no account/,
    ],
    [
      "with unknown options",
      sends("ada", "bob", "x", { from: "cyd" }),
      "interface_mismatch",
      /from/,
    ],
  ])("%s", (_, command, code, words) => {
    const scene = given(...PEOPLE);
    scene.when(command).thenRefused(code as never, words);
    expect(scene.balances()).toMatchObject({ ada: 100, bob: 100 });
  });

  it("with text that is not well-formed", () => {
    const scene = given(...PEOPLE);
    scene.when(sends("ada", "bob", "\ud800")).thenRefused("invalid_argument", /well-formed/);
    scene.when(sends("ada", "bob", "a\u0000")).thenRefused("invalid_argument", /NUL/);
  });

  it("from a program without an account, which has no mailbox", () => {
    given(...PEOPLE, program("bot", "cyd"))
      .when(sends(inside("ada", "bot"), "bob"))
      .thenRefused("not_authorized", /bot has no account/);
  });

  it("to an agent that has stopped", () => {
    given(...PEOPLE, changesState("bob", "stopped"))
      .when(sends("ada", "bob"))
      .thenRefused("invalid_argument", /stopped for good/);
  });

  it("if two of the same sender are unread", () => {
    const scene = given(...PEOPLE, sends("ada", "bob"), sends("ada", "bob"));
    scene
      .when(sends("ada", "bob"))
      .thenRefused("quota_exceeded", /not read the last 2 messages of you and your family/);
    scene.when(sends("cyd", "bob")).thenAnswered({ message: 3 });
  });

  it("if a program of the same family has filled the sender's share", () => {
    const scene = given(...PEOPLE, standing("shop", "ada"), sends("ada", "bob"));
    scene.when(sends(inside("ada", "shop"), "bob")).thenAnswered({ message: 2 });
    scene.when(sends("ada", "bob")).thenRefused("quota_exceeded", /of you and your family/);
  });

  it("if the mailbox is full", () => {
    const full = ["ada", "ada", "cyd", "cyd"].map((who) => sends(who, "bob"));
    given(...PEOPLE, ...full)
      .when(sends("dan", "bob"))
      .thenRefused("quota_exceeded", /the mailbox of bob is full/);
  });

  it("if its sender has sent too many in the window", () => {
    const five = ["bob", "bob", "cyd", "cyd", "dan"].map((to) => sends("ada", to));
    const scene = given(...PEOPLE, ...five);
    scene.when(sends(at("ada", 60_999), "dan")).thenRefused("rate_limited", /at 61 s/);
    scene.when(sends(at("ada", 61_000), "dan")).thenAnswered({ message: 6 });
  });

  it("if a program has sent too many, by all who run it; each of them can still send", () => {
    const five = ["bob", "bob", "cyd", "cyd", "operator"].map((to) =>
      sends(inside("ada", "shop"), to),
    );
    const scene = given(...PEOPLE, standing("shop", "dan"), ...five);
    const rule = /^shop sends at most 5 messages in 60 s; send the next one at 61 s$/;
    for (const caller of ["ada", "bob", "dan"]) {
      scene.when(sends(inside(caller, "shop"), "operator")).thenRefused("rate_limited", rule);
      scene.when(sends(caller, "operator")).thenAnswered({ to: "operator" });
    }
    scene.when(sends({ ...inside("ada", "shop"), atMs: 61_000 }, "operator")).thenAnswered({});
  });

  it("of more programs than a family may have: one that has sent stays for a window", () => {
    const scene = given(...PEOPLE, standing("shop", "ada"), sends(inside("ada", "shop"), "bob"));
    const rule = /^shop sent a message in the last \d+ s; delete shop at 61 s or later$/;
    scene.when(deletes("ada", "shop")).thenRefused("rate_limited", rule);
    scene.when(deletes(at("ada", 60_999), "shop")).thenRefused("rate_limited", rule);
    scene.when(deletes(at("ada", 61_000), "shop")).thenAnswered({ artifact: "shop" });
  });

  it("if its sender cannot pay the fee on top of the scrip", () => {
    const physics = physicsWith({ genesis: { costs: { genesis_messenger: { send: 3 } } } });
    const scene = givenIn(physics, ...PEOPLE);
    scene.when(sends("ada", "bob", "x", { attach: 98 })).thenRefused("insufficient_funds");
    scene.when(sends("ada", "bob", "x", { attach: 97 })).thenAnswered({ message: 1 });
    expect(scene.balances()).toMatchObject({ ada: 0, bob: 197 });
  });
});

describe("a mailbox", () => {
  it("goes with its account, and messages to it are refused", () => {
    const scene = given(
      ...PEOPLE,
      standing("shop", "cyd"),
      sends("ada", "shop"),
      deletes("cyd", "shop"),
    );
    expect(scene.state.mailboxes.has(asId("shop"))).toBe(false);
    expect(box(scene, "ada").sent).toMatchObject([{ to: "shop" }]);
    scene.when(sends("ada", "shop")).thenRefused("not_found");
  });
});

describe("an answer", () => {
  it("goes only to the sender of the message that it answers", () => {
    given(...PEOPLE, sends("ada", "bob"))
      .when(sends("bob", "cyd", "hi", { reply_to: 1 }))
      .thenRefused("invalid_argument", /message 1 is from ada, who gets its answer, not cyd/);
  });
});

describe("the contacts of an agent", () => {
  const only = { ...agent("ada"), contacts: [asId("bob")] };
  const others = ["bob", "cyd"].map((id) => agent(id));

  it("are the only addresses for it, for a program that it runs, and for its children", () => {
    const shop = changedAccount("shop", { quotas: QUOTAS, diskQuota: 5_000 });
    const scene = given(only, ...others, standing("shop", "bob"), shop);
    scene.when(sends("ada", "cyd")).thenRefused("not_authorized", /only to bob, not to cyd/);
    scene.when(sends(inside("ada", "shop"), "cyd")).thenRefused("not_authorized", /only to bob/);
    const kid = spawns(inside("ada", "shop"), {
      id: "kid",
      config: "{}",
      actions: 5,
      disk_bytes: 1_000,
    });
    scene.when(kid).thenAnswered({ id: "kid" });
    expect(scene.agent("kid").contacts).toEqual(["bob"]);
    scene
      .when(sends("kid", "cyd"))
      .thenRefused("not_authorized", /kid may send messages only to bob/);
  });

  it("can be replaced from outside", () => {
    const scene = given(only, ...others);
    const replaces = (id: string, contacts: readonly string[] | null): Command => ({
      ...{ kind: "set_contacts", at_ms: NOW, agent: asId(id) },
      contacts: contacts?.map(asId) ?? null,
    });
    scene.when(replaces("ada", ["cyd"])).thenHappened("contacts_set");
    scene.when(sends("ada", "bob")).thenRefused("not_authorized", /only to cyd, not to bob/);
    scene.when(sends("ada", "cyd")).thenAnswered({ message: 1 });
    scene.when(replaces("ada", null)).thenHappened("contacts_set");
    scene.when(sends("ada", "bob")).thenAnswered({ message: 2 });
    scene.when(replaces("ghost", null)).thenRefused("not_found", /"ghost" is not an agent/);
  });
});

describe("a blocked sender", () => {
  it("is refused until it is unblocked", () => {
    const scene = given(...PEOPLE, standing("shop", "ada"), does("bob", "block", "ada"));
    scene.when(sends("ada", "bob")).thenRefused("not_authorized", /bob has blocked/);
    scene.when(sends(inside("cyd", "shop"), "bob")).thenRefused("not_authorized");
    scene.when(does("bob", "unblock", "ada")).thenAnswered({ blocked: [] });
    scene.when(sends("ada", "bob")).thenAnswered({ message: 1 });
  });

  it("cannot be the operator, and must exist", () => {
    const scene = given(...PEOPLE);
    scene.when(does("bob", "block", "operator")).thenRefused("invalid_argument");
    scene.when(does("bob", "block", "zed")).thenRefused("not_found");
  });
});

describe("a message that is handed on", () => {
  const forward = (who: string, to: string, number: number) =>
    sends(who, to, "please answer", { forward: number });

  it("names who asked, in order", () => {
    const scene = given(...PEOPLE, sends("ada", "bob"), forward("bob", "cyd", 1));
    expect(box(scene, "cyd").unread).toMatchObject([{ path: ["ada"], forwards: 1, thread: 1 }]);
    scene.when(forward("cyd", "dan", 2)).thenAnswered({ message: 3 });
    expect(box(scene, "dan").unread).toMatchObject([{ path: ["ada", "bob"], forwards: 2 }]);
  });

  it("never comes back to one of the chain", () => {
    const scene = given(...PEOPLE, sends("ada", "bob"), forward("bob", "cyd", 1));
    scene
      .when(forward("cyd", "ada", 2))
      .thenRefused("invalid_argument", /ada is in the chain ada -> bob -> cyd already/);
  });

  it("takes at most three hops", () => {
    const more = ["eve", "fay"].map((id) => agent(id));
    const scene = given(
      ...[...PEOPLE, ...more],
      sends("ada", "bob"),
      ...[forward("bob", "cyd", 1), forward("cyd", "dan", 2), forward("dan", "eve", 3)],
    );
    scene.when(forward("eve", "fay", 4)).thenRefused("invalid_argument", /at most 3 times/);
  });
});
