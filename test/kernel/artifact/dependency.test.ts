import { describe, it } from "vitest";
import { writes } from "../../support/commands.ts";
import { agent, given, note, type Past } from "../../support/given-when-then.ts";

const ALICE = agent("alice");

/** a ← b ← c: each depends on the one before. */
const CHAIN: readonly Past[] = [
  ALICE,
  note("a", "alice"),
  note("b", "alice", { depends_on: ["a"] }),
  note("c", "alice", { depends_on: ["b"] }),
];

const depends = (id: string, ...depends_on: readonly string[]) =>
  writes("alice", id, { depends_on });

describe("depending on others", () => {
  it("may go three deep and not four", () => {
    given(...CHAIN)
      .when(depends("d", "c"))
      .thenHappened({ kind: "artifact_written" });
    given(...CHAIN, note("d", "alice", { depends_on: ["c"] }))
      .when(depends("e", "d"))
      .thenRefused("invalid_argument", /longer than 3/);
  });

  it.each([
    ["itself", "a", ["a"], /a would depend on itself/],
    ["what depends on it", "a", ["b"], /a would depend on itself/],
    ["what depends on what depends on it", "a", ["c"], /a would depend on itself/],
    ["what is not there", "d", ["x"], /there is no "x"/],
    ["itself before it is there", "d", ["d"], /there is no "d"/],
  ] as const)("never leads back: on %s", (_, id, targets, words) => {
    const { decision } = given(...CHAIN).when(depends(id, ...targets));
    const message = decision.kind === "refused" ? decision.refusal.message : "accepted";
    if (!words.test(message)) throw new Error(message);
  });

  it("may meet again further down", () => {
    given(...CHAIN, note("x", "alice", { depends_on: ["a"] }))
      .when(depends("y", "b", "x"))
      .thenHappened({ kind: "artifact_written" });
  });

  it("is not on what was deleted", () => {
    given(ALICE, note("a", "alice"), {
      kind: "artifact_deleted",
      at_ms: 1_000,
      principal: null,
      artifact_id: "a" as never,
      by: "alice" as never,
    })
      .when(depends("b", "a"))
      .thenRefused("not_found", /there is no "a"/);
  });
});
