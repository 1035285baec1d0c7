import { describe, expect, it } from "vitest";
import type { Json, RefusalCode } from "../../../src/kernel/index.ts";
import { calls } from "../../support/commands.ts";
import { agent, consumed, given, note } from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const MAX = Number.MAX_SAFE_INTEGER;

const give = (...args: readonly Json[]) =>
  calls("alice", "genesis_rights_registry.transfer_quota", { args });
const check = (...args: readonly Json[]) =>
  calls("alice", "genesis_rights_registry.check_quota", { args });

describe("a quota", () => {
  it.each(["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"] as const)(
    "of %s moves between principals",
    (resource) => {
      const scene = given(ALICE, BOB);
      const before = scene.account("bob").quotas[resource];
      const transfer = { from: "alice", to: "bob", resource, amount: 10 };
      const move = give("bob", resource, 10);
      scene.when(move).thenHappened({ kind: "quota_transferred", ...transfer });
      expect(scene.account("bob").quotas[resource]).toBe(before + 10);
      expect(scene.account("alice").quotas[resource]).toBe(before - 10);
    },
  );

  it("of a window can move only if it is unused", () => {
    const scene = given(ALICE, BOB, consumed("alice", { actions: 3, gas: 400, bytes: 50 }));
    scene.when(give("bob", "actions", 998)).thenRefused("quota_exceeded", /has 997 of actions/);
    scene.when(give("bob", "actions", 997)).thenHappened("quota_transferred");
    scene.when(give("bob", "cpu_gas", 9_999_601)).thenRefused("quota_exceeded", /has 9999600/);
    scene.when(give("bob", "bytes_written", 99_950)).thenHappened("quota_transferred");
    scene
      .when(check())
      .thenAnswered({
        actions: { quota: 3, available: 0 },
        bytes_written: { quota: 50, available: 0 },
      });
  });

  it("of disk can move only if it is unused", () => {
    const poem = note("poem", "alice", { artifact_type: "t", content: "x".repeat(59) });
    const scene = given(agent("alice", { disk: 100 }), BOB, poem);
    scene.when(give("bob", "disk", 41)).thenRefused("quota_exceeded", /has 40 of disk/);
    scene.when(give("bob", "disk", 40)).thenHappened("quota_transferred");
    scene.when(check()).thenAnswered({ disk: { available: 0 } });
  });

  it.each<readonly [string, readonly Json[], RefusalCode, RegExp]>([
    ["to its owner", ["alice", "disk", 1], "invalid_argument", /./],
    ["to an unknown principal", ["unknown", "disk", 1], "not_found", /./],
    ["to an invalid id", ["a b", "disk", 1], "invalid_argument", /./],
    ["of an unknown resource", ["bob", "scrip", 1], "interface_mismatch", /./],
    ["of a property of Object", ["bob", "constructor", 1], "interface_mismatch", /./],
    ["of zero", ["bob", "disk", 0], "interface_mismatch", /./],
    ["of a negative amount", ["bob", "disk", -1], "interface_mismatch", /./],
    ["of an unsafe integer", ["bob", "disk", 2 ** 53], "invalid_argument", /./],
    ["beyond the largest quota", ["rich", "cpu_gas", 1], "invalid_argument", /would be too large/],
    ["beyond the largest disk", ["rich", "disk", 1_000], "invalid_argument", /would be too large/],
  ])("cannot move %s", (_, args, code, words) => {
    const scene = given(ALICE, BOB, agent("rich", { quotas: { cpu_gas: MAX }, disk: MAX - 1_000 }));
    scene.when(give(...args)).thenRefused(code, words);
  });

  it("can be queried by anyone", () => {
    const scene = given(ALICE, BOB);
    const actions = { quota: 1_000, available: 1_000 };
    scene.when(check("bob")).thenAnswered({ id: "bob", actions });
    scene.when(check("unknown")).thenRefused("not_found");
    const call = calls("bob", "genesis_rights_registry.all_quotas");
    scene.when(call).thenAnswered({ alice: { actions: 1_000 }, bob: { actions: 1_000 } });
  });
});
