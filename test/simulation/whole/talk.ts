import type { Json } from "../../../src/kernel/index.ts";

import { asJson } from "../../../src/mind/mind-memory-codec.ts";
import type { Dice } from "../../../src/mind/policy/dice.ts";
import { ODD_AMOUNTS, ODD_IDS } from "../mischief.ts";
import { type Chancer, randomAction } from "../random-action.ts";

/** The agents that a world of its own making has, and what those write to. */
export const OWN_AGENTS = ["p0", "p1", "p2", "p3", "p4", "p5"] as const;
const NAMES = Array.from({ length: 8 }, (_, n) => `a${n}`);

/** One who tries things without having seen the world. */
const stranger = (dice: Dice): Chancer => {
  const name = (): Json => dice.choose(NAMES) ?? null;
  const anyId = (): Json => {
    if (dice.chance(0.05)) return asJson(dice.choose(ODD_IDS));
    return dice.chance(0.35) ? (dice.choose(OWN_AGENTS) ?? null) : name();
  };
  return {
    dice,
    anyId,
    ownId: name,
    offered: name,
    frozen: () => dice.choose(OWN_AGENTS) ?? null,
    program: name,
    charger: name,
    contract: name,
    amount: () => (dice.chance(0.1) ? asJson(dice.choose(ODD_AMOUNTS)) : dice.pick(6) + 1),
    trusted: name,
    submission: () => `${String(name())}:${dice.pick(4) + 1}`,
    task: () => dice.choose(["task_double", "task_echo", "none"]) ?? null,
  };
};

/** Calls of the standard library, with arguments that fit now and then. */
const LIBRARY: readonly (readonly [artifact: string, methods: readonly string[]])[] = [
  ["genesis_escrow", ["deposit", "purchase", "cancel", "check", "list_active"]],
  ["genesis_debt_contract", ["issue", "accept", "repay", "collect", "cancel", "list_all"]],
  ["genesis_voting", ["create_proposal", "vote", "get_result", "list_proposals"]],
  ["genesis_board", ["post", "read", "channels", "claim", "done"]],
  ["genesis_event_log", ["read", "get_invokers", "describe"]],
];

const libraryCall = (who: Chancer): Json => {
  const { dice } = who;
  const [artifact_id, methods] = dice.choose(LIBRARY) ?? ["genesis_board", ["channels"]];
  const method = dice.choose(methods) ?? "describe";
  const args = Array.from({ length: dice.pick(4) }, () =>
    dice.chance(0.5) ? who.amount() : who.anyId(),
  );
  const attach = {
    ...(dice.chance(0.5) ? { scrip: who.amount() } : {}),
    ...(dice.chance(0.5) ? { artifacts: [who.ownId()] } : {}),
  };
  return { invoke_artifact: { artifact_id, method, args, attach } };
};

/** A contract of its own making for the mint: the task that the world offers, solved. */
const SOLUTIONS = [
  "function run(n) { return n * 2; }",
  "function run(x) { return x; }",
  "function run(s) { return 'x'.repeat(9e5).replace(/(x+x+)+y/, s); }",
];

/** Any action, by an agent that has not seen the world. */
export const blindAction = (dice: Dice): Json => {
  const who = stranger(dice);
  if (dice.chance(0.12)) return libraryCall(who);
  if (dice.chance(0.04)) {
    return { write_artifact: { artifact_id: who.ownId(), code: dice.choose(SOLUTIONS) ?? "" } };
  }
  if (dice.chance(0.03)) {
    const args = [who.task(), who.ownId()];
    return { invoke_artifact: { artifact_id: "genesis_mint", method: "solve", args } };
  }
  return randomAction(who);
};

const WAKES: readonly Json[] = [
  { scrip_at_least: 5 },
  { event: "artifact_invoked" },
  { resource: "actions", available: 3 },
  { no: "wake" },
];

/** A sleep as minds ask for it; now and then one that makes no sense. */
export const blindSleep = (dice: Dice): Json => {
  const until = dice.chance(0.4) ? { until: [dice.choose(WAKES) ?? null] } : {};
  return { for_s: dice.chance(0.1) ? -1 : dice.pick(4_000) / 1_000, ...until };
};
