import { isClosedTo } from "./access.ts";
import type { Account } from "./account.ts";
import type { Agent } from "./agent.ts";
import type { Artifact, Interface } from "./artifact.ts";
import { isProgram } from "./catalogue.ts";
import type { PublicEvent } from "./chronicle.ts";
import { genesisId, type Id } from "./ids.ts";
import { ALL } from "./indexes.ts";
import { must } from "./invariant.ts";
import { type Family, familyOf, type Ward, wardsOf } from "./kin.ts";
import { logAt, logLength } from "./log.ts";
import { ownWorkingMemory } from "./memory.ts";
import { mintFor, openTasks, publicTask } from "./mint/index.ts";
import { RESOURCES, type Resource } from "./physics.ts";
import { type Listing, summaryOf } from "./query.ts";
import { type WindowsLeft, windowsLeft } from "./quota.ts";
import { timeUntilAvailable } from "./rate-tracker.ts";
import { liveArtifact, type State, wholeOf } from "./state.ts";

/** An artifact on the market, with how to call it. */
export type Offering = Listing & { readonly interface: Interface | null };

/** What an agent is and keeps. */
export type Self = {
  readonly agent: Agent;
  readonly content: string;
  /** The text of its memory artifact, and of its working memory; "" where it has none. */
  readonly memoryText: string;
  readonly workingMemoryText: string;
};

/**
 * What one principal may see of the world: its own books and memory, a bounded market, public
 * events. Built from indexes: its cost does not grow with the world.
 */
export type View = Self & {
  readonly id: Id;
  readonly now: number;
  readonly horizonMs: number;
  readonly account: Account;
  readonly windows: WindowsLeft;
  readonly diskLeft: number;
  /** Its own artifacts but for itself and its memory, newest first. */
  readonly owned: readonly Offering[];
  /** Other agents' artifacts that can be called, most used first, then newest first. */
  readonly market: readonly Offering[];
  readonly principals: readonly Id[];
  /** The parts of genesis that this world has. */
  readonly genesis: readonly Id[];
  /** What others offer to it, to be had with `genesis_ledger.accept`, newest first. */
  readonly offers: readonly Offering[];
  /** The agents that belong to it. */
  readonly children: readonly Ward[];
  readonly family: Family;
  readonly events: readonly PublicEvent[];
  /** The auction that is open or comes next, its own submissions, and what lately won. */
  readonly mint: ReturnType<typeof mintFor>;
  /** Work that is offered to all: the world's own first, then the highest reward. */
  readonly tasks: readonly ReturnType<typeof publicTask>[];
};

export type ViewBounds = {
  readonly owned: number;
  readonly popular: number;
  readonly newest: number;
  readonly events: number;
  readonly principals: number;
  readonly offers: number;
  /** Of the agents that belong to it, and of those that it spawned. */
  readonly children: number;
  readonly tasks: number;
};

const offering = (state: State, artifact: Artifact): Offering => ({
  ...summaryOf(state, artifact),
  interface: artifact.interface,
});

/** The first resource of which `id` cannot use as much as it needs now, and for how long. */
export const scarce = (
  state: State,
  id: Id,
  need: { readonly now: number; readonly amounts: { readonly [R in Resource]?: number } },
): {
  readonly resource: Resource;
  readonly amount: number;
  readonly waitMs: number | null;
} | null => {
  const account = must(state.accounts.get(id), "a principal has an account");
  const usage = must(state.usages.get(id), "a principal has windows");
  const windowMs = wholeOf(state).physics.resources.window_ms;
  for (const resource of RESOURCES) {
    const amount = need.amounts[resource] ?? 0;
    if (amount === 0) continue;
    const rate = { now: need.now, windowMs, quota: account.quotas[resource] };
    const waitMs = timeUntilAvailable(usage[resource], amount, rate);
    if (waitMs !== 0) return { resource, amount, waitMs };
  }
  return null;
};

export const selfOf = (state: State, id: Id): Self => ({
  agent: must(state.agents.get(id), "an agent has a loop"),
  content: contentOf(state, id),
  memoryText: contentOf(state, state.artifacts.get(id)?.memoryArtifactId ?? null),
  workingMemoryText: ownWorkingMemory(state, id),
});

export const viewOf = (
  state: State,
  id: Id,
  at: { readonly now: number; readonly bounds: ViewBounds },
): View => {
  const { now, bounds } = at;
  const account = must(state.accounts.get(id), "a principal has an account");
  return {
    ...selfOf(state, id),
    id,
    now,
    horizonMs: wholeOf(state).physics.horizon_ms,
    account,
    windows: windowsLeft(state, id, now),
    diskLeft: account.diskQuota - account.diskUsed,
    owned: ownedBy(state, id, bounds.owned),
    market: marketFor(state, id, bounds),
    genesis: wholeOf(state).physics.genesis.enabled.map(genesisId),
    principals: othersThan(state, id, bounds.principals),
    offers: offeredTo(state, id, bounds.offers),
    children: wardsOf(state, id, bounds.children),
    family: familyOf(state, id, bounds.children),
    events: newestEvents(state, bounds.events),
    mint: mintFor(state, id, now),
    tasks: openTasks(state, { max: bounds.tasks }).map(publicTask),
  };
};

const contentOf = (state: State, id: Id | null): string =>
  id === null ? "" : (liveArtifact(state, id)?.content ?? "");

const ownedBy = (state: State, id: Id, max: number): readonly Offering[] => {
  const memory = state.artifacts.get(id)?.memoryArtifactId;
  const found: Offering[] = [];
  for (const candidate of state.catalogue.newest({ owner: id })) {
    const artifact = liveArtifact(state, candidate);
    if (artifact === undefined || candidate === id || candidate === memory) continue;
    found.push(offering(state, artifact));
    if (found.length >= max) break;
  }
  return found;
};

const offeredTo = (state: State, id: Id, max: number): readonly Offering[] => {
  const found: Offering[] = [];
  for (const offered of state.catalogue.offeredTo(id)) {
    if (found.length >= max) break;
    const artifact = liveArtifact(state, offered);
    if (artifact !== undefined) found.push(offering(state, artifact));
  }
  return found;
};

/** How many of the newest are looked through for ones to show. */
const SCAN_FACTOR = 4;

const marketFor = (state: State, id: Id, bounds: ViewBounds): readonly Offering[] => {
  const chosen = new Map<Id, Artifact>();
  const consider = (candidate: Id): void => {
    const artifact = liveArtifact(state, candidate);
    if (artifact === undefined || !isProgram(artifact)) return;
    if (artifact.owner === id || isClosedTo(id, artifact)) return;
    chosen.set(candidate, artifact);
  };
  for (const candidate of state.catalogue.popular(bounds.popular)) consider(candidate);
  const wanted = chosen.size + bounds.newest;
  for (const candidate of state.catalogue.newestPrograms(bounds.newest * SCAN_FACTOR)) {
    if (chosen.size >= wanted) break;
    consider(candidate);
  }
  return [...chosen.values()].map((artifact) => offering(state, artifact));
};

/** In the order of their ids. */
const othersThan = (state: State, id: Id, max: number): readonly Id[] =>
  [...state.indexes.principals.keysOf(ALL, { max: max + 1 })]
    .filter((other) => other !== id)
    .slice(0, max);

const newestEvents = (state: State, max: number): readonly PublicEvent[] => {
  const { chronicle } = wholeOf(state);
  const length = logLength(chronicle);
  const events: PublicEvent[] = [];
  for (let i = Math.max(0, length - max); i < length; i++) {
    const event = logAt(chronicle, i);
    if (event !== undefined) events.push(event);
  }
  return events;
};
