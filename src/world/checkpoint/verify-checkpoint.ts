import { stateProblem, validateState } from "../../kernel/index.ts";
import { jsonCountsOf, unpackedJson } from "../core/packed-json.ts";
import { readState, type StateRead } from "../core/state-text.ts";
import { stateHash as hashOf } from "../replay/replay.ts";
import {
  checkOf,
  invariantChecks,
  type Verification,
  verificationOf,
} from "../verify/verify-journal.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import { CHANGED, crowding, DOCUMENT_BOUNDS, type DocumentBounds } from "./envelope.ts";

/** Reads the state of a checkpoint. Returns a problem if no world can continue from the state. */
export const validatedState = (
  checkpoint: Pick<Checkpoint, "state" | "atMs">,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): StateRead => {
  const read = parsedState(checkpoint, bounds);
  if (!read.ok) return read;
  const why = stateProblem(read.state, checkpoint.atMs);
  return why === null ? read : { ok: false, problem: `${why}; use another checkpoint` };
};

const parsedState = (
  { state }: Pick<Checkpoint, "state">,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): StateRead => {
  const bytes = unpackedJson(state);
  const counts = bytes === null ? null : jsonCountsOf(state);
  if (bytes === null || counts === null) return { ok: false, problem: CHANGED };
  const crowded = crowding(counts, bounds);
  if (crowded !== null) {
    return { ok: false, problem: `its state contains ${crowded}; use another checkpoint` };
  }
  return readState(bytes.toString("utf8"));
};

/**
 * Checks that a file is complete and has this format. Checks that its state matches the hash, has
 * the canonical form, satisfies every invariant, and allows a world to continue. Does not check
 * which events led to the state, because only a journal contains them. `foreign` says that the file
 * is of another kind.
 */
export const verifyCheckpoint = (path: string): Verification | { readonly foreign: string } => {
  const read = readCheckpoint(path);
  if (!read.ok && read.isForeign) return { foreign: read.problem };
  if (!read.ok) return verificationOf([checkOf("checkpoint", read.problem)]);
  const { checkpoint } = read;
  const parsed = parsedState(checkpoint);
  if (!parsed.ok) return verificationOf([checkOf("checkpoint", parsed.problem)]);
  const stateHash = checkpoint.state.sha256;
  const { why: whyUnsound, broken } = validateState(parsed.state, checkpoint.atMs);
  const why = whyUnsound ?? (hashOf(parsed.state) === stateHash ? null : NOT_CANONICAL);
  const checks = [
    { name: "checkpoint", ok: true, detail: `after event ${checkpoint.seq}` },
    checkOf("state", why),
    ...invariantChecks(new Map(broken.map(({ invariant, detail }) => [invariant, detail]))),
  ];
  return verificationOf(checks, stateHash);
};

/** Example: the text has fields in another order. A snapshot of this state has another hash. */
const NOT_CANONICAL =
  "its text is not in canonical form, so it was changed; use another checkpoint";
