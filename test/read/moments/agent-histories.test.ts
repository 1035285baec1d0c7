import { describe, expect, it } from "vitest";
import { asId, type Event, type HoldId, type Json } from "../../../src/kernel/index.ts";
import { type AgentMoment, readAgentHistories, shownMoments } from "../../../src/read/index.ts";
import { actionCompleted } from "../../support/iterations.ts";
import { calls, comes, moves, writes } from "../../support/run-events.ts";
import {
  acts,
  failsToThink,
  type JournalEntry,
  journalOf,
  thinks,
} from "../trail/scripted-journal.ts";

/** The moments of a run in which ann and bob come and then just this happens. */
const momentsOf = (...told: readonly JournalEntry[]) => {
  const journal = journalOf([...comes("ann", 50), ...comes("bob", 20)], ...told);
  const histories = readAgentHistories(journal);
  return shownMoments(journal, histories, histories.all, Number.MAX_SAFE_INTEGER);
};

const does = (agent: string, more: Parameters<typeof actionCompleted>[1]): Event =>
  actionCompleted(agent, { at_ms: 0, next_at_ms: 0, ...more });

/** An agent is there, with this mind. */
const isA = (agent: string, mind: string): Event => {
  const fields = { type: "agent", content: JSON.stringify({ mind }) };
  return { ...writes(agent, agent), kind: "artifact_written", fields } as Event;
};

/** The first message of a thread, from bob to ann. */
const asks: Event = {
  ...{ kind: "message_sent", at_ms: 0, principal: asId("bob"), number: 1, thread: 1 },
  ...{ from: asId("bob"), to: asId("ann"), text: "Will you?", reply_to: null, forwards: null },
  ...{ path: [], scrip: 0, reset: null },
};

const WRITE = { write_artifact: { artifact_id: "shop", code: "1" } };

describe("a moment", () => {
  it("is an iteration that acted, with its thought, its action and its result", () => {
    const [moment, ...others] = momentsOf(
      [thinks("ann", "A shop would sell.", WRITE)],
      [
        writes("ann", "shop"),
        does("ann", { action: "write_artifact", target: "shop", message: "wrote shop, 1 bytes" }),
      ],
    );
    expect(others).toEqual([]);
    expect(moment).toMatchObject({
      ...{ actor: "ann", type: "CONVERSATION", action: "write_artifact", space: "ann_workspace" },
      ...{ things: ["shop"], problem: null, verb: "Building" },
      written: [{ artifact: "shop", version: 1, created: true, content: true }],
    });
    expect(moment?.prose).toBe(
      '💭 A shop would sell.\n🔧 write_artifact({"artifact_id":"shop","code":"1"})\n' +
        "→ wrote shop, 1 bytes",
    );
    expect(moment?.id).toMatch(/^WORK_Ann_Building_Shop_\w+$/);
  });

  it("is not an iteration that only waits", () => {
    expect(momentsOf([thinks("ann", "Not now.", { noop: {} })], [acts("ann", "noop")])).toEqual([]);
  });

  it("is a thought that failed, and an action that was refused", () => {
    const refused: Event = {
      ...(does("ann", { action: "read_artifact", target: "shop", message: "no such artifact" }) as
        // A refusal has the fields of a completed action.
        Extract<Event, { kind: "action_completed" }>),
      ...{ kind: "action_refused", code: "not_found", retriable: false },
    };
    const moments = momentsOf([failsToThink("ann")], [thinks("ann", "Is it here?")], [refused]);
    expect(moments.map(({ action, problem }) => [action, problem])).toEqual([
      ["think", "llm_error"],
      ["read_artifact", "not_found"],
    ]);
    expect(moments[0]?.prose).toBe("→ llm_error: it did not answer");
    expect(moments[1]?.prose).toContain("→ not_found: no such artifact");
  });

  it("that failed does not repeat the thought before it", () => {
    const moments = momentsOf(
      [thinks("ann", "A shop.", WRITE)],
      [acts("ann")],
      [failsToThink("ann")],
    );
    expect(moments[1]).toMatchObject({ thought: null, prose: "→ llm_error: it did not answer" });
  });

  it("shows 200 characters of a result, and marks only a longer one as cut", () => {
    const said = (length: number): string | undefined =>
      momentsOf([does("ann", { action: "invoke_artifact", message: "x".repeat(length) })])[0]
        ?.prose;
    expect(said(200)?.endsWith("x")).toBe(true);
    expect(said(201)?.endsWith(`→ ${"x".repeat(200)}...`)).toBe(true);
  });

  it("follows the one before it of the same agent", () => {
    const moments = momentsOf([acts("ann")], [acts("bob")], [acts("ann")]);
    expect(moments.map(({ previous }) => previous)).toEqual([null, null, moments[0]?.seq]);
  });

  it("stays the same when more happens", () => {
    const first: readonly JournalEntry[] = [[thinks("ann", "A shop.", WRITE)], [acts("ann")]];
    const [before] = momentsOf(...first);
    const [after] = momentsOf(...first, [writes("bob", "shop_of_ann")], [acts("bob")]);
    expect(after).toEqual(before);
  });
});

describe("the type of a moment", () => {
  const reads = (agent: string, through: number, mind: Json = null): Event =>
    ({ ...thinks(agent, "I see.", WRITE), read_through: through, mind: { to: mind } }) as Event;

  it("is an assignment if a message began it, which it is about", () => {
    const moments = momentsOf(
      [asks, acts("bob")],
      [reads("ann", 1)],
      [acts("ann")],
      [reads("ann", 1)],
      [acts("ann")],
    );
    expect(moments.map(({ actor, type }) => [actor, type])).toEqual([
      ["bob", "CONVERSATION"],
      ["ann", "ASSIGNMENT"],
      ["ann", "CONVERSATION"],
    ]);
    const thread = [{ kind: "thread", id: "1" }];
    expect(moments.map(({ narratives }) => narratives)).toEqual([thread, thread, []]);
  });

  it("is a completion at the end of a turn of an agent with tools", () => {
    const message = (role: string, more: object): Json => ({ role, ...more });
    const call = { type: "tool_call", id: "1", name: "note", args: { text: "a" } };
    const texts = (text: string) => [{ type: "text", text }];
    const begins = {
      messages: {
        1: message("user", { text: "Your turn." }),
        2: message("assistant", { blocks: [...texts("I write it down."), call] }),
        3: message("tool", { results: [{ id: "1", name: "note", text: "ok", is_error: false }] }),
      },
      turn: { trigger: "autonomous", pending: null },
    };
    const ends = {
      in: {
        messages: { in: { 4: { to: message("assistant", { blocks: texts("Done.") }) } } },
        turn: { to: null },
      },
    };
    const step = (mind: object): Event => ({ ...thinks("ann", "…", { noop: {} }), mind }) as Event;
    const moments = momentsOf(
      [isA("ann", "tools")],
      [step({ to: begins })],
      [acts("ann", "noop")],
      [step(ends)],
      [acts("ann", "noop")],
      [step({ in: {} })],
      [acts("ann", "noop")],
    );
    expect(moments.map(({ type, action, prose }) => [type, action, prose])).toEqual([
      ["CONVERSATION", "work", '📝 I write it down.\n🔧 note({"text":"a"})\n→ ok'],
      ["COMPLETION", "work", "📝 Done."],
    ]);
  });

  it("is a completion when the player of a seat waits after its moves", () => {
    const waits: Event = {
      ...(thinks("ann", "", { noop: {} }) as Extract<Event, { kind: "thought_completed" }>),
      sleep: { for_ms: 1_000, until: [] },
    };
    const moments = momentsOf(
      [isA("ann", "seat")],
      ...[[waits], [acts("ann", "noop")]],
      ...[[thinks("ann", "")], [acts("ann")]],
      ...[[waits], [acts("ann", "noop")]],
      ...[[waits], [acts("ann", "noop")]],
    );
    expect(moments.map(({ type }) => type)).toEqual(["CONVERSATION", "COMPLETION"]);
  });
});

describe("the money of a moment", () => {
  const sale: readonly Event[] = [
    moves(["ann", "bob"], 5, { artifact: "shop" }),
    calls("shop", { by: "ann", price: 5, to: "bob" }),
    does("ann", { action: "invoke_artifact", target: "shop", method: "run" }),
  ];

  it("is what its action moved, in the market", () => {
    const [, moment] = momentsOf([writes("bob", "shop"), acts("bob", "write_artifact")], sale);
    expect(moment).toMatchObject({ space: "market", paid: 5, received: 0, minted: 0 });
    expect(moment?.money).toMatchObject([{ amount: -5, other: "bob", artifact: "shop" }]);
  });

  it("leaves out what happened before, in another transaction", () => {
    const [moment] = momentsOf([moves(["bob", "ann"], 3, {})], [acts("ann")]);
    expect(moment).toMatchObject({ paid: 0, received: 0, things: [] });
  });

  it("has what the mint paid later for its bid", () => {
    const about = { submission: "shop:1", artifact_id: asId("shop") };
    const bid: Event = {
      ...{ kind: "bid_placed", at_ms: 0, principal: asId("bob"), ...about, bidder: asId("bob") },
      ...{ amount: 4, hold: "bid:1" as HoldId, auction: 0, version: 1 },
    };
    const held: Event = {
      ...{ kind: "scrip_held", at_ms: 0, principal: asId("bob"), hold: "bid:1" as HoldId },
      ...{ from: asId("bob"), amount: 4, purpose: { kind: "bid", submission: "shop:1" } },
    };
    const world = { at_ms: 9, principal: null };
    const scored: Event = {
      ...{
        kind: "artifact_scored",
        ...world,
        ...about,
        score: 7,
        minted: 21,
        reason: "",
        memo: null,
      },
    };
    const collected: Event = {
      ...{ kind: "proceeds_collected", ...world, hold: "bid:1" as HoldId, amount: 4 },
      artifact_id: asId("shop"),
    };
    const bids = [held, bid, does("bob", { action: "invoke_artifact", target: "genesis_mint" })];
    const [moment] = momentsOf(bids, [scored, collected]);
    expect(moment).toMatchObject({ space: "mint", paid: 4, received: 21, minted: 21 });
    expect(moment?.money.map(({ later }) => later)).toEqual([true, true]);
    const journal = journalOf([...comes("bob", 20)], bids, [scored]);
    const histories = readAgentHistories(journal);
    const upTo = histories.all[0]?.seq ?? 0;
    const [then] = shownMoments(journal, histories, histories.all, upTo);
    expect(then).toMatchObject({ received: 0, minted: 0 });
  });
});

it("keeps no texts in its moments", () => {
  const journal = journalOf([thinks("ann", "Secret thought", WRITE)], [acts("ann")]);
  const [moment]: readonly (AgentMoment | undefined)[] = readAgentHistories(journal).all;
  expect(JSON.stringify(moment)).not.toContain("Secret");
});
