import type { ActionRow, ActionTables } from "../action/events.ts";
import { type Artifact, type Customer, customerKey, NO_USAGE } from "../artifact/artifact.ts";
import { rootOf } from "../artifact/owners.ts";
import { find, liveArtifact } from "../artifact/tables.ts";
import { accept, type Decision, type Refused, refuse } from "../core/decision.ts";
import type { PublicEvent } from "../core/event.ts";
import { ID_RULE, type Id, parseId } from "../core/ids.ts";
import { isList, isObject, type Json, type JsonObject } from "../core/json.ts";
import { firstOf, type Log, logItems } from "../core/lists.ts";
import type { Table } from "../core/tables.ts";
import { worldRow } from "../core/world.ts";
import { publicBalance } from "../ledger/account.ts";
import { auctionStatus } from "../mint/mint.ts";
import { type Catalogue, wordsIn } from "./catalogue.ts";

export interface SearchRow extends ActionRow {
  /** The newest public events, sorted from old to new. */
  readonly publicLog: Log<PublicEvent>;
  readonly publicEvents: number;
}

export interface SearchTables extends ActionTables {
  readonly world: Table<"world", SearchRow>;
  readonly catalogue: Catalogue;
}

export const QUERY_LIMIT_MAX = 50;
export const EVENTS_LIMIT_MAX = 100;
const FILTER_CHARS_MAX = 200;
/** The maximum number of words in `text` or of `metadata` entries. */
export const FILTER_PARTS_MAX = 8;
/** A search sorted by price examines only this number of matches, the newest ones. */
const PRICE_SCAN_MAX = 1_000;

/** Returns the public facts of an artifact, without its content and code. */
export const summaryOf = (state: SearchTables, artifact: Artifact) => {
  const trade = state.trades.get(artifact.id) ?? NO_USAGE;
  return {
    id: artifact.id,
    type: artifact.type,
    owner: artifact.owner,
    executable: artifact.methods.length > 0,
    price: artifact.price,
    read_price: artifact.readPrice,
    description: artifact.interface?.description ?? "",
    methods: artifact.methods,
    version: artifact.version,
    created_at: artifact.createdAt,
    calls: trade.calls,
    calls_by_others: trade.callsByOthers,
    failures: trade.failures,
    revenue: trade.revenue,
    /** The sum of free and held scrip. Null if the artifact has no account. */
    balance: state.accounts.has(artifact.id) ? publicBalance(state, artifact.id) : null,
  };
};

export type Listing = ReturnType<typeof summaryOf>;

/** Returns an artifact for a query result. `family` is the first ancestor, as in `rootOf`. */
export const recordOf = (state: SearchTables, artifact: Artifact) => ({
  ...summaryOf(state, artifact),
  family: rootOf(state, artifact.id),
});

const QUERIES: {
  readonly [kind: string]: (state: SearchTables, filter: JsonObject, now: number) => Decision;
} = {
  artifacts: (state, filter) => queryArtifacts(state, filter),
  principals: (state, filter) => queryPrincipals(state, filter),
  artifact: (state, filter) => queryArtifact(state, filter),
  events: (state, filter) => queryEvents(state, filter),
  auction: (state, _filter, now) => accept([], auctionStatus(state, now)),
};
export const QUERY_KINDS = Object.keys(QUERIES);

/** Answers `kernel.query(kind, filter)` with public facts. Queries cost no scrip. */
export const answerQuery = (
  state: SearchTables,
  kind: string,
  filter: Json,
  now: number,
): Decision => {
  const query = Object.hasOwn(QUERIES, kind) ? QUERIES[kind] : undefined;
  if (query === undefined) {
    return refuse("invalid_argument", `query "${kind}" is not one of ${QUERY_KINDS.join(", ")}`);
  }
  if (filter !== null && !isObject(filter)) {
    return refuse("invalid_argument", "the filter of a query must be an object");
  }
  return query(state, filter ?? {}, now);
};

/** Returns the limit of a filter, from 1 to `max`. A missing or invalid limit means `max`. */
const limitOf = (filter: JsonObject, max: number): number => {
  const { limit } = filter;
  return typeof limit === "number" && limit >= 1 ? Math.min(Math.floor(limit), max) : max;
};

const text = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Filter: owner, type, text, metadata, sort (newest, popular, price), limit (≤ 50), after (id). */
export const queryArtifacts = (state: SearchTables, filter: JsonObject): Decision => {
  const { sort = "newest" } = filter;
  const limit = limitOf(filter, QUERY_LIMIT_MAX);
  const refused = filterRefusal(state, filter);
  if (refused !== null) return refused;
  switch (sort) {
    case "newest":
      return accept([], summaries(state, newest(state, filter, limit)));
    case "price": {
      const found = newest(state, filter, PRICE_SCAN_MAX);
      found.sort((a, b) => a.price - b.price || a.ordinal - b.ordinal);
      return accept([], summaries(state, found.slice(0, limit)));
    }
    case "popular":
      return accept([], summaries(state, popular(state, filter).slice(0, limit)));
    default:
      return refuse("invalid_argument", "sort must be newest, popular or price");
  }
};

const summaries = (state: SearchTables, artifacts: readonly Artifact[]): Json =>
  artifacts.map((artifact) => recordOf(state, artifact));

/** Refuses an invalid filter: a search that ignores the filter would return wrong artifacts. */
const filterRefusal = (state: SearchTables, filter: JsonObject): Refused | null => {
  const isGiven = (key: string): boolean => (filter[key] ?? null) !== null;
  for (const key of ["owner", "after"]) {
    if (isGiven(key) && parseId(filter[key]) === null) {
      return refuse("invalid_argument", `${key} is not an id: ${ID_RULE}`);
    }
  }
  for (const key of ["type", "text"]) {
    if (isGiven(key) && typeof filter[key] !== "string") {
      return refuse("invalid_argument", `${key} must be text`);
    }
    if ((text(filter[key]) ?? "").length > FILTER_CHARS_MAX) {
      return refuse("invalid_argument", `${key} must have at most ${FILTER_CHARS_MAX} characters`);
    }
  }
  if (wordsIn(text(filter.text) ?? "").size > FILTER_PARTS_MAX) {
    return refuse("invalid_argument", `text must have at most ${FILTER_PARTS_MAX} different words`);
  }
  if (isGiven("metadata") && !isObject(filter.metadata)) {
    return refuse("invalid_argument", "metadata must be an object with the entries to look for");
  }
  const problem = metadataRefusal(isObject(filter.metadata) ? filter.metadata : {});
  if (problem !== null) return problem;
  const after = parseId(filter.after);
  if (after === null || state.artifacts.has(after)) return null;
  return refuse("not_found", `after: there is no artifact "${after}"`);
};

const metadataRefusal = (metadata: JsonObject): Refused | null => {
  const marks = Object.entries(metadata);
  if (marks.some(([, value]) => typeof value === "object" && value !== null)) {
    const message = "each metadata entry must be a string, number, boolean or null";
    return refuse("invalid_argument", message);
  }
  const isLong = marks.some((mark) => JSON.stringify(mark).length > FILTER_CHARS_MAX);
  if (marks.length <= FILTER_PARTS_MAX && !isLong) return null;
  const bounds = `${FILTER_PARTS_MAX} entries, each with at most ${FILTER_CHARS_MAX} characters`;
  return refuse("invalid_argument", `metadata must have at most ${bounds}`);
};

export const countArtifacts = (state: SearchTables, filter: JsonObject): Decision => {
  const refused = filterRefusal(state, filter);
  return refused ?? accept([], { count: state.catalogue.countOf(wantedOf(filter)) });
};

const wantedOf = (filter: JsonObject) => {
  const owner = parseId(filter.owner);
  const type = text(filter.type);
  const words = text(filter.text);
  return {
    ...(owner === null ? {} : { owner }),
    ...(type === undefined ? {} : { type }),
    ...(words === undefined ? {} : { text: words }),
    ...(isObject(filter.metadata) ? { metadata: filter.metadata } : {}),
  };
};

const newest = (state: SearchTables, filter: JsonObject, limit: number): Artifact[] => {
  const after = parseId(filter.after);
  const from = after === null ? undefined : state.artifacts.get(after)?.ordinal;
  const ids = state.catalogue.newest(wantedOf(filter), from);
  return firstOf(ids, limit, (id) => liveArtifact(state, id));
};

const popular = (state: SearchTables, filter: JsonObject): Artifact[] => {
  const wanted = wantedOf(filter);
  return state.catalogue
    .popular(QUERY_LIMIT_MAX)
    .map((id) => liveArtifact(state, id))
    .filter((artifact) => artifact !== undefined)
    .filter((artifact) => state.catalogue.has(artifact, wanted));
};

/** Returns the agents, newest first. Omits artifacts of type "agent" that have no loop. */
export const queryAgents = (state: SearchTables, filter: JsonObject): Decision => {
  const newestFirst = [...state.agents.rows()].sort((a, b) => b.order - a.order);
  const agents = firstOf(newestFirst, limitOf(filter, QUERY_LIMIT_MAX), ({ id }) =>
    liveArtifact(state, id),
  );
  return accept([], summaries(state, agents));
};

export const queryPrincipals = (state: SearchTables, filter: JsonObject): Decision => {
  const limit = limitOf(filter, 1_000);
  const ids = [...state.accounts.keys()].sort().slice(0, limit);
  const principals = ids.map((id) => ({
    id,
    scrip: publicBalance(state, id),
    agent: state.agents.has(id),
    family: rootOf(state, id),
    state: state.agents.get(id)?.state ?? null,
  }));
  return accept([], principals);
};

/** Filter: id, fields (the names of the facts to return; default: all facts). */
const queryArtifact = (state: SearchTables, filter: JsonObject): Decision => {
  const id = parseId(filter.id);
  if (id === null) return refuse("missing_argument", 'query "artifact" needs {"id": ...}');
  const found = find(state, id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  const facts = {
    ...recordOf(state, artifact),
    interface: artifact.interface,
    size_bytes: artifact.sizeBytes,
    access: artifact.access,
    access_locked: artifact.accessLocked,
    depends_on: artifact.dependsOn,
    has_standing: artifact.hasStanding,
  };
  return (filter.fields ?? null) === null ? accept([], facts) : chosenOf(facts, filter.fields);
};

const chosenOf = (facts: JsonObject, fields: Json | undefined): Decision => {
  const names = Object.keys(facts);
  const isName = (field: Json): field is string => names.some((name) => name === field);
  if (!isList(fields) || !fields.every(isName)) {
    return refuse("invalid_argument", `fields must be a list of these: ${names.join(", ")}`);
  }
  return accept([], Object.fromEntries(fields.map((field) => [field, facts[field] ?? null])));
};

/** Returns events, oldest first. Filter: after (event number), limit (≤ 100), kind, principal. */
export const queryEvents = (state: SearchTables, filter: JsonObject): Decision => {
  const limit = limitOf(filter, EVENTS_LIMIT_MAX);
  const { after, kind, principal } = filter;
  const from = typeof after === "number" ? after : null;
  const matching = logItems(worldRow(state).publicLog).filter(
    (event) =>
      (from === null || event.n > from) &&
      (kind === undefined || event.kind === kind) &&
      (principal === undefined || event.principal === principal),
  );
  const chosen = from === null ? matching.slice(-limit) : matching.slice(0, limit);
  return accept([], { events: chosen, last: worldRow(state).publicEvents });
};

export const invokersOf = (state: SearchTables, artifact: Id): Json =>
  customersOf(state, artifact).map(({ principal, calls, paid }) => ({ principal, calls, paid }));

/** Returns the customers that an artifact had at the last commit, sorted by id. */
export const customersOf = (state: SearchTables, artifact: Id): readonly Customer[] =>
  state.catalogue
    .customersOf(artifact)
    .map((principal) => state.customers.get(customerKey(artifact, principal)))
    .filter((customer) => customer !== undefined);
