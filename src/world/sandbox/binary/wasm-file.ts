import assert from "node:assert/strict";

/** Reads the parts of a WebAssembly module one after the other. */
export class WasmReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    this.at += 1;
    return this.#bytes[this.at - 1] ?? assert.fail("a WebAssembly module ends too early");
  }

  /** Reads a LEB128 number. The value is right only if the number is unsigned. */
  leb(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

/** Collects bytes. */
export class WasmWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  add(bytes: Uint8Array | readonly number[]): this {
    if (this.length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.length + bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  leb(value: number): this {
    return this.add(lebOf(value));
  }
}

/** A section of a module. `at` is the offset of its content in the file. */
export type WasmSection = {
  readonly id: number;
  readonly content: Uint8Array;
  readonly at: number;
};

/** The magic number and the version. */
export const HEADER_BYTES = 8;

export const sectionsOf = (bytes: Uint8Array): readonly WasmSection[] => {
  const reader = new WasmReader(bytes, HEADER_BYTES);
  const sections: WasmSection[] = [];
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const length = reader.leb();
    sections.push({ id, at: reader.at, content: reader.take(length) });
  }
  return sections;
};

/** Reads every item of the list in a section. */
export const listIn = <T>(
  sections: readonly WasmSection[],
  id: number,
  read: (from: WasmReader) => T,
): T[] => {
  const reader = new WasmReader(contentOf(sections, id));
  return Array.from({ length: reader.leb() }, () => read(reader));
};

const contentOf = (sections: readonly WasmSection[], id: number): Uint8Array =>
  sections.find((section) => section.id === id)?.content ??
  assert.fail(`the engine must have section ${id}`);

/** Returns the content of a section with one more item at the end of its list. */
export const withItem = (content: Uint8Array, item: readonly number[]): Uint8Array => {
  const reader = new WasmReader(content);
  const count = reader.leb();
  const rest = content.subarray(reader.at);
  return new WasmWriter(content.length + item.length + 2)
    .leb(count + 1)
    .add(rest)
    .add(item).bytes;
};

/** An unsigned LEB128 number. */
export const lebOf = (value: number): readonly number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
};
