import type { Dice } from "../../../src/kernel/core/dice.ts";
import type { Json } from "../../../src/kernel/index.ts";
import { asJson } from "../../../src/mind/index.ts";
import { ODD_AMOUNTS, ODD_IDS, PROGRAMS } from "../hostile-inputs.ts";
import { randomAction, type ValuePicker } from "../random-action.ts";

/** The ids of generated agents, and below of the artifacts that they write. */
export const OWN_AGENTS = ["p0", "p1", "p2", "p3", "p4", "p5"] as const;
const NAMES = Array.from({ length: 8 }, (_, n) => `a${n}`);

/** Picks values without knowledge of the world. */
const uninformedPicker = (dice: Dice): ValuePicker => {
  const name = (): Json => dice.choose(NAMES) ?? null;
  return {
    dice,
    code: () => dice.choose(PROGRAMS) ?? "",
    anyId: (): Json => {
      if (dice.chance(0.05)) return asJson(dice.choose(ODD_IDS));
      return dice.chance(0.35) ? (dice.choose(OWN_AGENTS) ?? null) : name();
    },
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

/** Artifacts of the standard library with methods to call. Arguments are random. */
const LIBRARY: readonly (readonly [artifact: string, methods: readonly string[]])[] = [
  ["genesis_escrow", ["deposit", "purchase", "cancel", "check", "list_active"]],
  ["genesis_debt_contract", ["issue", "accept", "repay", "collect", "cancel", "list_all"]],
  ["genesis_voting", ["create_proposal", "vote", "get_result", "list_proposals"]],
  ["genesis_board", ["post", "read", "channels", "claim", "done"]],
  ["genesis_event_log", ["read", "get_invokers", "describe"]],
];

const libraryCall = (pick: ValuePicker): Json => {
  const { dice } = pick;
  const [artifact_id, methods] = dice.choose(LIBRARY) ?? ["genesis_board", ["channels"]];
  const method = dice.choose(methods) ?? "describe";
  const args = Array.from({ length: dice.pick(4) }, () =>
    dice.chance(0.5) ? pick.amount() : pick.anyId(),
  );
  const attach = {
    ...(dice.chance(0.5) ? { scrip: pick.amount() } : {}),
    ...(dice.chance(0.5) ? { artifacts: [pick.ownId()] } : {}),
  };
  return { invoke_artifact: { artifact_id, method, args, attach } };
};

/** Programs for the tasks of the mint: two solve one each, the third runs out of gas. */
const SOLUTIONS = [
  "function run(n) { return n * 2; }",
  "function run(x) { return x; }",
  "function run(s) { return 'x'.repeat(9e5).replace(/(x+x+)+y/, s); }",
];

/** Any action, by an agent without knowledge of the world. */
export const uninformedAction = (dice: Dice): Json => {
  const pick = uninformedPicker(dice);
  if (dice.chance(0.12)) return libraryCall(pick);
  if (dice.chance(0.04)) {
    return { write_artifact: { artifact_id: pick.ownId(), code: dice.choose(SOLUTIONS) ?? "" } };
  }
  if (dice.chance(0.03)) {
    const args = [pick.task(), pick.ownId()];
    return { invoke_artifact: { artifact_id: "genesis_mint", method: "solve", args } };
  }
  return randomAction(pick);
};

const WAKES: readonly Json[] = [
  { scrip_at_least: 5 },
  { event: "artifact_invoked" },
  { resource: "actions", available: 3 },
  { no: "wake" },
];

/** A sleep as minds request it; sometimes an invalid one. */
export const randomSleep = (dice: Dice): Json => {
  const until = dice.chance(0.4) ? { until: [dice.choose(WAKES) ?? null] } : {};
  return { for_s: dice.chance(0.1) ? -1 : dice.pick(4_000) / 1_000, ...until };
};
