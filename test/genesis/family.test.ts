import { afterAll, describe, expect, it } from "vitest";
import { sandboxFor } from "../../src/world/index.ts";
import type { Village } from "../support/world.ts";
import { LIBRARY_PHYSICS, libraryVillage, reasonOf } from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

/** Does what it is told, and can be given away, also to itself. */
const DEPUTY = `
  function ask(id, method, args) {
    const { success, result, error } = kernel.invoke(id, method, args);
    return success ? result : kernel.fail(error.message.split(":")[0], error.message);
  }
  function sell(id) {
    kernel.write({ artifact_id: id, content: "x" });
    const attach = { artifacts: [id] };
    const { success, error } = kernel.invoke("genesis_escrow", "deposit", [1], { attach });
    return success ? id : kernel.fail(error.message.split(":")[0], error.message);
  }
  function keep() {}`;

const BALLOT = ["Well?", ["yes", "no"], { deadline_s: 3_600 }] as const;
const ENTRIES = [
  ["genesis_board", "post", ["jobs", "mine"]],
  ["genesis_board", "claim", [1]],
  ["genesis_voting", "create_proposal", BALLOT],
  ["genesis_voting", "vote", ["proposal_1", "yes"]],
  ["genesis_debt_contract", "issue", [5, 1, 60]],
] as const;

/** Carol has asked and posted something. */
const village = (): Village => {
  const v = libraryVillage(sandbox);
  v.must(v.calls("carol", "genesis_board.post", ["jobs", "carry"]));
  v.must(v.calls("carol", "genesis_voting.create_proposal", BALLOT));
  return v;
};

const hands = (v: Village, id: string, to: string): void => {
  v.must(v.calls("alice", "genesis_ledger.transfer_ownership", [id, to]));
  v.must(v.calls(to, "genesis_ledger.accept", [id]));
};

describe.each(ENTRIES)("%s.%s", (id, method, args) => {
  const asks = (v: Village, who: string) => v.calls(who, "deputy.ask", [id, method, args]);

  it("is in the name of the agent that started the call", () => {
    const v = village();
    v.standing("alice", "deputy", { code: DEPUTY, disk: 3_000 });
    expect(reasonOf(asks(v, "bob"))).toBe("not_your_own");
    v.must(asks(v, "alice"));
  });

  it("does not pass through a gift, with or without an account", () => {
    const v = village();
    v.standing("alice", "deputy", { code: DEPUTY, disk: 3_000 });
    hands(v, "deputy", "bob");
    expect(reasonOf(asks(v, "bob"))).toBe("not_your_own");
    const plain = village().program("alice", "deputy", DEPUTY);
    hands(plain, "deputy", "bob");
    const needsAccount = ["vote", "issue"].includes(method);
    expect(reasonOf(asks(plain, "alice"))).toBe(needsAccount ? "no_standing" : "not_your_own");
  });
});

describe("a program that belongs to itself", () => {
  /** Alice's two, of which each belongs to itself. */
  const strays = (): Village => {
    const v = village();
    for (const id of ["stray1", "stray2"]) {
      v.standing("alice", id, { code: DEPUTY, disk: 4_000 });
      v.must(v.calls("alice", `${id}.keep`, [], { attach: { artifacts: [id] } }));
      expect(v.owner(id)).toBe(id);
    }
    return v;
  };

  it("counts with the family that it descends from, for ballots, debts and messages", () => {
    const v = strays();
    const asks = (n: number, ...entry: readonly [string, string, readonly unknown[]]) =>
      v.calls("alice", `stray${1 + (n % 2)}.ask`, entry as never);
    for (let n = 0; n < 10; n++) {
      v.must(asks(n, "genesis_voting", "create_proposal", BALLOT));
    }
    expect(reasonOf(asks(0, "genesis_voting", "create_proposal", BALLOT))).toBe("full");
    for (let n = 0; n < 20; n++) v.must(asks(n, "genesis_debt_contract", "issue", [5, 1, 60]));
    expect(reasonOf(asks(1, "genesis_debt_contract", "issue", [5, 1, 60]))).toBe("full");
    for (let n = 0; n < 14; n++) v.must(asks(n, "genesis_board", "post", ["jobs", `${n}`]));
    const messages = v.stateOf("genesis_board") as { messages: { from: string }[] };
    expect(messages.messages.filter(({ from }) => from.startsWith("stray")).length).toBe(12);
    expect(messages.messages.some(({ from }) => from === "carol")).toBe(true);
  });

  it("counts with it for what is on sale", () => {
    const v = strays();
    for (let n = 0; n < 25; n++) {
      v.must(v.calls("alice", `stray${1 + (n % 2)}.sell`, [`good${n}`]));
    }
    expect(reasonOf(v.calls("alice", "stray1.sell", ["good25"]))).toBe("full");
    expect(reasonOf(v.calls("bob", "stray1.sell", ["good25"]))).toBe("not_your_own");
    v.must(v.writes("bob", "his", { content: "x" }));
    v.must(v.calls("bob", "genesis_escrow.deposit", [1], { attach: { artifacts: ["his"] } }));
  });
});
