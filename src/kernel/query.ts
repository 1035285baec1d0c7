import { type Artifact, type Customer, NO_TRADE } from "./artifact.ts";
import { wordsIn } from "./catalogue.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import { ID_RULE, type Id, parseId } from "./ids.ts";
import { isList, isObject, type Json, type JsonObject } from "./json.ts";
import { rootOf } from "./lineage.ts";
import { logItems } from "./log.ts";
import { auctionStatus } from "./mint/index.ts";
import { find } from "./read.ts";
import { customerKey, liveArtifact, publicBalance, type State, wholeOf } from "./state.ts";

export const QUERY_LIMIT_MAX = 50;
export const EVENTS_LIMIT_MAX = 100;
/** How long a text, a type or an entry of metadata can be, and how many words or entries. */
const FILTER_CHARS_MAX = 200;
const FILTER_PARTS_MAX = 8;
/** Sorting by price looks at this many of the newest that match, so that its cost has a bound. */
const PRICE_SCAN_MAX = 1_000;

/** What the market knows of an artifact: everything public in one line, without its text. */
export const summaryOf = (state: State, artifact: Artifact) => {
  const trade = state.trades.get(artifact.id) ?? NO_TRADE;
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
    /** What it holds itself, null for what has no account. */
    balance: state.accounts.has(artifact.id) ? publicBalance(state, artifact.id) : null,
  };
};

export type Listing = ReturnType<typeof summaryOf>;

/** What a query tells of an artifact: also its family by descent, not always its owner's. */
export const recordOf = (state: State, artifact: Artifact) => ({
  ...summaryOf(state, artifact),
  family: rootOf(state, artifact.id),
});

const QUERIES: {
  readonly [kind: string]: (state: State, filter: JsonObject, now: number) => Decision;
} = {
  artifacts: (state, filter) => queryArtifacts(state, filter),
  principals: (state, filter) => queryPrincipals(state, filter),
  artifact: (state, filter) => queryArtifact(state, filter),
  events: (state, filter) => queryEvents(state, filter),
  auction: (state, _filter, now) => accept([], auctionStatus(state, now)),
};
export const QUERY_KINDS = Object.keys(QUERIES);

export type Inquiry = { readonly kind: string; readonly filter: Json; readonly now: number };

/** `kernel.query(kind, filter)`: public facts only, free, bounded. */
export const answerQuery = (state: State, { kind, filter, now }: Inquiry): Decision => {
  const query = Object.hasOwn(QUERIES, kind) ? QUERIES[kind] : undefined;
  if (query === undefined) {
    return refuse("invalid_argument", `query "${kind}" is none of ${QUERY_KINDS.join(", ")}`);
  }
  if (filter !== null && !isObject(filter)) {
    return refuse("invalid_argument", "the filter of a query is an object");
  }
  return query(state, filter ?? {}, now);
};

/** A whole number from 1 to `max`; the default where nothing is given. */
const limitOf = (filter: JsonObject, max: number): number => {
  const { limit } = filter;
  return typeof limit === "number" && limit >= 1 ? Math.min(Math.floor(limit), max) : max;
};

const text = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** owner, type, text, metadata, sort: newest | popular | price, limit ≤ 50, after (an id). */
export const queryArtifacts = (state: State, filter: JsonObject): Decision => {
  const { sort = "newest" } = filter;
  const limit = limitOf(filter, QUERY_LIMIT_MAX);
  const refused = filterProblem(state, filter);
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
      return refuse("invalid_argument", "sort is newest, popular or price");
  }
};

const summaries = (state: State, artifacts: readonly Artifact[]): Json =>
  artifacts.map((artifact) => recordOf(state, artifact));

/** A filter that says something else than it means would find what nobody asked for. */
const filterProblem = (state: State, filter: JsonObject): Refused | null => {
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
    return refuse("invalid_argument", "metadata must be an object of entries to look for");
  }
  const problem = marksProblem(isObject(filter.metadata) ? filter.metadata : {});
  if (problem !== null) return problem;
  const after = parseId(filter.after);
  if (after === null || state.artifacts.has(after)) return null;
  return refuse("not_found", `after: there is no artifact "${after}"`);
};

const marksProblem = (metadata: JsonObject): Refused | null => {
  const marks = Object.entries(metadata);
  if (marks.some(([, value]) => typeof value === "object" && value !== null)) {
    return refuse("invalid_argument", "metadata is found by entries with one plain value each");
  }
  const isLong = marks.some((mark) => JSON.stringify(mark).length > FILTER_CHARS_MAX);
  if (marks.length <= FILTER_PARTS_MAX && !isLong) return null;
  const bounds = `${FILTER_PARTS_MAX} entries of ${FILTER_CHARS_MAX} characters each`;
  return refuse("invalid_argument", `metadata is found by at most ${bounds}`);
};

export const countArtifacts = (state: State, filter: JsonObject): Decision => {
  const refused = filterProblem(state, filter);
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

const newest = (state: State, filter: JsonObject, limit: number): Artifact[] => {
  const after = parseId(filter.after);
  const from = after === null ? undefined : state.artifacts.get(after)?.ordinal;
  const found: Artifact[] = [];
  for (const id of state.catalogue.newest(wantedOf(filter), from)) {
    const artifact = liveArtifact(state, id);
    if (artifact !== undefined) found.push(artifact);
    if (found.length >= limit) break;
  }
  return found;
};

const popular = (state: State, filter: JsonObject): Artifact[] => {
  const wanted = wantedOf(filter);
  return state.catalogue
    .popular(QUERY_LIMIT_MAX)
    .map((id) => liveArtifact(state, id))
    .filter((artifact) => artifact !== undefined)
    .filter((artifact) => state.catalogue.has(artifact, wanted));
};

/** Those who have a loop, newest first; anybody can call an artifact of theirs an agent. */
export const queryAgents = (state: State, filter: JsonObject): Decision => {
  const newestFirst = [...state.agents.rows()].sort((a, b) => b.order - a.order);
  const found = newestFirst.slice(0, limitOf(filter, QUERY_LIMIT_MAX));
  const artifacts = found.map(({ id }) => liveArtifact(state, id));
  return accept(
    [],
    summaries(
      state,
      artifacts.filter((artifact) => artifact !== undefined),
    ),
  );
};

export const queryPrincipals = (state: State, filter: JsonObject): Decision => {
  const limit = limitOf(filter, 1_000);
  const ids = [...state.accounts.keys()].sort();
  return accept(
    [],
    ids.slice(0, limit).map((id) => ({
      id,
      scrip: publicBalance(state, id),
      agent: state.agents.has(id),
      family: rootOf(state, id),
      state: state.agents.get(id)?.state ?? null,
    })),
  );
};

/** filter: id, fields (of what there is to say of it only these; all when left out). */
const queryArtifact = (state: State, filter: JsonObject): Decision => {
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
    return refuse("invalid_argument", `fields is a list of these: ${names.join(", ")}`);
  }
  return accept([], Object.fromEntries(fields.map((field) => [field, facts[field] ?? null])));
};

/** filter: after (a public event number), limit ≤ 100, kind, principal. Oldest first. */
export const queryEvents = (state: State, filter: JsonObject): Decision => {
  const limit = limitOf(filter, EVENTS_LIMIT_MAX);
  const { after, kind, principal } = filter;
  const from = typeof after === "number" ? after : null;
  const matching = logItems(wholeOf(state).chronicle).filter(
    (event) =>
      (from === null || event.n > from) &&
      (kind === undefined || event.kind === kind) &&
      (principal === undefined || event.principal === principal),
  );
  const chosen = from === null ? matching.slice(-limit) : matching.slice(0, limit);
  return accept([], { events: chosen, last: wholeOf(state).publicEvents });
};

/** Who has called an artifact they do not own, and what they paid for it. */
export const invokersOf = (state: State, artifact: Id): Json =>
  customersOf(state, artifact).map(({ principal, calls, paid }) => ({ principal, calls, paid }));

/** In the order of their ids, as of the last commit. */
export const customersOf = (state: State, artifact: Id): readonly Customer[] =>
  state.catalogue
    .customersOf(artifact)
    .map((principal) => state.customers.get(customerKey(artifact, principal)))
    .filter((customer) => customer !== undefined);
