import type { EventKind, EventOf, Stamp, WrittenFields } from "../event.ts";
import { chargeDisk, closeAccount, NOTHING_BOUGHT } from "../ledger/books.ts";
import { endGrants } from "../ledger/delegation.ts";
import { carryBid } from "../mint/evolve-mint.ts";
import type { Id } from "../primitives/ids.ts";
import { invariant, must } from "../primitives/invariant.ts";
import { isObject, jsonIn } from "../primitives/json.ts";
import { type Patch, patched } from "../primitives/patch.ts";
import { type Changes, liveArtifact, nextArtifact, type State, worldRow } from "../state.ts";
import {
  type Artifact,
  type ArtifactUsage,
  blankArtifact,
  customerKey,
  EMPTY_STATE,
  NO_USAGE,
  sizeOf,
} from "./artifact.ts";
import { forgetCodes, noteCode } from "./code-history.ts";
import { endOffersOf } from "./owner-chain.ts";

const live = (state: State, id: Id): Artifact =>
  must(liveArtifact(state, id), `the artifact of a recorded event must exist: ${id}`);

/** Stores the row. Updates the used disk and the artifact count of the old and new owner. */
const store = (state: State, before: Artifact | undefined, after: Artifact): void => {
  state.artifacts.put(after.id, after);
  const self = (row: Artifact): number => (row.owner === row.id ? 0 : 1);
  const wasLive = before !== undefined && before.deleted === null;
  const isLive = after.deleted === null;
  if (wasLive && isLive && before.owner === after.owner) {
    const bytes = after.sizeBytes - before.sizeBytes;
    if (bytes !== 0) chargeDisk(state, after.owner, { bytes, owned: 0 });
    return;
  }
  if (wasLive) chargeDisk(state, before.owner, { bytes: -before.sizeBytes, owned: -self(before) });
  if (isLive) chargeDisk(state, after.owner, { bytes: after.sizeBytes, owned: self(after) });
};

export const withFields = (row: Artifact, fields: WrittenFields, by: Id): Artifact => ({
  ...row,
  type: fields.type ?? row.type,
  content: fields.content ?? row.content,
  code: fields.code === undefined ? row.code : fields.code,
  methods: fields.methods ?? row.methods,
  codePrint: fields.print ?? row.codePrint,
  price: fields.price ?? row.price,
  readPrice: fields.read_price ?? row.readPrice,
  access: fields.access ?? row.access,
  accessBy: fields.access === undefined ? row.accessBy : by,
  accessLocked: fields.access_locked ?? row.accessLocked,
  interface: fields.interface === undefined ? row.interface : fields.interface,
  dependsOn: fields.depends_on ?? row.dependsOn,
  metadata: fields.metadata ?? row.metadata,
  hasStanding: fields.has_standing ?? row.hasStanding,
  canExecute: fields.can_execute ?? row.canExecute,
  memoryArtifactId: fields.memory_artifact_id ?? row.memoryArtifactId,
});

type Write = { readonly when: Stamp; readonly by: Id; readonly fields: WrittenFields };

/** Returns the event that writes to this row. A row with version 0 is a new artifact. */
export const writeEvent = (
  row: Artifact,
  { when, by, fields }: Write,
): EventOf<"artifact_written"> => ({
  ...when,
  kind: "artifact_written",
  artifact_id: row.id,
  by,
  owner: row.owner,
  created: row.version === 0,
  version: row.version + 1,
  size_bytes: sizeOf(withFields(row, fields, by)),
  fields,
});

/** Returns the JSON of an object after a change. Content that is not an object counts as empty. */
export const patchedContent = (content: string, patch: Patch): string => {
  const before = jsonIn(content);
  return JSON.stringify(patched(isObject(before) ? before : {}, patch));
};

const newRow = (state: State, event: EventOf<"artifact_written">): Artifact => {
  const next = nextArtifact(state);
  state.world.put("world", { ...worldRow(state), artifactsMade: next.ordinal });
  const { artifact_id: id, owner, by, at_ms: at } = event;
  return blankArtifact(next, { id, owner, by, at });
};

/** Returns the next ordinal for new code. Unchanged code keeps its ordinal. */
const codeOrdinalOf = (state: State, row: Artifact, fields: WrittenFields): number => {
  const { code, print = "" } = fields;
  if (code === undefined || code === row.code) return row.codeOrdinal;
  if (print === "") return 0;
  const world = worldRow(state);
  const codesWritten = world.codesWritten + 1;
  state.world.put("world", { ...world, codesWritten });
  return codesWritten;
};

export const ARTIFACT_CHANGES = {
  artifact_written: (state, event) => {
    const before = state.artifacts.get(event.artifact_id);
    invariant((before === undefined) === event.created, "an id must be created only once");
    const row = before ?? newRow(state, event);
    invariant(row.deleted === null, "a deleted artifact must not be written");
    const after = {
      ...withFields(row, event.fields, event.by),
      codeOrdinal: codeOrdinalOf(state, row, event.fields),
      version: event.version,
      updatedAt: event.at_ms,
      sizeBytes: event.size_bytes,
    };
    store(state, before, after);
    noteCode(state, row, after);
    carryBid(state, event);
  },

  artifact_state_changed: (state, event) => {
    const row = live(state, event.artifact_id);
    store(state, row, { ...row, state: event.state, sizeBytes: event.size_bytes });
  },

  workspace_changed: (state, event) => {
    const row = live(state, event.artifact_id);
    const content = patchedContent(row.content, event.patch);
    const { version, at_ms: updatedAt, size_bytes: sizeBytes } = event;
    store(state, row, { ...row, content, version, updatedAt, sizeBytes });
  },

  /** Removes the content and closes the account, which must be empty. The id stays reserved. */
  artifact_deleted: (state, event) => {
    const row = live(state, event.artifact_id);
    store(state, row, {
      ...row,
      content: "",
      code: null,
      codePrint: "",
      codeOrdinal: 0,
      methods: [],
      interface: null,
      state: EMPTY_STATE,
      dependsOn: [],
      metadata: {},
      deleted: { at: event.at_ms, by: event.by },
      sizeBytes: 0,
    });
    if (state.offers.has(row.id)) state.offers.remove(row.id);
    if (state.memories.has(row.id)) state.memories.remove(row.id);
    forgetCodes(state, row.id);
    endGrants(state, row.id);
    if (row.hasStanding) closeAccount(state, row.id);
  },

  ownership_transferred: (state, event) => {
    const row = live(state, event.artifact_id);
    invariant(row.owner === event.from, "only the owner can pass ownership on");
    store(state, row, { ...row, owner: event.to, updatedAt: event.at_ms });
    endOffersOf(state, row.id);
    if (state.offers.has(row.id)) state.offers.remove(row.id);
  },

  ownership_offered: (state, event) => {
    const artifact = live(state, event.artifact_id).id;
    state.offers.put(artifact, { artifact, from: event.from, to: event.to });
  },

  ownership_offer_ended: (state, { artifact_id, from }) => {
    // Another transfer in the same call may have removed the offer.
    if (state.offers.get(artifact_id)?.from === from) state.offers.remove(artifact_id);
  },

  artifact_read: (state, event) => {
    trade(state, event.artifact_id, (row) => ({
      ...row,
      reads: row.reads + 1,
      revenue: row.revenue + event.price,
    }));
  },

  artifact_invoked: (state, event) => {
    const buyer = must(event.principal, "an invocation must have an origin");
    const stranger = buyer !== live(state, event.artifact_id).owner;
    trade(state, event.artifact_id, (row) => ({
      ...row,
      calls: row.calls + 1,
      callsByOthers: row.callsByOthers + (stranger ? 1 : 0),
      revenue: row.revenue + (event.paid_to === null ? 0 : event.price),
      lastCalledAt: event.at_ms,
    }));
    if (!stranger) return;
    const key = customerKey(event.artifact_id, buyer);
    const artifact = event.artifact_id;
    const { calls, paid, paidTo } = state.customers.get(key) ?? NOTHING_BOUGHT;
    state.customers.put(key, { artifact, principal: buyer, calls: calls + 1, paid, paidTo });
  },

  invocation_failed: (state, event) => {
    trade(state, event.artifact_id, (row) => ({
      ...row,
      failures: row.failures + 1,
      lastCalledAt: event.at_ms,
    }));
  },
} satisfies Partial<Changes<EventKind>>;

const trade = (state: State, id: Id, change: (row: ArtifactUsage) => ArtifactUsage): void => {
  state.trades.put(id, change(state.trades.get(id) ?? NO_USAGE));
};
