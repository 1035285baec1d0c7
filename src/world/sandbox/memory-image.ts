import assert from "node:assert/strict";
import { HEAP_START, STATICS_END } from "./engine-facts.ts";
import type { Work } from "./limits.ts";

type Block = { readonly at: number; readonly bytes: Uint8Array };

/** The memory of an idle engine, without the C stack. An idle engine uses none of its C stack. */
export type BootImage = { readonly statics: Uint8Array; readonly heap: Uint8Array };

/** The changes that loading a program makes to the boot image. They are valid for all machines. */
export type ProgramImage = { readonly changes: readonly Block[]; readonly heapEnd: number };

export const EMPTY_IMAGE: BootImage = { statics: new Uint8Array(), heap: new Uint8Array() };

const BLOCK_BYTES = 1024;

export const captureBoot = (memory: Uint8Array, heapEnd: number): BootImage => ({
  statics: memory.slice(0, STATICS_END),
  heap: memory.slice(HEAP_START, heapEnd),
});

export const captureProgram = (
  memory: Uint8Array,
  base: BootImage,
  heapEnd: number,
): ProgramImage => {
  const baseEnd = HEAP_START + base.heap.length;
  assert(heapEnd >= baseEnd, "the heap must not shrink");
  const changes = [
    ...changedBlocks(memory.subarray(0, STATICS_END), base.statics, 0),
    ...changedBlocks(memory.subarray(HEAP_START, baseEnd), base.heap, HEAP_START),
  ];
  if (heapEnd > baseEnd) changes.push({ at: baseEnd, bytes: memory.slice(baseEnd, heapEnd) });
  return { changes, heapEnd };
};

export const restoreBoot = (memory: Uint8Array, base: BootImage, dirtyEnd: number): void => {
  memory.set(base.statics, 0);
  memory.set(base.heap, HEAP_START);
  const baseEnd = HEAP_START + base.heap.length;
  if (dirtyEnd > baseEnd) memory.fill(0, baseEnd, dirtyEnd);
};

export const applyProgram = (memory: Uint8Array, image: ProgramImage): void => {
  for (const { at, bytes } of image.changes) memory.set(bytes, at);
};

/** Undoes `applyProgram`. Valid only if nothing else has changed the memory since. */
export const removeProgram = (memory: Uint8Array, base: BootImage, image: ProgramImage): void => {
  for (const { at, bytes } of image.changes) {
    const end = at + bytes.length;
    if (at < STATICS_END) memory.set(base.statics.subarray(at, end), at);
    else if (at < HEAP_START + base.heap.length) {
      memory.set(base.heap.subarray(at - HEAP_START, end - HEAP_START), at);
    } else memory.fill(0, at, end);
  }
};

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

export type LoadedProgram = {
  readonly codeBytes: number;
  readonly image: ProgramImage;
  readonly methods: readonly string[];
  readonly work: Work;
};

const ENTRY_BYTES = 512;

/** Caches up to `bytesMax` of loaded programs. Drops the least recently used program first. */
export class ProgramCache {
  readonly #bytesMax: number;
  readonly #programs = new Map<string, LoadedProgram>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): LoadedProgram | null {
    const found = this.#programs.get(key);
    if (found === undefined) return null;
    this.#programs.delete(key);
    this.#programs.set(key, found);
    return found;
  }

  set(key: string, program: LoadedProgram): void {
    this.#drop(key);
    this.#programs.set(key, program);
    this.#bytes += sizeOf(program);
    for (const oldest of this.#programs.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const program = this.#programs.get(key);
    if (program === undefined) return;
    this.#programs.delete(key);
    this.#bytes -= sizeOf(program);
  }
}

const sizeOf = ({ image }: LoadedProgram): number =>
  image.changes.reduce((sum, { bytes }) => sum + bytes.length, ENTRY_BYTES);
