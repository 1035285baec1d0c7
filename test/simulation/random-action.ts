import type { Dice } from "../../src/kernel/core/dice.ts";
import type { Json } from "../../src/kernel/index.ts";
import { asJson } from "../../src/mind/index.ts";
import { childName } from "./loops.ts";

/** Picks the values of a random action for one agent. */
export type ValuePicker = {
  readonly dice: Dice;
  readonly code: () => string;
  readonly anyId: () => Json;
  /** Mostly an artifact that the agent owns. */
  readonly ownId: () => Json;
  readonly offered: () => Json;
  /** Mostly a frozen agent. */
  readonly frozen: () => Json;
  /** Mostly a program that can be called. */
  readonly program: () => Json;
  /** Mostly a program with an account. */
  readonly charger: () => Json;
  /** Mostly an artifact that can be an access contract. */
  readonly contract: () => Json;
  readonly amount: () => Json;
  /** A program that may charge the agent. */
  readonly trusted: () => Json;
  /** Mostly a bid of the agent. */
  readonly submission: () => Json;
  readonly task: () => Json;
};

const native = (artifact_id: string, method: string, args: readonly Json[]): Json => ({
  invoke_artifact: { artifact_id, method, args },
});

const paidNative = (method: string, args: readonly Json[], scrip: Json): Json => ({
  invoke_artifact: { artifact_id: "genesis_mint", method, args, attach: { scrip } },
});

/** Any of the four actions, mostly one that could work. */
export const randomAction = (pick: ValuePicker): Json =>
  pick.dice.weighted(KINDS, ([weight]) => weight)?.[1](pick) ?? { noop: {} };

/** The kinds of actions, each with its relative frequency. */
const KINDS: readonly (readonly [weight: number, make: (pick: ValuePicker) => Json])[] = [
  [1, () => ({ noop: {} })],
  [3, (pick) => ({ read_artifact: { artifact_id: pick.anyId(), ...priceLimit(pick) } })],
  [10, (pick) => ({ write_artifact: randomWrite(pick) })],
  [26, (pick) => ({ invoke_artifact: randomCall(pick) })],
  [6, (pick) => native("genesis_ledger", "transfer", [pick.anyId(), pick.amount()])],
  [2, (pick) => native("genesis_ledger", "transfer_budget", [pick.anyId(), pick.amount()])],
  [3, (pick) => native("genesis_ledger", "transfer_budget", [pick.frozen(), pick.dice.pick(300)])],
  [4, (pick) => native("genesis_ledger", "transfer_ownership", [pick.ownId(), pick.anyId()])],
  [4, (pick) => native("genesis_ledger", "accept", [pick.offered()])],
  [10, (pick) => native("genesis_ledger", "grant", [pick.charger(), pick.amount(), pick.amount()])],
  [
    1,
    (pick) =>
      native("genesis_ledger", "revoke", [pick.dice.chance(0.5) ? pick.trusted() : pick.program()]),
  ],
  [0.8, (pick) => randomSpawn(pick)],
  [7, (pick) => native(String(pick.trusted()), "run", [pick.anyId(), pick.amount()])],
  [3, (pick) => paidNative("bid", [pick.ownId()], pick.amount())],
  [4, (pick) => native("genesis_mint", "cancel", [pick.submission()])],
  [1, (pick) => paidNative("post_task", ["One.", [{ args: [], result: 1 }]], pick.amount())],
  [0.5, (pick) => native("genesis_mint", "withdraw_task", [pick.task()])],
  [1, (pick) => native("genesis_mint", "solve", [pick.task(), pick.ownId()])],
  [3, (pick) => native("genesis_store", "set_price", [pick.ownId(), pick.amount()])],
  [4, (pick) => native("genesis_store", "set_access", [pick.ownId(), randomAccess(pick)])],
  [3, (pick) => native("genesis_store", "delete", [pick.ownId()])],
  [
    2,
    (pick) => {
      const resource = pick.dice.choose(["disk", "actions", "cpu_gas", "bytes_written"]) ?? "disk";
      const args = [pick.anyId(), resource, pick.amount()];
      return native("genesis_rights_registry", "transfer_quota", args);
    },
  ],
  [1, (pick) => native("genesis_store", "search", [String(pick.anyId())])],
  [4, (pick) => native("genesis_messenger", "send", randomMessage(pick))],
  [1, (pick) => native("genesis_messenger", "mark_read", [pick.amount()])],
  [1, (pick) => native("genesis_messenger", "block", [pick.anyId()])],
  [1, (pick) => native("genesis_messenger", "unblock", [pick.anyId()])],
];

/** A message to any id, often with an answer, an attachment or a question that is handed on. */
const randomMessage = (pick: ValuePicker): readonly Json[] => {
  const { dice } = pick;
  const to = dice.chance(0.2) ? "operator" : pick.anyId();
  const options = {
    ...maybe(dice, 0.3, () => ({ reply_to: dice.pick(20) + 1 })),
    ...maybe(dice, 0.3, () => ({ forward: dice.pick(20) + 1 })),
    ...maybe(dice, 0.3, () => ({ attach: pick.amount() })),
  };
  return [to, "text ".repeat(dice.pick(60)), ...(dice.chance(0.7) ? [options] : [])];
};

const randomSpawn = (pick: ValuePicker): Json => {
  const { dice } = pick;
  const means = {
    ...maybe(dice, 0.5, () => ({ disk_bytes: 50 + dice.pick(600) })),
    ...maybe(dice, 0.5, () => ({ actions: dice.pick(20) })),
    ...maybe(dice, 0.5, () => ({ cpu_gas: dice.pick(90_000), bytes_written: dice.pick(900) })),
    ...maybe(dice, 0.3, () => ({ llm_budget_micros: dice.pick(300) })),
    ...maybe(dice, 0.3, () => ({ owner: dice.choose(["self", "parent", "p0"]) ?? null })),
    ...maybe(dice, 0.1, () => ({ llm_calls: pick.amount() })),
  };
  const config = dice.choose<Json>([null, {}, "{}", { mind: "x" }, "text", 5]) ?? null;
  const args = [childName(dice, pick.anyId), config, ...(dice.chance(0.9) ? [means] : [])];
  const attach = maybe(dice, 0.5, () => ({ attach: { scrip: pick.amount() } }));
  const call = { artifact_id: "genesis_ledger", method: "spawn_principal", args, ...attach };
  return { invoke_artifact: asJson(call) };
};

const randomAccess = ({ dice, contract }: ValuePicker): Json =>
  dice.chance(0.5)
    ? contract()
    : `genesis_contract_${dice.choose(["freeware", "private", "public", "self_owned"])}`;

const maybe = (dice: Dice, chance: number, fields: () => Record<string, Json>) =>
  dice.chance(chance) ? fields() : {};

const priceLimit = ({ dice, amount }: ValuePicker) =>
  maybe(dice, 0.3, () => ({ max_price: amount() }));

const randomWrite = (pick: ValuePicker): Json => ({
  artifact_id: pick.dice.chance(0.5) ? pick.anyId() : pick.ownId(),
  ...maybe(pick.dice, 0.6, () => ({ code: pick.code() })),
  ...maybe(pick.dice, 0.3, () => ({ content: "text ".repeat(pick.dice.pick(100)) })),
  ...maybe(pick.dice, 0.4, () => ({ price: pick.amount() })),
  ...maybe(pick.dice, 0.2, () => ({ read_price: pick.amount() })),
  ...maybe(pick.dice, 0.15, () => ({ access: randomAccess(pick) })),
  ...maybe(pick.dice, 0.08, () => ({ has_standing: true })),
  ...maybe(pick.dice, 0.02, () => ({ access_locked: true })),
  ...maybe(pick.dice, 0.1, () => ({ depends_on: [pick.anyId()] })),
  ...maybe(pick.dice, 0.1, () => ({ metadata: { key: pick.amount() } })),
});

const randomCall = (pick: ValuePicker): Json => ({
  artifact_id: pick.program(),
  args: [pick.dice.chance(0.5) ? pick.program() : pick.anyId(), pick.amount()],
  ...maybe(pick.dice, 0.5, () => ({
    attach: {
      ...maybe(pick.dice, 0.8, () => ({ scrip: pick.amount() })),
      ...maybe(pick.dice, 0.3, () => ({ artifacts: [pick.ownId()] })),
    },
  })),
  ...priceLimit(pick),
});
