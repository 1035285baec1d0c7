import type { AccessEvent } from "../access/access.ts";
import { type Artifact, blankArtifact, EMPTY_STATE, sizeOf } from "../artifact/artifact.ts";
import { partiesOf, transferredWith } from "../artifact/owners.ts";
import { type ArtifactTables, liveArtifact, nextArtifact } from "../artifact/tables.ts";
import { forgetCodes, noteCall, noteCode, noteUse } from "../artifact/trade.ts";
import type { ComputeEvent } from "../compute/events.ts";
import type { ComputeRow, ComputeTables } from "../compute/supply.ts";
import type { Decision } from "../core/decision.ts";
import { invariant, must } from "../core/errors.ts";
import { type EventIn, type Names, rowsOf, type Stamp } from "../core/event.ts";
import { type Id, isMemoryName } from "../core/ids.ts";
import { isObject, type Json, jsonIn } from "../core/json.ts";
import { type Patch, patched } from "../core/patch.ts";
import type { RefusalCode } from "../core/refusal.ts";
import type { Table } from "../core/tables.ts";
import { changeWorld, worldRow } from "../core/world.ts";
import { chargeDisk, closeAccount } from "../ledger/books.ts";
import { endGivenGrants, endGrants } from "../ledger/delegation.ts";
import type { MessageEvent } from "../messages/events.ts";
import type { MessageRow, MessageTables } from "../messages/mailbox.ts";
import { carryBid } from "../mint/bidding.ts";
import type { WriteRequest } from "./action.ts";

export interface ActionRow extends ComputeRow, MessageRow {}

export interface ActionTables extends ComputeTables, MessageTables {
  readonly world: Table<"world", ActionRow>;
  readonly indexes: ComputeTables["indexes"];
}

export type WrittenFields = Omit<WriteRequest, "artifact_id" | "artifact_type" | "max_price"> & {
  readonly type?: string;
  readonly methods?: readonly string[];
  /** Fingerprint for comparing code; empty if the code was removed. */
  readonly print?: string;
  readonly can_execute?: true;
  readonly memory_artifact_id?: Id;
};

export type Told = { readonly to: Id; readonly text: string };

type OwnershipChange = { readonly artifact_id: Id; readonly from: Id; readonly to: Id };
type Invocation = {
  readonly artifact_id: Id;
  readonly method: string;
  readonly caller: Id;
  readonly depth: number;
  readonly gas: number;
};

const live = (state: ArtifactTables, id: Id): Artifact =>
  must(liveArtifact(state, id), `the artifact of a recorded event must exist: ${id}`);

/** Stores the row. Updates the used disk and the artifact count of the old and new owner. */
const store = (state: ActionTables, before: Artifact | undefined, after: Artifact): void => {
  state.artifacts.put(after.id, after);
  const self = (row: Artifact): number => (row.owner === row.id ? 0 : 1);
  const wasLive = before !== undefined && before.deleted === null;
  const isLive = after.deleted === null;
  if (wasLive && isLive && before.owner === after.owner) {
    const bytes = after.sizeBytes - before.sizeBytes;
    if (bytes !== 0) chargeDisk(state, after.owner, bytes, 0);
    return;
  }
  if (wasLive) chargeDisk(state, before.owner, -before.sizeBytes, -self(before));
  if (isLive) chargeDisk(state, after.owner, after.sizeBytes, self(after));
};

const withFields = (row: Artifact, fields: WrittenFields, by: Id): Artifact => ({
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

/** Returns the event that writes to this row. A row with version 0 is a new artifact. */
export const writeEvent = (
  row: Artifact,
  when: Stamp,
  by: Id,
  fields: WrittenFields,
): ArtifactWritten => ({
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

/** Returns the next ordinal for new code. Unchanged code keeps its ordinal. */
const codeOrdinalOf = (state: ActionTables, row: Artifact, fields: WrittenFields): number => {
  const { code, print = "" } = fields;
  if (code === undefined || code === row.code) return row.codeOrdinal;
  if (print === "") return 0;
  const codesWritten = worldRow(state).codesWritten + 1;
  changeWorld(state, { codesWritten });
  return codesWritten;
};

/**
 * Ends grants by `sold` and all that `sold` owns. Sets `accessBy` of these artifacts to null, but
 * keeps their access contracts. So no old grant or choice lets a contract charge the new owner.
 */
const endChoicesOf = (state: ActionTables, sold: Id): void => {
  const forgetChoice = (id: Id): void => {
    const row = state.artifacts.get(id);
    if (row !== undefined && row.accessBy !== null) {
      state.artifacts.put(id, { ...row, accessBy: null });
    }
  };
  for (const id of transferredWith(state, sold)) {
    endGivenGrants(state, id);
    for (const ruled of [...state.indexes.ruledOf.keysOf(id)]) forgetChoice(ruled);
  }
  forgetChoice(sold);
};

/** True if a write is private: an agent writes its memory, or the operator rewrites an agent. */
const isPrivateWrite = ({
  artifact_id: id,
  principal,
  created,
}: Stamp & { readonly artifact_id: Id; readonly created: boolean }): boolean =>
  principal === null ? !created : isMemoryName(principal, id);

const ofArtifact = ({ artifact_id }: { readonly artifact_id: Id }, state: ActionTables): Names =>
  partiesOf(state, artifact_id);

/** An agent whose own code calls a program is concerned. The owner of a calling program is not. */
const ofCall = ({ artifact_id, caller }: Invocation, state: ActionTables): Names => [
  ...partiesOf(state, artifact_id),
  state.agents.has(caller) ? caller : null,
];

/** The agent to which an artifact is offered: a transfer, a new offer or a deletion ends this. */
const offeredTo = ({ artifact_id }: { readonly artifact_id: Id }, state: ActionTables) =>
  state.offers.get(artifact_id)?.to;

const ofOwnership = (event: OwnershipChange, state: ActionTables): Names => [
  event.from,
  event.to,
  offeredTo(event, state),
  ...ofArtifact(event, state),
];

const ownershipFacts = ({ artifact_id, to }: OwnershipChange) => ({
  target: artifact_id,
  other: to,
});

const row = rowsOf<ActionTables>();

/** Events about artifacts: what was written, read, called, transferred or deleted. */
export const ACTION_EVENTS = {
  artifact_written: row<{
    artifact_id: Id;
    by: Id;
    owner: Id;
    created: boolean;
    version: number;
    size_bytes: number;
    fields: WrittenFields;
  }>({
    about: "an artifact was created or changed; the event has the fields that were set",
    evolve: (state, event) => {
      const { artifact_id: id, owner, by, at_ms: at, fields } = event;
      const before = state.artifacts.get(id);
      invariant((before === undefined) === event.created, "an id must be created only once");
      const next = nextArtifact(state);
      if (before === undefined) changeWorld(state, { artifactsMade: next.ordinal });
      const known = before ?? blankArtifact(next, id, owner, by, at);
      invariant(known.deleted === null, "a deleted artifact must not be written");
      const after = {
        ...withFields(known, fields, by),
        codeOrdinal: codeOrdinalOf(state, known, fields),
        version: event.version,
        updatedAt: at,
        sizeBytes: event.size_bytes,
      };
      store(state, before, after);
      noteCode(state, known, after);
      carryBid(state, event);
    },
    concerns: (event, state) => [event.owner, ...ofArtifact(event, state)],
    facts: (event) => (isPrivateWrite(event) ? null : { target: event.artifact_id }),
  }),

  artifact_read: row<{ artifact_id: Id; by: Id; version: number; price: number }>({
    about: "an artifact was read; the event has the price paid",
    evolve: (state, { artifact_id, price }) =>
      noteUse(state, artifact_id, (use) => ({
        ...use,
        reads: use.reads + 1,
        revenue: use.revenue + price,
      })),
    concerns: ofArtifact,
    facts: ({ artifact_id, price }) => ({ target: artifact_id, amount: price }),
    isRead: true,
  }),

  artifact_deleted: row<{ artifact_id: Id; by: Id }>({
    about: "an artifact became a tombstone and its bytes were freed",
    // Removes the content and closes the account, which must be empty. The id stays reserved.
    evolve: (state, { artifact_id: id, by, at_ms: at }) => {
      const before = live(state, id);
      store(state, before, {
        ...before,
        content: "",
        code: null,
        codePrint: "",
        codeOrdinal: 0,
        methods: [],
        interface: null,
        state: EMPTY_STATE,
        dependsOn: [],
        metadata: {},
        deleted: { at, by },
        sizeBytes: 0,
      });
      if (state.offers.has(id)) state.offers.remove(id);
      if (state.memories.has(id)) state.memories.remove(id);
      forgetCodes(state, id);
      endGrants(state, id);
      if (!before.hasStanding) return;
      closeAccount(state, id);
      if (state.standingOrders.has(id)) state.standingOrders.remove(id);
      if (state.mailboxes.has(id)) state.mailboxes.remove(id);
    },
    concerns: (event, state) => [offeredTo(event, state), ...ofArtifact(event, state)],
    facts: ({ artifact_id }) => ({ target: artifact_id }),
  }),

  artifact_state_changed: row<{ artifact_id: Id; state: string; size_bytes: number }>({
    about: "an artifact's own code changed its state",
    evolve: (state, event) => {
      const before = live(state, event.artifact_id);
      store(state, before, { ...before, state: event.state, sizeBytes: event.size_bytes });
    },
  }),

  /** `patch` changes the object that the content of the workspace is in JSON. */
  workspace_changed: row<{ artifact_id: Id; patch: Patch; version: number; size_bytes: number }>({
    about: "files in an agent's workspace changed; the event has the changes",
    evolve: (state, { artifact_id, patch, version, at_ms: updatedAt, size_bytes: sizeBytes }) => {
      const before = live(state, artifact_id);
      const content = patchedContent(before.content, patch);
      store(state, before, { ...before, content, version, updatedAt, sizeBytes });
    },
  }),

  ownership_transferred: row<OwnershipChange>({
    about: "an artifact has a new owner",
    evolve: (state, { artifact_id: id, from, to, at_ms }) => {
      const before = live(state, id);
      invariant(before.owner === from, "only the owner can pass ownership on");
      store(state, before, { ...before, owner: to, updatedAt: at_ms });
      endChoicesOf(state, id);
      if (state.offers.has(id)) state.offers.remove(id);
    },
    concerns: ofOwnership,
    facts: ownershipFacts,
  }),

  ownership_offered: row<OwnershipChange>({
    about: "an artifact was offered to a new owner, who must accept it",
    evolve: (state, { artifact_id, from, to }) => {
      const artifact = live(state, artifact_id).id;
      state.offers.put(artifact, { artifact, from, to });
    },
    concerns: ofOwnership,
    facts: ownershipFacts,
  }),

  ownership_offer_ended: row<OwnershipChange>({
    about: "an ownership offer ended because the artifact that made the offer has a new owner",
    evolve: (state, { artifact_id, from }) => {
      // Another transfer in the same call may have removed the offer.
      if (state.offers.get(artifact_id)?.from === from) state.offers.remove(artifact_id);
    },
    concerns: ofOwnership,
    facts: ownershipFacts,
  }),

  artifact_invoked: row<
    Invocation & {
      price: number;
      paid_to: Id | null;
      log?: string;
      /**
       * Whom the program notified. If the call changed the program's state, also the agents that
       * its arguments name.
       */
      named?: readonly Id[];
      /** What the program told agents about the call. Only these agents see their text. */
      told?: readonly Told[];
    }
  >({
    about:
      "a call of a program succeeded, alone or inside another call; the event has its price and gas",
    evolve: (state, event) => {
      const { artifact_id: id, price, paid_to, at_ms } = event;
      const buyer = must(event.principal, "an invocation must have an origin");
      const isStranger = buyer !== live(state, id).owner;
      noteUse(state, id, (use) => ({
        ...use,
        calls: use.calls + 1,
        callsByOthers: use.callsByOthers + (isStranger ? 1 : 0),
        revenue: use.revenue + (paid_to === null ? 0 : price),
        lastCalledAt: at_ms,
      }));
      if (isStranger) noteCall(state, id, buyer);
    },
    concerns: (event, state) => [...ofCall(event, state), ...(event.named ?? [])],
    facts: ({ artifact_id, method, caller, price }) => ({
      target: artifact_id,
      method,
      other: caller,
      amount: price,
    }),
    isRead: true,
  }),

  invocation_failed: row<
    Invocation & { code: RefusalCode; message: string; timed_out: boolean; log?: string }
  >({
    about: "a program failed; its effects were rolled back, and its gas was charged",
    evolve: (state, { artifact_id, at_ms }) =>
      noteUse(state, artifact_id, (use) => ({
        ...use,
        failures: use.failures + 1,
        lastCalledAt: at_ms,
      })),
    concerns: ofCall,
    facts: ({ artifact_id, method, caller, code }) => ({
      target: artifact_id,
      method,
      other: caller,
      code,
    }),
    // `action_refused` has the same code.
    isToldElsewhere: ({ depth }) => depth === 0,
    isRead: true,
  }),
};

export type ActionEvents = typeof ACTION_EVENTS;
type ArtifactWritten = EventIn<ActionEvents, "artifact_written">;
/** The events that the rooms up to this one can cause. */
export type ActionEvent = AccessEvent | MessageEvent | ComputeEvent | EventIn<ActionEvents>;
export type ActionDecision<Answer = Json> = Decision<Answer, ActionEvent>;
