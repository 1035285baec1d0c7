import { describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { unpackedJson } from "../../../src/world/core/packed-json.ts";
import {
  type Checkpoint,
  carriedBy,
  checkpointOf,
  type Journal,
  memoryPages,
  readCheckpoint,
  replay,
  restore,
  saveSnapshot,
  startStateOf,
  stateHash,
  stateText,
  verifyJournal,
  World,
  writeCheckpoint,
} from "../../../src/world/index.ts";
import { NOW } from "../../support/physics.ts";
import { fileSandbox, TestWorld } from "../../support/test-world.ts";
import { created, freshPath as freshJournal, reopened, tamper } from "../journal/fixtures.ts";
import { freshPath } from "./fixtures.ts";

const sandbox = fileSandbox();

const costMicrosOf = (body: string): number => JSON.parse(body).costMicros;
const RUN = { id: "r1", seed: 1, clock: "virtual" } as const;
const MADE_BY = { version: "0.1.0", engine: "e" };
const MAKING = { madeBy: MADE_BY, run: RUN, config: "run: {}\n", costMicrosOf };

type Remembers = {
  readonly world: Pick<World, "submit">;
  readonly agent: string;
  readonly text: string;
};
const remembers = ({ world, agent, text }: Remembers): void => {
  const notes = [{ kind: "observation", text }] as const;
  const about = { at_ms: NOW, agent: asId(agent), notes, through: 0, write: null };
  expect(world.submit({ kind: "remember", ...about }).success).toBe(true);
};

/** A run with memories and model calls; the second half starts after event `middle`. */
const recordedRun = (): { path: string; journal: Journal; v: TestWorld; middle: number } => {
  const path = freshJournal();
  const journal = created(path);
  const v = new TestWorld(sandbox, { journal, agentProblem: () => null });
  v.agent("alice").agent("bob");
  journal.noteModelCall(() => '{"costMicros":5}');
  remembers({ world: v, agent: "alice", text: "one" });
  remembers({ world: v, agent: "bob", text: "two" });
  v.must(v.writes("alice", "note", { content: "x" }));
  const middle = journal.head().seq;
  journal.noteModelCall(() => '{"costMicros":6}');
  remembers({ world: v, agent: "alice", text: "three" });
  journal.noteModelCall(() => '{"costMicros":7}');
  v.must(v.writes("alice", "poem", { content: "y" }));
  journal.flush();
  return { path, journal, v, middle };
};

const checkpointFrom = async (...given: Parameters<typeof checkpointOf>): Promise<Checkpoint> => {
  const result = await checkpointOf(...given);
  if (!result.ok) throw new Error(result.problem);
  return result.checkpoint;
};

describe("a checkpoint of a run", () => {
  it("holds the last state, all memories and the amount spent", async () => {
    const { journal, v } = recordedRun();
    const checkpoint = await checkpointFrom(journal, MAKING);
    const { seq, hash: eventHash } = journal.head();
    expect(checkpoint).toEqual({
      state: expect.objectContaining({ sha256: stateHash(v.state) }),
      madeBy: MAKING.madeBy,
      run: { ...RUN, ancestry: [] },
      seq,
      atMs: NOW,
      eventHash,
      memories: [
        { artifact: "alice_memory", number: 1, atMs: NOW, kind: "observation", text: "one" },
        { artifact: "bob_memory", number: 1, atMs: NOW, kind: "observation", text: "two" },
        { artifact: "alice_memory", number: 2, atMs: NOW, kind: "observation", text: "three" },
      ],
      thoughts: [],
      spentMicros: 18,
      config: "run: {}\n",
    });
    expect(unpackedJson(checkpoint.state)?.toString()).toBe(stateText(v.state));
  });

  it("can be taken at any past event, at the end of its transaction", async () => {
    const { path, journal, middle } = recordedRun();
    const reader = reopened(path);
    const [row] = journal.events({ after: middle - 1, upTo: middle });
    const checkpoint = await checkpointFrom(reader, { ...MAKING, upTo: middle - 1 });
    expect(checkpoint).toMatchObject({ seq: middle, eventHash: row?.hash, atMs: row?.atMs });
    expect(checkpoint.state.sha256).toBe(stateHash(replay(journal, { upTo: middle }).state));
    expect(checkpoint.memories.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(checkpoint.spentMicros).toBe(11);
  });

  it("can be made from a snapshot while the world continues", async () => {
    const { journal, v } = recordedRun();
    const before = await checkpointFrom(journal, MAKING);
    const taking = saveSnapshot(journal, v.state);
    v.must(v.writes("alice", "late", { content: "z" }));
    remembers({ world: v, agent: "bob", text: "four" });
    expect(
      await checkpointFrom(journal, { ...MAKING, taken: { ...(await taking), thoughts: [] } }),
    ).toEqual(before);
  });

  it("cannot be taken at an event that does not exist", async () => {
    const { journal } = recordedRun();
    const last = journal.head().seq;
    expect(await checkpointOf(journal, { ...MAKING, upTo: last + 1 })).toEqual({
      ok: false,
      problem: `event ${last + 1} does not exist: this run has events 1 to ${last}`,
    });
    expect(await checkpointOf(created(), MAKING)).toMatchObject({ ok: false });
  });

  it("cannot be made from a journal without its last command", async () => {
    const { path, journal } = recordedRun();
    journal.close();
    const last = "SELECT max(seq) FROM events WHERE command IS NOT NULL";
    const none = "command = NULL, last_seq = NULL, timed_out = NULL";
    tamper(path, `UPDATE events SET ${none} WHERE seq = (${last})`);
    await expect(checkpointOf(reopened(path), MAKING)).rejects.toThrow(/is damaged: .*command/);
  });
});

describe("a run that continues from a checkpoint", () => {
  /** Continues through a file, as on another machine. */
  const continuedRun = async (): Promise<{ first: Checkpoint; journal: Journal; world: World }> => {
    const first = await checkpointFrom(recordedRun().journal, MAKING);
    const file = freshPath();
    expect(await writeCheckpoint(file, first)).toMatchObject({ ok: true });
    const read = readCheckpoint(file);
    if (!read.ok) throw new Error(read.problem);
    const journal = created(freshJournal(), { base: startStateOf(read.checkpoint) });
    const parts = { journal, sandbox, agentProblem: () => null, checkEvery: 1 };
    return { first, journal, world: new World({ state: restore(journal).state, ...parts }) };
  };

  it("has its state, memories, spending and configuration", async () => {
    const { first, journal, world } = await continuedRun();
    expect(stateHash(world.state)).toBe(first.state.sha256);
    expect(restore(journal)).toMatchObject({ seq: first.seq, atMs: first.atMs, applied: 0 });
    const base = journal.base();
    const ancestry = [{ run_id: "r1", seq: first.seq }];
    const costs = { thoughts: [], spentMicros: 18, config: "run: {}\n" };
    expect(carriedBy(base)).toEqual({ ancestry, memories: first.memories, ...costs });
  });

  it("has checkpoints that include the history before it", async () => {
    const { first, journal, world } = await continuedRun();
    const second = { ...MAKING, run: { ...RUN, id: "r2" } };
    expect(await checkpointFrom(journal, second)).toEqual({
      ...first,
      run: { ...RUN, id: "r2", ancestry: [{ run_id: "r1", seq: first.seq }] },
    });
    journal.noteModelCall(() => '{"costMicros":100}');
    remembers({ world, agent: "bob", text: "five" });
    const later = await checkpointFrom(journal, second);
    expect(later.spentMicros).toBe(118);
    expect(later.memories.slice(0, -1)).toEqual(first.memories);
    expect(later.memories.at(-1)).toMatchObject({
      artifact: "bob_memory",
      number: 2,
      text: "five",
    });
    const read = (upTo: number) =>
      [...memoryPages(journal, { upTo })].flatMap(({ memories }) => memories);
    expect(read(first.seq)).toEqual(first.memories);
    expect(read(later.seq)).toEqual(later.memories);
    expect(startStateOf(later).carried).toContain('{"run_id":"r2","seq"');
    const problem = `event 3 does not exist: this run has events ${first.seq} to ${later.seq}`;
    expect(await checkpointOf(journal, { ...second, upTo: 3 })).toMatchObject({ problem });
  });

  it("does what the first run would have done, and verifies", async () => {
    const { journal: whole, v } = recordedRun();
    const { journal, world } = await continuedRun();
    const act = (each: Pick<World, "submit">): boolean =>
      each.submit({
        kind: "take_action",
        at_ms: NOW + 9,
        principal: asId("bob"),
        action: { write_artifact: { artifact_id: "sequel", content: "z" } },
      }).success;
    v.atMs = NOW + 9;
    expect([act(v), act(world)]).toEqual([true, true]);
    expect(journal.head()).toEqual(whole.head());
    expect(stateHash(world.state)).toBe(stateHash(v.state));
    journal.flush();
    expect(verifyJournal(journal, () => null).checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
