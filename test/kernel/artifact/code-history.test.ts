import { describe, expect, it } from "vitest";
import { asId, codesOf, type State } from "../../../src/kernel/index.ts";
import { stateText } from "../../../src/world/index.ts";
import { deletes, writes } from "../../support/commands.ts";
import { agent, called, given, type Past, program, standing } from "../../support/scenario.ts";

const WORLD: readonly Past[] = [
  agent("alice", { disk: 50_000, scrip: 100 }),
  agent("bob", { disk: 50_000, scrip: 100 }),
];
const V1 = [...WORLD, program("tool", "alice", { code: "v1", price: 5 })];

const version = (n: number): Past => writes("alice", "tool", { code: `v${n}` });
const versions = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => version(from + n));
const TILL = standing("till", "alice", { scrip: 10 });
const BOUGHT = called("bob", "tool");

const historyOf = (state: State): readonly string[] =>
  codesOf(state, asId("tool")).map((row) => `${row.print}${row.sold ? " sold" : ""}`);

describe("the code history of an artifact", () => {
  it("lists every code in order, and which were sold", () => {
    const { state } = given(...V1, version(2), BOUGHT, version(3));
    expect(historyOf(state)).toEqual(["v1", "v2 sold", "v3"]);
    const [first = 0, ...later] = codesOf(state, asId("tool")).map(({ ordinal }) => ordinal);
    expect(later).toEqual([first + 1, first + 2]);
  });

  it.each<readonly [string, readonly Past[], readonly string[]]>([
    ["ignores changes of price", [BOUGHT, writes("alice", "tool", { price: 6 })], ["v1 sold"]],
    ["does not repeat a code that is written again", [BOUGHT, version(1)], ["v1 sold"]],
    ["does not count calls by the owner's family as sales", [TILL, called("till", "tool")], ["v1"]],
    ["does not count free calls as sales", [writes("alice", "tool", { price: 0 }), BOUGHT], ["v1"]],
  ])("%s", (_, past, history) => {
    expect(historyOf(given(...V1, ...past).state)).toEqual(history);
  });

  it("keeps at most eight codes: the first, the sold and the latest", () => {
    const history = historyOf(given(...V1, version(2), BOUGHT, ...versions(3, 12)).state);
    expect(history).toHaveLength(8);
    expect(history.slice(0, 2)).toEqual(["v1", "v2 sold"]);
    expect(history.at(-1)).toBe("v14");
  });

  it("prefers to keep codes between which others wrote something", () => {
    const others = ["a", "b", "c"].map((id) => program(id, "bob"));
    const { state } = given(...V1, version(2), ...others, ...versions(3, 6), ...versions(9, 6));
    expect(historyOf(state).slice(0, 2)).toEqual(["v1", "v2"]);
  });

  it("keeps only the print of a replaced code", () => {
    const long = [0, 1, 2, 3, 4, 5].map((n) => {
      const evidence = { code_check: { methods: ["run"], print: `print ${n}` } };
      return writes("alice", "tool", { code: "x".repeat(5_000 + n), evidence });
    });
    const { state } = given(...WORLD, ...long, version(1));
    expect(historyOf(state)).toHaveLength(7);
    expect(stateText(state)).not.toContain("xxxxx");
  });

  it("is empty for artifacts that the world begins with", () => {
    const fields = { code: "function run() {}", methods: ["run"] };
    const id = asId("tool");
    const install = { kind: "install_artifact", at_ms: 0, id, owner: id, fields } as const;
    expect(historyOf(given(install, ...WORLD).state)).toEqual([]);
  });

  it("is deleted with the artifact", () => {
    const { state } = given(...V1, version(2), BOUGHT, deletes("alice", "tool"));
    expect(historyOf(state)).toEqual([]);
    expect(state.histories.has(asId("tool"))).toBe(false);
  });
});
