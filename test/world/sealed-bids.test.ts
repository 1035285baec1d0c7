import { describe, expect, it } from "vitest";
import { fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

/** Alice has bid `scrip` for her tool; bob has a program that asks `question`. */
const town = (scrip: number, question: string): TestWorld => {
  const world = new TestWorld(sandbox).agent("alice").agent("bob");
  world.program("alice", "tool", "function run() { return kernel.balance() }");
  world.program("bob", "spy", `function run() { return ${question} }`);
  world.must(world.calls("alice", "genesis_mint.bid", ["tool"], { attach: { scrip } }));
  return world;
};

const QUESTIONS = [
  'kernel.balance("alice")',
  "kernel.balance(caller)",
  'kernel.query("principals", {})',
  'kernel.query("artifact", { id: "alice" })',
  'kernel.query("artifact", { id: "tool" })',
  'kernel.query("artifacts", { owner: "alice" })',
  'kernel.query("events", {})',
  'kernel.query("auction", {})',
  'kernel.quota("alice")',
  'kernel.invoke("genesis_mint", "check", ["tool"])',
  'kernel.invoke("genesis_mint", "status", [])',
  'kernel.invoke("genesis_mint", "history", [])',
  'kernel.invoke("genesis_store", "delete", ["tool"])',
  'kernel.invoke("genesis_ledger", "balance", ["alice"])',
];

describe("a sealed bid", () => {
  it.each(QUESTIONS)("is not revealed by %s", (question) => {
    const [low, high] = [3, 80].map((scrip) => resultOf(town(scrip, question).calls("bob", "spy")));
    expect(low).toEqual(high);
  });

  it("shows in the bidder's own balance only", () => {
    const world = town(30, "0");
    const own = world.calls("alice", "genesis_ledger.balance");
    expect(resultOf(own)).toEqual({ id: "alice", scrip: 70, held: 30 });
    const theirs = world.calls("bob", "genesis_ledger.balance", ["alice"]);
    expect(resultOf(theirs)).toEqual({ id: "alice", scrip: 100 });
  });
});
