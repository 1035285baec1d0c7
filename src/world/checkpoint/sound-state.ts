import { readState, type StateRead, whyUnsound } from "../../kernel/index.ts";
import { censusOf, unpackedJson } from "../packed-json.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { crowding, DOCUMENT_BOUNDS, type DocumentBounds } from "./document-bounds.ts";

/**
 * The state of a checkpoint, which anybody may have made, if a world can go on from it. It is the
 * caller's to change.
 */
export const soundState = (
  checkpoint: Pick<Checkpoint, "state" | "atMs">,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): StateRead => {
  const read = stateIn(checkpoint, bounds);
  if (!read.ok) return read;
  const why = whyUnsound(read.state, checkpoint.atMs);
  return why === null ? read : { ok: false, problem: `${why}; use another checkpoint` };
};

/** The state of a checkpoint as it was written, whether or not it is sound. */
export const stateIn = (
  { state }: Pick<Checkpoint, "state">,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): StateRead => {
  const bytes = unpackedJson(state);
  const census = bytes === null ? null : censusOf(state);
  if (bytes === null || census === null) return { ok: false, problem: CHANGED };
  const crowded = crowding(census, bounds);
  if (crowded !== null) {
    return { ok: false, problem: `its state holds ${crowded}; it is not read any further` };
  }
  return readState(bytes.toString("utf8"));
};

/** Why a state is not gone on from, nor written, that its frame does not hold. */
export const CHANGED =
  "its state does not agree with its hash: it was changed; use an unchanged copy of it";
