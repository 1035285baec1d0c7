import type { Work } from "./gas-meter.ts";
import { imageBytes, type ProgramImage } from "./memory-image.ts";

/** A program that has been loaded once: its image and what loading it cost. */
export type LoadedProgram = {
  readonly codeBytes: number;
  readonly image: ProgramImage;
  readonly methods: readonly string[];
  readonly work: Work;
};

const ENTRY_BYTES = 512;

/** Loaded programs by key, the least recently used given up when they take too many bytes. */
export class ProgramShelf {
  readonly #bytesMax: number;
  readonly #programs = new Map<string, LoadedProgram>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  take(key: string): LoadedProgram | null {
    const found = this.#programs.get(key);
    if (found === undefined) return null;
    this.#programs.delete(key);
    this.#programs.set(key, found);
    return found;
  }

  put(key: string, program: LoadedProgram): void {
    const old = this.#programs.get(key);
    if (old !== undefined) this.#drop(key, old);
    this.#programs.set(key, program);
    this.#bytes += sizeOf(program);
    for (const [oldest, given] of this.#programs) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest, given);
    }
  }

  #drop(key: string, program: LoadedProgram): void {
    this.#programs.delete(key);
    this.#bytes -= sizeOf(program);
  }
}

const sizeOf = (program: LoadedProgram): number => imageBytes(program.image) + ENTRY_BYTES;
