import { describe, expect, it } from "vitest";
import { areRelated, asId, headOf, rootOf, type State } from "../../../src/kernel/index.ts";
import { deletes, gives, inside, writes } from "../../support/commands.ts";
import { childOf } from "../../support/mint.ts";
import { agent, given, type Past, program, standing } from "../../support/scenario.ts";

const AGENTS = ["ann", "bob", "kid", "kit"].map((id) => agent(id, { disk: 50_000 }));
const WALLET = { code: "function run() {}", has_standing: true } as const;

const related = (state: State, one: string, other: string) =>
  areRelated(state, asId(one), asId(other));
const roots = (state: State, ...ids: readonly string[]) => ids.map((id) => rootOf(state, asId(id)));
const sold = (id: string, owner: string, to: string) => gives(owner, id, { to, callers: [to] });
const SELF_OWNED: readonly Past[] = [
  standing("stray", "ann"),
  standing("till", "ann"),
  sold("stray", "ann", "stray"),
  sold("till", "ann", "stray"),
];

describe("a family", () => {
  it("has its first ancestor as its root", () => {
    const children = [childOf("kid", "ann"), childOf("kit", "kid"), program("tool", "kit")];
    const { state } = given(...AGENTS, ...children);
    expect(roots(state, "ann", "bob")).toEqual(["ann", "bob"]);
    expect(roots(state, "kid", "kit", "tool")).toEqual(["ann", "ann", "ann"]);
    expect(related(state, "kit", "ann")).toBe(true);
    expect(related(state, "kit", "bob")).toBe(false);
  });

  it.each<readonly [string, readonly Past[]]>([
    ["its owner", [deletes("ann", "crib")]],
    ["its child, which bought it", [sold("crib", "ann", "kid"), deletes("kid", "crib")]],
  ])("remains when a program between its members is deleted by %s", (_, past) => {
    const { state } = given(...AGENTS, standing("crib", "ann"), childOf("kid", "crib"), ...past);
    expect(state.accounts.has(asId("crib"))).toBe(false);
    expect(roots(state, "kid", "crib")).toEqual(["ann", "ann"]);
    expect(related(state, "kid", "ann")).toBe(true);
  });

  it("does not grow when a stranger calls its programs", () => {
    const scene = given(...AGENTS, childOf("kid", "ann"), program("shop", "ann"));
    scene
      .when(writes(inside("bob", "shop"), "wallet", WALLET))
      .thenRefused("not_authorized", /bob, who started this action, is not in the family of ann/);
    const plain = writes(inside("bob", "shop"), "note", { code: WALLET.code });
    scene.when(plain).thenHappened("artifact_written");
    const byMember = writes(inside("kid", "shop"), "wallet", WALLET);
    scene.when(byMember).thenHappened("artifact_written", "principal_created");
    expect(scene.state.artifacts.get(asId("wallet"))?.owner).toBe("ann");
    expect(roots(scene.state, "wallet")).toEqual(["ann"]);
    expect(related(scene.state, "wallet", "bob")).toBe(false);
  });

  it("has a root even if the parents form a circle or the member is unknown", () => {
    const { state } = given(...AGENTS, childOf("kid", "kit"), childOf("kit", "kid"));
    expect(["kid", "kit"]).toContain(roots(state, "kid")[0]);
    expect(roots(state, "unknown")).toEqual(["unknown"]);
  });
});

describe("ownership", () => {
  it("ends at an agent", () => {
    const past = [...AGENTS, standing("bank", "ann"), program("tool", "ann")];
    const { state } = given(...past, sold("bank", "ann", "bob"));
    expect(["tool", "bank"].map((id) => headOf(state, asId(id)))).toEqual(["ann", "bob"]);
  });

  it("relates an owned agent and its children to the owner", () => {
    const { state } = given(...AGENTS, childOf("kid", "bob"), sold("bob", "bob", "ann"));
    const toAnn = ["bob", "kid", "kit"].map((id) => related(state, id, "ann"));
    expect(toAnn).toEqual([true, true, false]);
  });
});

describe("the head of the family that controls a principal", () => {
  it.each<readonly [string, readonly Past[], string, string | null]>([
    ["a program: its owner", [standing("till", "ann"), sold("till", "ann", "bob")], "till", "bob"],
    ["an agent: itself", [], "bob", "bob"],
    ["a child: its parent", [childOf("kid", "ann")], "kid", "ann"],
    ["a sold child: its owner", [childOf("kid", "ann"), sold("kid", "kid", "bob")], "kid", "bob"],
    ["a program that owns itself: none", SELF_OWNED, "stray", null],
    ["a program that belongs to such a program: none", SELF_OWNED, "till", null],
  ])("%s", (_, past, id, head) => {
    expect(headOf(given(...AGENTS, ...past).state, asId(id))).toBe(head);
  });
});
