import { afterAll, describe, expect, it } from "vitest";
import { CheckedCodes } from "../../src/world/checked-codes.ts";
import { sandboxFor } from "../../src/world/index.ts";
import { PHYSICS } from "../support/physics.ts";
import { Village } from "../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());

const SECRET = [1, 2] as const;
const checkedAs = (print: string) => ({ methods: ["run"], print, gas: 7 });

describe("what is known of a code", () => {
  it("is known under its secret, and under no other", () => {
    const codes = new CheckedCodes();
    codes.note("a", SECRET, checkedAs("of one"));
    expect(codes.find("a", SECRET)).toEqual(checkedAs("of one"));
    const other = [3, 4] as const;
    expect(codes.find("a", other)).toBeUndefined();
    codes.note("b", other, checkedAs("of the other"));
    expect([codes.find("a", other), codes.find("b", other)]).toEqual([
      undefined,
      checkedAs("of the other"),
    ]);
  });

  it("is forgotten when there are very many, the first one first", () => {
    const codes = new CheckedCodes();
    for (let n = 0; n <= 1_000; n++) codes.note(`${n}`, SECRET, checkedAs(`${n}`));
    expect([codes.find("0", SECRET), codes.find("1", SECRET)]).toEqual([undefined, checkedAs("1")]);
  });

  it("saves nobody the gas, and gives each the methods and the print of the code", () => {
    const v = new Village(sandbox).agent("alice").agent("bob");
    const code = `let sum = 0;
      for (let i = 0; i < 20_000; i++) sum += i;
      function run() { return sum }`;
    const [first, again] = ["alice", "bob"].map((who) => v.writes(who, `${who}_tool`, { code }));
    expect(first?.charged.gas).toBeGreaterThan(100);
    expect(again?.charged.gas).toBe(first?.charged.gas);
    const [one, other] = [...v.state.artifacts.rows()].slice(-2);
    expect(other?.methods).toEqual(["run"]);
    expect([other?.methods, other?.codePrint]).toEqual([one?.methods, one?.codePrint]);
    const endless = "for (;;) {}";
    const refused = [1, 2].map((n) => v.writes("alice", `bad${n}`, { code: endless }));
    expect(refused[1]).toMatchObject({ success: false, error_code: refused[0]?.error_code });
    expect(refused[1]?.charged.gas).toBe(refused[0]?.charged.gas);
  });
});
