import { describe, expect, it } from "vitest";
import type { SnapshotVerdict } from "../../../src/world/journal/index.ts";
import { created, freshPath, reopened, tamper, transaction } from "./fixtures.ts";

const body = (seq: number): string => JSON.stringify({ seq, text: "scrip ".repeat(100) });
const snapshot = (seq: number): { seq: number; stateHash: string; body: string } => ({
  seq,
  stateHash: `state after ${seq}`,
  body: body(seq),
});

/** Six events with snapshots at 0, 2, 4 and 6. */
function written(): string {
  const path = freshPath();
  const journal = created(path);
  journal.saveSnapshot(snapshot(0));
  for (let n = 1; n <= 3; n += 1) {
    journal.append(transaction(n, 2));
    journal.saveSnapshot(snapshot(2 * n));
  }
  journal.close();
  return path;
}

function verdictAfter(sql: string): SnapshotVerdict {
  const path = written();
  tamper(path, sql);
  return reopened(path).verifySnapshots();
}

describe("saving and finding", () => {
  it("finds the newest snapshot at or before an event", () => {
    const journal = reopened(written());
    expect(journal.latestSnapshot()).toEqual(snapshot(6));
    expect(journal.latestSnapshot(5)).toEqual(snapshot(4));
    expect(journal.latestSnapshot(1)).toEqual(snapshot(0));
    expect(journal.snapshots().map(({ seq }) => seq)).toEqual([0, 2, 4, 6]);
  });

  it("has none in a new journal", () => {
    expect(created(freshPath()).latestSnapshot()).toBeNull();
  });

  it("commits the events first, so that no snapshot stands without them", () => {
    const journal = created(freshPath());
    journal.append(transaction(1));
    journal.saveSnapshot(snapshot(1));
    expect([...journal.events()]).toHaveLength(1);
  });

  it("takes a snapshot of the future for a bug", () => {
    expect(() => created(freshPath()).saveSnapshot(snapshot(9))).toThrow("event of this journal");
  });

  it("keeps the newest of two at the same event", () => {
    const journal = created(freshPath());
    journal.saveSnapshot(snapshot(0));
    journal.saveSnapshot({ ...snapshot(0), body: "{}" });
    expect(journal.latestSnapshot()?.body).toBe("{}");
  });
});

describe("verifying", () => {
  it("holds for what was saved", () => {
    expect(reopened(written()).verifySnapshots()).toEqual({ ok: true, snapshots: 4 });
  });

  it.each([
    ["body", "UPDATE snapshots SET body = zeroblob(9) WHERE seq = 4", 4],
    [
      "body of another",
      "UPDATE snapshots SET body = (SELECT body FROM snapshots) WHERE seq = 4",
      4,
    ],
    ["digest", "UPDATE snapshots SET body_sha256 = 'x' WHERE seq = 4", 4],
    ["state hash", "UPDATE snapshots SET state_hash = 'x' WHERE seq = 4", 4],
    ["hash", "UPDATE snapshots SET hash = 'x' WHERE seq = 4", 4],
    ["event number", "UPDATE snapshots SET seq = 3 WHERE seq = 4", 3],
    ["event number, to none", "UPDATE snapshots SET seq = 9 WHERE seq = 4", 9],
    ["row removed", "DELETE FROM snapshots WHERE seq = 2", 4],
    ["last row removed", "DELETE FROM snapshots WHERE seq = 6", 4],
  ])("finds a change: %s", (_what, sql, seq) => {
    expect(verdictAfter(sql)).toMatchObject({ ok: false, seq });
  });

  it("finds a snapshot taken over from another history", () => {
    expect(verdictAfter("UPDATE events SET hash = 'x' WHERE seq = 4")).toMatchObject({
      ok: false,
      seq: 4,
    });
  });
});

describe("a damaged snapshot", () => {
  it("is passed over, because the events say the same", () => {
    const path = written();
    tamper(path, "UPDATE snapshots SET body = zeroblob(9) WHERE seq = 6");
    expect(reopened(path).latestSnapshot()).toEqual(snapshot(4));
  });
});
