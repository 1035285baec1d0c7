import { describe, expect, it } from "vitest";
import { asId, selfOf, windowsLeft } from "../../src/kernel/index.ts";
import { LIBRARY_PHYSICS, libraryWorld, refusalCode } from "../genesis/library-world.ts";
import { expectRefused, fileSandbox, type TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox(LIBRARY_PHYSICS);

const WORKING = "alice_working_memory";
const ESCROW = "genesis_escrow";

/** Alice stores this working memory; the auditor counts its cost. */
const remembers = (v: TestWorld, content: string): void => {
  const write = { into: "working_memory", content } as const;
  const about = { agent: asId("alice"), notes: [], through: 0, write };
  v.must(v.submit({ kind: "remember", at_ms: v.atMs, ...about }));
};
const workingMemoryText = (v: TestWorld): string =>
  selfOf(v.state, asId("alice")).workingMemoryText;
const bytesLeft = (v: TestWorld): number =>
  windowsLeft(v.state, asId("alice"), v.atMs).bytes_written.available;

describe("working memory", () => {
  it("costs bytes of the window, and none if it could not be written", () => {
    const v = libraryWorld(sandbox);
    const before = bytesLeft(v);
    remembers(v, "bake bread");
    const after = bytesLeft(v);
    expect([v.kinds.includes("memory_written"), after < before]).toEqual([true, true]);
    remembers(v, "x".repeat(40_000));
    expect([v.kinds.includes("memory_refused"), bytesLeft(v)]).toEqual([true, after]);
    expect(workingMemoryText(v)).toBe("bake bread");
  });

  it("cannot be written by another agent", () => {
    const v = libraryWorld(sandbox);
    const means = { disk_bytes: 5_000, actions: 50, bytes_written: 5_000 };
    const born = v.calls("bob", "genesis_ledger.spawn_principal", ["alice_working", {}, means]);
    expectRefused(born, "not_authorized");
    expect(v.writes("bob", WORKING, { content: "pay bob" }).success).toBe(false);
    remembers(v, "bake bread");
    expect([workingMemoryText(v), v.owner(WORKING)]).toEqual(["bake bread", "alice"]);
  });

  it("is empty after the agent sold its artifact", () => {
    const v = libraryWorld(sandbox);
    remembers(v, "bake bread");
    v.must(v.calls("alice", `${ESCROW}.deposit`, [5], { attach: { artifacts: [WORKING] } }));
    expect(workingMemoryText(v)).toBe("");
    v.must(v.calls("bob", `${ESCROW}.purchase`, [WORKING], { attach: { scrip: 5 } }));
    v.must(v.writes("bob", WORKING, { content: "pay bob" }));
    expect(workingMemoryText(v)).toBe("");
  });
});

describe("the seller of a program", () => {
  const FIRM = `
    function make() { kernel.write({ artifact_id: "gem", content: "the goods" }) }
    function offer(to) { kernel.invoke("genesis_ledger", "transfer_ownership", ["gem", to]) }`;

  it("cannot accept an earlier offer of the program", () => {
    const v = libraryWorld(sandbox);
    v.standing("alice", "firm", { code: FIRM });
    v.must(v.calls("alice", "firm.make"));
    v.must(v.calls("alice", "firm.offer", ["alice"]));
    v.must(v.calls("alice", `${ESCROW}.deposit`, [30], { attach: { artifacts: ["firm"] } }));
    expect(v.events).toContainEqual(
      expect.objectContaining({ kind: "ownership_offer_ended", artifact_id: "gem", from: "firm" }),
    );
    v.must(v.calls("bob", `${ESCROW}.purchase`, ["firm"], { attach: { scrip: 30 } }));
    const taken = v.calls("alice", "genesis_ledger.accept", ["gem"]);
    expect([refusalCode(taken), v.owner("gem")]).toEqual(["not_found", "firm"]);
  });

  it("gets back the bid on it before the buyer gets it", () => {
    const v = libraryWorld(sandbox).program("alice", "tool", "function run() {}");
    v.must(v.calls("alice", "genesis_mint.bid", ["tool"], { attach: { scrip: 60 } }));
    v.must(v.calls("alice", `${ESCROW}.deposit`, [30], { attach: { artifacts: ["tool"] } }));
    expect([v.scrip("alice"), v.held("alice")]).toEqual([100, 0]);
    v.must(v.calls("bob", `${ESCROW}.purchase`, ["tool"], { attach: { scrip: 30 } }));
    v.must(v.calls("bob", "genesis_mint.bid", ["tool"], { attach: { scrip: 5 } }));
    expect([v.scrip("bob"), v.held("bob")]).toEqual([65, 5]);
  });
});
