import { describe, expect, it } from "vitest";
import { asId, commit, type State, viewOf } from "../../../src/kernel/index.ts";

import { accepts, deletes, offersOwnership, spawns } from "../../support/commands.ts";
import {
  agent,
  given,
  givenIn,
  note,
  type Past,
  program,
  reloaded,
} from "../../support/given-when-then.ts";
import { NOW, physicsWith } from "../../support/physics.ts";

const BOUNDS = {
  owned: 2,
  popular: 2,
  newest: 2,
  events: 2,
  principals: 2,
  tasks: 2,
  offers: 2,
  children: 2,
};
const seen = (state: State, id: string) => viewOf(state, asId(id), { now: NOW, bounds: BOUNDS });

const offer = (who: string, artifact: string, to: string) => offersOwnership(who, artifact, to);
const take = (who: string, artifact: string) => accepts(who, artifact);

/** What one sees, and that one who has read the state from a disk sees the same. */
const view = (id: string, ...past: readonly Past[]) => {
  const { state } = given(agent("alice"), agent("bob"), ...past);
  const looked = seen(state, id);
  expect(seen(reloaded(state), id)).toEqual(looked);
  return looked;
};

describe("what is offered to an agent", () => {
  it("is shown with its terms, the newest first, up to a bound", () => {
    const { offers } = view(
      "bob",
      note("poem", "alice"),
      program("tool", "alice", { price: 4 }),
      note("prose", "alice"),
      offer("alice", "prose", "bob"),
      offer("alice", "poem", "bob"),
      offer("alice", "tool", "bob"),
    );
    expect(offers.map(({ id, owner, price }) => [id, owner, price])).toEqual([
      ["prose", "alice", 0],
      ["tool", "alice", 4],
    ]);
  });

  it("is what is offered now: not what was taken, deleted, or offered to another since", () => {
    const past = [
      note("taken", "alice"),
      note("deleted", "alice"),
      note("changed", "alice"),
      offer("alice", "taken", "bob"),
      offer("alice", "deleted", "bob"),
      offer("alice", "changed", "bob"),
      agent("carol"),
      (state: State) => commit(state),
      take("bob", "taken"),
      deletes("alice", "deleted"),
      offer("alice", "changed", "carol"),
    ];
    expect(view("bob", ...past).offers).toEqual([]);
    expect(view("carol", ...past).offers.map(({ id }) => id)).toEqual(["changed"]);
  });
});

describe("the agents that belong to an agent", () => {
  it("are shown with what they have and how they are, the newest first", () => {
    const { children, family } = view(
      "alice",
      spawns("alice", { id: "kid", scrip: 7, llm_budget_micros: 30 }),
      spawns("alice", { id: "kid2" }),
      { kind: "freeze_agent", at_ms: NOW, agent: asId("kid"), needs_micros: 99 },
    );
    expect(children).toEqual([
      { id: "kid2", state: "running", scrip: 0, llmBudgetMicros: 0 },
      { id: "kid", state: "frozen", scrip: 7, llmBudgetMicros: 30 },
    ]);
    expect(family).toEqual({ parent: null, spawned: ["kid", "kid2"] });
  });

  it("are those it owns, wherever they came from; the family stays", () => {
    const past = [
      spawns("alice", { id: "kid" }),
      spawns("alice", { id: "free", owner: "self" }),
      offer("alice", "kid", "bob"),
      (state: State) => commit(state),
      take("bob", "kid"),
    ];
    expect(view("alice", ...past)).toMatchObject({
      children: [],
      family: { parent: null, spawned: ["free", "kid"] },
    });
    expect(view("bob", ...past)).toMatchObject({
      children: [{ id: "kid" }],
      family: { parent: null, spawned: [] },
    });
    expect(view("kid", ...past)).toMatchObject({
      children: [],
      family: { parent: "alice", spawned: [] },
    });
  });

  it("are as many as one may see at once", () => {
    const born = Array.from({ length: 4 }, (_, n) => spawns("alice", { id: `k${n}` }));
    const { children, family } = view("alice", ...born);
    expect(children.map(({ id }) => id)).toEqual(["k3", "k2"]);
    expect(family.spawned).toEqual(["k0", "k1"]);
  });

  it("cannot hide by being called something else", () => {
    const quotas = { actions: 5, bytes_written: 500 };
    const renames = {
      kind: "write_artifact",
      by: { ...spawns("kid").by },
      request: { artifact_id: asId("kid"), artifact_type: "note" },
      bytesSpent: 0,
    } as const;
    const { children } = view("alice", spawns("alice", { id: "kid", quotas }), renames);
    expect(children.map(({ id }) => id)).toEqual(["kid"]);
  });

  it("count programs with an account neither as children nor as family", () => {
    const physics = physicsWith({ agents: { principals_max: 9 } });
    const { state } = givenIn(
      physics,
      agent("alice"),
      program("bank", "alice", { has_standing: true }),
    );
    expect(seen(state, "alice")).toMatchObject({ children: [], family: { spawned: [] } });
  });
});
