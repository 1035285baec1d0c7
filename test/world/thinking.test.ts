import { expect, test } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { Request } from "../../src/world/index.ts";
import { thinks } from "../support/iterations.ts";
import { fileSandbox, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const ann = asId("ann");
const thought = (epoch: number, at_ms: number): Request => ({
  ...thinks("ann", { at_ms, epoch, think_ms: 5 }),
  keeps: [
    { notes: [], through: 0, write: { into: "working_memory", content: '{"lessons": []}' } },
    { notes: [{ kind: "observation", text: "a note" }], through: 0, write: null },
  ],
});

const memoryOf = ({ state }: TestWorld) => [
  state.agents.get(ann)?.mind,
  state.agents.get(ann)?.remembered,
  state.memories.get(asId("ann_memory")),
  state.artifacts.get(asId("ann_working_memory"))?.content,
];

test("a thought from before a change of owner is dropped and keeps nothing", () => {
  const world = new TestWorld(sandbox).agent("ann").agent("bob");
  world.hands("ann", ["ann", "bob"]);
  expect(world.kinds).toContain("agent_handed_over");
  const before = memoryOf(world);
  world.submit(thought(0, world.atMs));
  expect(world.kinds).toEqual(["thought_dropped"]);
  expect(memoryOf(world)).toEqual(before);
  world.submit(thought(1, world.atMs));
  expect(world.kinds).toEqual(
    expect.arrayContaining(["thought_completed", "memory_written", "memory_recorded"]),
  );
  expect(memoryOf(world)).not.toEqual(before);
});
