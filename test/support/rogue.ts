import { asId, type Json, type State } from "../../src/kernel/index.ts";

import type { Dice } from "./dice.ts";

export const AGENTS = ["ann", "ben", "cat", "dan"] as const;
const NAMES = Array.from({ length: 14 }, (_, n) => `x${n}`);
const ODD_IDS: readonly Json[] = ["unknown", "", "a b", "genesis_ledger", "Genesis.x", 7, null, {}];
const ODD_SUMS: readonly Json[] = [0, -1, 0.5, 2 ** 53, 1e300, "5", null, [], { n: 1 }];
const BUILT_IN = ["freeware", "self_owned", "private", "public"];
const RESOURCES = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written", "disk"];

/** A syscall with its arguments. */
export type Ask = { readonly name: string; readonly args: readonly Json[] };

/** An agent that tries everything, mostly what could work. Only the dice decide. */
export class Rogue {
  readonly #dice: Dice;
  readonly #state: State;

  constructor(dice: Dice, state: State) {
    this.#dice = dice;
    this.#state = state;
  }

  action(): Json {
    const dice = this.#dice;
    const kind = dice.upTo(99);
    if (kind < 3) return dice.one<Json>([{ noop: {} }, null, { steal: 1 }, { read_artifact: 5 }]);
    if (kind < 12) return { read_artifact: { artifact_id: this.#id(), ...this.#limit() } };
    if (kind < 36) return { write_artifact: this.#write() };
    const [artifact_id, method, args, more] = kind < 56 ? this.#native() : this.#call();
    return { invoke_artifact: { artifact_id, method, args, ...(more as object) } as Json };
  }

  /** A syscall of the program `self`. */
  ask(self: string): Ask {
    const dice = this.#dice;
    const kind = dice.upTo(99);
    if (kind < 12) return { name: "pay", args: [this.#principal(), this.#sum()] };
    if (kind < 18) return { name: "charge", args: [this.#grantorTo(self), this.#sum()] };
    if (kind < 28) return { name: "give", args: [this.#id(), this.#principal()] };
    if (kind < 36) return { name: "read", args: [this.#id(), this.#limit()] };
    if (kind < 52) return { name: "write", args: [this.#write()] };
    if (kind < 56) return { name: "create_principal", args: [this.#child()] };
    if (kind < 74) return { name: "invoke", args: this.#call() };
    if (kind < 90) return { name: "invoke", args: this.#native() };
    const looks = ["balance", "random", "quota", "query", "mint", "constructor"];
    return { name: dice.one(looks), args: [dice.one(["artifacts", "ann", "x1"])] };
  }

  /** An answer of the contract `self`. */
  permit(self: string): Json {
    const dice = this.#dice;
    if (dice.chance(0.15))
      return dice.one<Json>([null, true, [], { allowed: 1 }, { allowed: false }]);
    return {
      allowed: true,
      ...(dice.chance(0.5) ? { cost: this.#sum() } : {}),
      ...(dice.chance(0.3) ? { payer: this.#grantorTo(self) } : {}),
      ...(dice.chance(0.4) ? { recipient: this.#principal() } : {}),
    };
  }

  #id(): Json {
    const dice = this.#dice;
    if (dice.chance(0.04)) return dice.one(ODD_IDS);
    return dice.chance(0.12) ? dice.one(AGENTS) : dice.one(NAMES);
  }

  /** Mostly a principal with an account. */
  #principal(): Json {
    if (this.#dice.chance(0.1)) return this.#id();
    return this.#dice.one([...this.#state.accounts.keys()].sort());
  }

  /** Mostly a program that could charge an agent. */
  #charger(): Json {
    const programs = NAMES.filter((name) => this.#state.accounts.has(asId(name)));
    if (programs.length > 0 && this.#dice.chance(0.7)) return this.#dice.one(programs);
    return this.#dice.chance(0.5) ? this.#program() : this.#contract();
  }

  /** Mostly a principal that let it charge, if one did. */
  #grantorTo(contract: string): Json {
    const rows = [...this.#state.grants.rows()].filter((row) => row.contract === contract);
    const grantors = rows.map(({ grantor }) => grantor).sort();
    return grantors.length === 0 || this.#dice.chance(0.2)
      ? this.#principal()
      : this.#dice.one(grantors);
  }

  #sum(): Json {
    return this.#dice.chance(0.06) ? this.#dice.one(ODD_SUMS) : 1 + this.#dice.upTo(12);
  }

  #limit(): { readonly max_price?: Json } {
    return this.#dice.chance(0.3) ? { max_price: this.#sum() } : {};
  }

  /** Mostly a program that can be called. */
  #program(): Json {
    const programs = this.#withMethod("run");
    return programs.length === 0 || this.#dice.chance(0.15) ? this.#id() : this.#dice.one(programs);
  }

  #call(): readonly [Json, Json, Json, Json] {
    const dice = this.#dice;
    const attach = {
      ...(dice.chance(0.7) ? { scrip: this.#sum() } : {}),
      ...(dice.chance(0.3) ? { artifacts: [this.#id(), this.#id()].slice(dice.upTo(1)) } : {}),
    };
    const more = { ...(dice.chance(0.5) ? { attach } : {}), ...this.#limit() };
    const method = dice.chance(0.9) ? "run" : "check_permission";
    return [this.#program(), method, [this.#sum()], more];
  }

  #native(): readonly [Json, Json, Json, Json] {
    const dice = this.#dice;
    const calls: readonly (() => readonly [string, string, readonly Json[]])[] = [
      () => ["ledger", "transfer", [this.#principal(), this.#sum()]],
      () => ["ledger", "transfer_budget", this.#budget()],
      () => ["ledger", "transfer_ownership", [this.#id(), this.#principal()]],
      () => ["ledger", "accept", [this.#offered()]],
      () => ["ledger", "grant", [this.#charger(), this.#sum(), this.#sum()]],
      () => ["ledger", "revoke", [this.#program()]],
      () => ["rights_registry", "transfer_quota", this.#quota()],
      () => ["ledger", "spawn_principal", this.#spawning()],
      () => ["store", "set_price", [this.#id(), this.#sum()]],
      () => ["store", "set_access", [this.#id(), this.#contract()]],
      () => ["store", "delete", [this.#id()]],
      () => ["store", "delete", [this.#contract()]],
      () => ["store", "list", [{ sort: dice.one(["popular", "price", "newest"]) }]],
    ];
    const [native, method, args] = dice.one(calls)();
    return [`genesis_${native}`, method, args, this.#limit()];
  }

  /** Sometimes enough for a frozen agent. */
  #budget(): readonly Json[] {
    const frozen = [...this.#state.agents.rows()].filter(({ state }) => state === "frozen");
    const [poor] = frozen.map(({ id }) => id).sort();
    return poor === undefined || this.#dice.chance(0.3)
      ? [this.#principal(), this.#sum()]
      : [poor, 20 + this.#dice.upTo(60)];
  }

  #spawning(): readonly Json[] {
    const dice = this.#dice;
    const id = dice.chance(0.3) ? this.#id() : dice.one<Json>([`y${dice.upTo(40)}`, null]);
    const disk_bytes = 90 + dice.upTo(300);
    return [id, dice.one<Json>([{}, null]), { disk_bytes, actions: 2 + dice.upTo(9) }];
  }

  /** As the syscall takes it. */
  #child(): Json {
    const dice = this.#dice;
    const id = dice.chance(0.3) ? this.#id() : `y${dice.upTo(40)}`;
    return {
      ...(dice.chance(0.8) ? { id } : {}),
      ...(dice.chance(0.9) ? { config: dice.one<Json>([{}, "{}", "[]", 4]) } : {}),
      ...(dice.chance(0.4) ? { scrip: this.#sum() } : {}),
      ...(dice.chance(0.2) ? { llm_budget_micros: this.#sum() } : {}),
      ...(dice.chance(0.3) ? { disk_bytes: 90 + dice.upTo(90) } : {}),
      ...(dice.chance(0.3) ? { quotas: { actions: 2 + dice.upTo(9) } } : {}),
      ...(dice.chance(0.3) ? { owner: dice.one<Json>(["self", "parent", "ann"]) } : {}),
    };
  }

  #quota(): readonly Json[] {
    const resource = this.#dice.one(RESOURCES);
    const amount = resource === "disk" ? 20 + this.#dice.upTo(150) : this.#sum();
    return [this.#principal(), resource, amount];
  }

  #offered(): Json {
    const offers = [...this.#state.offers.keys()].sort();
    return offers.length === 0 ? this.#id() : this.#dice.one(offers);
  }

  #contract(): Json {
    const dice = this.#dice;
    if (dice.chance(0.3)) return `genesis_contract_${dice.one(BUILT_IN)}`;
    const contracts = this.#withMethod("check_permission");
    return contracts.length === 0 || dice.chance(0.1) ? this.#id() : dice.one(contracts);
  }

  #withMethod(method: string): readonly string[] {
    return NAMES.filter((name) => this.#state.artifacts.get(asId(name))?.methods.includes(method));
  }

  #write(): Json {
    const dice = this.#dice;
    const maybe = (chance: number, fields: () => object): object =>
      dice.chance(chance) ? fields() : {};
    return {
      artifact_id: this.#id(),
      ...maybe(0.6, () => ({
        code: dice.one(["run", "check_permission", "run check_permission", null]),
      })),
      ...maybe(0.4, () => ({ content: "é".repeat(dice.upTo(40)) })),
      ...maybe(0.4, () => ({ price: this.#sum() })),
      ...maybe(0.2, () => ({ read_price: this.#sum() })),
      ...maybe(0.25, () => ({ access: this.#contract() })),
      ...maybe(0.2, () => ({ has_standing: true })),
      ...maybe(0.03, () => ({ access_locked: true })),
      ...maybe(0.15, () => ({ depends_on: [this.#id()] })),
      ...maybe(0.15, () => ({ metadata: { k: this.#sum() } })),
      ...maybe(0.1, () => ({ interface: { description: "does it", methods: [] } })),
      ...this.#limit(),
    } as Json;
  }
}
