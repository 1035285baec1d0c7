import { expect, test } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { Request } from "../../src/world/index.ts";
import { fileSandbox, Village } from "../support/world.ts";

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

const memoryOf = ({ state }: Village) => [
  state.agents.get(ann)?.mind,
  state.agents.get(ann)?.memories,
  state.artifacts.get(asId("ann_working_memory"))?.content,
];

test("a thought from before a change of owner is dropped and keeps nothing", () => {
  const village = new Village(sandbox).agent("ann").agent("bob");
  village.must(village.calls("ann", "genesis_ledger.transfer_ownership", ["ann", "bob"]));
  village.must(village.calls("bob", "genesis_ledger.accept", ["ann"]));
  expect(village.kinds).toContain("agent_handed_over");
  const before = memoryOf(village);
  village.submit({ ...thought(0), at_ms: village.atMs });
  expect(village.kinds).toEqual(["thought_dropped"]);
  expect(memoryOf(village)).toEqual(before);
  village.submit({ ...thought(1), at_ms: village.atMs });
  expect(village.kinds).toEqual(
    expect.arrayContaining(["thought_completed", "memory_written", "memory_recorded"]),
  );
  expect(memoryOf(village)).not.toEqual(before);
});
