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
import { ODD_AMOUNTS, ODD_IDS, PROGRAMS } from "./mischief.ts";

/** A small world in which what never ends is soon stopped. */
export const CHAOS_PHYSICS: Physics = physicsWith({
  resources: { disk_bytes: 20_000 },
  sandbox: { gas_max: 20_000, memory_bytes: 1_048_576 },
  genesis: { costs: { genesis_ledger: { transfer: 1 } } },
});

const AUDITED_EVERY = 25;

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
    const principal = asId(dice.choose(PRINCIPALS) ?? "p0");
    const action = randomAction(chancer(dice, world.state, { principal, names: namesAt(n) }));
    const request = { at_ms: at, principal, action, backoff: false } as const;
    const outcome = world.submit({ kind: "take_action", ...request });
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
  /** Mostly a program that can be called. */
  readonly program: () => Json;
  readonly amount: () => Json;
};

const chancer = (
  dice: Dice,
  state: State,
  { principal, names }: { readonly principal: Id; readonly names: readonly string[] },
): Chancer => {
  const own = [...state.catalogue.newest({ owner: principal })];
  const programs = names.filter((name) => liveArtifact(state, asId(name))?.methods.includes("run"));
  const offers = [...state.offers.rows()].filter((offer) => offer.to === principal);
  const anyId = (): Json => {
    if (dice.chance(0.04)) return plain(dice.choose(ODD_IDS));
    return dice.choose(dice.chance(0.35) ? PRINCIPALS : names) ?? null;
  };
  return {
    dice,
    anyId,
    ownId: () => (dice.chance(0.7) ? (dice.choose(own) ?? null) : anyId()),
    program: () => (dice.chance(0.8) ? (dice.choose(programs) ?? null) : anyId()),
    offered: () => dice.choose(offers)?.artifact ?? anyId(),
    amount: () => (dice.chance(0.12) ? plain(dice.choose(ODD_AMOUNTS)) : dice.pick(6) + 1),
  };
};

const native = (artifact_id: string, method: string, args: readonly Json[]): Json => ({
  invoke_artifact: { artifact_id, method, args },
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
  [4, (who) => native("genesis_ledger", "transfer_ownership", [who.ownId(), who.anyId()])],
  [4, (who) => native("genesis_ledger", "accept", [who.offered()])],
  [3, (who) => native("genesis_store", "set_price", [who.ownId(), who.amount()])],
  [2, (who) => native("genesis_store", "set_access", [who.ownId(), randomAccess(who)])],
  [1.2, (who) => native("genesis_store", "delete", [who.ownId()])],
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

const randomAccess = ({ dice, anyId }: Chancer): Json =>
  dice.chance(0.5)
    ? anyId()
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
