import { Dice } from "../../src/kernel/core/dice.ts";
import {
  asId,
  checkInvariants,
  closesAt,
  type Event,
  type EventKind,
  emptyState,
  type Id,
  type Json,
  liveArtifact,
  type Physics,
  type State,
  worldRow,
} from "../../src/kernel/index.ts";
import { asJson } from "../../src/mind/index.ts";
import {
  type Journal,
  openingRequests,
  sandboxFor,
  saveSnapshot,
  stateHash,
  World,
} from "../../src/world/index.ts";
import { encodeEvent } from "../../src/world/journal/wire-codec.ts";
import { Auditor } from "../support/auditor.ts";
import { physicsWith } from "../support/physics.ts";
import { ODD_AMOUNTS, ODD_IDS, PROGRAMS, ROGUE } from "./hostile-inputs.ts";
import { loopRequest, randomAgent } from "./loops.ts";
import { randomAction, type ValuePicker } from "./random-action.ts";
import { movedByRefusal, rowsOf, watchSyscalls } from "./refusals.ts";

/** Small limits, so that endless programs are stopped early. */
export const RANDOM_PHYSICS: Physics = physicsWith({
  resources: { disk_bytes: 20_000 },
  agents: { principals_max: 60, review: "actions" },
  sandbox: { gas_max: 20_000, memory_bytes: 1_048_576 },
  genesis: { costs: { genesis_ledger: { transfer: 1 } } },
});

const AUDITED_EVERY = 25;
const SNAPSHOT_EVERY = 120;
/** Share of commands that come from the loops of agents. */
const LOOP_SHARE = 0.15;

const PRINCIPALS = ["p0", "p1", "p2", "p3", "p4", "p5"];
/** The ids that agents write to: few at a time, so that they collide, and others later. */
const namesAt = (turn: number): readonly string[] =>
  Array.from({ length: 14 }, (_, n) => `a${Math.floor(turn / 200) * 4 + n}`);

export type RandomRun = {
  readonly hash: string;
  readonly succeeded: number;
  readonly byCode: ReadonlyMap<string, number>;
  readonly byKind: ReadonlyMap<EventKind, number>;
  /** The number of watched syscalls. */
  readonly syscalls: number;
};

type RandomPlan = {
  readonly seed: number;
  readonly commands: number;
  /** If present, receives the run with regular snapshots. */
  readonly journal?: Journal;
  /** The number of commands between two audits. */
  readonly auditedEvery?: number;
  /** If present, sees each transaction, and no refusal may change anything. */
  readonly watch?: (events: readonly Event[], state: State) => void;
};

export const agentProblem = (content: string): string | null =>
  content.startsWith("{") ? null : "it must be an object";

/**
 * Runs random commands from one seed. Checks all invariants after each command, and compares the
 * auditor's ledger with the state every `auditedEvery` commands. Throws with the command after
 * which a check failed.
 */
export const runRandomCommands = async (
  physics: Physics,
  { seed, commands, journal, watch, auditedEvery = AUDITED_EVERY }: RandomPlan,
): Promise<RandomRun> => {
  const auditor = new Auditor();
  const byKind = new Map<EventKind, number>();
  const onEvents = (caused: readonly Event[]): void => {
    auditor.note(caused.map(encodeEvent));
    for (const { kind } of caused) count(byKind, kind);
    watch?.(caused, world.state);
  };
  const sandbox = sandboxFor(physics);
  const world = new World({
    state: emptyState(),
    journal: journal ?? { append: () => null },
    sandbox,
    agentProblem,
    checkEvery: Number.MAX_SAFE_INTEGER,
    happened: onEvents,
  });
  const counted = watch && watchSyscalls(sandbox, () => world.state);
  populate(world, physics);
  const dice = Dice.of(seed, "chaos");
  const byCode = new Map<string, number>();
  let succeeded = 0;
  let at = 1;
  for (let n = 0; n < commands; n++) {
    at += dice.pick(400);
    const looping = dice.chance(LOOP_SHARE);
    const agent = randomAgent(dice, world.state);
    const principal =
      looping || dice.chance(0.1) ? agent.id : asId(dice.choose(PRINCIPALS) ?? "p0");
    const action = randomAction(pickerFor(dice, world.state, { principal, names: namesAt(n) }));
    runMint(world, dice, at);
    const before = watch && rowsOf(world.state);
    const outcome = world.submit(
      looping
        ? loopRequest(dice, agent, { at, action, proposals: worldRow(world.state).proposalsMade })
        : { kind: "take_action", at_ms: at, principal, action },
    );
    if (outcome.success) succeeded += 1;
    else count(byCode, String(outcome.error_code));
    if (journal !== undefined && n % SNAPSHOT_EVERY === 60) {
      await saveSnapshot(journal, world.state);
    }
    const where = (): string => `command ${n}: ${principal} ${JSON.stringify(action)}`;
    const moved =
      before && !outcome.success ? movedByRefusal(before, rowsOf(world.state), principal) : [];
    if (moved.length > 0) throw new Error(`${where()}: it is refused and moves ${moved}`);
    check(world.state, n % auditedEvery === 0 || n === commands - 1 ? auditor : null, where);
  }
  await sandbox.close();
  journal?.flush();
  const syscalls = counted?.syscalls ?? 0;
  return { hash: stateHash(world.state), succeeded, byCode, byKind, syscalls };
};

const count = <K>(counts: Map<K, number>, key: K): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

const check = (state: State, auditor: Auditor | null, where: () => string): void => {
  try {
    checkInvariants(state);
  } catch (error) {
    throw new Error(`${where()}: ${error instanceof Error ? error.message : error}`);
  }
  const [first] = auditor?.differences(state, worldRow(state).now) ?? [];
  if (first !== undefined) throw new Error(`${where()}: ${first}`);
};

/** Resolves an auction that is due, and scores winners after a random delay or fails to. */
const runMint = (world: World, dice: Dice, at_ms: number): void => {
  const { auctions, physics } = worldRow(world.state);
  if (at_ms >= closesAt(physics.mint, auctions)) world.submit({ kind: "resolve_auction", at_ms });
  const won = [...world.state.submissions.rows()].filter(({ stage }) => stage === "won");
  for (const { id: submission } of won.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (dice.chance(0.9)) continue;
    const reason = "random";
    if (dice.chance(0.2)) world.submit({ kind: "fail_scoring", at_ms, submission, reason });
    else {
      const score = dice.pick(101);
      world.submit({ kind: "score_artifact", at_ms, submission, score, reason, memo: null });
    }
  }
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
      group: null,
      starts_at_ms: 0,
    });
  }
};

const pickerFor = (
  dice: Dice,
  state: State,
  { principal, names }: { readonly principal: Id; readonly names: readonly string[] },
): ValuePicker => {
  const own = [...state.catalogue.newest({ owner: principal })];
  const having = (method: string): readonly string[] =>
    names.filter((name) => liveArtifact(state, asId(name))?.methods.includes(method));
  const [programs, contracts] = [having("run"), having("check_permission")];
  const banks = programs.filter((name) => state.accounts.has(asId(name)));
  const offers = [...state.offers.rows()].filter((offer) => offer.to === principal);
  const agents = [...state.agents.rows()].sort((a, b) => a.order - b.order);
  const frozen = agents.filter((agent) => agent.state === "frozen").map(({ id }) => id);
  const anyId = (): Json => {
    if (dice.chance(0.04)) return asJson(dice.choose(ODD_IDS));
    return dice.choose(dice.chance(0.35) ? PRINCIPALS : names) ?? null;
  };
  const trusted = [...state.grants.rows()]
    .filter(({ grantor }) => grantor === principal)
    .map(({ contract }) => contract);
  const idOf = (rows: Iterable<{ readonly id: string }>): Json =>
    dice.choose([...rows].map(({ id }) => id).sort()) ?? "none:1";
  return {
    dice,
    code: () => (dice.chance(0.2) ? ROGUE : (dice.choose(PROGRAMS) ?? "")),
    anyId,
    trusted: () => dice.choose(trusted.sort()) ?? anyId(),
    submission: () => {
      const open = [...state.submissions.rows()];
      const mine = open.filter(({ bidder }) => bidder === principal);
      return idOf(mine.length > 0 && dice.chance(0.8) ? mine : open);
    },
    task: () => idOf(state.tasks.rows()),
    ownId: () => {
      const laws = own.filter((id) => contracts.includes(id));
      if (dice.chance(0.7))
        return dice.choose(laws.length > 0 && dice.chance(0.3) ? laws : own) ?? null;
      return anyId();
    },
    program: () => (dice.chance(0.8) ? (dice.choose(programs) ?? null) : anyId()),
    frozen: () => (dice.chance(0.8) ? (dice.choose(frozen) ?? anyId()) : anyId()),
    contract: () => (dice.chance(0.7) ? (dice.choose(contracts) ?? anyId()) : anyId()),
    charger: () => (dice.chance(0.8) ? (dice.choose(banks) ?? null) : anyId()),
    offered: () => dice.choose(offers)?.artifact ?? anyId(),
    amount: () => (dice.chance(0.12) ? asJson(dice.choose(ODD_AMOUNTS)) : dice.pick(6) + 1),
  };
};
