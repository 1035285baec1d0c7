import { describe, expect, it } from "vitest";
import type { TestWorld } from "../support/test-world.ts";
import { DEPUTY, libraryWorlds, refusalCode, transfers } from "./library-world.ts";

const newWorld = libraryWorlds();

const BALLOT = ["Well?", ["yes", "no"], { deadline_s: 3_600 }] as const;
const ENTRIES = [
  ["genesis_board", "post", ["jobs", "mine"]],
  ["genesis_board", "claim", [1]],
  ["genesis_voting", "create_proposal", BALLOT],
  ["genesis_voting", "vote", ["proposal_1", "yes"]],
  ["genesis_debt_contract", "issue", [5, 1, 60]],
] as const;

/** Carol has made a proposal and posted a message. */
const carolsWorld = (): TestWorld => {
  const v = newWorld();
  v.must(v.calls("carol", "genesis_board.post", ["jobs", "carry"]));
  v.must(v.calls("carol", "genesis_voting.create_proposal", BALLOT));
  return v;
};

describe.each(ENTRIES)("%s.%s", (id, method, args) => {
  const asks = (v: TestWorld, who: string) => v.calls(who, "deputy.call", [id, method, args]);

  const withDeputy = () => carolsWorld().standing("alice", "deputy", { code: DEPUTY, disk: 3_000 });

  it("by a program is for callers of its family", () => {
    const v = withDeputy();
    expect(refusalCode(asks(v, "bob"))).toBe("not_your_own");
    v.must(asks(v, "alice"));
  });

  it("by a program that was given away is refused to its new owner", () => {
    const v = withDeputy();
    transfers(v, "deputy", { from: "alice", to: "bob" });
    expect(refusalCode(asks(v, "bob"))).toBe("not_your_own");
  });

  it("by a program without an account is refused if it needs one or was given away", () => {
    const refused = ["vote", "issue"].includes(method) ? "no_standing" : null;
    for (const given of [false, true]) {
      const v = carolsWorld().program("alice", "deputy", DEPUTY);
      if (given) transfers(v, "deputy", { from: "alice", to: "bob" });
      const code = refused ?? (given ? "not_your_own" : "nothing was refused");
      expect(refusalCode(asks(v, "alice"))).toBe(code);
    }
  });
});

describe("a program that owns itself", () => {
  /** Two programs that alice opened and that own themselves. */
  const strays = (): TestWorld => {
    const v = carolsWorld();
    for (const id of ["stray1", "stray2"]) {
      v.standing("alice", id, { code: DEPUTY, disk: 4_000 });
      v.must(v.calls("alice", `${id}.keep`, [], { attach: { artifacts: [id] } }));
      expect(v.owner(id)).toBe(id);
    }
    return v;
  };

  it("shares the limits of its family for proposals, debts and messages", () => {
    const v = strays();
    const asks = (n: number, ...entry: readonly unknown[]) =>
      v.calls("alice", `stray${1 + (n % 2)}.call`, entry as never);
    for (const [room, ...entry] of [
      [10, "genesis_voting", "create_proposal", BALLOT],
      [20, "genesis_debt_contract", "issue", [5, 1, 60]],
    ] as const) {
      for (let n = 0; n < room; n++) v.must(asks(n, ...entry));
      expect(refusalCode(asks(1, ...entry))).toBe("full");
    }
    for (let n = 0; n < 14; n++) v.must(asks(n, "genesis_board", "post", ["jobs", `${n}`]));
    const messages = v.stateOf("genesis_board") as { messages: { from: string }[] };
    expect(messages.messages.filter(({ from }) => from.startsWith("stray")).length).toBe(12);
    expect(messages.messages.some(({ from }) => from === "carol")).toBe(true);
  });

  it("shares the limit of its family for listings", () => {
    const v = strays();
    const sells = (who: string, n: number) => {
      const program = `stray${1 + (n % 2)}`;
      v.must(v.calls(who, `${program}.make`, [`good${n}`]));
      const deposit = ["genesis_escrow", "deposit", [1], { artifacts: [`good${n}`] }];
      return v.calls(who, `${program}.call`, deposit);
    };
    for (let n = 0; n < 25; n++) v.must(sells("alice", n));
    expect(refusalCode(sells("alice", 25))).toBe("full");
    expect(refusalCode(sells("bob", 26))).toBe("not_your_own");
    v.must(v.writes("bob", "his", { content: "x" }));
    v.must(v.calls("bob", "genesis_escrow.deposit", [1], { attach: { artifacts: ["his"] } }));
  });
});
