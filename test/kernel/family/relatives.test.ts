import { describe, expect, it } from "vitest";
import { asId, commit, type State, viewOf } from "../../../src/kernel/index.ts";
import {
  accepts,
  deletes,
  offersOwnership,
  sells,
  spawns,
  writes,
} from "../../support/commands.ts";
import { freezes } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import { agent, given, note, type Past, program, reloaded } from "../../support/scenario.ts";
import { viewBounds } from "../../support/view.ts";

const seen = (state: State, id: string) =>
  viewOf(state, asId(id), { now: NOW, bounds: viewBounds(2) });

/** What an agent sees. A state that was saved and read again shows the same. */
const viewAfter = (id: string, ...past: readonly Past[]) => {
  const { state } = given(agent("alice"), agent("bob"), ...past);
  expect(seen(reloaded(state), id)).toEqual(seen(state, id));
  return seen(state, id);
};

describe("the offers that an agent sees", () => {
  it("have their terms, the newest artifacts first, up to a limit", () => {
    const { offers } = viewAfter(
      "bob",
      note("poem", "alice"),
      program("tool", "alice", { price: 4 }),
      note("prose", "alice"),
      offersOwnership("alice", "prose", "bob"),
      offersOwnership("alice", "poem", "bob"),
      offersOwnership("alice", "tool", "bob"),
    );
    expect(offers.map(({ id, owner, price }) => [id, owner, price])).toEqual([
      ["prose", "alice", 0],
      ["tool", "alice", 4],
    ]);
  });

  it("do not include what was accepted, deleted or offered to another since", () => {
    const ids = ["accepted", "deleted", "changed"];
    const past = [
      ...ids.map((id) => note(id, "alice")),
      ...ids.map((id) => offersOwnership("alice", id, "bob")),
      agent("carol"),
      (state: State) => commit(state),
      accepts("bob", "accepted"),
      deletes("alice", "deleted"),
      offersOwnership("alice", "changed", "carol"),
    ];
    expect(viewAfter("bob", ...past).offers).toEqual([]);
    expect(viewAfter("carol", ...past).offers.map(({ id }) => id)).toEqual(["changed"]);
  });
});

describe("the agents that belong to an agent", () => {
  it("are shown with their means and state, the newest first", () => {
    const { children, family } = viewAfter(
      "alice",
      spawns("alice", { id: "kid", scrip: 7, llm_budget_micros: 30 }),
      spawns("alice", { id: "kid2" }),
      freezes("kid", 99),
    );
    expect(children).toEqual([
      { id: "kid2", state: "running", lacks: null, scrip: 0, llmBudgetMicros: 0 },
      { id: "kid", state: "frozen", lacks: "llm_budget", scrip: 7, llmBudgetMicros: 30 },
    ]);
    expect(family).toEqual({ parent: null, spawned: ["kid", "kid2"] });
  });

  it.each([
    ["alice", [], { parent: null, spawned: ["free", "kid"] }],
    ["bob", [{ id: "kid" }], { parent: null, spawned: [] }],
    ["kid", [], { parent: "alice", spawned: [] }],
  ])("follow a sale, while the family stays the same: %s", (id, children, family) => {
    const [offered, accepted] = sells("alice", "kid", "bob");
    const past = [
      spawns("alice", { id: "kid" }),
      spawns("alice", { id: "free", owner: "self" }),
      offered,
      (state: State) => commit(state),
      accepted,
    ];
    expect(viewAfter(id, ...past)).toMatchObject({ children, family });
  });

  it("are shown up to a limit", () => {
    const spawned = Array.from({ length: 4 }, (_, n) => spawns("alice", { id: `k${n}` }));
    const { children, family } = viewAfter("alice", ...spawned);
    expect(children.map(({ id }) => id)).toEqual(["k3", "k2"]);
    expect(family.spawned).toEqual(["k0", "k1"]);
  });

  it("are shown even if they change the type of their artifact", () => {
    const quotas = { actions: 5, bytes_written: 500 };
    const renames = writes("kid", "kid", { artifact_type: "note" });
    const { children } = viewAfter("alice", spawns("alice", { id: "kid", quotas }), renames);
    expect(children.map(({ id }) => id)).toEqual(["kid"]);
  });

  it("do not include programs with an account, nor does the family", () => {
    const view = viewAfter("alice", program("bank", "alice", { has_standing: true }));
    expect(view).toMatchObject({ children: [], family: { spawned: [] } });
  });
});
