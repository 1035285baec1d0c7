import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import { JournalFailure } from "../../../src/world/index.ts";
import { created, freshPath, problemOf, reopened, SETTINGS, transaction } from "./fixtures.ts";

const SIZE_MAX_BYTES = 128 * 1_024;

/** Appends and flushes until the disk is full; returns what was acknowledged, and the failure. */
function filled(path: string): { acknowledged: number; failure: unknown; journal: Journal } {
  const journal = created(path, { sizeMaxBytes: SIZE_MAX_BYTES });
  let acknowledged = 0;
  try {
    for (let n = 1; n < 10_000; n += 1) {
      journal.append(transaction(n, 5));
      journal.flush();
      acknowledged = 5 * n;
    }
  } catch (failure) {
    return { acknowledged, failure, journal };
  }
  throw new Error("the disk never filled");
}
type Journal = ReturnType<typeof created>;

describe("a full disk", () => {
  it("fails the commit in one clear line with a cure", () => {
    const { failure } = filled(freshPath());
    expect(failure).toBeInstanceOf(JournalFailure);
    expect(String(failure)).toMatch(/journal failed: .*journal\.db: the disk is full .*resume/);
    expect(String(failure)).not.toContain("\n");
  });

  it("makes every later write fail with the same failure", async () => {
    const { failure, journal } = filled(freshPath());
    const same = (work: () => unknown): void => {
      expect(work).toThrow(expect.toSatisfy((thrown) => thrown === failure));
    };
    same(() => journal.append(transaction(1)));
    same(() => journal.flush());
    same(() => journal.saveSnapshot({ seq: 0, state: packedJson("{}") }));
    await expect(journal.durable()).rejects.toBe(failure);
    expect(journal.failure()).toBe(failure);
  });

  it("keeps exactly what was acknowledged", () => {
    const path = freshPath();
    const { acknowledged, journal } = filled(path);
    expect(journal.head().seq).toBe(acknowledged);
    journal.close();
    const reader = reopened(path);
    expect([...reader.events()]).toHaveLength(acknowledged);
    expect(reader.verifyChain()).toMatchObject({ ok: true, head: { seq: acknowledged } });
    expect(statSync(path).size).toBeLessThanOrEqual(SIZE_MAX_BYTES);
  });

  it("lets a run resume once there is room", () => {
    const path = freshPath();
    const { acknowledged, journal } = filled(path);
    journal.close();
    const again = reopened(path, SETTINGS);
    again.append(transaction(1));
    again.flush();
    expect(again.verifyChain()).toMatchObject({ ok: true, head: { seq: acknowledged + 1 } });
  });

  it("rejects waiters and shows nothing to listeners", async () => {
    const journal = created(freshPath(), { sizeMaxBytes: SIZE_MAX_BYTES });
    const shown: number[] = [];
    journal.onCommitted((rows) => shown.push(rows.length));
    for (let n = 1; n < 100; n += 1) journal.append(transaction(n, 10));
    const durable = journal.durable();
    expect(() => journal.append(transaction(100, 2_000))).toThrow(JournalFailure);
    await expect(durable).rejects.toThrow("disk is full");
    expect(shown).toEqual([]);
    expect(journal.head().seq).toBe(0);
  });

  it("also fails a commit by timer", async () => {
    const journal = created(freshPath(), { sizeMaxBytes: SIZE_MAX_BYTES, groupMs: 1 });
    const huge = { atMs: 0, kind: "k", principal: null, body: "x".repeat(SIZE_MAX_BYTES) };
    journal.append({ command: "{}", timedOut: false, events: [huge] });
    await expect(journal.durable()).rejects.toThrow("disk is full");
    expect(() => journal.append(transaction(1))).toThrow("disk is full");
  });
});

describe("a journal locked by another program", () => {
  it("cannot be opened for writing, but can be read", () => {
    const path = freshPath();
    created(path).close();
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    expect(problemOf(path, SETTINGS)).toContain("another program has it locked");
    expect(reopened(path).head().seq).toBe(0);
    other.close();
  });
});

describe("a closed or read-only journal", () => {
  it("refuses writes and says why", () => {
    const path = freshPath();
    const journal = created(path);
    journal.append(transaction(1));
    journal.close();
    journal.close();
    expect(() => journal.append(transaction(2))).toThrow("it is closed");
    expect(() => journal.flush()).toThrow("it is closed");
    const reader = reopened(path);
    expect(reader.head().seq).toBe(1);
    expect(() => reader.append(transaction(2))).toThrow("reading only");
    expect(() => reader.flush()).toThrow("reading only");
  });

  it("commits and acknowledges pending events at close", async () => {
    const path = freshPath();
    const journal = created(path);
    journal.append(transaction(1));
    const durable = journal.durable();
    journal.close();
    await durable;
    expect(reopened(path).head().seq).toBe(1);
  });

  it("throws at close if that last commit fails", () => {
    const journal = created(freshPath(), { sizeMaxBytes: SIZE_MAX_BYTES });
    for (let n = 1; n < 100; n += 1) journal.append(transaction(n, 10));
    expect(() => journal.close()).toThrow("disk is full");
  });
});
