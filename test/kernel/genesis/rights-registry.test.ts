import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/kernel/index.ts";

import { calls } from "../../support/commands.ts";
import { accountOf, agent, consumed, given, note } from "../../support/given-when-then.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

const give = (...args: readonly Json[]) =>
  calls("alice", "genesis_rights_registry.transfer_quota", { args });
const check = (...args: readonly Json[]) =>
  calls("alice", "genesis_rights_registry.check_quota", { args });

describe("quota", () => {
  it.each(["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"] as const)(
    "of %s moves between principals",
    (resource) => {
      const scene = given(ALICE, BOB);
      const before = accountOf(scene.state, "bob").quotas[resource] ?? 0;
      scene.when(give("bob", resource, 10)).thenHappened({
        kind: "quota_transferred",
        from: "alice",
        to: "bob",
        resource,
        amount: 10,
      });
      expect(accountOf(scene.state, "bob").quotas[resource]).toBe(before + 10);
      expect(accountOf(scene.state, "alice").quotas[resource]).toBe(before - 10);
    },
  );

  it("that is in use stays: of a window what was used of it", () => {
    const scene = given(ALICE, BOB, consumed("alice", { actions: 3, gas: 400, bytes: 50 }));
    scene.when(give("bob", "actions", 998)).thenRefused("quota_exceeded", /has 997 of actions/);
    scene.when(give("bob", "actions", 997)).thenHappened("quota_transferred");
    scene.when(give("bob", "cpu_gas", 9_999_601)).thenRefused("quota_exceeded", /has 9999600/);
    scene.when(give("bob", "bytes_written", 99_950)).thenHappened("quota_transferred");
    scene.when(check()).thenAnswered({
      actions: { quota: 3, available: 0 },
      bytes_written: { quota: 50, available: 0 },
    });
  });

  it("that is in use stays: of the disk what is on it", () => {
    const past = [agent("alice", { disk: 100 }), BOB];
    const scene = given(
      ...past,
      note("poem", "alice", { artifact_type: "t", content: "x".repeat(59) }),
    );
    scene.when(give("bob", "disk", 41)).thenRefused("quota_exceeded", /has 40 of disk/);
    scene.when(give("bob", "disk", 40)).thenHappened("quota_transferred");
    scene.when(check()).thenAnswered({ disk: { available: 0 } });
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["to oneself", ["alice", "disk", 1], "invalid_argument"],
    ["to nobody", ["nobody", "disk", 1], "not_found"],
    ["to no id", ["a b", "disk", 1], "invalid_argument"],
    ["of what is no resource", ["bob", "scrip", 1], "interface_mismatch"],
    ["of what every record has", ["bob", "constructor", 1], "interface_mismatch"],
    ["of nothing", ["bob", "disk", 0], "interface_mismatch"],
    ["of less than nothing", ["bob", "disk", -1], "interface_mismatch"],
    ["of too much to count", ["bob", "disk", 2 ** 53], "invalid_argument"],
  ])("is refused %s", (_, args, code) => {
    given(ALICE, BOB)
      .when(give(...args))
      .thenRefused(code as "not_found");
  });

  it("is refused where it could no longer be counted", () => {
    const all = Number.MAX_SAFE_INTEGER;
    given(ALICE, agent("bob", { quotas: { cpu_gas: all }, disk: all - 1_000 }))
      .when(give("bob", "cpu_gas", 1))
      .thenRefused("invalid_argument", /of bob would be too large/);
    given(ALICE, agent("bob", { disk: all - 1_000 }))
      .when(give("bob", "disk", 1_000))
      .thenRefused("invalid_argument", /of bob would be too large/);
  });

  it("can be looked at, anybody's", () => {
    const scene = given(ALICE, BOB);
    scene
      .when(check("bob"))
      .thenAnswered({ id: "bob", actions: { quota: 1_000, available: 1_000 } });
    scene.when(check("nobody")).thenRefused("not_found");
    scene
      .when(calls("bob", "genesis_rights_registry.all_quotas"))
      .thenAnswered({ alice: { actions: 1_000 }, bob: { actions: 1_000 } });
  });
});
