import { expect, it } from "vitest";
import { unpackedJson } from "../../src/world/core/packed-json.ts";
import {
  type Journal,
  JournalFailure,
  replay,
  saveSnapshot,
  stateHash,
  stateText,
  verifyJournal,
} from "../../src/world/index.ts";
import { fileSandbox, TestWorld } from "../support/test-world.ts";
import { created } from "./journal/fixtures.ts";

const sandbox = fileSandbox();

const worldWithJournal = (): { readonly v: TestWorld; readonly journal: Journal } => {
  const journal = created();
  const v = new TestWorld(sandbox, { journal, agentProblem: () => null });
  v.agent("alice").agent("bob");
  return { v, journal };
};

it("captures the state at the moment a snapshot begins, while the run continues", async () => {
  const { v, journal } = worldWithJournal();
  const { seq } = journal.head();
  const then = { text: stateText(v.state), hash: stateHash(v.state) };
  const taking = saveSnapshot(journal, v.state);
  v.must(v.writes("alice", "note", { content: "x" }));
  const taken = await taking;
  v.must(v.writes("alice", "poem", { content: "y" }));
  expect(taken).toMatchObject({ seq, state: { sha256: then.hash } });
  expect(unpackedJson(taken.state)?.toString()).toBe(then.text);
  expect(journal.latestSnapshot()).toEqual({ seq, body: then.text });
  journal.flush();
  expect(journal.head().seq).toBeGreaterThan(seq);
  expect(stateHash(replay(journal, { upTo: seq }).state)).toBe(then.hash);
  expect(verifyJournal(journal, () => null).checks.filter(({ ok }) => !ok)).toEqual([]);
});

it("keeps two overlapping snapshots, each with its own state", async () => {
  const { v, journal } = worldWithJournal();
  const first = saveSnapshot(journal, v.state);
  v.must(v.writes("alice", "note", { content: "x" }));
  const both = await Promise.all([first, saveSnapshot(journal, v.state)]);
  expect(
    journal
      .snapshots()
      .map(({ seq }) => seq)
      .sort((a, b) => a - b),
  ).toEqual(both.map(({ seq }) => seq));
  expect(journal.verifySnapshots()).toEqual({ ok: true, snapshots: 2 });
});

it("rejects a snapshot if the journal is closed before it is done", async () => {
  const { v, journal } = worldWithJournal();
  const taking = saveSnapshot(journal, v.state);
  journal.close();
  await expect(taking).rejects.toThrow(JournalFailure);
});
