import { expect, it } from "vitest";
import { asId, type CodeVersion } from "../../../src/kernel/index.ts";
import { type Candidate, fingerprintOf, noveltyOf } from "../../../src/world/index.ts";

const SECRET = [1, 2] as const;
const WORDS = ["map", "filter", "some", "every", "find", "flat", "fill", "join"];

/** Codes of eight kinds that resemble each other. */
const codes = (count: number, from: number): readonly CodeVersion[] =>
  Array.from({ length: count }, (_, n) => ({
    print: fingerprintOf(`function run(a) { return a.${WORDS[n % 8]}((x) => x * 2 + 1) }`, SECRET),
    ordinal: from + n,
    sold: true,
  }));

/** A program to compare with those of `others` artifacts. */
const candidate = (others: number): Candidate => ({
  submission: "mine:1",
  artifact: asId("mine"),
  bidder: asId("alice"),
  content: "",
  code: "",
  fingerprint: codes(1, 0)[0]?.print ?? "",
  codeOrdinal: 1e6,
  pastCodes: codes(7, 1e5).map((code, n) => ({ ...code, ordinal: 1e5 + n * 1e4 })),
  interface: null,
  netSales: [],
  examples: { run: 0, passed: 0 },
  memo: null,
  others: Array.from({ length: others }, (_, n) => ({
    artifact: asId(`other_${n}`),
    memo: null,
    codes: codes(8, 8 * n + 1),
  })),
});

it("lets other work run while it compares with many programs", async () => {
  let turns = 0;
  let done = false;
  const others = (): void => {
    turns += 1;
    if (!done) setImmediate(others);
  };
  setImmediate(others);
  const novelty = await noveltyOf(candidate(1_000));
  done = true;
  expect(novelty).toBe(0);
  // 8,000 codes against eight of its own.
  expect(turns).toBeGreaterThan(3);
});
