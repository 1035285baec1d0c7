import { readState, type StateRead, whyUnsound } from "../../kernel/index.ts";
import type { Checkpoint } from "./checkpoint.ts";

/**
 * The state of a checkpoint, which anybody may have made, if a world can go on from it. It is the
 * caller's to change.
 */
export const soundState = ({ state, atMs }: Pick<Checkpoint, "state" | "atMs">): StateRead => {
  const read = readState(state);
  if (!read.ok) return read;
  const why = whyUnsound(read.state, atMs);
  return why === null ? read : { ok: false, problem: `${why}; use another checkpoint` };
};
