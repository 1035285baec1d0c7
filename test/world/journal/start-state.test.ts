import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import { Journal } from "../../../src/world/index.ts";
import type { StartState } from "../../../src/world/journal/index.ts";
import {
  created,
  freshPath,
  problemOf,
  reopened,
  SETTINGS,
  tamper,
  transaction,
} from "./fixtures.ts";

const STATE = JSON.stringify({ accounts: "scrip ".repeat(200), version: 1 });
const MARK = { seq: 100, atMs: 990, hash: "a".repeat(64), carried: '{"memories":["é"]}' };
const BASE = { ...MARK, state: packedJson(STATE) };
const READ: StartState = { ...MARK, state: STATE };

const started = (path = freshPath()): Journal => created(path, { base: BASE });

/** Events 101 to 106 in three transactions, with snapshots at 100 and 104. */
const written = (): string => {
  const path = freshPath();
  const journal = started(path);
  journal.saveSnapshot({ seq: 100, state: BASE.state });
  journal.append(transaction(1, 2));
  journal.append(transaction(2, 2));
  journal.saveSnapshot({ seq: 104, state: packedJson("{}") });
  journal.append(transaction(3, 2));
  journal.close();
  return path;
};

describe("a journal that continues from a state", () => {
  it("has the head of that state before its first event", () => {
    const path = freshPath();
    const journal = started(path);
    expect(journal.head()).toEqual({ seq: 100, hash: BASE.hash });
    journal.close();
    const reader = reopened(path);
    expect(reader.head()).toEqual({ seq: 100, hash: BASE.hash });
    expect(reader.base()).toEqual(READ);
    expect(reader.verifyChain()).toMatchObject({ ok: true, head: { seq: 100 }, events: 0 });
    expect(reader.verifySnapshots()).toEqual({ ok: true, snapshots: 0 });
  });

  it("continues numbers and chain, also in a later process", () => {
    const path = freshPath();
    const first = started(path);
    expect(first.append(transaction(1, 2))).toEqual({ firstSeq: 101, lastSeq: 102 });
    first.close();
    const second = reopened(path, SETTINGS);
    expect(second.append(transaction(2))).toEqual({ firstSeq: 103, lastSeq: 103 });
    second.flush();
    expect([...second.events()].map(({ seq }) => seq)).toEqual([101, 102, 103]);
    expect(second.verifyChain()).toMatchObject({ ok: true, head: { seq: 103 }, events: 3 });
  });

  it("gives events the same hashes as an uncut journal", () => {
    const whole = created();
    whole.append(transaction(1));
    const { seq, hash: at } = whole.head();
    whole.append(transaction(2, 2));
    const rest = created(freshPath(), { base: { ...BASE, seq, hash: at } });
    rest.append(transaction(2, 2));
    expect(rest.head()).toEqual(whole.head());
  });

  it("finds and verifies snapshots from its start on", () => {
    const journal = reopened(written());
    expect(journal.verifySnapshots()).toEqual({ ok: true, snapshots: 2 });
    expect(journal.latestSnapshot(103)?.seq).toBe(100);
    expect(journal.latestSnapshot(99)).toBeNull();
  });

  it("throws for a snapshot from before its start and for a base with a wrong hash", () => {
    const journal = started();
    const early = { seq: 99, state: packedJson("{}") };
    expect(() => journal.saveSnapshot(early)).toThrow("event of this journal");
    const path = freshPath();
    const wrong = { ...BASE, state: { ...BASE.state, sha256: hash("sha256", "{}") } };
    expect(() => Journal.create(path, { ...SETTINGS, base: wrong })).toThrow("own hash");
    expect(existsSync(path)).toBe(false);
  });

  it("leaves nothing behind if there is no room for the state", () => {
    const path = freshPath();
    const noise = JSON.stringify(Array.from({ length: 9_000 }, (_, n) => hash("md5", `${n}`)));
    const base = { ...BASE, state: packedJson(noise) };
    const opened = Journal.create(path, { ...SETTINGS, base, sizeMaxBytes: 65_536 });
    expect(opened).toMatchObject({ ok: false, problem: expect.stringContaining("disk is full") });
    started(path).close();
  });
});

it("a journal of a new world has no base", () => {
  expect(created().base()).toBeNull();
});

describe("a change of the base of a journal", () => {
  it.each([
    ["its state", "UPDATE base SET state = zeroblob(9)", 100, "its start state was changed"],
    ["its hash", "UPDATE base SET state_hash = 'x'", 100, "its start state was changed"],
    ["what it carries", "UPDATE base SET carried = zeroblob(9)", 100, "what it inherits"],
    ["the digest of that", "UPDATE base SET carried_sha256 = 'x'", 100, "what it inherits"],
    ["the hash of its event", "UPDATE base SET hash = 'x'", 101, "or its command was changed"],
    ["its number", "UPDATE base SET seq = 99", 100, "event 100 is missing"],
    ["all of it", "DELETE FROM base", 1, "event 1 is missing"],
  ])("is found: %s", (_what, sql, seq, words) => {
    const path = written();
    tamper(path, sql);
    expect(reopened(path).verifyChain()).toEqual({
      ok: false,
      seq,
      soundSeq: expect.any(Number),
      detail: expect.stringContaining(words),
    });
  });

  it("of its time or state hash is found by the snapshots", () => {
    for (const [column, value] of [
      ["at_ms", 991],
      ["state_hash", "b".repeat(64)],
    ] as const) {
      const path = written();
      tamper(path, `UPDATE base SET ${column} = ?`, value);
      expect(reopened(path).verifySnapshots()).toMatchObject({ ok: false });
      const bare = freshPath();
      started(bare).close();
      tamper(bare, `UPDATE base SET ${column} = ?`, value);
      const verdict = reopened(bare).verifySnapshots();
      expect(verdict).toMatchObject({ ok: false, detail: expect.stringContaining("begins with") });
    }
  });

  it("prevents reading the base, and a journal without its base cannot be opened", () => {
    const path = freshPath();
    started(path).close();
    tamper(path, "UPDATE base SET state = zeroblob(9)");
    expect(() => reopened(path).base()).toThrow(/journal failed: .*was changed.*use a copy of it$/);
    tamper(path, "DELETE FROM base");
    expect(problemOf(path, SETTINGS)).toContain("is damaged");
  });
});

describe("the end of a transaction", () => {
  it("is found from each event in it", () => {
    const journal = created();
    journal.append(transaction(1, 3));
    journal.append(transaction(2));
    journal.append(transaction(3, 2));
    journal.flush();
    const ends = [0, 1, 2, 3, 4, 5, 6, 7].map((seq) => journal.transactionEnd(seq));
    expect(ends).toEqual([0, 3, 3, 3, 4, 6, 6, null]);
  });

  it("is the base for the event that the journal continues from, and null before that", () => {
    const journal = reopened(written());
    const ends = [0, 99, 100, 101, 102, 107].map((seq) => journal.transactionEnd(seq));
    expect(ends).toEqual([null, null, 100, 102, 102, null]);
  });
});
