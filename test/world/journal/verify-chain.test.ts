import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventHash, snapshotHash } from "../../../src/world/journal/chain.ts";
import { type ChainVerdict, GENESIS_HASH } from "../../../src/world/journal/index.ts";
import { created, freshPath, problemOf, reopened, SETTINGS, tamper, written } from "./fixtures.ts";

function verdictOf(path: string): ChainVerdict {
  const journal = reopened(path);
  const verdict = journal.verifyChain();
  journal.close();
  return verdict;
}

/** The verdict on twelve events in six transactions of two: odd numbers open a transaction. */
function verdictAfter(sql: string): ChainVerdict {
  const path = written(6, 2);
  tamper(path, sql);
  return verdictOf(path);
}

const bad = (seq: number, detail: string): unknown => ({
  ok: false,
  seq,
  soundSeq: expect.any(Number),
  detail: expect.stringContaining(detail),
});

describe("an untouched journal", () => {
  it("passes, empty or not", () => {
    const path = freshPath();
    created(path).close();
    expect(verdictOf(path)).toMatchObject({ ok: true, head: { seq: 0 }, events: 0 });
    expect(verdictOf(written(6, 2))).toMatchObject({ ok: true, head: { seq: 12 }, events: 12 });
  });
});

describe("a changed event", () => {
  it.each([
    "at_ms = at_ms + 1",
    "kind = 'artifact_reaD'",
    "principal = 'agent_9'",
    "principal = ''",
    "body = body || ' '",
    "hash = replace(hash, substr(hash, 1, 1), 'x')",
  ])("is found by its number: %s", (change) => {
    for (const seq of [1, 2, 7, 12]) {
      const verdict = verdictAfter(`UPDATE events SET ${change} WHERE seq = ${seq}`);
      expect(verdict).toMatchObject({ ok: false, seq });
    }
  });

  it("is found if a principal becomes null", () => {
    const change = "UPDATE events SET principal = NULL WHERE seq = 4";
    expect(verdictAfter(change)).toEqual(bad(4, "was changed"));
  });

  it("is found if text moves from one column to the next", () => {
    const move = "kind = substr(kind, 1, 1), principal = substr(kind, 2) || principal";
    expect(verdictAfter(`UPDATE events SET ${move} WHERE seq = 3`)).toEqual(bad(3, "was changed"));
  });

  it("is found for any one character of any body", () => {
    const path = written(6, 2);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(10), (seq, at) => {
        const swap = "substr(body, 1, ?1) || '#' || substr(body, ?1 + 2)";
        tamper(path, `UPDATE events SET body = ${swap} WHERE seq = ?2`, at, seq);
        expect(verdictOf(path)).toMatchObject({ ok: false, seq });
        tamper(path, "UPDATE events SET body = ? WHERE seq = ?", bodyOf(seq), seq);
        expect(verdictOf(path)).toMatchObject({ ok: true });
      }),
      { numRuns: 25 },
    );
  });
});

describe("damage", () => {
  it("leaves the chain sound up to the transaction with the damaged event", () => {
    for (const [seq, soundSeq] of Object.entries({ 1: 0, 2: 0, 7: 6, 8: 6, 9: 8 })) {
      const verdict = verdictAfter(`UPDATE events SET body = body || ' ' WHERE seq = ${seq}`);
      expect(verdict).toMatchObject({ ok: false, seq: Number(seq), soundSeq });
    }
  });

  it("is not found by a check of earlier events only", () => {
    const path = written(6, 2);
    tamper(path, "UPDATE events SET body = body || ' ' WHERE seq = 9");
    const journal = reopened(path);
    expect(journal.verifyChain(8)).toMatchObject({ ok: true, head: { seq: 8 }, events: 8 });
    expect(journal.verifyChain(10)).toMatchObject({ ok: false, seq: 9, soundSeq: 8 });
    expect(journal.verifyChain()).toMatchObject({ ok: false, seq: 9, soundSeq: 8 });
  });
});

describe("moved or missing rows", () => {
  it("are found: a removed event", () => {
    expect(verdictAfter("DELETE FROM events WHERE seq = 5")).toEqual(bad(5, "missing"));
    expect(verdictAfter("DELETE FROM events WHERE seq = 1")).toEqual(bad(1, "missing"));
  });

  it("are found by the recorded head: events cut from the end", () => {
    const missing = bad(11, "events 11 to 12 are missing from the end");
    expect(verdictAfter("DELETE FROM events WHERE seq > 10")).toEqual(missing);
  });

  it("are found: two swapped events", () => {
    const path = written(6, 2);
    tamper(path, "UPDATE events SET seq = 100 WHERE seq = 4");
    tamper(path, "UPDATE events SET seq = 4 WHERE seq = 5");
    tamper(path, "UPDATE events SET seq = 5 WHERE seq = 100");
    expect(verdictOf(path)).toMatchObject({ ok: false, seq: 4 });
  });

  it("are found: an event added at the end", () => {
    const columns = "at_ms, kind, principal, body, hash, last_seq, timed_out, command";
    const insert = `INSERT INTO events SELECT 13, ${columns} FROM events`;
    expect(verdictAfter(`${insert} WHERE seq = 12`)).toEqual(bad(13, "command"));
  });

  it("are found: an event after the recorded head", () => {
    const head = "UPDATE meta SET value = '11 ' || (SELECT hash FROM events WHERE seq = 11)";
    expect(verdictAfter(`${head} WHERE key = 'journal_head'`)).toEqual(bad(12, "head names 11"));
  });
});

describe("a changed command", () => {
  const REMOVE = "UPDATE events SET command = NULL, last_seq = NULL, timed_out = NULL WHERE seq =";

  it.each([
    ["command = command || ' '", "or its command"],
    ["timed_out = 1 - timed_out", "or its command"],
    ["command = NULL", "column command is not text"],
    ["last_seq = last_seq + 1", ""],
    ["last_seq = last_seq - 1", ""],
  ])("is found: %s", (change, detail) => {
    const verdict = verdictAfter(`UPDATE events SET ${change} WHERE seq = 7`);
    expect(verdict).toMatchObject({ ok: false, detail: expect.stringContaining(detail) });
    expect(verdict.ok || [7, 8, 9].includes(verdict.seq)).toBe(true);
  });

  it("is found by the number of its event if its end is missing", () => {
    const verdict = verdictAfter("UPDATE events SET last_seq = NULL WHERE seq = 7");
    expect(verdict).toEqual(bad(7, "row 7: column last_seq is not a whole number"));
  });

  it("is found if it was removed", () => {
    expect(verdictAfter(`${REMOVE} 1`)).toEqual(bad(1, "missing"));
    expect(verdictAfter(`${REMOVE} 11`)).toEqual(bad(11, "missing"));
  });

  it("is found if its number is too large", () => {
    const change = "UPDATE events SET last_seq = 9223372036854775807 WHERE seq = 7";
    const detail = expect.stringContaining("a number in it is too large: it is damaged");
    expect(verdictAfter(change)).toMatchObject({ ok: false, detail });
  });

  it("is found if some of its columns remain", () => {
    expect(verdictAfter("UPDATE events SET timed_out = 0 WHERE seq = 4")).toEqual(
      bad(4, "column last_seq is not a whole number"),
    );
  });

  it("is found if it was inserted", () => {
    const put = "UPDATE events SET command = '{}', last_seq = 4, timed_out = 0 WHERE seq = 4";
    expect(verdictAfter(put)).toEqual(bad(4, "between the events of another command"));
  });

  it("is found if it absorbs the next transaction", () => {
    const path = written(6, 2);
    tamper(path, `${REMOVE} 5`);
    tamper(path, "UPDATE events SET last_seq = 6 WHERE seq = 3");
    expect(verdictOf(path)).toEqual(bad(5, "was changed"));
  });
});

describe("a journal with a cut end", () => {
  it("cannot be opened for writing", () => {
    const path = written(6, 2);
    tamper(path, "DELETE FROM events WHERE seq = 12");
    expect(problemOf(path, SETTINGS)).toContain("is damaged");
  });
});

function bodyOf(seq: number): string {
  return `{"n":${Math.ceil(seq / 2)},"k":${(seq + 1) % 2}}`;
}

/** Computes hashes independently, from the framing in docs/dev/journal.md. */
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const zeros = "0".repeat(64);

it("starts the chain with 64 zeros", () => {
  expect(GENESIS_HASH).toBe(zeros);
});

it("prefixes each text of an event with its length in UTF-8 bytes", () => {
  const event = { seq: 12, atMs: 345, kind: "read", principal: "é", body: '{"n":1}' };
  expect(eventHash(zeros, event, null)).toBe(sha256(`${zeros}12 345 4:read,2:é,7:{"n":1},`));
});

it("writes a dash for a null principal, and adds the command to the first event", () => {
  const event = { seq: 1, atMs: 0, kind: "read", principal: null, body: "{}" };
  const cause = { command: '{"a":1}', timedOut: true };
  const framed = `${zeros}1 0 4:read,-2:{},7:{"a":1},`;
  expect(eventHash(zeros, event, cause)).toBe(sha256(`${framed}1`));
  expect(eventHash(zeros, event, { ...cause, timedOut: false })).toBe(sha256(`${framed}0`));
});

it("hashes a snapshot with the hash of its event", () => {
  const seal = { seq: 9, stateHash: "s", eventHash: "e" };
  expect(snapshotHash(zeros, seal)).toBe(sha256(`${zeros}9 1:s,1:e,`));
});
