import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { asId, emptyState, type Json } from "../../../src/kernel/index.ts";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import {
  Journal,
  restore,
  sandboxFor,
  saveSnapshot,
  stateHash,
  stateText,
  verifyJournal,
  World,
} from "../../../src/world/index.ts";
import { journalAfter } from "../../support/journal-after.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import { expectRefused, fileSandbox, TestWorld } from "../../support/test-world.ts";
import { created, freshPath, reopened, SETTINGS, tamper, usable } from "../journal/fixtures.ts";

const sandbox = fileSandbox();

/** A run of two halves. */
const ORIGINAL = join(sharedFolder(), "original.db");
let middle = 0;
let ended = "";
beforeAll(async () => {
  const journal = usable(Journal.create(ORIGINAL, SETTINGS));
  const v = new TestWorld(sandbox, { journal, agentProblem: () => null });
  v.agent("alice").agent("bob");
  v.program("alice", "dice", "function run() { return kernel.random() }", { price: 2 });
  middle = journal.head().seq;
  await saveSnapshot(journal, v.state);
  v.must(v.calls("bob", "dice"));
  v.must(v.writes("bob", "note", { content: "x" }));
  await saveSnapshot(journal, v.state);
  ended = stateHash(v.state);
  journal.close();
});

const continuedJournal = (
  change?: (state: string) => string,
): { journal: Journal; path: string } => {
  const [whole, path] = [reopened(ORIGINAL), freshPath()];
  const journal = journalAfter(whole, {
    seq: middle,
    path,
    ...(change === undefined ? {} : { change }),
  });
  onTestFinished(() => journal.close());
  return { journal, path };
};

const failures = (journal: Journal): readonly string[] =>
  verifyJournal(journal, () => null)
    .checks.filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`);

describe("the journal of a continued run", () => {
  it("passes every check, including that of its base", async () => {
    const { journal } = continuedJournal();
    await saveSnapshot(journal, restore(journal).state);
    const verdict = verifyJournal(journal, () => null);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    const events = journal.head().seq - middle;
    expect(verdict).toMatchObject({ ok: true, stateHash: ended, events });
    expect(verdict.checks.map(({ name }) => name)).toEqual([
      ...["base", "chain", "snapshots", "replay"],
      ...[1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14].map((n) => `invariant-${n}`),
      ...["rerun", "invariant-9"],
    ]);
    const details = verdict.checks.slice(0, 2).map(({ detail }) => detail);
    expect(details).toEqual([`the state after event ${middle}`, `${events} events`]);
  });

  it("passes before its first event, with the state of its base", () => {
    const { state } = restore(reopened(ORIGINAL), { upTo: middle });
    const packed = packedJson(stateText(state));
    const base = { seq: middle, atMs: NOW, hash: "a".repeat(64), carried: "{}", state: packed };
    const journal = created(freshPath(), { base });
    journal.saveSnapshot({ seq: middle, state: packed });
    const verdict = verifyJournal(journal, () => null);
    expect(verdict).toMatchObject({ ok: true, events: 0, stateHash: packed.sha256 });
    journal.saveSnapshot({ seq: middle, state: packedJson("{}") });
    expect(failures(journal)).toEqual([
      `replay: event ${middle}: the snapshot differs from the state that the events lead to`,
    ]);
  });

  it("fails under the name of the base if the base was changed", () => {
    const { journal, path } = continuedJournal();
    journal.close();
    tamper(path, "UPDATE base SET state = zeroblob(9)");
    const [first = "", second = ""] = failures(reopened(path));
    expect(first).toMatch(/^base: journal failed: .*its start state was changed/);
    expect(second).toMatch(/^chain: event \d+: its start state was changed/);
  });

  it.each<readonly [string, string, RegExp]>([
    ["of the future", '{"version":9}', /^base: .* is not the state of a world: it has version 9/],
    ["without a world", stateText(emptyState()), /^base: its state holds no world/],
    ["not a state", "[]", /^base: .* this is not the state of a world/],
  ])("fails under the name of the base if its state is %s", (_, state, words) => {
    expect(failures(continuedJournal(() => state).journal)[0]).toMatch(words);
  });

  it("fails if its base is another state with correct hashes", () => {
    const lie = (state: string): string => state.replace(/"scrip":(\d+)/, '"scrip":1$1');
    const problems = (change: typeof lie) => failures(continuedJournal(change).journal).join("\n");
    expect(problems(lie)).toMatch(/^invariant-1: event \d+: /m);
    const older = (state: string): string => state.replace(/"prng":\[(-?\d+)/, '"prng":[7');
    expect(problems(older)).toMatch(/^rerun: event \d+ \(random_drawn/m);
  });
});

describe("a world whose physics were amended", () => {
  const LONG = 'function run() { return "x".repeat(500) }';
  const amended = physicsWith({ sandbox: { result_bytes_max: 100 } });

  it("is verified with the sandbox limits of each physics", async () => {
    const { journal } = continuedJournal();
    const { state, atMs } = restore(journal);
    const parts = { state, journal, agentProblem: () => null, checkEvery: 1 };
    const about = { kind: "take_action", at_ms: atMs, principal: asId("alice") } as const;
    const act = (world: World, action: Json) => world.submit({ ...about, action });
    const world = new World({ ...parts, sandbox });
    const write = { write_artifact: { artifact_id: "long", code: LONG } };
    const call = { invoke_artifact: { artifact_id: "long", method: "run", args: [] } };
    expect(act(world, write)).toMatchObject({ success: true });
    expect(act(world, call)).toMatchObject({ success: true });
    world.submit({ kind: "amend_physics", at_ms: atMs, physics: amended });
    const smaller = sandboxFor(amended);
    expectRefused(act(new World({ ...parts, sandbox: smaller }), call), "result_too_large");
    await smaller.close();
    journal.flush();
    expect(failures(journal)).toEqual([]);
  });
});
