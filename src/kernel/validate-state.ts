import { liveArtifact } from "./artifact/tables.ts";
import { genesisId, type Id } from "./core/ids.ts";
import { logItems } from "./core/lists.ts";
import { worldRow } from "./core/world.ts";
import { EVENTS } from "./event.ts";
import { type Violation, violations } from "./invariants.ts";
import { closesAt, hasMint } from "./mint/mint.ts";
import type { State } from "./state.ts";

/** `why` says why a world cannot continue from a state. Null if the world can continue. */
type StateValidity = { readonly why: string | null; readonly broken: readonly Violation[] };

/** Checks an imported state: its invariants, and what a world needs to continue at `atMs`. */
export const validateState = (state: State, atMs: number): StateValidity => {
  const hasWorld = state.world.has("world");
  if (!hasWorld) return { why: "it contains no world", broken: [] };
  const broken = violations(state);
  const [first] = broken;
  if (first === undefined) return { why: ruleBroken(state, atMs), broken };
  return { why: `it breaks invariant ${first.invariant}: ${first.detail}`, broken };
};

export const stateProblem = (state: State, atMs: number): string | null =>
  validateState(state, atMs).why;

const ruleBroken = (state: State, atMs: number): string | null => {
  for (const rule of RULES) for (const detail of rule(state, atMs)) return detail;
  return null;
};

type Rule = (state: State, atMs: number) => Iterable<string>;

/** Returns the enabled genesis artifacts that a world lacks. A world cannot add them later. */
export const absentGenesis = (state: State, enabled: readonly string[]): readonly string[] =>
  enabled.filter((name) => liveArtifact(state, genesisId(name)) === undefined);

function* genesis(state: State): Iterable<string> {
  for (const name of absentGenesis(state, worldRow(state).physics.genesis.enabled)) {
    yield `${genesisId(name)} is missing, so its world is incomplete`;
  }
}

function* time(state: State, atMs: number): Iterable<string> {
  const { now, compute, schedule } = worldRow(state);
  const times = schedule.entries.map((entry) => entry.at_ms);
  if (times.some((due, at) => due < (times[at - 1] ?? 0))) {
    yield "its schedule is not sorted by time";
  }
  if (compute.lastSaleMs > now) yield "its last sale of model budget is in the future";
  if (now > atMs) yield `its last event is at ${now} ms, but its clock is only at ${atMs} ms`;
}

/** Finds a public event of an unknown kind. Readers look up what each kind means. */
function* kinds(state: State): Iterable<string> {
  const events = [...state.inboxes.rows()].flatMap(({ recent, sums }) => [...recent, ...sums]);
  for (const { kind } of [...logItems(worldRow(state).publicLog), ...events]) {
    if (!Object.hasOwn(EVENTS, kind)) yield `"${kind}" is not a kind of event`;
  }
}

/** Finds a number above its counter, a repeated `ordinal` or `order`, a gap in the public log. */
function* numbers(state: State): Iterable<string> {
  const world = worldRow(state);
  const { artifactsMade, agentsMade, codesWritten, holdsMade, bidsMade, tasksMade } = world;
  const { artifacts, agents, holds, submissions, tasks, proposals } = state;
  yield* counted(artifacts.rows(), ({ id, ordinal }) => [id, ordinal, artifactsMade]);
  // Numbers start at 1, but the `order` of an agent starts at 0.
  yield* counted(agents.rows(), ({ id, order }) => [id, order + 1, agentsMade]);
  yield* unique(artifacts.rows(), ({ id, ordinal }) => [id, ordinal]);
  yield* unique(agents.rows(), ({ id, order }) => [id, order]);
  yield* counted(artifacts.rows(), ({ id, codeOrdinal }) => [id, codeOrdinal, codesWritten]);
  yield* counted(holds.rows(), ({ id }) => [id, numberIn(id), holdsMade]);
  yield* counted(submissions.rows(), ({ id }) => [id, numberIn(id), bidsMade]);
  yield* counted(tasks.rows(), ({ id }) => [id, numberIn(id), tasksMade]);
  yield* counted(proposals.rows(), ({ agent, number }) => [agent, number, world.proposalsMade]);
  yield* unique(proposals.rows(), ({ agent, number }) => [agent, number]);
  const { publicLog, publicEvents } = world;
  const news = logItems(publicLog);
  if (news.some(({ n }, at) => n !== publicEvents - news.length + 1 + at)) {
    yield "its public events are not numbered consecutively";
  }
}

function* counted<Row>(
  rows: Iterable<Row>,
  of: (row: Row) => readonly [id: string, number: number, made: number],
): Iterable<string> {
  for (const row of rows) {
    const [id, number, made] = of(row);
    if (!(number <= made)) yield `${id} has number ${number}, but only ${made} were made`;
  }
}

function* unique<Row>(
  rows: Iterable<Row>,
  of: (row: Row) => readonly [id: Id, number: number],
): Iterable<string> {
  const seen = new Map<number, Id>();
  for (const row of rows) {
    const [id, number] = of(row);
    const other = seen.get(number);
    if (other !== undefined) yield `${id} and ${other} have the same number, ${number}`;
    seen.set(number, id);
  }
}

/** Returns the number at the end of an id that the world generated, or 0 for other ids. */
const numberIn = (name: string): number => Number(/:(\d+)$/.exec(name)?.[1] ?? 0);

function* parties(state: State): Iterable<string> {
  const { accounts, usages, agents, sleepers, offers, submissions } = state;
  for (const table of [state.computeBids, state.standingOrders]) {
    for (const id of table.keys()) {
      if (!accounts.has(id)) yield `${id} has an order for model budget but no account`;
    }
  }
  for (const id of accounts.keys()) if (!usages.has(id)) yield `the account ${id} has no windows`;
  for (const id of usages.keys()) if (!accounts.has(id)) yield `${id} has windows but no account`;
  for (const { id, due, thinking } of agents.rows()) {
    if (liveArtifact(state, id) === undefined) yield `the agent ${id} has no artifact`;
    if (due?.step === "decide" && thinking === null) yield `the agent ${id} has no thought to end`;
  }
  for (const id of sleepers.keys()) {
    if (agents.get(id)?.state !== "sleeping") yield `${id} waits to be woken but does not sleep`;
  }
  for (const id of state.reviewed.keys()) {
    if (!agents.has(id)) yield `${id} has terms of review but is not an agent`;
  }
  for (const id of state.memories.keys()) {
    if (liveArtifact(state, id) === undefined) yield `${id} has memories but does not exist`;
  }
  for (const { artifact, from } of offers.rows()) {
    if (liveArtifact(state, artifact)?.owner !== from)
      yield `${from} offers ${artifact}, which it does not own`;
  }
  for (const { artifact, bidder, stage, auction } of submissions.rows()) {
    const isOwn = liveArtifact(state, artifact)?.owner === bidder;
    if (stage === "bid" && !isOwn) yield `${bidder} bids ${artifact}, which it does not own`;
    if (stage === "bid" && auction < worldRow(state).auctions) {
      yield `${artifact} waits for auction ${auction}, which is over`;
    }
    if (liveArtifact(state, artifact) === undefined) yield `${artifact} is bid but does not exist`;
  }
}

/** The maximum number of overdue auctions. Changed mint times can make auctions overdue. */
const OVERDUE_AUCTIONS_MAX = 10_000;

function* auctions(state: State, atMs: number): Iterable<string> {
  const { physics, auctions: next } = worldRow(state);
  const { mint } = physics;
  const overdueMs = hasMint(state) ? atMs - closesAt(mint, next) : 0;
  if (overdueMs > OVERDUE_AUCTIONS_MAX * mint.period_ms)
    yield `its auction ${next} is long overdue`;
}

function* sales(state: State): Iterable<string> {
  const { sale, period_ms, lot_micros } = worldRow(state).physics.compute;
  if (sale !== "none" && Math.min(period_ms, lot_micros) < 1) {
    yield "its sale of model budget has no period or no lots";
  }
}

const RULES: readonly Rule[] = [sales, genesis, time, kinds, numbers, parties, auctions];
