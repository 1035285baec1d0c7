import type { SQLOutputValue } from "node:sqlite";
import type { Id, MemoryKind } from "../../../kernel/index.ts";
import type { Row } from "./agent-rows.ts";

/** So many rows of an agent are written together, and read together. */
export const BLOCK_ROWS = 64;

/** Some rows of one agent as they lie in the file. */
export type Block = {
  readonly held: number;
  /** The highest number among them. */
  readonly last: number;
  readonly records: string;
  readonly vectors: Uint8Array;
};

type Written = readonly [number: number, atMs: number, kind: MemoryKind, text: string];

export const blockOf = (rows: readonly Row[]): Block => {
  const length = rows[0]?.vector.length ?? 0;
  const vectors = new Float32Array(rows.length * length);
  for (const [at, { vector }] of rows.entries()) vectors.set(vector, at * length);
  const written = rows.map(({ record: { number, atMs, kind, text } }): Written => {
    return [number, atMs, kind, text];
  });
  return {
    held: rows.length,
    last: Math.max(...rows.map(({ record }) => record.number)),
    records: JSON.stringify(written),
    vectors: bytesOf(vectors),
  };
};

/** It throws where the parts do not fit together: then the file is damaged. */
export const rowsIn = (
  agent: Id,
  { records, vectors }: { readonly [column: string]: SQLOutputValue },
): readonly Row[] => {
  const written: readonly Written[] = JSON.parse(String(records));
  const all = vectors instanceof Uint8Array ? vectorOf(vectors) : new Float32Array();
  const length = all.length / written.length;
  if (!Number.isInteger(length)) throw new Error("a block of memories is malformed");
  return written.map(([number, atMs, kind, text], at) => ({
    record: { agent, number, atMs, kind, text },
    vector: all.subarray(at * length, (at + 1) * length),
  }));
};

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** A copy where the bytes do not lie where a number of four bytes may. */
export const vectorOf = (bytes: Uint8Array): Float32Array =>
  bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(bytes.slice().buffer);
