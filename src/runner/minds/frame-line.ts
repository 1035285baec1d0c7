import { isObject, jsonIn } from "../../kernel/index.ts";
import type { PeerFrame } from "./peer.ts";

type LineParts = {
  /** Sends a text to the other end, which passes it to `receive`. Texts must arrive in order. */
  readonly send: (batch: string) => void;
  /** Takes a frame of the other end. */
  readonly take: (frame: PeerFrame) => void;
};

/** `took` is the number of batches that the sender has taken since its last batch. */
type Batch = { readonly took: number; readonly frames: readonly PeerFrame[] };

/** A batch ends when it has this many characters. */
const BATCH_CHARS_MAX = 500_000;
/** So many batches may be on their way. Further frames wait, and form larger batches. */
const UNDERWAY_MAX = 4;

/**
 * One end of a line of frames. All frames of one turn of the event loop travel as one text, because
 * waking the other side costs more than a frame. The other end confirms each batch, so that neither
 * end, nor a server between them, gets more than a bounded number of bytes at once.
 */
export class FrameLine {
  readonly #parts: LineParts;
  #waiting: PeerFrame[] = [];
  #underway = 0;
  /** Batches to confirm. */
  #taken = 0;
  #isScheduled = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  post(frame: PeerFrame): void {
    this.#waiting.push(frame);
    this.#schedule();
  }

  /** Takes a batch of the other end. Ignores a text that is not a batch. */
  receive(text: string): void {
    const batch = batchIn(text);
    if (batch === null) return;
    this.#underway -= batch.took;
    if (batch.frames.length > 0) this.#taken += 1;
    for (const frame of batch.frames) this.#parts.take(frame);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#underway < UNDERWAY_MAX && this.#waiting.length > 0) {
      this.#underway += 1;
      this.#send(this.#nextFrames());
    }
    if (this.#taken > 0) this.#send([]);
  }

  #send(frames: readonly string[]): void {
    const took = this.#taken;
    this.#taken = 0;
    this.#parts.send(`{"took":${took},"frames":[${frames.join()}]}`);
  }

  /** The next frames as JSON. */
  #nextFrames(): readonly string[] {
    const frames: string[] = [];
    let chars = 0;
    for (const frame of this.#waiting) {
      const json = JSON.stringify(frame);
      frames.push(json);
      chars += json.length;
      if (chars >= BATCH_CHARS_MAX) break;
    }
    this.#waiting = this.#waiting.slice(frames.length);
    return frames;
  }
}

/** Others may be able to write to the line, so the shape is checked. */
const batchIn = (text: string): Batch | null => {
  const value = jsonIn(text);
  return isBatch(value) ? value : null;
};

const isBatch = (value: unknown): value is Batch =>
  isObject(value) &&
  typeof value.took === "number" &&
  Array.isArray(value.frames) &&
  value.frames.every(isObject);
