import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyInbox, withEvent, withSeen } from "../../../src/kernel/agent/inbox.ts";
import {
  asId,
  type EventSum,
  type Inbox,
  must,
  type PublicEvent,
  type State,
  seenAfter,
  unseenOf,
  violations,
} from "../../../src/kernel/index.ts";
import {
  accepts,
  deletes,
  offersOwnership,
  reads,
  sells,
  transfers,
  transfersBudget,
  writes,
} from "../../support/commands.ts";
import { changesState, ends, fails, freezes, thinks } from "../../support/iterations.ts";
import { NOW, PHYSICS } from "../../support/physics.ts";
import {
  agent,
  called,
  execute,
  given,
  note,
  type Past,
  program,
  reloaded,
  standing,
} from "../../support/scenario.ts";

const MAX = PHYSICS.agents.inbox_events_max;

const inboxOf = (state: State, id: string): Inbox =>
  must(state.inboxes.get(asId(id)), `an inbox of ${id}`);

/** The kinds of the events that concern an agent, with their actor and target. */
const concerns = (id: string, ...past: readonly Past[]): readonly string[] => {
  const { state } = given(agent("alice"), agent("bob"), agent("carol"), ...past);
  return inboxOf(state, id).recent.map(
    ({ kind, principal, target }) => `${principal} ${kind} ${target}`,
  );
};

const SHOP = program("shop", "alice", { price: 2 });
const calls = (count: number, caller = "bob"): readonly Past[] =>
  Array.from({ length: count }, () => called(caller, "shop"));

const thinksNow = (state: State, shown: Inbox = inboxOf(state, "alice")): void => {
  execute(state, thinks("alice", { inbox: seenAfter(shown, inboxOf(state, "alice")) }));
};

describe("an inbox gets", () => {
  it("calls and reads of the agent's artifacts by others, each once", () => {
    const seen = concerns("alice", SHOP, called("bob", "shop"), called("alice", "shop"));
    expect(seen).toEqual(["bob artifact_invoked shop"]);
    const poem = note("poem", "alice", { read_price: 3 });
    expect(concerns("alice", poem, reads("bob", "poem"))).toEqual(["bob artifact_read poem"]);
  });

  it("calls of what a program of the agent owns", () => {
    const past = [
      standing("bank", "alice", { disk: 2_000 }),
      program("till", "alice"),
      ...sells("alice", "till", "bank"),
      called("bob", "till"),
    ];
    const seen = concerns("alice", ...past);
    expect(seen).toContain("bob artifact_invoked till");
    expect(concerns("carol", ...past)).toEqual([]);
  });

  it("payments, model budget and ownership offers to the agent", () => {
    const past = [
      transfers("bob", "alice", 5),
      transfersBudget("bob", "alice", 7),
      note("poem", "bob"),
      offersOwnership("bob", "poem", "alice"),
      accepts("alice", "poem"),
    ];
    expect(concerns("alice", ...past)).toEqual([
      "bob scrip_transferred null",
      "bob budget_transferred null",
      "bob ownership_offered poem",
    ]);
    expect(concerns("bob", ...past)).toEqual(["alice ownership_transferred poem"]);
  });

  it("what others write to the agent's artifacts, and what they delete", () => {
    const open = note("wall", "alice", { access: "genesis_contract_public" });
    const seen = concerns(
      "alice",
      open,
      writes("bob", "wall", { content: "hi" }),
      deletes("bob", "wall"),
    );
    expect(seen).toEqual(["bob artifact_written wall", "bob artifact_deleted wall"]);
  });

  const sleeps = [thinks("kid", { epoch: 1, sleep: { for_ms: 500, until: [] } }), ends("kid")];
  const failure = fails("kid", { epoch: 1 });
  it.each<readonly [string, readonly Past[], readonly string[]]>([
    ["is frozen", [freezes("kid", 2_000_000)], ["kid agent_frozen llm_budget"]],
    ["pauses", [failure, failure, failure], ["kid agent_state_changed paused"]],
    ["stops", [changesState("kid", "stopped")], ["kid agent_state_changed stopped"]],
    ["sleeps, which is private", sleeps, []],
    ["wakes, which is private", [...sleeps, changesState("kid", "running", NOW)], []],
  ])("once, that an agent that the agent owns %s", (_, past, expected) => {
    const owned = [agent("kid"), ...sells("kid", "kid", "alice")];
    const before = concerns("alice", ...owned);
    const seen = concerns("alice", ...owned, ...past);
    expect(seen.slice(before.length)).toEqual(expected);
    expect(concerns("kid", ...owned, ...past)).toEqual(concerns("kid", ...owned));
  });

  it("nothing of what concerns only others", () => {
    expect(concerns("carol", SHOP, ...calls(3), transfers("bob", "alice", 5))).toEqual([]);
  });

  it("is part of the saved state", () => {
    const { state } = given(agent("alice"), agent("bob"), SHOP, ...calls(MAX + 4));
    expect(inboxOf(reloaded(state), "alice")).toEqual(inboxOf(state, "alice"));
  });
});

describe("events between two thoughts", () => {
  const { state } = given(agent("alice"), agent("bob"), SHOP, ...calls(MAX + 4));

  it("are listed up to the limit, and counted above it", () => {
    expect(inboxOf(state, "alice").recent).toHaveLength(MAX);
    expect(inboxOf(state, "alice").sums).toEqual([
      { kind: "artifact_invoked", target: "shop", count: 4, amount: 8 },
    ]);
  });

  it("are not counted again after a thought, and stay listed while there is room", () => {
    thinksNow(state);
    execute(state, reads("bob", "shop"));
    expect(inboxOf(state, "alice").sums).toEqual([]);
    expect(inboxOf(state, "alice").recent).toHaveLength(MAX);
    expect(unseenOf(inboxOf(state, "alice")).map(({ kind }) => kind)).toEqual(["artifact_read"]);
  });

  it("are kept if they arrive during the thought", () => {
    const scene = given(agent("alice"), agent("bob"), SHOP, ...calls(MAX + 1));
    const shown = inboxOf(scene.state, "alice");
    for (const call of calls(MAX + 3)) if (typeof call === "function") call(scene.state);
    thinksNow(scene.state, shown);
    const { sums, recent, seen } = inboxOf(scene.state, "alice");
    expect([seen, recent.length, sums[0]?.count]).toEqual([MAX + 1, MAX, 3]);
    expect(violations(scene.state)).toEqual([]);
  });

  it("are shown again after a thought that failed", () => {
    const scene = given(agent("alice"), agent("bob"), SHOP, ...calls(2));
    execute(scene.state, fails("alice"));
    expect(unseenOf(inboxOf(scene.state, "alice"))).toHaveLength(2);
  });
});

const KINDS = ["artifact_invoked", "scrip_transferred", "artifact_read"] as const;

const event = fc.record({
  kind: fc.constantFrom(...KINDS),
  target: fc.constantFrom("a", "b", "c", "d", null),
  amount: fc.constantFrom(1, 2, null),
});
/** Events that arrive before a thought starts, and during the thought. */
const rounds = fc.array(fc.tuple(fc.array(event), fc.array(event)), { maxLength: 6 });

const countOf = (sums: readonly EventSum[]): number =>
  sums.reduce((sum, { count }) => sum + count, 0);

describe("an inbox with any events and any limit", () => {
  it("lists or counts each event in exactly one thought, with its amount", () => {
    fc.assert(
      fc.property(rounds, fc.integer({ min: 0, max: 5 }), (history, max) => {
        let inbox = emptyInbox(asId("me"));
        let n = 0;
        const arrive = (events: readonly Pick<PublicEvent, "kind" | "target" | "amount">[]) => {
          for (const each of events) {
            n += 1;
            const rest = { n, at_ms: n, principal: null, method: null, other: null, code: null };
            inbox = withEvent(inbox, { ...rest, ...each }, max);
          }
        };
        let told = { count: 0, amount: 0 };
        let sent = { count: 0, amount: 0 };
        const amountOf = (events: readonly { readonly amount: number | null }[]): number =>
          events.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
        for (const [before, during] of history) {
          arrive(before);
          sent = { count: n, amount: sent.amount + amountOf(before) };
          const shown = inbox;
          const listed = unseenOf(shown);
          const count = told.count + listed.length + countOf(shown.sums);
          told = { count, amount: told.amount + amountOf(listed) + amountOf(shown.sums) };
          expect(told).toEqual(sent);
          arrive(during);
          sent = { count: n, amount: sent.amount + amountOf(during) };
          inbox = withSeen(inbox, seenAfter(shown, inbox));
          expect(inbox.sums.length).toBeLessThanOrEqual(max + KINDS.length);
          expect(inbox.recent.length).toBeLessThanOrEqual(max);
        }
      }),
    );
  });
});
