import { describe, expect, it } from "vitest";
import { ultimateOwner } from "../../../src/kernel/family/family.ts";
import { areRelated, asId, headOf, rootOf, type State } from "../../../src/kernel/index.ts";

import { type Actor, deletes, gives, inside, writes } from "../../support/commands.ts";
import {
  agent,
  artifactOf,
  given,
  givenIn,
  program,
  standing,
} from "../../support/given-when-then.ts";
import { childOf } from "../../support/mint.ts";
import { physicsWith } from "../../support/physics.ts";

const AGENTS = ["ann", "bob", "kid", "kit"].map((id) => agent(id, { disk: 50_000 }));

const akin = (state: State, one: string, other: string) =>
  areRelated(state, asId(one), asId(other));
const root = (state: State, id: string) => rootOf(state, asId(id));

const sold = (id: string, owner: string, to: string) => gives(owner, id, { to, askers: [to] });

describe("a family", () => {
  it("stands behind its first ancestor", () => {
    const { state } = given(...AGENTS, childOf("kid", "ann"), childOf("kit", "kid"));
    expect(["ann", "bob", "kid", "kit"].map((id) => root(state, id))).toEqual([
      "ann",
      "bob",
      "ann",
      "ann",
    ]);
    expect(akin(state, "kit", "ann")).toBe(true);
    expect(akin(state, "kit", "bob")).toBe(false);
  });

  it("holds together when a program between its members is gone", () => {
    const past = [...AGENTS, standing("crib", "ann"), childOf("kid", "crib")];
    const scene = given(...past, deletes("ann", "crib"));
    expect(scene.state.accounts.has(asId("crib"))).toBe(false);
    expect(root(scene.state, "kid")).toBe("ann");
  });

  it("holds together when the program is deleted by the child that came out of it", () => {
    const past = [...AGENTS, standing("crib", "ann"), childOf("kid", "crib")];
    const handed = [...past, sold("crib", "ann", "kid")];
    const scene = given(...handed, deletes("kid", "crib"));
    expect(["kid", "crib"].map((id) => root(scene.state, id))).toEqual(["ann", "ann"]);
    expect(akin(scene.state, "kid", "ann")).toBe(true);
  });

  it("does not grow when a stranger calls its programs", () => {
    const scene = given(...AGENTS, childOf("kid", "ann"), program("shop", "ann"));
    const wallet = { code: "function run() {}", has_standing: true } as const;
    scene
      .when(writes(inside("bob", "shop"), "wallet", wallet))
      .thenRefused("not_authorized", /in the family of ann, to which bob does not belong/);
    // The same without an account may be made, and with one by whoever is of the family.
    scene
      .when(writes(inside("bob", "shop"), "note", { code: wallet.code }))
      .thenHappened("artifact_written");
    scene
      .when(writes(inside("kid", "shop"), "wallet", wallet))
      .thenHappened("artifact_written", "principal_created");
    expect(artifactOf(scene.state, "wallet").owner).toBe("ann");
    expect([root(scene.state, "wallet"), akin(scene.state, "wallet", "bob")]).toEqual([
      "ann",
      false,
    ]);
  });

  it("has so many accounts for programs, whichever of its programs opens them", () => {
    const physics = physicsWith({ agents: { standing_max: 2 } });
    const shop = inside("ann", "shop");
    const wallet = (id: string, actor: Actor) =>
      writes(actor, id, { code: "function run() {}", has_standing: true });
    const past = [...AGENTS, program("shop", "ann"), wallet("w1", shop), wallet("w2", shop)];
    const scene = givenIn(physics, ...past);
    scene
      .when(wallet("w3", shop))
      .thenRefused("quota_exceeded", /family of ann already has the maximum of 2/);
    scene.when(wallet("w3", "ann")).thenRefused("quota_exceeded");
    scene
      .when(wallet("w3", "bob"))
      .thenHappened("artifact_written", { kind: "principal_created", parent: "bob" });
  });

  it("has an end, whatever the books say", () => {
    const { state } = given(...AGENTS, childOf("kid", "kit"), childOf("kit", "kid"));
    expect(["kid", "kit"]).toContain(root(state, "kid"));
    expect(root(state, "nobody")).toBe("nobody");
  });
});

describe("one hand", () => {
  it("is at the top of a chain of owners", () => {
    const { state } = given(...AGENTS, standing("bank", "ann"), program("tool", "ann"));
    expect(ultimateOwner(state, asId("tool"))).toBe("ann");
    const owned = given(...AGENTS, standing("bank", "ann"), sold("bank", "ann", "bob"));
    expect(ultimateOwner(owned.state, asId("bank"))).toBe("bob");
  });

  it("joins whom it owns with their children and its own", () => {
    const { state } = given(...AGENTS, childOf("kid", "bob"), sold("bob", "bob", "ann"));
    expect(akin(state, "bob", "ann")).toBe(true);
    expect(akin(state, "kid", "ann")).toBe(true);
    expect(akin(state, "kit", "ann")).toBe(false);
  });
});

describe("the head of the family that controls", () => {
  const head = (state: State, id: string) => headOf(state, asId(id));

  it("a wallet is that of its owner, whoever opened it", () => {
    const { state } = given(...AGENTS, standing("purse", "ann"), sold("purse", "ann", "bob"));
    expect([head(state, "purse"), head(state, "bob")]).toEqual(["bob", "bob"]);
  });

  it("a child is that of its parent, and of its owner once it is sold", () => {
    const scene = given(...AGENTS, childOf("kid", "ann"));
    expect(head(scene.state, "kid")).toBe("ann");
    scene.when(sold("kid", "kid", "bob")).thenAnswered({ owner: "bob" });
    expect(head(scene.state, "kid")).toBe("bob");
  });

  it("is nobody where a program belongs to itself, or to no agent", () => {
    const past = [...AGENTS, standing("stray", "ann"), standing("purse", "ann")];
    const { state } = given(...past, sold("stray", "ann", "stray"), sold("purse", "ann", "stray"));
    expect([head(state, "stray"), head(state, "purse")]).toEqual([null, null]);
  });
});
