import fs, { statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import { type Journal, JournalFailure } from "../../../src/world/index.ts";
import { created, freshPath, reopened, transaction } from "./fixtures.ts";

type Answer = (error: NodeJS.ErrnoException | null) => void;

/** A disk that answers when the test says so. */
const disk = (() => {
  let asked = Promise.withResolvers<Answer>();
  return {
    ask: (answer: Answer): void => asked.resolve(answer),
    /** The next commit that has gone to the disk, with the way to answer it. */
    next: async (): Promise<Answer> => {
      const answer = await asked.promise;
      asked = Promise.withResolvers();
      return answer;
    },
    forget: (): void => {
      asked = Promise.withResolvers();
    },
  };
})();

// Named imports of node:fs follow the module only when they are told to.
beforeAll(() => {
  vi.spyOn(fs, "fdatasync").mockImplementation((_file, answer) => disk.ask(answer));
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

afterEach(() => disk.forget());

/** A journal that commits in the background and has made one commit in the foreground. */
const journalWithOneCommit = (path = freshPath()) => {
  const journal = created(path, { sync: "full", groupMs: 1 });
  journal.append(transaction(1));
  journal.flush();
  const shown: number[] = [];
  journal.onCommitted((rows) => shown.push(...rows.map(({ seq }) => seq)));
  return { journal, shown };
};

/** An answer that comes after the journal has completed the commit by itself. */
const TOO_LATE = Object.assign(new Error("too late"), { code: "EIO" });

type Refused = {
  readonly journal: Journal;
  readonly answer: Answer;
  readonly waiting: readonly Promise<void>[];
};

/** Fills the disk; all waiters are rejected with the failure of the journal. */
const expectRefused = async ({ journal, answer, waiting }: Refused): Promise<void> => {
  const outcomes = Promise.allSettled(waiting);
  answer(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: journal.failure() });
  }
  expect(String(journal.failure())).toMatch(/journal failed: .*: the disk is full.*resume/);
};

describe("a background commit", () => {
  it("is acknowledged and shown only when it is on disk", async () => {
    const { journal, shown } = journalWithOneCommit();
    journal.append(transaction(2));
    let isDurable = false;
    const durable = journal.durable().then(() => {
      isDurable = true;
    });
    const answer = await disk.next();
    expect([isDurable, shown]).toEqual([false, []]);
    answer(null);
    await durable;
    expect(shown).toEqual([2]);
  });

  it("lets the next group gather until it is on disk", async () => {
    const { journal, shown } = journalWithOneCommit();
    journal.append(transaction(2));
    const first = await disk.next();
    journal.append(transaction(3));
    journal.append(transaction(4));
    const durable = journal.durable();
    first(null);
    const second = await disk.next();
    expect(shown).toEqual([2]);
    second(null);
    await durable;
    expect(shown).toEqual([2, 3, 4]);
  });

  it("is awaited by durable() without a later append", async () => {
    const { journal, shown } = journalWithOneCommit();
    journal.append(transaction(2));
    const answer = await disk.next();
    const durable = journal.durable();
    answer(null);
    await durable;
    expect(shown).toEqual([2]);
    await journal.durable();
  });

  it("is completed by a flush, in order, and a late answer changes nothing", async () => {
    const { journal, shown } = journalWithOneCommit();
    journal.append(transaction(2));
    const late = await disk.next();
    const durable = journal.durable();
    journal.append(transaction(3));
    journal.flush();
    await durable;
    expect(shown).toEqual([2, 3]);
    late(TOO_LATE);
    expect(journal.failure()).toBeNull();
    journal.append(transaction(4));
    journal.flush();
    expect(shown).toEqual([2, 3, 4]);
  });

  it("is on disk when the journal is closed", async () => {
    const path = freshPath();
    const { journal, shown } = journalWithOneCommit(path);
    journal.append(transaction(2));
    await disk.next();
    journal.close();
    expect(shown).toEqual([2]);
    expect(reopened(path).verifyChain()).toMatchObject({ ok: true, head: { seq: 2 } });
  });

  it("fails all later writes and waiters if the disk refuses it", async () => {
    const { journal, shown } = journalWithOneCommit();
    journal.append(transaction(2));
    const answer = await disk.next();
    const waiting = [journal.durable()];
    journal.append(transaction(3));
    waiting.push(journal.durable());
    await expectRefused({ journal, answer, waiting });
    expect(() => journal.append(transaction(4))).toThrow(JournalFailure);
    expect([shown, journal.head().seq]).toEqual([[], 1]);
  });
});

describe("a background snapshot", () => {
  const SNAPSHOT = { seq: 1, state: packedJson("{}") };
  const KEPT = { ok: true, snapshots: 1 };

  /** A journal whose snapshot is being written, with the function that ends the write. */
  const shipped = async () => {
    const path = freshPath();
    const { journal, shown } = journalWithOneCommit(path);
    journal.saveSnapshot(SNAPSHOT);
    return { path, journal, shown, answer: await disk.next() };
  };

  /** The state of a promise after other pending work has run. */
  const settledOf = (promise: Promise<void>): Promise<string> => {
    const settled = promise.then(
      () => "is durable",
      () => "is refused",
    );
    return Promise.race([settled, setImmediate("waits")]);
  };

  it("is durable only when it is on disk", async () => {
    const { journal, answer, shown } = await shipped();
    const durable = journal.durable();
    expect(await settledOf(durable)).toBe("waits");
    answer(null);
    expect(await settledOf(durable)).toBe("is durable");
    expect(await settledOf(journal.durable())).toBe("is durable");
    expect([journal.snapshots().length, shown]).toEqual([1, []]);
  });

  it("fails all later writes and appends if the disk refuses it", async () => {
    const { journal, answer, shown } = await shipped();
    const waiting = [journal.durable()];
    journal.append(transaction(2));
    waiting.push(journal.durable());
    await expectRefused({ journal, answer, waiting });
    expect(() => journal.saveSnapshot(SNAPSHOT)).toThrow(JournalFailure);
    expect([shown, journal.head().seq]).toEqual([[], 1]);
  });

  it("is written before later appends", async () => {
    const { journal, answer, shown } = await shipped();
    journal.append(transaction(2));
    journal.append(transaction(3));
    const durable = journal.durable();
    answer(null);
    const second = await disk.next();
    expect([await settledOf(durable), shown]).toEqual(["waits", []]);
    second(null);
    await durable;
    expect(shown).toEqual([2, 3]);
    expect(journal.verifySnapshots()).toEqual(KEPT);
  });

  it("is completed before the next one starts", async () => {
    const { journal, answer } = await shipped();
    const durable = journal.durable();
    journal.saveSnapshot(SNAPSHOT);
    expect(await settledOf(durable)).toBe("is durable");
    answer(TOO_LATE);
    expect([journal.failure(), journal.snapshots().length]).toEqual([null, 2]);
  });

  it("is completed by a flush, and a late answer changes nothing", async () => {
    const { journal, answer, shown } = await shipped();
    const durable = journal.durable();
    journal.append(transaction(2));
    journal.flush();
    expect([await settledOf(durable), shown]).toEqual(["is durable", [2]]);
    answer(TOO_LATE);
    expect(journal.failure()).toBeNull();
    journal.append(transaction(3));
    journal.flush();
    expect(shown).toEqual([2, 3]);
  });

  it("is on disk when the journal is closed, and a late answer changes nothing", async () => {
    const { path, journal, answer } = await shipped();
    const durable = journal.durable();
    journal.close();
    expect(await settledOf(durable)).toBe("is durable");
    answer(TOO_LATE);
    expect(journal.failure()).toBeNull();
    const reader = reopened(path);
    expect([reader.verifySnapshots(), reader.head().seq]).toEqual([KEPT, 1]);
  });
});

it("checkpoints the WAL from time to time, and restarts it at a foreground commit", () => {
  const path = freshPath();
  const { journal } = journalWithOneCommit(path);
  const body = JSON.stringify({ text: "x".repeat(100_000) });
  const events = Array.from({ length: 30 }, () => ({ atMs: 1, kind: "k", principal: null, body }));
  for (let n = 0; n < 24; n += 1) {
    journal.append({ command: "{}", timedOut: false, events });
    journal.flush();
  }
  const writtenBytes = 24 * 30 * body.length;
  expect(statSync(path).size).toBeGreaterThan(writtenBytes / 2);
  expect(statSync(`${path}-wal`).size).toBeLessThan(writtenBytes / 2);
  expect(journal.verifyChain()).toMatchObject({ ok: true, head: { seq: 1 + 24 * 30 } });
});
