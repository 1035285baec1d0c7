import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  codesOf,
  decide,
  evolve,
  must,
  type State,
} from "../../../src/kernel/index.ts";

import { stateText } from "../../../src/world/state-codec/state-codec.ts";
import { calls, opens, writes } from "../../support/commands.ts";
import { agent, given, type Past, program, standing } from "../../support/given-when-then.ts";

const WORLD: readonly Past[] = [
  agent("alice", { disk: 50_000, scrip: 100 }),
  agent("bob", { disk: 50_000, scrip: 100 }),
];
const SOLD = [...WORLD, program("tool", "alice", { code: "v1", price: 5 })];

const code = (text: string): Command => writes("alice", "tool", { code: text });

/** A call that is paid for and ends well. */
const buys =
  (who: string, id = "tool") =>
  (state: State): void => {
    const opened = decide(state, opens(who, id));
    if (opened.kind !== "accepted") throw new Error(`${who} cannot buy ${id}`);
    for (const event of opened.events) evolve(state, event);
    const ran = { state: null, gas: 7, log: "" };
    const closed = decide(state, { kind: "close_invocation", call: opened.answer, ran });
    if (closed.kind !== "accepted") throw new Error(`the call of ${id} cannot end`);
    for (const event of closed.events) evolve(state, event);
  };

const known = (state: State): readonly string[] =>
  codesOf(state, asId("tool")).map((row) => `${row.print}${row.sold ? " sold" : ""}`);

describe("the codes that an artifact has had", () => {
  it("are known with whether they were sold, the present one last", () => {
    const { state } = given(...SOLD, code("v2"), buys("bob"), code("v3"));
    expect(known(state)).toEqual(["v1", "v2 sold", "v3"]);
    const ordinals = codesOf(state, asId("tool")).map(({ ordinal }) => ordinal);
    const first = must(ordinals[0], "there are three");
    expect(ordinals).toEqual([first, first + 1, first + 2]);
  });

  it("are the same after a write that leaves the code alone", () => {
    const price = writes("alice", "tool", { price: 6 });
    const { state } = given(...SOLD, buys("bob"), price, code("v1"));
    expect(known(state)).toEqual(["v1 sold"]);
  });

  it("are not sold to their owner's family, nor for nothing", () => {
    const past = [...SOLD, standing("till", "alice", { scrip: 10 })];
    expect(known(given(...past, buys("till")).state)).toEqual(["v1"]);
    const free = writes("alice", "tool", { price: 0 });
    expect(known(given(...past, free, buys("bob")).state)).toEqual(["v1"]);
  });

  it("are eight at the most: the first, what was sold, and the latest", () => {
    const many = Array.from({ length: 12 }, (_, n) => code(`v${n + 3}`));
    const { state } = given(...SOLD, code("v2"), buys("bob"), ...many);
    const left = known(state);
    expect(left).toHaveLength(8);
    expect(left.slice(0, 2)).toEqual(["v1", "v2 sold"]);
    expect(left.at(-1)).toBe("v14");
  });

  it("are rather those between which others wrote something", () => {
    const many = (from: number) => Array.from({ length: 6 }, (_, n) => code(`v${n + from}`));
    const others = ["a", "b", "c"].map((id) => program(id, "bob"));
    const { state } = given(...SOLD, code("v2"), ...others, ...many(3), ...many(9));
    expect(known(state).slice(0, 2)).toEqual(["v1", "v2"]);
  });

  it("take of each replaced code its print and nothing else", () => {
    const long = (n: number) => ({
      code: "x".repeat(5_000 + n),
      evidence: { code_check: { methods: ["run"], print: `print ${n}` } },
    });
    const versions = [1, 2, 3, 4, 5].map((n) => writes("alice", "tool", long(n)));
    const scene = given(...WORLD, program("tool", "alice", long(0)), ...versions, code("short"));
    expect(known(scene.state)).toHaveLength(7);
    expect(stateText(scene.state)).not.toContain("xxxxx");
  });

  it("are none of what the world began with, which nobody can replace", () => {
    const fields = { code: "function run() {}", methods: ["run"] };
    const id = asId("tool");
    const install = { kind: "install_artifact", at_ms: 0, id, owner: id, fields } as const;
    expect(known(given(install, ...WORLD).state)).toEqual([]);
  });

  it("are forgotten with the artifact", () => {
    const past = [...SOLD, code("v2"), buys("bob")];
    const { state } = given(...past, calls("alice", "genesis_store.delete", { args: ["tool"] }));
    expect(known(state)).toEqual([]);
    expect(state.histories.has(asId("tool"))).toBe(false);
  });
});
