import { type Artifact, isReserved } from "../../kernel/index.ts";
import { stateCountedFrom } from "../log/log.ts";
import { tradeSince } from "../metrics/economy.ts";
import {
  boolean,
  EVENT_COLUMNS,
  type ExportTable,
  integer,
  orNull,
  placeOf,
  text,
} from "./export-table.ts";

const ARTIFACT_COLUMNS = {
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
};

const aboutOf = (artifact: Artifact) => ({
  artifact_id: artifact.id,
  type: artifact.type,
  owner: artifact.owner,
  created_by: artifact.createdBy,
  created_at_ms: artifact.createdAt,
  updated_at_ms: artifact.updatedAt,
  deleted_at_ms: artifact.deleted?.at ?? null,
  is_genesis: isReserved(artifact.id),
  is_agent: artifact.canExecute,
  has_code: artifact.code !== null,
  version: artifact.version,
  size_bytes: artifact.sizeBytes,
  price: artifact.price,
  read_price: artifact.readPrice,
  access: artifact.access,
});

/** Calls, reads and revenue count from the same event as the figures of the report. */
export const ARTIFACTS: ExportTable<typeof ARTIFACT_COLUMNS> = {
  name: "artifacts",
  says: "an artifact at the end, also a deleted one; its use since counting started",
  columns: ARTIFACT_COLUMNS,
  open: ({ journal, base }) => ({
    end: (state) => {
      const start = stateCountedFrom(journal, base);
      const artifacts = [...state.artifacts.rows()].sort((a, b) => a.ordinal - b.ordinal);
      return artifacts.map((artifact) => {
        const trade = tradeSince(artifact.id, state, start);
        const { invocations: calls, invocations_by_others: calls_by_others } = trade;
        const { failures: calls_failed, reads, revenue } = trade;
        return { ...aboutOf(artifact), calls, calls_by_others, calls_failed, reads, revenue };
      });
    },
  }),
};

const VERSION_COLUMNS = {
  ...EVENT_COLUMNS,
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
};

export const ARTIFACT_VERSIONS: ExportTable<typeof VERSION_COLUMNS> = {
  name: "artifact_versions",
  says: "a version of an artifact; the texts are in the `json` of the event",
  columns: VERSION_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { event } = step;
      if (event?.kind !== "artifact_written") return [];
      const { artifact_id, version, by: author, owner, created, size_bytes, fields } = event;
      const { type = null, price = null, read_price = null, access = null, code } = fields;
      return [
        {
          ...placeOf(step),
          artifact_id,
          version,
          author,
          owner,
          created,
          size_bytes,
          type,
          price,
          read_price,
          access,
          writes_code: typeof code === "string",
          fields: Object.keys(fields).join(" "),
        },
      ];
    },
  }),
};
