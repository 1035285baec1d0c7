/** Counts for a JSON text, or for the part of the text that has been read so far. */
export type JsonCounts = {
  readonly values: number;
  /** The maximum depth of nested lists and maps. */
  readonly deepest: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_MAP = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_MAP = 0x7d;

const SHORT_BYTES = 32;

/**
 * Counts the values of a JSON text without parsing the text, because parsed values can take far
 * more memory. The text comes in pieces of UTF-8. A piece may end anywhere, even within a
 * character. For invalid JSON, the counts are meaningless, but counting takes no longer.
 */
export class JsonCounter {
  #values = 0;
  #depth = 0;
  #deepest = 0;
  /** `#quoted`: the next piece starts inside a string. `#escaped`: its first byte is escaped. */
  #quoted = false;
  #escaped = false;

  get found(): JsonCounts {
    return { values: this.#values, deepest: this.#deepest };
  }

  take(piece: Buffer): void {
    if (piece.length === 0) return;
    for (let at = this.#quoted ? this.#afterString(piece, 0) : 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === QUOTE) at = this.#afterString(piece, at + 1) - 1;
      else if (byte === COMMA) this.#values += 1;
      else if (byte === OPEN_LIST || byte === OPEN_MAP) this.#open();
      else if (byte === CLOSE_LIST || byte === CLOSE_MAP) this.#depth -= 1;
    }
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
  }

  /** The position after the closing quote of the string that contains the position `from`. */
  #afterString(piece: Buffer, from: number): number {
    let start = from + (this.#escaped ? 1 : 0);
    this.#escaped = false;
    this.#quoted = false;
    // Most strings are short and plain. For these, this loop is faster than `indexOf`.
    const shortTo = Math.min(piece.length, start + SHORT_BYTES);
    for (let at = start; at < shortTo; at++) {
      const byte = piece[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) break;
    }
    for (;;) {
      const end = piece.indexOf(QUOTE, start);
      const upTo = end < 0 ? piece.length : end;
      let slashes = 0;
      while (upTo - slashes > start && piece[upTo - slashes - 1] === BACKSLASH) slashes += 1;
      const isEscaped = slashes % 2 === 1;
      if (end >= 0 && !isEscaped) return end + 1;
      if (end < 0) {
        this.#quoted = true;
        this.#escaped = isEscaped;
        return piece.length;
      }
      start = end + 1;
    }
  }
}
