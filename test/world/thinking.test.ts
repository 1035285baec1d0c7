import { expect, test } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { Request } from "../../src/world/index.ts";
import { fileSandbox, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const ann = asId("ann");
const thought = (epoch: number): Request => ({
  kind: "complete_thought",
  at_ms: 0,
  agent: ann,
  action: { noop: {} },
  reasoning: "",
  mind: { to: { turn: 1 } },
  usage: { calls: 1, input_tokens: 9, output_tokens: 9, cost_micros: 9, api_cost_micros: 9 },
  think_ms: 5,
  sleep: null,
  epoch,
  keeps: [
    { notes: [], through: 0, write: { into: "working_memory", content: '{"lessons": []}' } },
    { notes: [{ kind: "observation", text: "a note" }], through: 0, write: null },
  ],
});

const memoryOf = ({ state }: TestWorld) => [
  state.agents.get(ann)?.mind,
  state.agents.get(ann)?.memories,
  state.artifacts.get(asId("ann_working_memory"))?.content,
];

test("a thought from before a change of owner is dropped and keeps nothing", () => {
  const world = new TestWorld(sandbox).agent("ann").agent("bob");
  world.must(world.calls("ann", "genesis_ledger.transfer_ownership", ["ann", "bob"]));
  world.must(world.calls("bob", "genesis_ledger.accept", ["ann"]));
  expect(world.kinds).toContain("agent_handed_over");
  const before = memoryOf(world);
  world.submit({ ...thought(0), at_ms: world.atMs });
  expect(world.kinds).toEqual(["thought_dropped"]);
  expect(memoryOf(world)).toEqual(before);
  world.submit({ ...thought(1), at_ms: world.atMs });
  expect(world.kinds).toEqual(
    expect.arrayContaining(["thought_completed", "memory_written", "memory_recorded"]),
  );
  expect(memoryOf(world)).not.toEqual(before);
});
