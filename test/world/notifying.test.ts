import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const newWorld = (): TestWorld => {
  const v = new TestWorld(sandbox);
  for (const id of ["alice", "bob", "carol"]) v.agent(id);
  return v;
};

/** The inbox of an agent, such as `bob artifact_invoked shop.run null`. */
const inboxOf = (v: TestWorld, id: string): readonly string[] =>
  (v.state.inboxes.get(asId(id))?.recent ?? []).map(
    ({ principal, kind, target, method, code }) =>
      `${principal} ${kind} ${target}.${method} ${code}`,
  );

describe("kernel.notify", () => {
  const notifies = (id: string): string =>
    `function run() { kernel.notify(${JSON.stringify(id)}) }`;

  it("puts the call into the inbox of the agent, once", () => {
    const v = newWorld();
    v.program(
      "alice",
      "bell",
      `function run(id) { for (const each of [id, id]) kernel.notify(each) }`,
    );
    v.must(v.calls("bob", "bell", ["carol"]));
    expect(inboxOf(v, "carol")).toEqual(["bob artifact_invoked bell.run null"]);
    expect(inboxOf(v, "alice")).toEqual(["bob artifact_invoked bell.run null"]);
    v.program("carol", "hers", notifies("carol"));
    v.must(v.calls("bob", "hers"));
    expect(inboxOf(v, "carol")).toHaveLength(2);
  });

  it("notifies the owner of a program", () => {
    const v = newWorld()
      .programs("alice", { bell: notifies("hers") })
      .programs("carol", { hers: "function run() {}" });
    v.must(v.calls("bob", "bell"));
    expect(inboxOf(v, "carol")).toEqual(["bob artifact_invoked bell.run null"]);
  });

  it("does nothing for an id without an agent, or for the agent that acts", () => {
    const v = newWorld().programs("alice", { bell: notifies("unknown"), own: notifies("alice") });
    v.must(v.calls("alice", "bell"));
    v.must(v.calls("alice", "own"));
    for (const id of ["alice", "bob", "carol"]) expect(inboxOf(v, id)).toEqual([]);
  });

  it("does nothing if the call fails", () => {
    const code = 'function run() { kernel.notify("carol"); kernel.fail("no", "no") }';
    const outer = 'function run() { return kernel.invoke("bell", "run", []).success }';
    const v = newWorld().programs("alice", { bell: code, outer });
    expectRefused(v.calls("bob", "bell"), "rejected_by_artifact");
    expect(resultOf(v.calls("bob", "outer"))).toBe(false);
    expect(inboxOf(v, "carol")).toEqual([]);
  });

  it("is limited to eight agents for each call", () => {
    const v = newWorld();
    const code = "function run(count) { for (let n = 0; n < count; n++) kernel.notify('a' + n) }";
    v.program("alice", "bell", code);
    v.must(v.calls("bob", "bell", [8]));
    expectRefused(v.calls("bob", "bell", [9]), "runtime_error", /at most 8 agents/);
  });

  it("refuses what is not an id, and access contracts", () => {
    const v = newWorld().programs("alice", { bell: notifies("not an id") });
    expectRefused(v.calls("bob", "bell"), "runtime_error", /not an id/);
    const law = 'function check_permission() { kernel.notify("carol"); return { allowed: true } }';
    v.program("alice", "law", law);
    v.must(v.writes("alice", "ruled", { content: "x", access: "law" }));
    expectRefused(v.reads("bob", "ruled"), "not_authorized", /may only read; it cannot notify/);
    expect(inboxOf(v, "carol")).toEqual([]);
  });

  it("wakes an agent that waits for calls", () => {
    const v = newWorld().programs("alice", { bell: notifies("carol") });
    const about = { principal: asId("carol"), at_ms: v.atMs };
    const sleep = { for_ms: 10_000, until: [{ event: "artifact_invoked" }] } as const;
    v.submit({
      kind: "complete_thought",
      at_ms: v.atMs,
      agent: asId("carol"),
      action: { noop: {} },
      reasoning: "I wait.",
      mind: { to: null },
      usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, api_cost_micros: 0 },
      think_ms: 0,
      sleep,
      epoch: 0,
    });
    v.must(v.submit({ kind: "execute_decision", ...about }));
    expect(v.state.agents.get(asId("carol"))?.state).toBe("sleeping");
    v.must(v.calls("bob", "bell"));
    expect(v.events.at(-1)).toMatchObject({ kind: "agent_state_changed", agent: "carol" });
  });
});

describe("a text of kernel.notify", () => {
  const TELLS = "function run(to, text) { kernel.notify(to, text) }";
  const AD = ["carol", "buy now"];

  /** A program of alice, and contacts of bob, who calls it. */
  const bell = (contacts: readonly string[] | null = null): TestWorld => {
    const v = newWorld().program("alice", "bell", TELLS);
    const set = { kind: "set_contacts", at_ms: v.atMs, agent: asId("bob") } as const;
    v.submit({ ...set, contacts: contacts?.map(asId) ?? null });
    return v;
  };
  const textsOf = (v: TestWorld, id: string) =>
    (v.state.inboxes.get(asId(id))?.recent ?? []).flatMap(({ text = [] }) => text);

  it("goes only to the contacts of the agent that runs the program, and to this agent", () => {
    const v = bell(["alice"]);
    const rule = /bob may send messages only to alice, not to carol/;
    expectRefused(v.calls("bob", "bell", AD), "runtime_error", rule);
    v.must(v.calls("bob", "bell", ["alice", "hello"]));
    v.must(v.calls("bob", "bell", ["bob", "done"]));
    expect(textsOf(v, "carol")).toEqual([]);
    expect(textsOf(v, "alice")).toEqual(["hello"]);
  });

  it.each(["bell", "bob", "alice"])("does not get past a block of %s", (blocked) => {
    const v = newWorld().standing("alice", "bell", { code: TELLS });
    v.must(v.calls("bob", "bell", AD));
    v.must(v.calls("carol", "genesis_messenger.block", [blocked]));
    const rule = /carol has blocked your messages/;
    expectRefused(v.calls("bob", "bell", AD), "runtime_error", rule);
    expect(textsOf(v, "carol")).toEqual(["buy now"]);
  });

  it("is what contacts and blocks are about: the public call is shown as before", () => {
    const v = bell([]);
    v.must(v.calls("carol", "genesis_messenger.block", ["bob"]));
    v.must(v.calls("bob", "bell", ["carol"]));
    expect(inboxOf(v, "carol")).toEqual(["bob artifact_invoked bell.run null"]);
  });

  it("is refused so that the program can continue", () => {
    const v = bell([]);
    const code = `function run() {
      try { kernel.notify("carol", "hi") } catch ({ code }) { return code }
    }`;
    v.program("alice", "careful", code);
    expect(resultOf(v.calls("bob", "careful"))).toBe("not_authorized");
  });
});

describe("a call that fails", () => {
  it("is one entry in the inbox of the program's owner", () => {
    const v = newWorld().programs("alice", { shop: 'function run() { kernel.fail("no", "no") }' });
    expectRefused(v.calls("bob", "shop"), "rejected_by_artifact");
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
    expect(inboxOf(v, "alice")).toEqual(["bob action_refused shop.run rejected_by_artifact"]);
  });

  it("is one entry if it is refused before the program runs", () => {
    const v = newWorld().programs("alice", { shop: "function run() {}" });
    expectRefused(v.calls("bob", "shop.sell"), "not_found");
    expect(v.kinds).toEqual(["action_refused"]);
    expect(inboxOf(v, "alice")).toEqual(["bob action_refused shop.sell not_found"]);
    v.calls("bob", "shop.no such method\n- 7");
    expect(inboxOf(v, "alice").at(-1)).toBe("bob action_refused shop.null not_found");
  });

  it("is one entry if another program makes it", () => {
    const v = newWorld()
      .programs("alice", { shop: 'function run() { kernel.fail("no", "no") }' })
      .programs("carol", { front: 'function run() { kernel.invoke("shop", "run", []) }' });
    v.must(v.calls("bob", "front"));
    expect(inboxOf(v, "alice")).toEqual(["bob invocation_failed shop.run rejected_by_artifact"]);
    expect(inboxOf(v, "carol")).toEqual(["bob artifact_invoked front.run null"]);
  });
});
