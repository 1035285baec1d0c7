import assert from "node:assert/strict";
import { HEAP_START, STATICS_END, STATICS_START } from "./engine-facts.ts";

/** A stretch of linear memory and what it held. */
export type Block = { readonly at: number; readonly bytes: Uint8Array };

/**
 * Everything a resting engine can remember: its variables and its heap. The C stack is left out,
 * since at rest nothing on it is live, and JavaScript cannot read it.
 */
export type RestImage = { readonly statics: Uint8Array; readonly heap: Uint8Array };

/** What loading a program changed in the base image. Shared by all machines: they are identical. */
export type ProgramImage = { readonly changes: readonly Block[]; readonly heapEnd: number };

/** Before there is any. */
export const NOWHERE: RestImage = { statics: new Uint8Array(), heap: new Uint8Array() };

const BLOCK_BYTES = 1024;

export const captureRest = (memory: Uint8Array, heapEnd: number): RestImage => ({
  statics: memory.slice(STATICS_START, STATICS_END),
  heap: memory.slice(HEAP_START, heapEnd),
});

/** Compares block by block with the base; neighbouring changed blocks become one. */
export const captureProgram = (
  memory: Uint8Array,
  base: RestImage,
  heapEnd: number,
): ProgramImage => {
  const baseEnd = HEAP_START + base.heap.length;
  assert(heapEnd >= baseEnd, "the heap never shrinks");
  const changes = [
    ...changedBlocks(memory.subarray(STATICS_START, STATICS_END), base.statics, STATICS_START),
    ...changedBlocks(memory.subarray(HEAP_START, baseEnd), base.heap, HEAP_START),
  ];
  if (heapEnd > baseEnd) changes.push({ at: baseEnd, bytes: memory.slice(baseEnd, heapEnd) });
  return { changes, heapEnd };
};

export const restoreRest = (memory: Uint8Array, base: RestImage, dirtyEnd: number): void => {
  memory.set(base.statics, STATICS_START);
  memory.set(base.heap, HEAP_START);
  const baseEnd = HEAP_START + base.heap.length;
  if (dirtyEnd > baseEnd) memory.fill(0, baseEnd, dirtyEnd);
};

export const applyProgram = (memory: Uint8Array, image: ProgramImage): void => {
  for (const { at, bytes } of image.changes) memory.set(bytes, at);
};

/** Takes back what `applyProgram` did, where nothing else has happened since. */
export const removeProgram = (memory: Uint8Array, base: RestImage, image: ProgramImage): void => {
  for (const { at, bytes } of image.changes) {
    const end = at + bytes.length;
    if (at < STATICS_END) memory.set(base.statics.subarray(at, end), at);
    else if (at < HEAP_START + base.heap.length) {
      memory.set(base.heap.subarray(at - HEAP_START, end - HEAP_START), at);
    } else memory.fill(0, at, end);
  }
};

export const imageBytes = (image: ProgramImage): number =>
  image.changes.reduce((sum, block) => sum + block.bytes.length, 0);

const changedBlocks = (now: Uint8Array, before: Uint8Array, origin: number): Block[] => {
  const compared = Buffer.from(now.buffer, now.byteOffset, now.length);
  const blocks: Block[] = [];
  let start = -1;
  for (let at = 0; at < now.length; at += BLOCK_BYTES) {
    const end = Math.min(at + BLOCK_BYTES, now.length);
    if (compared.compare(before, at, end, at, end) === 0) {
      if (start >= 0) blocks.push({ at: origin + start, bytes: now.slice(start, at) });
      start = -1;
    } else if (start < 0) start = at;
  }
  if (start >= 0) blocks.push({ at: origin + start, bytes: now.slice(start) });
  return blocks;
};
