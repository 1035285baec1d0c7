import type { DatabaseSync } from "node:sqlite";
import { type PackedJson, packedJson, unpackedText } from "../core/packed-json.ts";
import { GENESIS_HASH, type JournalHead, startHash } from "./chain.ts";
import { bytesOf, type Columns, integerOf, JournalFailure, textOf } from "./sqlite.ts";

/** The base of a journal that continues another run: the state of that run after one event. */
export type StartState = {
  /** The number, in the continued run, of the last event that the state includes. */
  readonly seq: number;
  readonly atMs: number;
  /** The hash of event `seq`. The hash chain of the journal continues from this hash. */
  readonly hash: string;
  readonly state: string;
  /** Other data of the continued run, as JSON text. */
  readonly carried: string;
};

/** A base without its state. The state is by far the largest part. */
export type StartMark = Omit<StartState, "state">;

export type PackedStartState = StartMark & { readonly state: PackedJson };

export function insertStartState(database: DatabaseSync, given: PackedStartState): void {
  const { seq, atMs, hash, state } = given;
  const carried = packedJson(given.carried);
  database
    .prepare("INSERT INTO base VALUES (1, ?, ?, ?, ?, ?, ?, ?)")
    .run(seq, atMs, hash, state.sha256, state.frame, carried.frame, carried.sha256);
}

export function firstHead(database: DatabaseSync): JournalHead {
  const row = startRow(database, "seq, hash");
  if (row === null) return { seq: 0, hash: GENESIS_HASH };
  return { seq: integerOf(row, "seq"), hash: textOf(row, "hash") };
}

/** The first hash of the snapshot chain. It covers the base, so a changed base breaks the chain. */
export function firstSnapshotHash(database: DatabaseSync): string {
  const row = startRow(database, "seq, at_ms, hash, state_hash, carried_sha256");
  return row === null ? GENESIS_HASH : startHash(sealOf(row));
}

/** @throws JournalFailure if the base was changed. */
export function readStartState(database: DatabaseSync, path: string): StartState | null {
  const row = startRow(database, "*");
  return row === null ? null : sound(startIn(row), path);
}

/** @throws JournalFailure if the base was changed. */
export function readStartMark(database: DatabaseSync, path: string): StartMark | null {
  const row = startRow(database, "seq, at_ms, hash, state_hash, carried, carried_sha256");
  return row === null ? null : sound(markOf(row), path);
}

const sound = <T extends object>(base: T | string, path: string): T => {
  if (typeof base === "object") return base;
  throw new JournalFailure(`journal failed: ${path}: ${base}; use a copy of it`);
};

export function whyStartDamaged(database: DatabaseSync): string | null {
  const row = startRow(database, "*");
  const base = row === null ? null : startIn(row);
  return typeof base === "string" ? base : null;
}

function startIn(row: Columns): StartState | string {
  const mark = markOf(row);
  if (typeof mark === "string") return mark;
  const state = unpackedText(bytesOf(row, "state"), textOf(row, "state_hash"));
  if (state !== null) return { ...mark, state };
  return "its start state was changed: the hash differs";
}

function markOf(row: Columns): StartMark | string {
  const { seq, atMs, hash, carriedSha256 } = sealOf(row);
  const carried = unpackedText(bytesOf(row, "carried"), carriedSha256);
  if (carried !== null) return { seq, atMs, hash, carried };
  return "what it inherits from an earlier run was changed: the hash differs";
}

const sealOf = (row: Columns) => ({
  seq: integerOf(row, "seq"),
  atMs: integerOf(row, "at_ms"),
  hash: textOf(row, "hash"),
  stateHash: textOf(row, "state_hash"),
  carriedSha256: textOf(row, "carried_sha256"),
});

function startRow(database: DatabaseSync, columns: string): Columns | null {
  return database.prepare(`SELECT ${columns} FROM base`).get() ?? null;
}
