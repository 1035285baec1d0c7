import type { State } from "../../kernel/index.ts";
import { packedInBackground } from "../core/packed-json.ts";
import { sha256 } from "../core/sha256.ts";
import type { Journal, PackedSnapshot } from "../journal/index.ts";
import { stateChunks, stateText } from "../state-codec/state-codec.ts";

export const stateHash = (state: State): string => sha256(stateText(state));

/** Packs the current state without blocking the world. */
export const packSnapshot = async (state: State, seq: number): Promise<PackedSnapshot> => ({
  seq,
  state: await packedInBackground(stateChunks(state)),
});

/** Saves a snapshot of the current state. Await the promise before you close the journal. */
export const saveSnapshot = async (journal: Journal, state: State): Promise<PackedSnapshot> => {
  const snapshot = await packSnapshot(state, journal.head().seq);
  // Without this wait, `journal.saveSnapshot` would wait for the disk and block the world.
  await journal.durable();
  journal.saveSnapshot(snapshot);
  await journal.durable();
  return snapshot;
};
