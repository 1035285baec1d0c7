import { readState, type StateRead, whyUnsound } from "../../kernel/index.ts";
import { JsonCensus } from "../json-census.ts";
import { unpackedJson } from "../packed-json.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { crowding, DOCUMENT_BOUNDS } from "./document-bounds.ts";

/**
 * The state of a checkpoint, which anybody may have made, if a world can go on from it. It is the
 * caller's to change.
 */
export const soundState = (checkpoint: Pick<Checkpoint, "state" | "atMs">): StateRead => {
  const read = stateIn(checkpoint);
  if (!read.ok) return read;
  const why = whyUnsound(read.state, checkpoint.atMs);
  return why === null ? read : { ok: false, problem: `${why}; use another checkpoint` };
};

/** The state of a checkpoint as it was written, whether or not it is sound. */
export const stateIn = ({ state }: Pick<Checkpoint, "state">): StateRead => {
  const bytes = unpackedJson(state);
  if (bytes === null) {
    const problem = "its state does not agree with its hash: it was changed";
    return { ok: false, problem: `${problem}; use an unchanged copy of it` };
  }
  const census = new JsonCensus();
  census.take(bytes);
  const crowded = crowding(census.found, DOCUMENT_BOUNDS);
  if (crowded !== null) {
    return { ok: false, problem: `its state holds ${crowded}; it is not read any further` };
  }
  return readState(bytes.toString("utf8"));
};
