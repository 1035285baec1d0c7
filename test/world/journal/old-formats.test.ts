import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChainVerdict } from "../../../src/world/journal/index.ts";
import { layKeptRun } from "../../support/kept-run.ts";
import { freshFolder, reopened, tamper } from "./fixtures.ts";

/** Those in which commands have a table of their own. */
const FORMATS = [1, 2];

const verdictAfter = (format: number, sql: string): ChainVerdict => {
  const folder = freshFolder();
  layKeptRun(folder, format);
  const path = join(folder, "runs/kept/journal.db");
  tamper(path, sql);
  return reopened(path).verifyChain();
};

const bad = (detail: string): unknown => ({
  ok: false,
  seq: expect.any(Number),
  soundSeq: expect.any(Number),
  detail: expect.stringContaining(detail),
});

/** A command in the middle, not the only one. */
const ONE = "first_seq = (SELECT max(first_seq) FROM commands WHERE first_seq <= 60)";

describe.each(FORMATS)("a journal of format %i", (format) => {
  it.each([
    [`UPDATE commands SET body = body || ' ' WHERE ${ONE}`, "or its command was changed"],
    [`UPDATE commands SET fused = 1 WHERE ${ONE}`, "or its command was changed"],
    [`DELETE FROM commands WHERE ${ONE}`, "is missing"],
    [`UPDATE commands SET last_seq = last_seq + 1 WHERE ${ONE}`, "inside another's events"],
    ["INSERT INTO commands VALUES (1000000, 1000000, '{}', 0)", "without events stands at 1000000"],
  ])("does not verify after %s", (sql, detail) => {
    expect(verdictAfter(format, sql)).toEqual(bad(detail));
  });

  it("verifies as it was written", () => {
    expect(verdictAfter(format, "SELECT 1")).toMatchObject({ ok: true });
  });
});
