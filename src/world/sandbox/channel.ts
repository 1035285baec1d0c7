import assert from "node:assert/strict";

/** The two sides of a channel. They take turns to send, so they can share one buffer. */
export const SIDE = { host: 1, engine: 2 } as const;
type Side = (typeof SIDE)[keyof typeof SIDE];

export const MESSAGE = {
  // To the engine.
  call: 1,
  inspect: 2,
  code: 3,
  reply: 4,
  renew: 5,
  // To the host.
  ready: 10,
  codeWanted: 11,
  syscall: 12,
  outcome: 13,
  broken: 15,
} as const;

const TURN = 0;
const KIND = 1;
const NUMBERS = 2;
const TEXTS = 3;
const LENGTHS = 4;
const TEXTS_MAX = 8;
const NUMBERS_MAX = 8;
const NUMBERS_AT = 64;
const PAYLOAD_AT = NUMBERS_AT + NUMBERS_MAX * 8;
/** How long to spin (poll) before sleeping. Most replies arrive sooner than a thread wakes up. */
const SPIN_MS = 0.1;
const SPINS_PER_CLOCK_READING = 200;
/** After the nth failed spin in a row, the next 2^(n - 1) waits do not spin, at most this many. */
const SKIPPED_SPINS_MAX = 64;

export const PAYLOAD_BYTES = 8 * 1024 * 1024;

export const newChannelMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(PAYLOAD_AT + PAYLOAD_BYTES);

/**
 * One side of a channel in shared memory. `receive` blocks the thread. A message has a kind,
 * numbers and texts. Read all parts of a message before you begin the next message.
 */
export class Channel {
  readonly #side: Side;
  readonly #other: Side;
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  readonly #payload: Buffer;
  #length = 0;
  #vainSpins = 0;
  #skippedSpins = 0;

  constructor(memory: SharedArrayBuffer, side: Side) {
    this.#side = side;
    this.#other = side === SIDE.host ? SIDE.engine : SIDE.host;
    this.#words = new Int32Array(memory, 0, NUMBERS_AT / 4);
    this.#numbers = new Float64Array(memory, NUMBERS_AT, NUMBERS_MAX);
    this.#payload = Buffer.from(memory, PAYLOAD_AT, PAYLOAD_BYTES);
  }

  begin(kind: number): this {
    this.#words[KIND] = kind;
    this.#words[NUMBERS] = 0;
    this.#words[TEXTS] = 0;
    this.#length = 0;
    return this;
  }

  number(value: number): this {
    const count = this.#words[NUMBERS] ?? 0;
    assert(count < NUMBERS_MAX, "a message must have at most 8 numbers");
    this.#numbers[count] = value;
    this.#words[NUMBERS] = count + 1;
    return this;
  }

  /** Adds a text to the message. The caller must first check the size with `fitsInPayload`. */
  text(value: string): this {
    return this.#added(this.#payload.write(value, this.#length, "utf8"));
  }

  bytes(value: Uint8Array): this {
    this.#payload.set(value, this.#length);
    return this.#added(value.length);
  }

  send(): void {
    Atomics.store(this.#words, TURN, this.#other);
    Atomics.notify(this.#words, TURN);
  }

  /** Waits for a message and returns its kind, or null if none arrives within `timeoutMs`. */
  receive(timeoutMs = Number.POSITIVE_INFINITY): number | null {
    if (this.#arrivesSoon()) return this.#words[KIND] ?? 0;
    const untilMs = performance.now() + timeoutMs;
    while (Atomics.load(this.#words, TURN) !== this.#side) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return null;
      Atomics.wait(this.#words, TURN, this.#other, leftMs);
    }
    return this.#words[KIND] ?? 0;
  }

  /** Spins. Returns true if a message arrived. After a failed spin, the next calls do not spin. */
  #arrivesSoon(): boolean {
    if (this.#skippedSpins > 0) {
      this.#skippedSpins -= 1;
      return false;
    }
    const untilMs = performance.now() + SPIN_MS;
    do {
      for (let spin = 0; spin < SPINS_PER_CLOCK_READING; spin++) {
        if (Atomics.load(this.#words, TURN) === this.#side) {
          this.#vainSpins = 0;
          return true;
        }
      }
    } while (performance.now() < untilMs);
    this.#skippedSpins = Math.min(SKIPPED_SPINS_MAX, 2 ** this.#vainSpins);
    this.#vainSpins += 1;
    return false;
  }

  numberAt(index: number): number {
    assert(index < (this.#words[NUMBERS] ?? 0), "the message must have that number");
    return this.#numbers[index] ?? 0;
  }

  textAt(index: number): string {
    const [from, to] = this.#range(index);
    return this.#payload.toString("utf8", from, to);
  }

  /** A copy of the bytes. The next message does not overwrite the copy. */
  bytesAt(index: number): Uint8Array {
    const [from, to] = this.#range(index);
    return new Uint8Array(this.#payload.subarray(from, to));
  }

  #added(bytes: number): this {
    const count = this.#words[TEXTS] ?? 0;
    assert(count < TEXTS_MAX, "a message must have at most 8 texts");
    this.#words[LENGTHS + count] = bytes;
    this.#words[TEXTS] = count + 1;
    this.#length += bytes;
    return this;
  }

  #range(index: number): readonly [number, number] {
    assert(index < (this.#words[TEXTS] ?? 0), "the message must have that text");
    let from = 0;
    for (let before = 0; before < index; before++) from += this.#words[LENGTHS + before] ?? 0;
    return [from, from + (this.#words[LENGTHS + index] ?? 0)];
  }
}

const UTF8_BYTES_PER_UNIT_MAX = 3;

/** Whether these texts together fit into one message. */
export const fitsInPayload = (...texts: readonly string[]): boolean => {
  let units = 0;
  for (const text of texts) units += text.length;
  if (units * UTF8_BYTES_PER_UNIT_MAX <= PAYLOAD_BYTES) return true;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= PAYLOAD_BYTES;
};
