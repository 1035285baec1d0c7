import type { SQLOutputValue } from "node:sqlite";
import { type Id, jsonIn, MEMORY_KINDS, type MemoryKind } from "../../kernel/index.ts";
import type { Row } from "./artifact-rows.ts";

/** The number of rows in a block. The rows of a block are written and read together. */
export const BLOCK_ROWS = 64;

type Written = readonly [number: number, atMs: number, kind: MemoryKind, text: string];

export const blockOf = (rows: readonly Row[]) => {
  const length = rows[0]?.vector.length ?? 0;
  const vectors = new Float32Array(rows.length * length);
  for (const [at, { vector }] of rows.entries()) vectors.set(vector, at * length);
  const written = rows.map(
    ({ record: { number, atMs, kind, text } }): Written => [number, atMs, kind, text],
  );
  return {
    held: rows.length,
    last: Math.max(...rows.map(({ record }) => record.number)),
    records: JSON.stringify(written),
    vectors: bytesOf(vectors),
  };
};

/** Reads the rows that `blockOf` wrote. Throws `DamagedIndex` if the block is malformed. */
export const rowsIn = (
  { held, records, vectors }: { readonly [column: string]: SQLOutputValue },
  { artifact, dimensions }: { readonly artifact: Id; readonly dimensions: number },
): readonly Row[] => {
  const written = writtenIn(String(records));
  const all = vectors instanceof Uint8Array ? vectorOf(vectors) : new Float32Array();
  if (written.length !== held || all.length !== held * dimensions) {
    throw new DamagedIndex(`a block of ${held} memories is malformed`);
  }
  return written.map(([number, atMs, kind, text], at) => ({
    record: { artifact, number, atMs, kind, text },
    vector: all.subarray(at * dimensions, (at + 1) * dimensions),
  }));
};

const writtenIn = (records: string): readonly Written[] => {
  const list: unknown = jsonIn(records);
  return Array.isArray(list) && list.every(isWritten) ? list : [];
};

const isWritten = (row: unknown): row is Written => {
  if (!Array.isArray(row)) return false;
  const [number, atMs, kind, text]: readonly unknown[] = row;
  if (typeof number !== "number" || typeof atMs !== "number") return false;
  return MEMORY_KINDS.some((known) => known === kind) && typeof text === "string";
};

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** Reads a vector; copies unaligned bytes. Throws `DamagedIndex` if a number is incomplete. */
export const vectorOf = (bytes: Uint8Array): Float32Array => {
  const length = bytes.byteLength / Float32Array.BYTES_PER_ELEMENT;
  if (!Number.isInteger(length)) throw new DamagedIndex("a vector ends within a number");
  return bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, length)
    : new Float32Array(bytes.slice().buffer);
};

export class DamagedIndex extends Error {
  override readonly name = "DamagedIndex";
}

/** SQLite's error codes for a damaged file and for a file that is not a database. */
const DAMAGE_CODES = new Set([11, 26]);

/** True if an error means that the file is damaged. Retries cannot repair the file. */
export const isDamage = (thrown: unknown): boolean => {
  if (thrown instanceof DamagedIndex) return true;
  if (!(thrown instanceof Error)) return false;
  // This code means that an integer in the file is not a safe integer in JavaScript.
  if ("code" in thrown && thrown.code === "ERR_OUT_OF_RANGE") return true;
  return "errcode" in thrown && DAMAGE_CODES.has(Number(thrown.errcode) & 0xff);
};
