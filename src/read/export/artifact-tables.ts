import { stateCountedFrom, tradeSince } from "../../figures/index.ts";
import { isReserved } from "../../kernel/index.ts";
import { boolean, eventTable, integer, orNull, tableOf, text } from "./export-table.ts";

/** Calls, reads and revenue count from the same event as the figures of the report. */
export const ARTIFACTS = tableOf(
  "artifacts",
  "an artifact at the end, also a deleted one; its use since counting started",
  {
    artifact_id: text("id of the artifact"),
    type: text("the type that its author chose, such as `program`"),
    owner: text("the present owner"),
    created_by: text("the principal or program that created it"),
    created_at_ms: integer("run time of its creation", "ms"),
    updated_at_ms: integer("run time of the last write or transfer", "ms"),
    deleted_at_ms: orNull(integer("run time of its deletion", "ms")),
    is_genesis: boolean("true if the artifact belongs to the world"),
    is_agent: boolean("true if the artifact is an agent"),
    has_code: boolean("true if the present version is a program"),
    version: integer("number of the present version"),
    size_bytes: integer("size charged to the owner", "bytes"),
    price: integer("price of a call", "scrip"),
    read_price: integer("price of a read", "scrip"),
    access: text("the access contract"),
    calls: integer("completed calls", "calls"),
    calls_by_others: integer("calls by principals that did not own it", "calls"),
    calls_failed: integer("failed calls", "calls"),
    reads: integer("reads", "reads"),
    revenue: integer("scrip paid to its owners for calls and reads", "scrip"),
  },
  ({ journal, base }) => ({
    end: (state) => {
      const start = stateCountedFrom(journal, base);
      const artifacts = [...state.artifacts.rows()].sort((a, b) => a.ordinal - b.ordinal);
      return artifacts.map((artifact) => {
        const { id, type, owner, version, price, access } = artifact;
        const trade = tradeSince(id, state, start);
        return {
          artifact_id: id,
          type,
          owner,
          created_by: artifact.createdBy,
          created_at_ms: artifact.createdAt,
          updated_at_ms: artifact.updatedAt,
          deleted_at_ms: artifact.deleted?.at ?? null,
          is_genesis: isReserved(id),
          is_agent: artifact.canExecute,
          has_code: artifact.code !== null,
          version,
          size_bytes: artifact.sizeBytes,
          price,
          read_price: artifact.readPrice,
          access,
          ...trade,
          calls: trade.invocations,
          calls_by_others: trade.invocations_by_others,
          calls_failed: trade.failures,
        };
      });
    },
  }),
);

export const ARTIFACT_VERSIONS = eventTable(
  "artifact_versions",
  "a version of an artifact; the texts are in the `json` of the event",
  {
    artifact_id: text("id of the artifact"),
    version: integer("number of the version, from 1"),
    author: text("who wrote the version"),
    owner: text("the owner at that time"),
    created: boolean("true for the first version"),
    size_bytes: integer("size charged to the owner", "bytes"),
    type: orNull(text("the type, if the write set it")),
    price: orNull(integer("the price of a call, if the write set it", "scrip")),
    read_price: orNull(integer("the price of a read, if the write set it", "scrip")),
    access: orNull(text("the access contract, if the write set it")),
    writes_code: boolean("true if the write set code"),
    fields: text("names of all fields that the write set, separated by spaces"),
  },
  (event) => {
    if (event.kind !== "artifact_written") return null;
    const { artifact_id, version, by: author, owner, created, size_bytes, fields } = event;
    const { type = null, price = null, read_price = null, access = null, code } = fields;
    const about = { artifact_id, version, author, owner, created, size_bytes };
    const writes = { writes_code: typeof code === "string", fields: Object.keys(fields).join(" ") };
    return { ...about, type, price, read_price, access, ...writes };
  },
);
