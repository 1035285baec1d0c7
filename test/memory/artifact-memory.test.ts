import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchRecords, withRecords } from "../../src/memory/artifact-memory.ts";
import type { MemoryQuery } from "../../src/memory/port/agent-memory.ts";
import { ALICE, memoriesOf, memory, numbersOf, textsOf } from "./memories.ts";

const ROOM = 10_000;
const MINUTE_MS = 60_000;
const search = (artifactText: string, text: string, more: Partial<MemoryQuery> = {}) =>
  searchRecords({
    limit: 5,
    nowMs: 0,
    memories: [{ id: ALICE, text: artifactText }],
    text,
    ...more,
  });

describe("the text of a memory artifact", () => {
  it("is a JSON list", () => {
    const text = withRecords("", [memory("alice", 1, "sold grain")], ROOM);
    expect(text).toBe('[{"n":1,"at_ms":1000,"kind":"action","text":"sold grain"}]');
  });

  it("keeps earlier records in order and adds no number twice", () => {
    const first = withRecords("", memoriesOf("alice", ["a", "b"]), ROOM);
    const second = withRecords(first, memoriesOf("alice", ["other", "other", "c"]), ROOM);
    const texts = ["a", "b", "c"].map((text, at) => ({ n: at + 1, text }));
    expect(JSON.parse(second)).toMatchObject(texts);
  });

  it("drops the oldest records to stay within its size", () => {
    const texts = Array.from({ length: 50 }, (_, i) => `${i + 1} ${"ä€😀".repeat(5)}`);
    const text = withRecords("", memoriesOf("alice", texts), 1_000);
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeLessThanOrEqual(1_000);
    expect(bytes).toBeGreaterThan(850);
    const numbers = JSON.parse(text).map(({ n }: { n: number }) => n);
    expect(numbers.at(-1)).toBe(50);
    expect(numbers).toEqual(numbers.map((_: number, i: number) => 51 - numbers.length + i));
  });

  it("cuts a record that does not fit alone", () => {
    const text = withRecords("", [memory("alice", 1, "x".repeat(5_000))], 300);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
    expect(JSON.parse(text)[0].text).toMatch(/^x{50,}…$/);
    expect(withRecords("", [memory("alice", 1, "x")], 10)).toBe("[]");
  });

  const foreign = ["", "null", "7", '{"n":1}', "not JSON", "[1, null, {}]", "[".repeat(100_000)];
  it.each(foreign)("replaces other content: %.20s", (text) => {
    const next = withRecords(text, [memory("alice", 4, "new")], ROOM);
    expect(JSON.parse(next)).toMatchObject([{ n: 4, text: "new" }]);
    expect(search(text, "new")).toEqual([]);
  });

  it("stays a searchable list within its size for any input", () => {
    const records = fc.array(
      fc.record({ number: fc.integer({ min: 1, max: 50 }), text: fc.string({ unit: "binary" }) }),
    );
    fc.assert(
      fc.property(fc.string(), records, fc.integer({ min: 2, max: 2_000 }), (text, news, most) => {
        const made = news.map(({ number, text: said }) => memory("alice", number, said));
        const next = withRecords(text, made, most);
        expect(Buffer.byteLength(next)).toBeLessThanOrEqual(most);
        expect(Array.isArray(JSON.parse(next))).toBe(true);
        expect(withRecords(next, made, most)).toBe(next);
        expect(search(next, text).length).toBeLessThanOrEqual(5);
      }),
    );
  });
});

describe("a search in a memory artifact", () => {
  const texts = ["sold grain to bob", "bought an oracle", "rested", "rested", "rested"];
  const text = withRecords("", memoriesOf("alice", texts), ROOM);

  it("finds similar records, even old ones", () => {
    const [best] = search(text, "any grain for bob?", { nowMs: 30 * MINUTE_MS });
    expect(best).toMatchObject({ artifact: "alice", number: 1, atMs: 1000, kind: "action" });
    expect(best?.similarity).toBeGreaterThan(0.2);
  });

  it("finds the newest if nothing is similar", () => {
    expect(numbersOf(search(text, "zzz", { limit: 2, nowMs: 6_000 }))).toEqual([5, 4]);
  });

  it("prefers the newer of equals; recency decays with age", () => {
    const old = { ...memory("alice", 1, "rested"), atMs: 0 };
    const young = { ...memory("alice", 2, "rested and paid the lender"), atMs: 10 * MINUTE_MS };
    const both = withRecords("", [old, young], ROOM);
    const at = (nowMs: number) => textsOf(search(both, "rested", { nowMs }));
    expect(at(10 * MINUTE_MS)[0]).toBe("rested");
    const twice = withRecords("", [old, { ...young, text: "rested" }], ROOM);
    expect(numbersOf(search(twice, "rested", { nowMs: 900_000 }))).toEqual([2, 1]);
  });

  it("finds at most the limit", () => {
    expect(search(text, "rested", { limit: 0 })).toEqual([]);
    expect(search(text, "rested", { limit: -1 })).toEqual([]);
  });
});
