import { describe, expect, it } from "vitest";
import { asId, type InterfaceMethod, isObject, type Json } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, copyOf, install, mechanismWorlds, perform, totalScrip } from "./mechanism-world.ts";
import { STORIES } from "./stories.ts";

const newWorld = mechanismWorlds({ isAudited: false });

/** Values that no method expects. JSON has no NaN and no infinity, only text that looks like it. */
const GARBAGE: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  "NaN",
  "-Infinity",
  "1e9",
  "",
  "constructor",
  "__proto__",
  "no_such_id",
  "x".repeat(5_000),
  [],
  [[[1]]],
  {},
  { toString: "x", length: -1, valueOf: 3 },
];

/** What a mechanism may answer. Anything else is a mistake of its code. */
const REFUSALS: ReadonlySet<string> = new Set([
  "rejected_by_artifact",
  "interface_mismatch",
  "insufficient_funds",
  "invalid_argument",
]);

/** Calls a program on behalf of its owner, and passes on what it gets. */
const DEPUTY = `function call(id, method, args, scrip) {
  return kernel.invoke(id, method, args, { attach: { scrip } });
}`;

const argsFor = (method: InterfaceMethod, count: number): readonly (readonly Json[])[] => {
  const usual = method.examples?.find(({ args }) => args.length === count)?.args ?? [];
  const variants = GARBAGE.flatMap((value) => {
    const inPlace = Array.from({ length: count }, (_, place) =>
      Array.from({ length: count }, (_each, at) => (at === place ? value : (usual[at] ?? null))),
    );
    return [...inPlace, Array.from({ length: count }, () => value)];
  });
  return [[], ...variants, Array.from({ length: 40 }, () => 1)];
};

const paramsOf = ({ input_schema: { properties } }: InterfaceMethod): number =>
  Object.keys(isObject(properties) ? properties : {}).length;

/** A world after the first calls of a story, and a copy of the mechanism without its interface. */
const begun = (name: string): TestWorld => {
  const { settings, others = {}, calls } = STORIES.get(name) ?? { calls: [] };
  const v = newWorld({ alice: 100_000, bob: 100_000, carol: 100_000 });
  v.atMs = 100_000;
  v.program("alice", "my_tool", "function run() {}");
  v.must(v.writes("alice", "my_note", { content: "x" }));
  install(v, "it", name, settings);
  for (const [id, [file, given]] of Object.entries(others)) install(v, id, file, given);
  for (const call of calls.slice(0, Math.ceil(calls.length / 2))) perform(v, call);
  v.standing("bob", "deputy", { code: DEPUTY, scrip: 1_000 });
  v.program("bob", "pauper", DEPUTY);
  copyOf(v, "carol", { from: "it", to: "copy" });
  return v;
};

const oddNumbersIn = (value: Json): readonly number[] => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? [] : [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(oddNumbersIn) : [];
};

const endingOf = (outcome: { success: boolean; error_code: string | null }): string =>
  outcome.success ? "ok" : (outcome.error_code ?? "");

describe.each([...STORIES.keys()])("%s", (name) => {
  it("refuses every senseless call in words, and loses nothing", () => {
    const v = begun(name);
    const methods = v.state.artifacts.get(asId("it"))?.interface?.methods ?? [];
    const scrip = totalScrip(v);
    for (const id of ["it", "copy"]) {
      for (const method of methods) {
        const count = paramsOf(method);
        for (const [at, args] of argsFor(method, count).entries()) {
          const attach = at % 2 === 0 ? {} : { scrip: 3 };
          const outcome = v.calls("bob", `${id}.${method.name}`, args, { attach });
          const said = `${id}.${method.name}(${JSON.stringify(args).slice(0, 200)})`;
          const code = outcome.error_code ?? "";
          // Without an interface, an object without text breaks a message. The call is undone.
          const isBroken = id === "copy" && code === "runtime_error";
          const isRefusal = outcome.success || isBroken || REFUSALS.has(code);
          expect([said, isRefusal, outcome.message]).toEqual([said, true, outcome.message]);
        }
      }
    }
    expect(totalScrip(v)).toBe(scrip);
    for (const id of ["it", "copy"]) expect(oddNumbersIn(v.stateOf(id))).toEqual([]);
  });

  it("serves programs as it serves agents, and only those that it can pay", () => {
    const v = begun(name);
    const methods = v.state.artifacts.get(asId("it"))?.interface?.methods ?? [];
    for (const { name: method, examples = [] } of methods) {
      const args = examples[0]?.args ?? [];
      for (const who of ["deputy", "pauper"]) {
        const call = ["it", method, args as Json, 0] as const;
        const outcome = v.calls("bob", `${who}.call`, [...call]);
        expect([method, endingOf(outcome)]).toEqual([method, "ok"]);
        const { error } = JSON.parse(outcome.result ?? "null");
        expect(
          REFUSALS.has(error?.code ?? "rejected_by_artifact"),
          `${method}: ${error?.message}`,
        ).toBe(true);
      }
    }
  });
});

it("trades with agents whose names are those of built-in properties", () => {
  const names = ["constructor", "toString", "valueOf", "hasOwnProperty"];
  const v = newWorld({ alice: 100, ...Object.fromEntries(names.map((id) => [id, 100])) });
  install(v, "wheat", "token", { initial: { constructor: 10, alice: 1 } });
  install(v, "market", "order-book", { good: "wheat" });
  ask(v, "constructor", "wheat.approve", ["market", 10]);
  ask(v, "constructor", "market.sell", [2, 9]);
  for (const who of names.slice(1)) {
    ask(v, who, "market.buy", [2, 3], { attach: { scrip: 6 } });
    expect(ask(v, who, "wheat.balance")).toEqual({ id: who, units: 3 });
  }
  expect(v.scrips(...names, "market")).toEqual([118, 94, 94, 94, 0]);
});

describe("a market", () => {
  const market = (good: string): TestWorld => {
    const v = newWorld({ alice: 100, bob: 100 });
    install(v, "wheat", "token", { initial: { alice: 10 } });
    install(v, "market", "order-book", { good });
    return v;
  };

  it("trades on after a party has lost its account, and keeps what it is owed", () => {
    const v = market("wheat");
    v.standing("alice", "shop", { code: DEPUTY });
    ask(v, "alice", "wheat.transfer", ["shop", 5]);
    ask(v, "alice", "shop.call", ["wheat", "approve", ["market", 5], 0]);
    ask(v, "alice", "shop.call", ["market", "sell", [3, 5], 0]);
    v.must(v.calls("alice", "genesis_store.delete", ["shop"]));
    const bought = ask(v, "bob", "market.buy", [3, 4], { attach: { scrip: 12 } });
    expect(bought).toMatchObject({ filled: 4, scrip: 12 });
    expect(ask(v, "bob", "wheat.balance")).toEqual({ id: "bob", units: 4 });
    expect(v.scrips("bob", "market")).toEqual([88, 12]);
  });

  it("cannot be entered again by the token that it calls", () => {
    const v = market("evil");
    const code = `function transfer_from() {
      const { error } = kernel.invoke("market", "sell", [1, 1]);
      kernel.fail(error.code, "again");
    }`;
    v.program("alice", "evil", code);
    const outcome = v.calls("alice", "market.sell", [1, 1]);
    expect(outcome.message).toContain("again");
    expect(v.stateOf("market")).toEqual({});
  });
});
