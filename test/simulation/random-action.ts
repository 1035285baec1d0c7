import type { Json } from "../../src/kernel/index.ts";

import { asJson } from "../../src/mind/mind-memory-codec.ts";
import type { Dice } from "../../src/mind/policy/dice.ts";
import { childName } from "./loops.ts";
import { PROGRAMS } from "./mischief.ts";

/** One who tries things: with the dice, and knowing what it owns and what it is offered. */
export type Chancer = {
  readonly dice: Dice;
  readonly anyId: () => Json;
  /** Mostly something of its own, where owning matters. */
  readonly ownId: () => Json;
  readonly offered: () => Json;
  /** Mostly one who is frozen. */
  readonly frozen: () => Json;
  /** Mostly a program that can be called. */
  readonly program: () => Json;
  /** Mostly a program that has an account to charge into. */
  readonly charger: () => Json;
  /** Mostly an artifact that can be an access contract. */
  readonly contract: () => Json;
  readonly amount: () => Json;
  /** A program that it lets charge it. */
  readonly trusted: () => Json;
  /** A bid, mostly its own, and a task. */
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
export const randomAction = (who: Chancer): Json =>
  who.dice.weighted(KINDS, ([weight]) => weight)?.[1](who) ?? { noop: {} };

/** How often each kind of action is tried, and how it is made up. */
const KINDS: readonly (readonly [weight: number, make: (who: Chancer) => Json])[] = [
  [1, () => ({ noop: {} })],
  [3, (who) => ({ read_artifact: { artifact_id: who.anyId(), ...priceLimit(who) } })],
  [10, (who) => ({ write_artifact: randomWrite(who) })],
  [24, (who) => ({ invoke_artifact: randomCall(who) })],
  [6, (who) => native("genesis_ledger", "transfer", [who.anyId(), who.amount()])],
  [2, (who) => native("genesis_ledger", "transfer_budget", [who.anyId(), who.amount()])],
  [2, (who) => native("genesis_ledger", "transfer_budget", [who.frozen(), who.dice.pick(900)])],
  [4, (who) => native("genesis_ledger", "transfer_ownership", [who.ownId(), who.anyId()])],
  [4, (who) => native("genesis_ledger", "accept", [who.offered()])],
  [6, (who) => native("genesis_ledger", "grant", [who.charger(), who.amount(), who.amount()])],
  [0.5, (who) => native("genesis_ledger", "revoke", [who.program()])],
  [0.8, (who) => randomSpawn(who)],
  [2, (who) => native(String(who.trusted()), "run", [who.anyId(), who.amount()])],
  [3, (who) => paidNative("bid", [who.ownId()], who.amount())],
  [4, (who) => native("genesis_mint", "cancel", [who.submission()])],
  [1, (who) => paidNative("post_task", ["One.", [{ args: [], result: 1 }]], who.amount())],
  [0.5, (who) => native("genesis_mint", "withdraw_task", [who.task()])],
  [1, (who) => native("genesis_mint", "solve", [who.task(), who.ownId()])],
  [3, (who) => native("genesis_store", "set_price", [who.ownId(), who.amount()])],
  [2, (who) => native("genesis_store", "set_access", [who.ownId(), randomAccess(who)])],
  [2, (who) => native("genesis_store", "delete", [who.ownId()])],
  [
    2,
    (who) => {
      const resource = who.dice.choose(["disk", "actions", "cpu_gas", "bytes_written"]) ?? "disk";
      const args = [who.anyId(), resource, who.amount()];
      return native("genesis_rights_registry", "transfer_quota", args);
    },
  ],
  [1, (who) => native("genesis_store", "search", [String(who.anyId())])],
];

const randomSpawn = (who: Chancer): Json => {
  const { dice } = who;
  const means = {
    ...maybe(dice, 0.5, () => ({ disk_bytes: 50 + dice.pick(600) })),
    ...maybe(dice, 0.5, () => ({ actions: dice.pick(20) })),
    ...maybe(dice, 0.5, () => ({ cpu_gas: dice.pick(90_000), bytes_written: dice.pick(900) })),
    ...maybe(dice, 0.3, () => ({ llm_budget_micros: dice.pick(300) })),
    ...maybe(dice, 0.3, () => ({ owner: dice.choose(["self", "parent", "p0"]) ?? null })),
    ...maybe(dice, 0.1, () => ({ llm_calls: who.amount() })),
  };
  const config = dice.choose<Json>([null, {}, "{}", { mind: "x" }, "text", 5]) ?? null;
  const args = [childName(dice, who.anyId), config, ...(dice.chance(0.9) ? [means] : [])];
  const attach = maybe(dice, 0.5, () => ({ attach: { scrip: who.amount() } }));
  const call = { artifact_id: "genesis_ledger", method: "spawn_principal", args, ...attach };
  return { invoke_artifact: asJson(call) };
};

const randomAccess = ({ dice, contract }: Chancer): Json =>
  dice.chance(0.5)
    ? contract()
    : `genesis_contract_${dice.choose(["freeware", "private", "public", "self_owned"])}`;

const maybe = (dice: Dice, chance: number, fields: () => Record<string, Json>) =>
  dice.chance(chance) ? fields() : {};

const priceLimit = ({ dice, amount }: Chancer) => maybe(dice, 0.3, () => ({ max_price: amount() }));

const randomWrite = (who: Chancer): Json => ({
  artifact_id: who.dice.chance(0.5) ? who.anyId() : who.ownId(),
  ...maybe(who.dice, 0.6, () => ({ code: who.dice.choose(PROGRAMS) ?? "" })),
  ...maybe(who.dice, 0.3, () => ({ content: "text ".repeat(who.dice.pick(100)) })),
  ...maybe(who.dice, 0.4, () => ({ price: who.amount() })),
  ...maybe(who.dice, 0.2, () => ({ read_price: who.amount() })),
  ...maybe(who.dice, 0.15, () => ({ access: randomAccess(who) })),
  ...maybe(who.dice, 0.08, () => ({ has_standing: true })),
  ...maybe(who.dice, 0.02, () => ({ access_locked: true })),
  ...maybe(who.dice, 0.1, () => ({ depends_on: [who.anyId()] })),
  ...maybe(who.dice, 0.1, () => ({ metadata: { key: who.amount() } })),
});

const randomCall = (who: Chancer): Json => ({
  artifact_id: who.program(),
  args: [who.dice.chance(0.5) ? who.program() : who.anyId(), who.amount()],
  ...maybe(who.dice, 0.5, () => ({
    attach: {
      ...maybe(who.dice, 0.8, () => ({ scrip: who.amount() })),
      ...maybe(who.dice, 0.3, () => ({ artifacts: [who.ownId()] })),
    },
  })),
  ...priceLimit(who),
});
