import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../sha256.ts";
import { deflated, inflated } from "../zstd.ts";
import { beginningHash, GENESIS_HASH } from "./chain.ts";
import { bytesOf, type Columns, integerOf, textOf } from "./columns.ts";
import { JournalFailure } from "./journal-failure.ts";
import type { JournalHead } from "./rows.ts";

/**
 * What a journal goes on from when it does not begin with a new world: the whole state after an
 * event of another run. It is kept in the file, so that a run needs no other one to be read.
 */
export type Beginning = {
  /** The last event that the state includes, by its number in the run that it comes from. */
  readonly seq: number;
  /** Run time of that event. */
  readonly atMs: number;
  /** The hash of that event: numbers and chain go on from it. */
  readonly hash: string;
  readonly stateHash: string;
  /** JSON; `stateHash` is its SHA-256. */
  readonly state: string;
  /** What comes along beside the state, as JSON text that the journal does not look into. */
  readonly carried: string;
};

/** A beginning without its state, which is by far the most of it. */
export type BeginningMark = Omit<Beginning, "state">;

/** A beginning whose state is a zstd frame already. */
export type PackedBeginning = BeginningMark & { readonly packed: Uint8Array };

/** Written along with the tables. */
export function insertBeginning(database: DatabaseSync, given: Beginning | PackedBeginning): void {
  const { seq, atMs, hash, stateHash, carried } = given;
  const state = "packed" in given ? given.packed : deflated(given.state);
  const insert = database.prepare("INSERT INTO base VALUES (1, ?, ?, ?, ?, ?, ?, ?)");
  insert.run(seq, atMs, hash, stateHash, state, deflated(carried), sha256(carried));
}

/** The head of a journal without events: nothing has happened, or all up to its beginning. */
export function firstHead(database: DatabaseSync): JournalHead {
  const row = beginningRow(database, "seq, hash");
  if (row === null) return { seq: 0, hash: GENESIS_HASH };
  return { seq: integerOf(row, "seq"), hash: textOf(row, "hash") };
}

/**
 * What stands before the first snapshot in the snapshots' own chain. It ties the beginning to the
 * recorded end of that chain, so that it cannot be put in place of another.
 */
export function firstSnapshotHash(database: DatabaseSync): string {
  const row = beginningRow(database, "seq, at_ms, hash, state_hash, carried_sha256");
  return row === null ? GENESIS_HASH : beginningHash(sealOf(row));
}

/** @throws JournalFailure when it is not what was kept. */
export function readBeginning(database: DatabaseSync, path: string): Beginning | null {
  const row = beginningRow(database, "*");
  return row === null ? null : sound(beginningIn(row), path);
}

/** @throws JournalFailure when it is not what was kept. */
export function readBeginningMark(database: DatabaseSync, path: string): BeginningMark | null {
  const row = beginningRow(database, "seq, at_ms, hash, state_hash, carried, carried_sha256");
  return row === null ? null : sound(markOf(row), path);
}

const sound = <T extends object>(beginning: T | string, path: string): T => {
  if (typeof beginning === "object") return beginning;
  throw new JournalFailure(`journal failed: ${path}: ${beginning}; use a copy of it`);
};

/** Why the beginning is not what was kept; null when it is, or when there is none. */
export function whyBeginningUnsound(database: DatabaseSync): string | null {
  const row = beginningRow(database, "*");
  const beginning = row === null ? null : beginningIn(row);
  return typeof beginning === "string" ? beginning : null;
}

/** The beginning, or what is wrong with it. */
function beginningIn(row: Columns): Beginning | string {
  const mark = markOf(row);
  if (typeof mark === "string") return mark;
  const state = inflated(bytesOf(row, "state"));
  if (state.ok && sha256(state.bytes) === mark.stateHash) {
    return { ...mark, state: state.bytes.toString("utf8") };
  }
  return "the state that it begins with was changed: it does not agree with its hash";
}

function markOf(row: Columns): BeginningMark | string {
  const { seq, atMs, hash, stateHash, carriedSha256 } = sealOf(row);
  const carried = inflated(bytesOf(row, "carried"));
  if (!carried.ok || sha256(carried.bytes) !== carriedSha256) {
    return "what it carries along was changed: it does not agree with its digest";
  }
  return { seq, atMs, hash, stateHash, carried: carried.bytes.toString("utf8") };
}

const sealOf = (row: Columns) => ({
  seq: integerOf(row, "seq"),
  atMs: integerOf(row, "at_ms"),
  hash: textOf(row, "hash"),
  stateHash: textOf(row, "state_hash"),
  carriedSha256: textOf(row, "carried_sha256"),
});

/** Journals from before there were such beginnings have no table for them. */
function beginningRow(database: DatabaseSync, columns: string): Columns | null {
  const table = database.prepare("SELECT 1 AS there FROM sqlite_master WHERE name = 'base'").get();
  if (table === undefined) return null;
  return database.prepare(`SELECT ${columns} FROM base`).get() ?? null;
}
