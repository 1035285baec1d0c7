import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type State, stateChunks, stateText } from "../kernel/index.ts";
import type { Journal } from "./journal/index.ts";
import { sha256 } from "./sha256.ts";
import { inSlices } from "./slices.ts";
import { deflatedBeside } from "./zstd.ts";

export const stateHash = (state: State): string => sha256(stateText(state));

/** A state as it was after an event. */
export type Taken = {
  readonly seq: number;
  readonly stateHash: string;
  /** Of the state (see `stateText`). */
  readonly text: string;
};

/**
 * Keeps the whole state in the journal. It is as it is now, between two transactions, and the world
 * goes on while it is written down. The snapshot is saved when that is done, with the number of the
 * event that was the last when it was begun. Await it before the journal is closed.
 * @throws JournalFailure when the journal cannot take it.
 */
export const takeSnapshotBeside = async (journal: Journal, state: State): Promise<Taken> => {
  const { seq } = journal.head();
  const digest = createHash("sha256");
  const texts: string[] = [];
  const bytes: Uint8Array[] = [];
  for await (const slice of inSlices(stateChunks(state))) {
    const text = slice.join("");
    const encoded = Buffer.from(text);
    digest.update(encoded);
    texts.push(text);
    bytes.push(encoded);
  }
  const packed = await deflatedBeside(Buffer.concat(bytes));
  const stateHash = digest.digest("hex");
  journal.saveSnapshot({ seq, stateHash, packed, bodySha256: stateHash });
  await setImmediate();
  const text = texts.join("");
  await setImmediate();
  return { seq, stateHash, text };
};
