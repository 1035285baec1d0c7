import { describe, it } from "vitest";
import { deletes, writes } from "../../support/commands.ts";
import { agent, given, note, type Past } from "../../support/scenario.ts";

const ALICE = agent("alice");

/** c depends on b, which depends on a. */
const CHAIN: readonly Past[] = [
  ALICE,
  note("a", "alice"),
  note("b", "alice", { depends_on: ["a"] }),
  note("c", "alice", { depends_on: ["b"] }),
];

const depends = (id: string, ...depends_on: readonly string[]) =>
  writes("alice", id, { depends_on });

describe("dependencies", () => {
  it("can be chained three deep, not four", () => {
    const scene = given(...CHAIN);
    scene.when(depends("d", "c")).thenHappened("artifact_written");
    scene.when(depends("e", "d")).thenRefused("invalid_argument", /more than 3 links/);
  });

  it("may lead to one artifact by two ways", () => {
    const scene = given(...CHAIN, depends("x", "a"));
    scene.when(depends("y", "b", "x")).thenHappened("artifact_written");
  });

  it.each([
    ["on itself", "a", ["a"], "invalid_argument", /a would depend on itself/],
    ["on its dependent", "a", ["b"], "invalid_argument", /a would depend on itself/],
    ["on a dependent of its dependent", "a", ["c"], "invalid_argument", /a would depend on itself/],
    ["on an unknown artifact", "d", ["x"], "not_found", /there is no "x"/],
    ["on itself before it exists", "d", ["d"], "not_found", /there is no "d"/],
    ["on a deleted artifact", "d", ["dead"], "not_found", /there is no "dead"/],
  ] as const)("cannot be %s", (_, id, targets, code, words) => {
    const scene = given(...CHAIN, note("dead", "alice"), deletes("alice", "dead"));
    scene.when(depends(id, ...targets)).thenRefused(code, words);
  });
});
