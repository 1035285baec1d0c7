import { describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";

import { calls, inside, reads, writes } from "../../support/commands.ts";
import {
  agent,
  balances,
  climb,
  given,
  note,
  program,
  undertake,
} from "../../support/given-when-then.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

describe("reading", () => {
  it("gives everything but the state, and says so in public", () => {
    const scene = given(
      ALICE,
      BOB,
      program("tool", "alice", { content: "doc", metadata: { k: 1 } }),
      (state) => {
        const row = state.artifacts.get(asId("tool"));
        if (row !== undefined)
          state.artifacts.put(row.id, {
            ...row,
            state: '{"secret":1}',
            sizeBytes: row.sizeBytes + 12,
          });
        const books = state.accounts.get(asId("alice"));
        if (books !== undefined)
          state.accounts.put(books.id, { ...books, diskUsed: books.diskUsed + 12 });
      },
    );
    const judged = scene.when(reads("bob", "tool")).thenHappened({
      kind: "artifact_read",
      artifact_id: "tool",
      by: "bob",
      version: 1,
      price: 0,
    });
    expect(judged.answer).toMatchObject({
      content: "doc",
      code: "function run() {}",
      metadata: { k: 1 },
    });
    expect(JSON.stringify(judged.answer)).not.toContain("secret");
  });

  it("is checked from the id down to the money", () => {
    const scene = given(
      ALICE,
      agent("poor", { scrip: 4 }),
      note("dead", "alice"),
      calls("alice", "genesis_store.delete", { args: ["dead"] }),
      note("closed", "alice", { access: "genesis_contract_private" }),
      note("dear", "alice", { read_price: 5 }),
      note("cheap", "alice", { read_price: 4 }),
    );
    const of = (artifact: string) => (command: ReturnType<typeof reads>) => ({
      ...command,
      artifact_id: asId(artifact),
    });
    climb(scene, reads("poor", "nothing", { max_price: 4 }), [
      { refused: "not_found", words: /there is no artifact "nothing"/, mend: of("dead") },
      { refused: "deleted", words: /not used again/, mend: of("closed") },
      { refused: "not_authorized", mend: of("dear") },
      {
        refused: "price_exceeded",
        words: /costs 5/,
        mend: (command) => ({ ...command, max_price: 5 }),
      },
      { refused: "insufficient_funds", words: /takes 5 scrip and poor has 4/, mend: of("cheap") },
    ]).thenHappened(
      { kind: "scrip_transferred", from: "poor", to: "alice", amount: 4, reason: "read_price" },
      { kind: "artifact_read", price: 4 },
    );
    expect(balances(scene.state)).toEqual({ alice: 104, poor: 0 });
  });

  it("costs the owner nothing, and its programs what it costs anybody", () => {
    const scene = given(ALICE, note("dear", "alice", { read_price: 5 }), program("tool", "alice"));
    scene
      .when(reads("alice", "dear", { max_price: 0 }))
      .thenHappened({ kind: "artifact_read", price: 0 });
    scene
      .when(reads(inside("alice", "tool"), "dear"))
      .thenRefused("insufficient_funds", /only the scrip attached to the call has 0/);
  });

  it("is paid to whoever owns it now", () => {
    const scene = given(
      ALICE,
      BOB,
      agent("carol"),
      note("dear", "alice", { read_price: 5 }),
      calls("alice", "genesis_ledger.transfer_ownership", { args: ["dear", "carol"] }),
      calls("carol", "genesis_ledger.accept", { args: ["dear"] }),
    );
    scene.when(reads("bob", "dear"));
    expect(balances(scene.state)).toEqual({ alice: 100, bob: 95, carol: 105 });
  });

  it("counts readers and what they paid", () => {
    const scene = given(ALICE, BOB, note("dear", "alice", { read_price: 5 }), reads("bob", "dear"));
    scene.when(reads("bob", "dear"));
    expect(scene.state.trades.get(asId("dear"))).toMatchObject({ reads: 2, revenue: 10, calls: 0 });
  });

  it("of a tombstone tells who deleted it and when", () => {
    const scene = given(ALICE, note("dead", "alice"), (state) => {
      undertake(state, calls("alice", "genesis_store.delete", { args: ["dead"] }));
    });
    scene
      .when(reads("alice", "dead"))
      .thenRefused("deleted", /dead was deleted by alice at 1000 ms/);
    scene.when(writes("alice", "dead", {})).thenRefused("deleted");
  });
});
