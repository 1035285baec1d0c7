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
import { computeFor } from "../compute/status.ts";
import type { PublicEvent } from "../event.ts";
import { agentsOwnedBy, familyOf } from "../family/family.ts";
import type { Account } from "../ledger/account.ts";
import { type WindowsLeft, windowsLeft } from "../ledger/quota.ts";
import { timeUntilAvailable } from "../ledger/rolling-window.ts";
import { mailboxOf } from "../messages/mailbox.ts";
import type { Mailbox } from "../messages/message.ts";
import { mintFor } from "../mint/status.ts";
import { openTasks, publicTask } from "../mint/tasks.ts";
import { firstOf } from "../primitives/first-of.ts";
import { genesisId, type Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { newestOf } from "../primitives/log.ts";
import { RESOURCES, type Resource } from "../setup/physics.ts";
import { ALL, liveArtifact, type State, worldRow } from "../state.ts";
import { isProgram } from "./catalogue.ts";
import { type Listing, summaryOf } from "./query.ts";

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

const listing = (state: State, id: Id): MarketListing | undefined => {
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

/**
 * Returns a resource with less left than needed, with the wait in ms. Null if none. Prefers a
 * resource whose quota is too small. For such a resource the wait is null.
 */
export const scarceResource = (
  state: State,
  id: Id,
  need: { readonly now: number; readonly amounts: { readonly [R in Resource]?: number } },
) => {
  const account = must(state.accounts.get(id), "a principal must have an account");
  const usage = must(state.usages.get(id), "a principal must have windows");
  const windowMs = worldRow(state).physics.resources.window_ms;
  const lacks = RESOURCES.flatMap((resource) => {
    const amount = need.amounts[resource] ?? 0;
    const rate = { now: need.now, windowMs, quota: account.quotas[resource] };
    const waitMs = amount === 0 ? 0 : timeUntilAvailable(usage[resource], amount, rate);
    return waitMs === 0 ? [] : [{ resource, amount, waitMs }];
  });
  return lacks.find(({ waitMs }) => waitMs === null) ?? lacks[0] ?? null;
};

export const selfOf = (state: State, id: Id): Self => ({
  agent: must(state.agents.get(id), "an agent must have a loop"),
  content: contentOf(state, id),
  memory: memoryOf(state, id),
  workingMemoryText: ownWorkingMemory(state, id),
  workspace: ownWorkspace(state, id),
});

const memoryOf = (state: State, id: Id): MemoryText | null => {
  const memory = recordingMemory(state, id);
  return memory === null || memory.isNew ? null : memoryText(state, memory.id);
};

const memoryText = (state: State, id: Id): MemoryText => ({
  id,
  text: contentOf(state, id),
  count: state.memories.get(id) ?? 0,
});

type Viewpoint = { readonly now: number; readonly bounds: ViewBounds };

export const viewOf = (state: State, id: Id, at: Viewpoint): View => {
  const view = lazyViewOf(state, id, at);
  const { windows, owned, memories, market, texts, principals, offers, children } = view;
  const { family, events, mint, compute, tasks } = view;
  return {
    ...selfOf(state, id),
    id,
    now: view.now,
    horizonMs: view.horizonMs,
    account: view.account,
    windows,
    diskLeft: view.diskLeft,
    owned,
    memories,
    market,
    texts,
    genesis: view.genesis,
    principals,
    offers,
    children,
    family,
    events,
    inbox: view.inbox,
    mailbox: view.mailbox,
    messageCharsMax: view.messageCharsMax,
    mint,
    compute,
    tasks,
  };
};

/**
 * Like `viewOf`, but makes each part when it is first read. A part shows the state at that moment,
 * so the reader must finish before the state changes.
 */
export const lazyViewOf = (state: State, id: Id, at: Viewpoint): View =>
  new LazyView({ state, id, ...at });

class LazyView implements View {
  readonly #from: Viewpoint & { readonly state: State; readonly id: Id };
  readonly #made: { -readonly [Part in keyof View]?: View[Part] } = {};
  readonly id: Id;
  readonly now: number;
  readonly agent: Agent;
  readonly account: Account;
  readonly inbox: Inbox;
  readonly mailbox: Mailbox;

  constructor(from: Viewpoint & { readonly state: State; readonly id: Id }) {
    const { state, id, now } = from;
    this.#from = from;
    this.id = id;
    this.now = now;
    this.agent = must(state.agents.get(id), "an agent must have a loop");
    this.account = must(state.accounts.get(id), "a principal must have an account");
    this.inbox = must(state.inboxes.get(id), "an agent must have an inbox");
    this.mailbox = mailboxOf(state, id);
  }

  get content(): string {
    return contentOf(this.#from.state, this.id);
  }

  get memory(): View["memory"] {
    return memoryOf(this.#from.state, this.id);
  }

  get workingMemoryText(): string {
    return ownWorkingMemory(this.#from.state, this.id);
  }

  get workspace(): View["workspace"] {
    return ownWorkspace(this.#from.state, this.id);
  }

  get horizonMs(): number {
    return worldRow(this.#from.state).physics.horizon_ms;
  }

  get messageCharsMax(): number {
    return worldRow(this.#from.state).physics.messages.text_chars_max;
  }

  get diskLeft(): number {
    return this.account.diskQuota - this.account.diskUsed;
  }

  get genesis(): View["genesis"] {
    this.#made.genesis ??= worldRow(this.#from.state).physics.genesis.enabled.map(genesisId);
    return this.#made.genesis;
  }

  get windows(): View["windows"] {
    const { state, id, now } = this.#from;
    this.#made.windows ??= windowsLeft(state, id, now);
    return this.#made.windows;
  }

  get owned(): View["owned"] {
    const { state, id, bounds } = this.#from;
    this.#made.owned ??= ownedBy(state, id, bounds.owned);
    return this.#made.owned;
  }

  get memories(): View["memories"] {
    const { state, id, bounds } = this.#from;
    this.#made.memories ??= recalledMemories(state, id, bounds.memories).map((memory) =>
      memoryText(state, memory),
    );
    return this.#made.memories;
  }

  get market(): View["market"] {
    const { state, id, bounds } = this.#from;
    this.#made.market ??= marketFor(state, id, bounds);
    return this.#made.market;
  }

  get texts(): View["texts"] {
    const { state, id, bounds } = this.#from;
    this.#made.texts ??= textsFor(state, id, bounds.texts);
    return this.#made.texts;
  }

  get principals(): View["principals"] {
    const { state, id, bounds } = this.#from;
    this.#made.principals ??= othersThan(state, id, bounds.principals);
    return this.#made.principals;
  }

  get offers(): View["offers"] {
    const { state, id, bounds } = this.#from;
    this.#made.offers ??= offersTo(state, id, bounds.offers);
    return this.#made.offers;
  }

  get children(): View["children"] {
    const { state, id, bounds } = this.#from;
    this.#made.children ??= agentsOwnedBy(state, id, bounds.children);
    return this.#made.children;
  }

  get family(): View["family"] {
    const { state, id, bounds } = this.#from;
    this.#made.family ??= familyOf(state, id, bounds.children);
    return this.#made.family;
  }

  get events(): View["events"] {
    const { state, bounds } = this.#from;
    this.#made.events ??= newestOf(worldRow(state).publicLog, bounds.events);
    return this.#made.events;
  }

  get mint(): View["mint"] {
    const { state, id, now } = this.#from;
    this.#made.mint ??= mintFor(state, id, now);
    return this.#made.mint;
  }

  get compute(): View["compute"] {
    const { state, id } = this.#from;
    this.#made.compute ??= computeFor(state, id);
    return this.#made.compute;
  }

  get tasks(): View["tasks"] {
    const { state, bounds } = this.#from;
    this.#made.tasks ??= openTasks(state, { max: bounds.tasks }).map(publicTask);
    return this.#made.tasks;
  }
}

const contentOf = (state: State, id: Id): string => liveArtifact(state, id)?.content ?? "";

const ownedBy = (state: State, id: Id, max: number): readonly MarketListing[] => {
  const memory = state.artifacts.get(id)?.memoryArtifactId;
  return firstOf(state.catalogue.newest({ owner: id }), max, (owned) =>
    owned === id || owned === memory ? undefined : listing(state, owned),
  );
};

/** To show n new programs or texts, the search looks only at the `SCAN_FACTOR * n` newest. */
const SCAN_FACTOR = 4;

const marketFor = (state: State, id: Id, bounds: ViewBounds): readonly MarketListing[] => {
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

const offersTo = (state: State, id: Id, max: number): readonly MarketListing[] =>
  firstOf(state.indexes.offersTo.rowsOf(id), max, ({ artifact }) => listing(state, artifact));

const textsFor = (state: State, id: Id, max: number): readonly MarketListing[] => {
  const candidates = firstOf(state.catalogue.textsForSale(), max * SCAN_FACTOR, (text) =>
    liveArtifact(state, text),
  );
  return firstOf(candidates, max, (text) =>
    text.owner === id || isClosedTo(id, text) ? undefined : listing(state, text.id),
  );
};

const othersThan = (state: State, id: Id, max: number): readonly Id[] =>
  [...state.indexes.principals.keysOf(ALL, { max: max + 1 })]
    .filter((other) => other !== id)
    .slice(0, max);
