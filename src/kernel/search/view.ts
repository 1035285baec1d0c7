import { isClosedTo } from "../access/access.ts";
import type { Agent } from "../agent/agent.ts";
import type { Inbox } from "../agent/inbox.ts";
import {
  ownWorkingMemory,
  ownWorkspace,
  recalledMemories,
  recordingMemory,
  type WorkspaceText,
} from "../agent/memory.ts";
import type { Artifact, ArtifactUsage, Interface } from "../artifact/artifact.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { computeFor } from "../compute/orders.ts";
import { must } from "../core/errors.ts";
import type { PublicEvent } from "../core/event.ts";
import { genesisId, type Id } from "../core/ids.ts";
import { firstOf, newestOf } from "../core/lists.ts";
import { worldRow } from "../core/world.ts";
import { type Account, ALL, publicBalance } from "../ledger/account.ts";
import { type WindowsLeft, windowsLeft } from "../ledger/quota.ts";
import { type Mailbox, mailboxOf } from "../messages/mailbox.ts";
import { mintFor } from "../mint/mint.ts";
import { openTasks, publicTask } from "../mint/tasks.ts";
import { isProgram } from "./catalogue.ts";
import { type Listing, type SearchTables, summaryOf } from "./query.ts";

export type MarketListing = Listing & { readonly interface: Interface | null };

export type Self = {
  readonly agent: Agent;
  readonly content: string;
  /** The memory artifact in which the agent records. Null if it has sold its memory. */
  readonly memory: MemoryText | null;
  /** The text of the agent's working memory. Empty if there is none. */
  readonly workingMemoryText: string;
  /** The agent's workspace. Null if there is none, or if another principal owns it. */
  readonly workspace: WorkspaceText | null;
};

/** A memory artifact with the number of memories that agents have recorded in it. */
export type MemoryText = { readonly id: Id; readonly text: string; readonly count: number };

/** What a principal sees. The cost of a view does not depend on the size of the world. */
export type View = Self & {
  readonly id: Id;
  readonly now: number;
  readonly horizonMs: number;
  readonly account: Account;
  readonly windows: WindowsLeft;
  readonly diskLeft: number;
  /** The artifacts of the principal except itself and its memory, newest first. */
  readonly owned: readonly MarketListing[];
  /** The memory artifacts from which the agent recalls. */
  readonly memories: readonly MemoryText[];
  /** Programs of others that are open to the principal: the most used, then the newest. */
  readonly market: readonly MarketListing[];
  /** Texts of others that the principal can pay to read, newest first. */
  readonly texts: readonly MarketListing[];
  readonly principals: readonly Id[];
  readonly genesis: readonly Id[];
  /** Artifacts offered to the principal, newest first. `genesis_ledger.accept` accepts an offer. */
  readonly offers: readonly MarketListing[];
  readonly children: ReturnType<typeof agentsOwnedBy>;
  readonly family: ReturnType<typeof familyOf>;
  /** The newest public events, sorted from old to new. */
  readonly events: readonly PublicEvent[];
  /** The events of others that concern the principal. */
  readonly inbox: Inbox;
  /** The private messages of the principal. */
  readonly mailbox: Mailbox;
  /** The maximum length of a message, in UTF-16 units. */
  readonly messageCharsMax: number;
  /** The open or next auction, the principal's submissions, and recent winners. */
  readonly mint: ReturnType<typeof mintFor>;
  /** The sale of model budget, with the principal's orders. */
  readonly compute: ReturnType<typeof computeFor>;
  /** Open tasks, in the order of `openTasks`. */
  readonly tasks: readonly ReturnType<typeof publicTask>[];
};

export type ViewBounds = {
  readonly owned: number;
  readonly popular: number;
  readonly newest: number;
  readonly texts: number;
  readonly events: number;
  readonly principals: number;
  readonly offers: number;
  readonly memories: number;
  /** The maximum number of agents in `children`, and in `family.spawned`. */
  readonly children: number;
  readonly tasks: number;
};

/** How much of the world an agent sees when it thinks. */
export const VIEW_BOUNDS: ViewBounds = {
  owned: 30,
  popular: 15,
  newest: 25,
  texts: 10,
  events: 20,
  principals: 50,
  tasks: 20,
  offers: 20,
  memories: 4,
  children: 20,
};

type Listed = {
  readonly trade: ArtifactUsage | undefined;
  readonly account: Account | undefined;
  readonly listing: MarketListing;
};

/** The last listing of each artifact. Views show the same object until one of its rows changes. */
const LISTED = new WeakMap<Artifact, Listed>();

const listing = (state: SearchTables, id: Id): MarketListing | undefined => {
  const artifact = liveArtifact(state, id);
  if (artifact === undefined) return undefined;
  const [trade, account] = [state.trades.get(id), state.accounts.get(id)];
  const known = LISTED.get(artifact);
  if (known !== undefined && known.trade === trade && known.account === account) {
    return known.listing;
  }
  const made = { ...summaryOf(state, artifact), interface: artifact.interface };
  LISTED.set(artifact, { trade, account, listing: made });
  return made;
};

export const selfOf = (state: SearchTables, id: Id): Self => ({
  agent: must(state.agents.get(id), "an agent must have a loop"),
  content: contentOf(state, id),
  memory: memoryOf(state, id),
  workingMemoryText: ownWorkingMemory(state, id),
  workspace: ownWorkspace(state, id),
});

const memoryOf = (state: SearchTables, id: Id): MemoryText | null => {
  const memory = recordingMemory(state, id);
  return memory === null || memory.isNew ? null : memoryText(state, memory.id);
};

const memoryText = (state: SearchTables, id: Id): MemoryText => ({
  id,
  text: contentOf(state, id),
  count: state.memories.get(id) ?? 0,
});

/**
 * What a principal sees at `now`. A part that costs time is made when it is first read, and shows
 * the state at that moment. A reader that takes time must copy the view first: `{ ...view }`.
 */
export const viewOf = (
  state: SearchTables,
  id: Id,
  { now, bounds }: { readonly now: number; readonly bounds: ViewBounds },
): View => {
  const { physics, publicLog } = worldRow(state);
  const account = must(state.accounts.get(id), "a principal must have an account");
  const ready = {
    agent: must(state.agents.get(id), "an agent must have a loop"),
    id,
    now,
    horizonMs: physics.horizon_ms,
    account,
    diskLeft: account.diskQuota - account.diskUsed,
    inbox: must(state.inboxes.get(id), "an agent must have an inbox"),
    mailbox: mailboxOf(state, id),
    messageCharsMax: physics.messages.text_chars_max,
  };
  return withParts(ready, {
    content: () => contentOf(state, id),
    memory: () => memoryOf(state, id),
    workingMemoryText: () => ownWorkingMemory(state, id),
    workspace: () => ownWorkspace(state, id),
    windows: () => windowsLeft(state, id, now),
    owned: () => ownedBy(state, id, bounds.owned),
    memories: () =>
      recalledMemories(state, id, bounds.memories).map((memory) => memoryText(state, memory)),
    market: () => marketFor(state, id, bounds),
    texts: () => textsFor(state, id, bounds.texts),
    principals: () => othersThan(state, id, bounds.principals),
    genesis: () => physics.genesis.enabled.map(genesisId),
    offers: () => offersTo(state, id, bounds.offers),
    children: () => agentsOwnedBy(state, id, bounds.children),
    family: () => familyOf(state, id, bounds.children),
    events: () => newestOf(publicLog, bounds.events),
    mint: () => mintFor(state, id, now),
    compute: () => computeFor(state, id),
    tasks: () => openTasks(state, bounds.tasks).map(publicTask),
  });
};

/** Adds parts to an object. A part is made when it is first read. */
const withParts = <Ready extends object, Parts extends object>(
  ready: Ready,
  parts: { readonly [Name in keyof Parts]: () => Parts[Name] },
): Ready & Parts => {
  const made = new Map<keyof Parts, unknown>();
  for (const name in parts) {
    const get = (): unknown => {
      if (!made.has(name)) made.set(name, parts[name]());
      return made.get(name);
    };
    Object.defineProperty(ready, name, { get, enumerable: true });
  }
  return ready as Ready & Parts;
};

const contentOf = (state: SearchTables, id: Id): string => liveArtifact(state, id)?.content ?? "";

const ownedBy = (state: SearchTables, id: Id, max: number): readonly MarketListing[] => {
  const memory = state.artifacts.get(id)?.memoryArtifactId;
  return firstOf(state.catalogue.newest({ owner: id }), max, (owned) =>
    owned === id || owned === memory ? undefined : listing(state, owned),
  );
};

/** To show n new programs or texts, the search looks only at the `SCAN_FACTOR * n` newest. */
const SCAN_FACTOR = 4;

const marketFor = (state: SearchTables, id: Id, bounds: ViewBounds): readonly MarketListing[] => {
  const chosen = new Set<Id>();
  const consider = (candidate: Id): void => {
    const artifact = liveArtifact(state, candidate);
    if (artifact === undefined || !isProgram(artifact)) return;
    if (artifact.owner !== id && !isClosedTo(id, artifact)) chosen.add(candidate);
  };
  for (const candidate of state.catalogue.popular(bounds.popular)) consider(candidate);
  const wanted = chosen.size + bounds.newest;
  for (const candidate of state.catalogue.newestPrograms(bounds.newest * SCAN_FACTOR)) {
    if (chosen.size >= wanted) break;
    consider(candidate);
  }
  return firstOf(chosen, chosen.size, (candidate) => listing(state, candidate));
};

const offersTo = (state: SearchTables, id: Id, max: number): readonly MarketListing[] =>
  firstOf(state.indexes.offersTo.rowsOf(id), max, ({ artifact }) => listing(state, artifact));

const textsFor = (state: SearchTables, id: Id, max: number): readonly MarketListing[] => {
  const candidates = firstOf(state.catalogue.textsForSale(), max * SCAN_FACTOR, (text) =>
    liveArtifact(state, text),
  );
  return firstOf(candidates, max, (text) =>
    text.owner === id || isClosedTo(id, text) ? undefined : listing(state, text.id),
  );
};

const othersThan = (state: SearchTables, id: Id, max: number): readonly Id[] =>
  [...state.indexes.principals.keysOf(ALL, { max: max + 1 })]
    .filter((other) => other !== id)
    .slice(0, max);

const agentsOwnedBy = (state: SearchTables, owner: Id, max: number) =>
  firstOf(state.catalogue.agentsOf(owner), max, (id) => {
    const account = state.accounts.get(id);
    const agent = state.agents.get(id);
    if (id === owner || account === undefined || agent === undefined) return undefined;
    const { llmBudgetMicros } = account;
    const lacks = agent.needs?.lacks ?? null;
    return { id, state: agent.state, lacks, scrip: publicBalance(state, id), llmBudgetMicros };
  });

/** The parent of a principal, and the agents that the principal spawned, sorted by id. */
const familyOf = (state: SearchTables, id: Id, max: number) => {
  const spawned = firstOf(state.indexes.children.keysOf(id), max, (child) =>
    state.agents.has(child) ? child : undefined,
  );
  return { parent: state.accounts.get(id)?.parent ?? null, spawned };
};
