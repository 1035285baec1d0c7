import { type State, stateChunks, stateText } from "../kernel/index.ts";
import type { Journal } from "./journal/index.ts";
import { type PackedJson, packedBeside } from "./packed-json.ts";
import { sha256 } from "./sha256.ts";

export const stateHash = (state: State): string => sha256(stateText(state));

/** A state as it was after an event. */
export type Taken = {
  readonly seq: number;
  /** Its text (see `stateText`), whose SHA-256 is the hash of the state. */
  readonly state: PackedJson;
};

/** Writes down a state as it is now, after event `seq`, while the world goes on. */
export const takeBeside = async (state: State, seq: number): Promise<Taken> => ({
  seq,
  state: await packedBeside(stateChunks(state)),
});

/**
 * Keeps the whole state in the journal. It is as it is now, between two transactions, and the world
 * goes on while it is written down. The snapshot is saved when that is done, with the number of the
 * event that was the last when it was begun. Await it before the journal is closed.
 * @throws JournalFailure when the journal cannot take it.
 */
export const takeSnapshotBeside = async (journal: Journal, state: State): Promise<Taken> => {
  const { seq } = journal.head();
  const taken = await takeBeside(state, seq);
  const { frame, sha256: hash } = taken.state;
  // The disk has its turn before and after, so that only the writing holds the world up.
  await journal.durable();
  journal.saveSnapshot({ seq, stateHash: hash, packed: frame, bodySha256: hash });
  await journal.durable();
  return taken;
};
