import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { CheckedCodes } from "../../../src/world/execution/programs.ts";
import { sandboxFor } from "../../../src/world/index.ts";
import { PHYSICS } from "../../support/physics.ts";
import { Village } from "../../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());
afterEach(() => void vi.restoreAllMocks());

const SECRET = [1, 2] as const;
const checkedAs = (print: string) => ({ methods: ["run"], print, gas: 7 });

/** A program that takes a while to load. */
const LONG = `let sum = 0;
  for (let i = 0; i < 20_000; i++) sum += i;
  function run() { return sum }`;

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

  it("saves no one the gas, and gives each the methods and the print of the code", () => {
    const v = new Village(sandbox).agent("alice").agent("bob");
    const inspect = vi.spyOn(sandbox, "inspect");
    const [first, again] = ["alice", "bob"].map((who) => {
      return v.writes(who, `${who}_tool`, { code: LONG });
    });
    expect(inspect).toHaveBeenCalledTimes(1);
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

  it("helps no one who has less gas than it takes: refusal and bill are as of a new one", () => {
    const knowing = new Village(sandbox).agent("alice");
    const { gas } = knowing.must(knowing.writes("alice", "tool", { code: LONG })).charged;
    const inspect = vi.spyOn(sandbox, "inspect");
    const outcomes = [knowing, new Village(sandbox)].map((v) => {
      v.agent("poor", { quotas: { cpu_gas: gas - 1 } });
      return v.writes("poor", "copy", { code: LONG });
    });
    expect(inspect).toHaveBeenCalledTimes(2);
    expect(outcomes[0]).toMatchObject({ success: false, error_code: "gas_exhausted" });
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});
