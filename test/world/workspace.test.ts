import { describe, expect, it } from "vitest";
import { asId, type Patch } from "../../src/kernel/index.ts";
import { fileSandbox, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();
const ann = asId("ann");
const ID = asId("ann_workspace");

const changes = (world: TestWorld, patch: Patch): void => {
  const write = { into: "workspace", patch } as const;
  const { atMs: at_ms } = world;
  world.submit({ kind: "remember", at_ms, agent: ann, notes: [], through: 0, write });
};

const writes = (path: string, text: string): Patch => ({ in: { [path]: { to: text } } });

const contentOf = ({ state }: TestWorld): string | undefined => state.artifacts.get(ID)?.content;

const GATE = "function check_permission() { return { allowed: true }; }";

/** Sizes of a change that the world of the test refuses, and why. */
const SIZES = [
  [200_000, "quota_exceeded"],
  [20_000, "insufficient_disk"],
] as const;

const withWorkspace = (): TestWorld => {
  const world = new TestWorld(sandbox).agent("ann").agent("bob");
  changes(world, writes("a.md", "one"));
  return world;
};

describe("the workspace of an agent", () => {
  it("is a private artifact of the agent, which uses its disk", () => {
    const world = withWorkspace();
    expect(world.kinds).toEqual(["artifact_written", "memory_written"]);
    expect(world.state.artifacts.get(ID)).toMatchObject({
      type: "workspace",
      owner: "ann",
      access: "genesis_contract_private",
      content: '{"a.md":"one"}',
    });
    expect(world.reads("bob", ID)).toMatchObject({ error_code: "not_authorized" });
  });

  it("is changed by a patch, and only the patch counts as bytes written", () => {
    const world = withWorkspace();
    changes(world, writes("b.md", "x".repeat(500)));
    const before = world.state.artifacts.get(ID)?.version;
    changes(world, writes("a.md", "two"));
    expect(world.events).toMatchObject([
      { kind: "workspace_changed", version: (before ?? 0) + 1 },
      { kind: "memory_written", bytes: JSON.stringify(writes("a.md", "two")).length },
    ]);
    expect(contentOf(world)).toBe(JSON.stringify({ "a.md": "two", "b.md": "x".repeat(500) }));
  });

  const keepsItsFiles = (world: TestWorld, code: string): void => {
    expect(world.events).toMatchObject([{ kind: "memory_refused", artifact_id: ID, code }]);
    expect(contentOf(world)).toBe('{"a.md":"one"}');
  };

  it("keeps its files if a change does not fit into the quota or on the disk", () => {
    for (const [bytes, code] of SIZES) {
      const world = withWorkspace();
      changes(world, writes("big.md", "x".repeat(bytes)));
      keepsItsFiles(world, code);
    }
  });

  it("is changed only by actions while it has an access contract of an agent", () => {
    const world = withWorkspace().program("bob", "gate", GATE);
    world.must(world.writes("ann", ID, { access: "gate" }));
    changes(world, writes("a.md", "two"));
    keepsItsFiles(world, "not_authorized");
  });

  it("no longer takes changes after it is sold", () => {
    const world = withWorkspace();
    world.hands(ID, ["ann", "bob"]);
    changes(world, writes("a.md", "two"));
    expect(world.events).toMatchObject([{ kind: "memory_refused", code: "not_owner" }]);
    expect(contentOf(world)).toBe('{"a.md":"one"}');
  });

  it("is not changed by others: the id belongs to the agent", () => {
    const world = new TestWorld(sandbox).agent("ann").agent("bob");
    expect(world.writes("bob", ID, { content: "mine" })).toMatchObject({
      error_code: "not_authorized",
    });
  });

  it("with content that is not an object starts again as an empty one", () => {
    const world = withWorkspace();
    world.writes("ann", ID, { content: "free text" });
    changes(world, writes("a.md", "two"));
    expect(contentOf(world)).toBe('{"a.md":"two"}');
  });
});
