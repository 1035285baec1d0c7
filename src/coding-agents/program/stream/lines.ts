/** The longest line that is read as a whole. Of a longer line, only the beginning is kept. */
export const LINE_BYTES_MAX = 1024 * 1024;
/** How much of a longer line is kept. */
const LONG_LINE_BYTES_KEPT = 4 * 1024;

const NEWLINE = 0x0a;

export type Line = {
  readonly text: string;
  /** The length of a line that was too long and is cut; 0 for a whole line. */
  readonly cutBytes: number;
};

/**
 * Splits bytes into lines, with the same result for any division of the bytes into chunks. Invalid
 * UTF-8 and NUL become U+FFFD. Keeps at most `LINE_BYTES_MAX` bytes of a line in memory.
 */
export class Lines {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  /** The line after the last newline, unless it is empty. */
  end(): readonly Line[] {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  #add(part: Uint8Array): void {
    const room = LINE_BYTES_MAX - this.#bytes;
    // The caller can reuse the memory of its chunk.
    if (room > 0 && part.length > 0) this.#parts.push(part.slice(0, room));
    this.#bytes += part.length;
  }

  #take(): Line {
    const bytes = Buffer.concat(this.#parts);
    const length = this.#bytes;
    this.#parts = [];
    this.#bytes = 0;
    if (length <= LINE_BYTES_MAX) {
      const text = new TextDecoder().decode(bytes).replace(/\r$/, "");
      return { text: withoutNul(text), cutBytes: 0 };
    }
    // `stream` leaves out a character that the cut has divided.
    const kept = bytes.subarray(0, LONG_LINE_BYTES_KEPT);
    const text = new TextDecoder().decode(kept, { stream: true });
    return { text: withoutNul(text), cutBytes: length };
  }
}

/** The world accepts no text with NUL. */
export const withoutNul = (text: string): string => text.replaceAll("\u0000", "\ufffd");
