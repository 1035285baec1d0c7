/** Lines of a running program, cut off at a number of bytes. */
export class LogText {
  readonly #bytesMax: number;
  #text = "";
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get text(): string {
    return this.#text;
  }

  add(line: string): void {
    const roomBytes = this.#bytesMax - this.#bytes;
    if (roomBytes <= 0) return;
    const bytes = Buffer.from(`${this.#text === "" ? "" : "\n"}${line}`);
    const kept =
      bytes.length <= roomBytes ? bytes : bytes.subarray(0, wholeCharacters(bytes, roomBytes));
    this.#text += kept.toString("utf8");
    // A line that was cut ends the log, even where a shorter next one would still fit.
    this.#bytes = bytes.length <= roomBytes ? this.#bytes + bytes.length : this.#bytesMax;
  }
}

/** The most bytes, up to `end`, that do not cut a UTF-8 character. */
const wholeCharacters = (bytes: Uint8Array, end: number): number => {
  let at = end;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
};
