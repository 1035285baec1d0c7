import {
  asId,
  checkInvariants,
  type Event,
  type EventKind,
  emptyState,
  encodeEvent,
  type Id,
  type Json,
  liveArtifact,
  type Physics,
  type State,
  wholeOf,
} from "../../src/kernel/index.ts";
import { plain } from "../../src/mind/memory-codec.ts";
import { Dice } from "../../src/mind/policy/dice.ts";
import { openingRequests, sandboxFor, World } from "../../src/world/index.ts";
import { Auditor } from "../support/auditor.ts";
import { physicsWith } from "../support/physics.ts";
import { childName, loopRequest, someAgent } from "./loops.ts";
import { keepMint } from "./mint-chores.ts";
import { ODD_AMOUNTS, ODD_IDS, PROGRAMS } from "./mischief.ts";

/** A small world in which what never ends is soon stopped. */
export const CHAOS_PHYSICS: Physics = physicsWith({
  resources: { disk_bytes: 20_000 },
  agents: { principals_max: 60 },
  sandbox: { gas_max: 20_000, memory_bytes: 1_048_576 },
  genesis: { costs: { genesis_ledger: { transfer: 1 } } },
});

const AUDITED_EVERY = 25;
/** How much of what happens comes from the loops of agents. */
const LOOPING = 0.15;

const PRINCIPALS = ["p0", "p1", "p2", "p3", "p4", "p5"];
/** The ids that rogues write to at a time: few, so that they meet, and ever new ones. */
const namesAt = (turn: number): readonly string[] =>
  Array.from({ length: 14 }, (_, n) => `a${Math.floor(turn / 200) * 4 + n}`);

export type ChaosResult = {
  readonly commands: number;
  readonly succeeded: number;
  readonly byCode: ReadonlyMap<string, number>;
  readonly byKind: ReadonlyMap<EventKind, number>;
};

/**
 * So many random actions of principals who try everything, from one seed. Each invariant is checked
 * after every transaction; the auditor, who goes through all the events each time, lays its books
 * beside the world's now and then, since a difference does not go away. Throws, naming the action.
 */
export const chaos = async (
  physics: Physics,
  { seed, commands }: { readonly seed: number; readonly commands: number },
): Promise<ChaosResult> => {
  const auditor = new Auditor();
  const byKind = new Map<EventKind, number>();
  const happened = (caused: readonly Event[]): void => {
    auditor.note(caused.map(encodeEvent));
    for (const event of caused) {
      byKind.set(event.kind, (byKind.get(event.kind) ?? 0) + 1);
    }
  };
  const sandbox = sandboxFor(physics);
  const world = new World({
    state: emptyState(),
    journal: { append: () => null },
    sandbox,
    agentProblem: (content) => (content.startsWith("{") ? null : "it must be an object"),
    checkEvery: Number.MAX_SAFE_INTEGER,
    happened,
  });
  populate(world, physics);
  const dice = Dice.of(seed, "chaos");
  const byCode = new Map<string, number>();
  let succeeded = 0;
  let at = 1;
  for (let n = 0; n < commands; n++) {
    at += dice.pick(400);
    const looping = dice.chance(LOOPING);
    const agent = someAgent(dice, world.state);
    const principal =
      looping || dice.chance(0.1) ? agent.id : asId(dice.choose(PRINCIPALS) ?? "p0");
    const action = randomAction(chancer(dice, world.state, { principal, names: namesAt(n) }));
    keepMint(world, dice, at);
    const outcome = world.submit(
      looping
        ? loopRequest(dice, agent, { at, action })
        : { kind: "take_action", at_ms: at, principal, action, backoff: false },
    );
    if (outcome.success) succeeded += 1;
    else byCode.set(String(outcome.error_code), (byCode.get(String(outcome.error_code)) ?? 0) + 1);
    const audits = n % AUDITED_EVERY === 0 || n === commands - 1;
    inspect(world.state, audits ? auditor : null, () => {
      return `command ${n}: ${principal} ${JSON.stringify(action)}`;
    });
  }
  await sandbox.close();
  return { commands, succeeded, byCode, byKind };
};

const inspect = (state: State, auditor: Auditor | null, where: () => string): void => {
  try {
    checkInvariants(state);
  } catch (error) {
    throw new Error(`${where()}: ${error instanceof Error ? error.message : error}`);
  }
  const [first] = auditor?.differences(state, wholeOf(state).now) ?? [];
  if (first !== undefined) throw new Error(`${where()}: ${first}`);
};

const populate = (world: World, physics: Physics): void => {
  for (const request of openingRequests(physics)) world.submit(request);
  for (const id of PRINCIPALS) {
    world.submit({
      kind: "create_agent",
      at_ms: 0,
      id: asId(id),
      content: "{}",
      memory: "[]",
      endowment: {
        scrip: 200,
        llm_budget_micros: physics.resources.llm_budget_micros,
        disk_bytes: physics.resources.disk_bytes,
        quotas: physics.resources.windows,
      },
      starts_at_ms: 0,
    });
  }
};

/** One who tries things: with the dice, and knowing what it owns and what it is offered. */
type Chancer = {
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

const chancer = (
  dice: Dice,
  state: State,
  { principal, names }: { readonly principal: Id; readonly names: readonly string[] },
): Chancer => {
  const own = [...state.catalogue.newest({ owner: principal })];
  const having = (method: string): readonly string[] =>
    names.filter((name) => liveArtifact(state, asId(name))?.methods.includes(method));
  const [programs, contracts] = [having("run"), having("check_permission")];
  const banks = programs.filter((name) => state.accounts.has(asId(name)));
  const offers = [...state.offers.rows()].filter((offer) => offer.to === principal);
  const agents = [...state.agents.rows()].sort((a, b) => a.order - b.order);
  const frozen = agents.filter((agent) => agent.state === "frozen").map(({ id }) => id);
  const anyId = (): Json => {
    if (dice.chance(0.04)) return plain(dice.choose(ODD_IDS));
    return dice.choose(dice.chance(0.35) ? PRINCIPALS : names) ?? null;
  };
  const trusted = [...state.grants.rows()]
    .filter(({ grantor }) => grantor === principal)
    .map(({ contract }) => contract);
  const idOf = (rows: Iterable<{ readonly id: string }>): Json =>
    dice.choose([...rows].map(({ id }) => id).sort()) ?? "none:1";
  return {
    dice,
    anyId,
    trusted: () => dice.choose(trusted.sort()) ?? anyId(),
    submission: () => {
      const open = [...state.submissions.rows()];
      const mine = open.filter(({ bidder }) => bidder === principal);
      return idOf(mine.length > 0 && dice.chance(0.8) ? mine : open);
    },
    task: () => idOf(state.tasks.rows()),
    ownId: () => (dice.chance(0.7) ? (dice.choose(own) ?? null) : anyId()),
    program: () => (dice.chance(0.8) ? (dice.choose(programs) ?? null) : anyId()),
    frozen: () => (dice.chance(0.8) ? (dice.choose(frozen) ?? anyId()) : anyId()),
    contract: () => (dice.chance(0.7) ? (dice.choose(contracts) ?? anyId()) : anyId()),
    charger: () => (dice.chance(0.8) ? (dice.choose(banks) ?? null) : anyId()),
    offered: () => dice.choose(offers)?.artifact ?? anyId(),
    amount: () => (dice.chance(0.12) ? plain(dice.choose(ODD_AMOUNTS)) : dice.pick(6) + 1),
  };
};

const native = (artifact_id: string, method: string, args: readonly Json[]): Json => ({
  invoke_artifact: { artifact_id, method, args },
});

const paidNative = (method: string, args: readonly Json[], scrip: Json): Json => ({
  invoke_artifact: { artifact_id: "genesis_mint", method, args, attach: { scrip } },
});

const randomAction = (who: Chancer): Json =>
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
  return { invoke_artifact: plain(call) };
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
