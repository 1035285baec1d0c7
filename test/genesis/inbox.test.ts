import { describe, expect, it } from "vitest";
import { asId, type Json, logItems, worldRow } from "../../src/kernel/index.ts";
import type { CallOptions, TestWorld } from "../support/test-world.ts";
import { DAY_MS, libraryWorlds } from "./library-world.ts";

const newWorld = libraryWorlds();

const calls = (
  v: TestWorld,
  who: string,
  ...[target, args = [], more = {}]: [string, (readonly Json[])?, CallOptions?]
) => v.must(v.calls(who, `genesis_${target}`, args, more));

/** What the inbox of an agent has, without the payments to it. */
const toldTo = (v: TestWorld, id: string): readonly string[] =>
  (v.state.inboxes.get(asId(id))?.recent ?? [])
    .filter(({ kind }) => kind === "artifact_invoked")
    .map(({ principal, target, method }) => `${principal} ${target?.slice(8)}.${method}`);

/** The inboxes of these agents after some calls, without what was in them before. */
const newsOf = (v: TestWorld, happens: () => void, ...ids: readonly string[]) => {
  const before = ids.map((id) => toldTo(v, id).length);
  happens();
  return ids.map((id, at) => toldTo(v, id).slice(before[at]));
};

/** Alice owes bob 10 scrip, and carol may lend the next 20. */
const withDebts = (): TestWorld => {
  const v = newWorld();
  v.must(v.writes("alice", "poem", { content: "x" }));
  const pledge = { attach: { artifacts: ["poem"] } };
  calls(v, "alice", "debt_contract.issue", [10, 0, 60], pledge);
  calls(v, "bob", "debt_contract.accept", ["debt_1"], { attach: { scrip: 10 } });
  calls(v, "alice", "debt_contract.issue", [20, 0, 60, "carol"]);
  return v;
};

const withProposal = (): TestWorld => {
  const v = newWorld();
  calls(v, "alice", "voting.create_proposal", ["Well?", ["a", "b"]]);
  return v;
};

const withListing = (): TestWorld => {
  const v = newWorld();
  v.must(v.writes("alice", "poem", { content: "x" }));
  calls(v, "alice", "escrow.deposit", [5, "bob"], { attach: { artifacts: ["poem"] } });
  return v;
};

const withMessages = (): TestWorld => {
  const v = newWorld();
  calls(v, "alice", "board.post", ["jobs", "parse dates"]);
  return v;
};

describe("the inbox of an agent shows", () => {
  it("the text of a message to it, and to no other agent", () => {
    const v = newWorld();
    const long = "y".repeat(600);
    for (const text of ["hello", long]) calls(v, "alice", "board.post", ["trade", text, "bob"]);
    calls(v, "bob", "board.claim", [1]);
    const texts = (id: string) =>
      (v.state.inboxes.get(asId(id))?.recent ?? []).flatMap(({ text }) => text ?? []);
    expect(texts("bob")).toEqual(["hello", long.slice(0, 200)]);
    expect(texts("alice")).toEqual(["hello"]);
    expect(texts("carol")).toEqual([]);
    const seen = JSON.stringify(logItems(worldRow(v.state).publicLog));
    expect(seen).toContain("genesis_board");
    expect(seen).not.toMatch(/hello|yyy/);
  });

  it("messages, loans, offers and votes that name the agent", () => {
    const v = newWorld();
    calls(v, "alice", "board.post", ["trade", "hello", "bob"]);
    calls(v, "alice", "debt_contract.issue", [10, 5, 60, "bob"]);
    v.must(v.writes("alice", "poem", { content: "x" }));
    calls(v, "alice", "escrow.deposit", [5, "bob"], { attach: { artifacts: ["poem"] } });
    const voters = { voters: ["bob", "carol"] };
    calls(v, "alice", "voting.create_proposal", ["Well?", ["a", "b"], voters]);
    const told = ["board.post", "debt_contract.issue", "escrow.deposit", "voting.create_proposal"];
    expect(toldTo(v, "bob")).toEqual(told.map((call) => `alice ${call}`));
    expect(toldTo(v, "carol")).toEqual(["alice voting.create_proposal"]);
    expect(toldTo(v, "alice")).toEqual([]);
  });

  it.each<
    readonly [string, () => TestWorld, (v: TestWorld) => void, readonly (readonly string[])[]]
  >([
    [
      "a vote on its proposal",
      withProposal,
      (v) => calls(v, "bob", "voting.vote", ["proposal_1", "a"]),
      [["bob voting.vote"], [], []],
    ],
    [
      "that its debt has another creditor",
      withDebts,
      (v) => calls(v, "bob", "debt_contract.transfer_creditor", ["debt_1", "carol"]),
      [["bob debt_contract.transfer_creditor"], [], ["bob debt_contract.transfer_creditor"]],
    ],
    [
      "that another agent repaid its debt",
      withDebts,
      (v) => calls(v, "dave", "debt_contract.repay", ["debt_1"], { attach: { scrip: 10 } }),
      [["dave debt_contract.repay"], [], []],
    ],
    [
      "that its debt was collected",
      withDebts,
      (v) => {
        v.atMs += 60_000;
        calls(v, "bob", "debt_contract.collect", ["debt_1"]);
      },
      [["bob debt_contract.collect"], [], []],
    ],
    [
      "that an offer to lend to it ended",
      withDebts,
      (v) => calls(v, "alice", "debt_contract.cancel", ["debt_2"]),
      [[], [], ["alice debt_contract.cancel"]],
    ],
    [
      "that another agent took the collateral that had waited",
      withDebts,
      (v) => {
        v.atMs += DAY_MS;
        calls(v, "dave", "debt_contract.reclaim", ["debt_1"]);
      },
      [["dave debt_contract.reclaim"], ["dave debt_contract.reclaim"], []],
    ],
    [
      "that its listing was cancelled, or one that was for it",
      withListing,
      (v) => {
        v.atMs += DAY_MS;
        calls(v, "carol", "escrow.cancel", ["poem"]);
      },
      [["carol escrow.cancel"], ["carol escrow.cancel"], []],
    ],
    [
      "that its message was claimed and done",
      withMessages,
      (v) => {
        calls(v, "bob", "board.claim", [1]);
        calls(v, "bob", "board.done", [1]);
      },
      [["bob board.claim", "bob board.done"], [], []],
    ],
    [
      "that the item which it claimed is done",
      withMessages,
      (v) => {
        calls(v, "bob", "board.claim", [1]);
        calls(v, "alice", "board.done", [1]);
      },
      [["bob board.claim"], ["alice board.done"], []],
    ],
  ])("%s", (_, before, happens, told) => {
    const v = before();
    expect(newsOf(v, () => happens(v), "alice", "bob", "carol")).toEqual(told);
  });

  it("a sale and a loan as payments by the contract", () => {
    const sold = withListing();
    calls(sold, "bob", "escrow.purchase", ["poem"], { attach: { scrip: 5 } });
    const lent = withDebts();
    const paid = [sold, lent].map(({ state }) =>
      state.inboxes.get(asId("alice"))?.recent.map(({ principal, kind, target, amount }) => {
        return [principal, kind, target, amount];
      }),
    );
    expect(paid).toEqual([
      [["bob", "scrip_transferred", "genesis_escrow", 5]],
      [["bob", "scrip_transferred", "genesis_debt_contract", 10]],
    ]);
  });

  it("no call that only looks something up", () => {
    const v = newWorld();
    calls(v, "alice", "escrow.check", ["bob"]);
    calls(v, "alice", "debt_contract.list_debts", ["bob"]);
    expect(toldTo(v, "bob")).toEqual([]);
  });
});
