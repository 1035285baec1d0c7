import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Journal, JournalRow } from "../../../src/world/index.ts";
import { GENESIS_HASH } from "../../../src/world/journal/index.ts";

import { created, freshPath, reopened, SETTINGS, transaction, written } from "./fixtures.ts";

describe("appending", () => {
  it("numbers events from 1, transaction by transaction", () => {
    const journal = created();
    expect(journal.head()).toEqual({ seq: 0, hash: GENESIS_HASH });
    expect(journal.append(transaction(1, 3))).toEqual({ firstSeq: 1, lastSeq: 3 });
    expect(journal.append(transaction(2))).toEqual({ firstSeq: 4, lastSeq: 4 });
    expect(journal.head().seq).toBe(4);
  });

  it("gives the head the hash of the last event", () => {
    const journal = created();
    journal.append(transaction(1, 2));
    journal.flush();
    expect([...journal.events()].at(-1)?.hash).toBe(journal.head().hash);
  });

  it("throws for a transaction without events or with a fractional time", () => {
    const journal = created();
    const event = { atMs: 0.5, kind: "k", principal: null, body: "{}" };
    const append = (...events: readonly (typeof event)[]) =>
      journal.append({ command: "{}", timedOut: false, events });
    expect(() => append()).toThrow("must have an event");
    expect(() => append(event)).toThrow("whole");
    expect(journal.head().seq).toBe(0);
  });

  it("reads back exactly what was appended, also after it was closed", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const event = fc.record({ atMs: fc.nat(), kind: text, principal: fc.option(text), body: text });
    const written = fc.record({
      command: text,
      timedOut: fc.boolean(),
      events: fc.array(event, { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), (transactions) => {
        const path = freshPath();
        const journal = created(path);
        for (const each of transactions) journal.append(each);
        journal.close();
        const reader = reopened(path);
        const events = transactions.flatMap((each) => each.events);
        expect([...reader.events()].map(({ seq, hash, ...rest }) => rest)).toEqual(events);
        const commands = transactions.map(({ command, timedOut }) => ({ command, timedOut }));
        expect([...reader.transactions()]).toMatchObject(commands);
        const verdict = { ok: true, head: reader.head(), events: events.length };
        expect(reader.verifyChain()).toEqual(verdict);
        reader.close();
      }),
      { numRuns: 40 },
    );
  });

  it("continues numbers and chain where an earlier process stopped", () => {
    const second = reopened(written(1, 2), SETTINGS);
    expect(second.append(transaction(2))).toEqual({ firstSeq: 3, lastSeq: 3 });
    second.flush();
    expect(second.verifyChain()).toMatchObject({ ok: true, events: 3 });
  });
});

describe("group commit", () => {
  it("shows nothing to readers or listeners before the commit", () => {
    const path = freshPath();
    const journal = created(path);
    const shown: number[] = [];
    journal.onCommitted((rows) => shown.push(...rows.map((row) => row.seq)));
    journal.append(transaction(1, 2));
    expect([...journal.events()]).toEqual([]);
    expect(shown).toEqual([]);
    journal.flush();
    expect([...reopened(path).events()].map((row) => row.seq)).toEqual([1, 2]);
    expect(shown).toEqual([1, 2]);
  });

  it("acknowledges all waiters of a group with one commit", async () => {
    const journal = created();
    const acknowledged: string[] = [];
    journal.append(transaction(1));
    const first = journal.durable().then(() => acknowledged.push("first"));
    journal.append(transaction(2));
    const second = journal.durable().then(() => acknowledged.push("second"));
    await Promise.resolve();
    expect(acknowledged).toEqual([]);
    journal.flush();
    await Promise.all([first, second]);
    expect(acknowledged).toEqual(["first", "second"]);
    await journal.durable();
  });

  it("commits by a timer", async () => {
    const path = freshPath();
    const journal = created(path, { groupMs: 1 });
    journal.append(transaction(1));
    await journal.durable();
    expect(reopened(path).head().seq).toBe(1);
  });

  it("commits in append if the group has waited long enough, since timers can starve", () => {
    const journal = created(freshPath(), { groupMs: 0 });
    journal.append(transaction(1));
    expect([...journal.events()]).toHaveLength(1);
  });

  it("commits in append if the group is full", () => {
    const journal = created();
    journal.append(transaction(1, 1_023));
    expect([...journal.events()]).toHaveLength(0);
    journal.append(transaction(2));
    expect([...journal.events()]).toHaveLength(1_024);
  });

  it("shows groups in order even if a listener appends", () => {
    const journal = created(freshPath(), { groupMs: 0 });
    const shown: string[] = [];
    journal.onCommitted((rows) => {
      if (rows[0]?.seq === 1) journal.append(transaction(2));
      shown.push(`first saw ${rows[0]?.seq}`);
    });
    journal.onCommitted((rows) => shown.push(`second saw ${rows[0]?.seq}`));
    journal.append(transaction(1));
    expect(shown).toEqual(["first saw 1", "second saw 1", "first saw 2", "second saw 2"]);
  });

  it("does not call a removed listener", () => {
    const journal = created();
    const shown: JournalRow[] = [];
    const off = journal.onCommitted((rows) => shown.push(...rows));
    off();
    journal.append(transaction(1));
    journal.flush();
    expect(shown).toEqual([]);
  });
});

describe("reading", () => {
  const many = (): Journal => reopened(written(300, 2), SETTINGS);
  const seqs = (rows: Iterable<JournalRow>): number[] => [...rows].map((row) => row.seq);

  it("filters by number, kind, principal and time", () => {
    const journal = many();
    expect(seqs(journal.events())).toHaveLength(600);
    expect(seqs(journal.events({ after: 598 }))).toEqual([599, 600]);
    expect(seqs(journal.events({ upTo: 2 }))).toEqual([1, 2]);
    expect(seqs(journal.events({ after: 10, limit: 3 }))).toEqual([11, 12, 13]);
    expect(seqs(journal.events({ limit: 0 }))).toEqual([]);
    expect(seqs(journal.events({ kind: "artifact_read" }))).toHaveLength(300);
    expect(seqs(journal.events({ principal: "agent_1" }))).toHaveLength(200);
    const both = { kind: "artifact_read", principal: "agent_1", after: 1, upTo: 13 };
    expect(seqs(journal.events(both))).toEqual([7, 13]);
    expect(seqs(journal.events({ kind: "no_such_kind" }))).toEqual([]);
    expect(seqs(journal.events({ sinceMs: 2_995 }))).toEqual([599, 600]);
    expect(seqs(journal.events({ sinceMs: 20, upTo: 4 }))).toEqual([3, 4]);
  });

  it("leaves out the bodies of kinds that the caller does not read, and all hashes", () => {
    const withoutBodies = ["scrip_transferred", "no_such_kind"];
    const filter = { withoutBodies, after: 2, limit: 2, principal: "agent_2" };
    const rows = [...many().events(filter)];
    expect(rows.map(({ seq, body, hash }) => [seq, body, hash])).toEqual([
      [3, '{"n":2,"k":0}', ""],
      [4, "", ""],
    ]);
  });

  it("returns whole transactions within the bounds", () => {
    const journal = many();
    const bounds = (filter: { after?: number; upTo?: number }): number[][] =>
      [...journal.transactions(filter)].map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]);
    expect(bounds({})).toHaveLength(300);
    expect(bounds({ after: 2, upTo: 7 })).toEqual([
      [3, 4],
      [5, 6],
    ]);
  });

  it("can stop halfway, with writes between two rows", () => {
    const journal = many();
    for (const row of journal.events()) {
      if (row.seq === 3) break;
      journal.append(transaction(row.seq));
      journal.flush();
    }
    expect(journal.head().seq).toBe(602);
  });

  it("sees what another connection commits later", () => {
    const path = freshPath();
    const journal = created(path);
    const reader = reopened(path);
    expect(reader.head().seq).toBe(0);
    journal.append(transaction(1));
    journal.flush();
    expect(reader.head()).toEqual(journal.head());
    expect(seqs(reader.events())).toEqual([1]);
  });
});

describe("model calls", () => {
  it("are committed with the events around them, outside the chain", () => {
    const path = freshPath();
    const journal = created(path);
    journal.append(transaction(1));
    const { hash } = journal.head();
    journal.noteModelCall(() => '{"reply":"one"}');
    expect([...journal.modelCalls()]).toEqual([]);
    journal.flush();
    journal.noteModelCall(() => '{"reply":"two"}');
    journal.close();
    const reader = reopened(path);
    expect([...reader.modelCalls()]).toEqual([
      { id: 1, seq: 1, body: '{"reply":"one"}' },
      { id: 2, seq: 1, body: '{"reply":"two"}' },
    ]);
    expect(reader.head().hash).toBe(hash);
    expect(reader.verifyChain().ok).toBe(true);
  });

  it("are read up to an event", () => {
    const journal = created();
    for (let n = 1; n <= 4; n++) {
      journal.noteModelCall((id) => `{"n":${id}}`);
      journal.append(transaction(n, 2));
    }
    journal.flush();
    expect([...journal.modelCalls({ upTo: 4 })].map(({ seq }) => seq)).toEqual([0, 2, 4]);
  });

  it("are all read, page by page", () => {
    const journal = created();
    for (let n = 1; n <= 600; n++) journal.noteModelCall((id) => `{"n":${id}}`);
    journal.flush();
    const ids = Array.from({ length: 600 }, (_, n) => n + 1);
    expect([...journal.modelCalls()].map(({ id }) => id)).toEqual(ids);
  });
});
