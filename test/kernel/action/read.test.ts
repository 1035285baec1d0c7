import { describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { deletes, inside, reads, sells } from "../../support/commands.ts";
import {
  accountOf,
  agent,
  artifactOf,
  changedAccount,
  changedArtifact,
  given,
  note,
  program,
  refusesInOrder,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const DEAR = note("dear", "alice", { read_price: 5 });

describe("a read", () => {
  it("returns everything except the state, and is a public event", () => {
    const tool = program("tool", "alice", { content: "doc", metadata: { k: 1 } });
    const scene = given(ALICE, BOB, tool, (state) => {
      const sizeBytes = artifactOf(state, "tool").sizeBytes + 12;
      changedArtifact("tool", { state: '{"secret":1}', sizeBytes })(state);
      changedAccount("alice", { diskUsed: accountOf(state, "alice").diskUsed + 12 })(state);
    });
    const read = { artifact_id: "tool", by: "bob", version: 1, price: 0 };
    const { answer } = scene
      .when(reads("bob", "tool"))
      .thenHappened({ kind: "artifact_read", ...read });
    expect(answer).toMatchObject({ content: "doc", code: "function run() {}", metadata: { k: 1 } });
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  it("is checked in order: id, access, price, money", () => {
    const scene = given(
      ALICE,
      agent("poor", { scrip: 4 }),
      note("dead", "alice"),
      deletes("alice", "dead"),
      note("closed", "alice", { access: "genesis_contract_private" }),
      DEAR,
      note("cheap", "alice", { read_price: 4 }),
    );
    const of = (artifact: string) => ({ artifact_id: asId(artifact) });
    refusesInOrder(scene, reads("poor", "nothing", { max_price: 4 }), [
      ["not_found", /there is no artifact "nothing"/, of("dead")],
      ["deleted", /dead was deleted by alice at 1 s; .*cannot be used again/, of("closed")],
      ["not_authorized", null, of("dear")],
      ["price_exceeded", /costs 5/, { max_price: 5 }],
      ["insufficient_funds", /takes 5 scrip, but poor has 4/, of("cheap")],
    ]).thenHappened([
      { kind: "scrip_transferred", from: "poor", to: "alice", amount: 4, reason: "read_price" },
      { kind: "artifact_read", price: 4 },
    ]);
    expect(scene.balances()).toEqual({ alice: 104, poor: 0 });
  });

  it("is free for the owner, but not for the owner's programs", () => {
    const scene = given(ALICE, DEAR, program("tool", "alice"));
    const free = { kind: "artifact_read", price: 0 } as const;
    scene.when(reads("alice", "dear", { max_price: 0 })).thenHappened(free);
    const noMoney = /only the scrip attached to the call has 0/;
    scene.when(reads(inside("alice", "tool"), "dear")).thenRefused("insufficient_funds", noMoney);
  });

  it("is paid to the present owner, and counted with what was paid", () => {
    const scene = given(ALICE, BOB, agent("carol"), DEAR, ...sells("alice", "dear", "carol"));
    scene.when(reads("bob", "dear"));
    scene.when(reads("bob", "dear"));
    expect(scene.balances()).toEqual({ alice: 100, bob: 90, carol: 110 });
    expect(scene.state.trades.get(asId("dear"))).toMatchObject({ reads: 2, revenue: 10, calls: 0 });
  });
});
