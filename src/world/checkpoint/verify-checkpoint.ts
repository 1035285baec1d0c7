import { stateProblem, validateState } from "../../kernel/index.ts";
import { jsonCountsOf, unpackedJson } from "../packed-json.ts";
import { stateHash as hashOf } from "../snapshot.ts";
import { readState, type StateRead } from "../state-codec/read-state.ts";
import { checkOf, invariantChecks, type Verification, verificationOf } from "../verify/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import { CHANGED, crowding, DOCUMENT_BOUNDS, type DocumentBounds } from "./document-bounds.ts";

/** Reads the state of a checkpoint, or returns why no world can continue from it. */
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
 * Checks that the file is complete and in this format, that its state matches its hash and is in
 * canonical form, that every invariant holds, and that a world can continue from it. Only a
 * journal shows which events led to the state.
 */
export const verifyCheckpoint = (path: string): Verification => {
  const read = readCheckpoint(path);
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

/** Duplicate or reordered fields would make the next snapshot of the same world differ. */
const NOT_CANONICAL =
  "its text was changed, because it is not in canonical form; use another checkpoint";
