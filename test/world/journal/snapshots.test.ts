import { describe, expect, it } from "vitest";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import type { Snapshot, SnapshotVerdict } from "../../../src/world/journal/index.ts";
import { keepsBody } from "../../../src/world/journal/snapshots.ts";
import { created, freshPath, reopened, tamper, transaction } from "./fixtures.ts";

const body = (seq: number): string => JSON.stringify({ seq, text: "scrip ".repeat(100) });
const snapshot = (seq: number) => ({ seq, state: packedJson(body(seq)) });
const found = (seq: number): Snapshot => {
  return { seq, body: body(seq) };
};

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

describe("saving and finding snapshots", () => {
  it("finds the newest snapshot at or before an event", () => {
    const journal = reopened(written());
    expect(journal.latestSnapshot()).toEqual(found(6));
    expect(journal.latestSnapshot(5)).toEqual(found(4));
    expect(journal.latestSnapshot(1)).toEqual(found(0));
    expect(journal.snapshots().map(({ seq }) => seq)).toEqual([0, 2, 4, 6]);
  });

  it("has none in a new journal", () => {
    expect(created().latestSnapshot()).toBeNull();
  });

  it("commits the events before the snapshot", () => {
    const journal = created();
    journal.append(transaction(1));
    journal.saveSnapshot(snapshot(1));
    expect([...journal.events()]).toHaveLength(1);
  });

  it("throws for a snapshot of a future event", () => {
    expect(() => created().saveSnapshot(snapshot(9))).toThrow("event of this journal");
  });

  it("keeps the newest of two at the same event", () => {
    const journal = created();
    journal.saveSnapshot(snapshot(0));
    journal.saveSnapshot({ seq: 0, state: packedJson("{}") });
    expect(journal.latestSnapshot()?.body).toBe("{}");
  });
});

describe("verifying snapshots", () => {
  it("passes for an unchanged journal", () => {
    expect(reopened(written()).verifySnapshots()).toEqual({ ok: true, snapshots: 4 });
  });

  it.each([
    ["body", "UPDATE snapshots SET body = zeroblob(9) WHERE seq = 4", 4],
    ["another body", "UPDATE snapshots SET body = (SELECT body FROM snapshots) WHERE seq = 4", 4],
    ["state hash", "UPDATE snapshots SET state_hash = 'x' WHERE seq = 4", 4],
    ["hash", "UPDATE snapshots SET hash = 'x' WHERE seq = 4", 4],
    ["event number", "UPDATE snapshots SET seq = 3 WHERE seq = 4", 3],
    ["event number, to none", "UPDATE snapshots SET seq = 9 WHERE seq = 4", 9],
    ["row removed", "DELETE FROM snapshots WHERE seq = 2", 4],
    ["last row removed", "DELETE FROM snapshots WHERE seq = 6", 4],
    ["copied from another history", "UPDATE events SET hash = 'x' WHERE seq = 4", 4],
  ])("finds a change: %s", (_what, sql, seq) => {
    expect(verdictAfter(sql)).toMatchObject({ ok: false, seq });
  });
});

describe("verifying the marks of snapshots", () => {
  const marks = (sql: string, upTo: number | null = null): SnapshotVerdict => {
    const path = written();
    tamper(path, sql);
    return reopened(path).verifySnapshots({ upTo, bodies: false });
  };

  it("finds every change except in the body, which is verified on use", () => {
    const bodiless = marks("UPDATE snapshots SET body = zeroblob(9) WHERE seq = 4");
    expect(bodiless).toEqual({ ok: true, snapshots: 4 });
    for (const change of ["seq = 5", "state_hash = 'x'", "hash = 'x'"]) {
      const verdict = marks(`UPDATE snapshots SET ${change} WHERE seq = 4`);
      expect(verdict).toMatchObject({ ok: false, detail: expect.stringContaining("was changed") });
    }
  });

  it("ignores changes after the given event", () => {
    const change = "UPDATE snapshots SET state_hash = 'x' WHERE seq = 4";
    expect(marks(change, 3)).toMatchObject({ ok: true, snapshots: 2 });
    expect(marks(change, 4)).toMatchObject({ ok: false, seq: 4 });
    expect(marks("DELETE FROM snapshots WHERE seq = 6", 5)).toMatchObject({ ok: true });
    expect(marks("DELETE FROM snapshots WHERE seq = 6")).toMatchObject({ ok: false });
  });
});

describe("many snapshots", () => {
  const COUNT = 70;
  const many = (): string => {
    const path = freshPath();
    const journal = created(path);
    for (let n = 1; n <= COUNT; n += 1) {
      journal.append(transaction(n));
      journal.saveSnapshot(snapshot(n));
    }
    journal.close();
    return path;
  };
  /** The snapshots that still have a body, oldest first. */
  const withBody = (path: string): number[] => {
    const reader = reopened(path);
    const numbers = Array.from({ length: COUNT }, (_, n) => n + 1);
    return numbers.filter((seq) => reader.latestSnapshot(seq)?.seq === seq);
  };

  it("keep all marks but few bodies, dense near the end", () => {
    const path = many();
    expect(withBody(path)).toEqual([16, 32, 40, 48, 56, 60, 64, 66, 67, 68, 69, 70]);
    const reader = reopened(path);
    expect(reader.snapshots()).toHaveLength(COUNT);
    expect(reader.verifySnapshots()).toEqual({ ok: true, snapshots: COUNT });
    expect(reader.latestSnapshot(55)).toEqual(found(48));
  });

  it("reveal a changed mark of a snapshot without a body", () => {
    const path = many();
    tamper(path, "UPDATE snapshots SET state_hash = 'x' WHERE seq = 3");
    expect(reopened(path).verifySnapshots()).toMatchObject({ ok: false, seq: 3 });
  });

  it("keep the newest two, and logarithmically many in total", () => {
    for (let count = 1; count <= 2_000; count += 1) {
      const numbers = Array.from({ length: count }, (_, n) => n + 1);
      const kept = numbers.filter((number) => keepsBody(number, count));
      expect(kept.slice(-2)).toEqual(numbers.slice(-2));
      expect(kept.length).toBeLessThanOrEqual(2 * Math.log2(count) + 4);
    }
  });

  it("never keep a body that was dropped before", () => {
    for (let number = 1; number <= 300; number += 1) {
      const later = Array.from({ length: 300 }, (_, n) => keepsBody(number, number + n));
      expect(later.lastIndexOf(true)).toBeLessThan(later.concat(false).indexOf(false));
    }
  });
});

describe("a damaged snapshot", () => {
  it("is skipped, because the events lead to the same state", () => {
    const path = written();
    tamper(path, "UPDATE snapshots SET body = zeroblob(9) WHERE seq = 6");
    expect(reopened(path).latestSnapshot()).toEqual(found(4));
  });
});
