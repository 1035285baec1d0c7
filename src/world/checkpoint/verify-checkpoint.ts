import { soundnessOf } from "../../kernel/index.ts";
import { stateHash as hashOf } from "../snapshot.ts";
import { type Check, invariantChecks, type Verdict } from "../verify/index.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import { stateIn } from "./sound-state.ts";

/**
 * Does this file hold what it says? That it is whole and of this format, that its state has its
 * hash and is written as only that state is, every invariant of a state, and that a world can go on
 * from it. What led to the state, only a journal can tell.
 */
export const verifyCheckpoint = (path: string): Verdict => {
  const read = readCheckpoint(path);
  const refuse = (detail: string): Verdict => {
    const checks = [{ name: "checkpoint", ok: false, detail }];
    return { ok: false, events: 0, stateHash: "", checks };
  };
  if (!read.ok) return refuse(read.problem);
  const { checkpoint } = read;
  const parsed = stateIn(checkpoint);
  if (!parsed.ok) return refuse(parsed.problem);
  const stateHash = checkpoint.state.sha256;
  const { why: whyUnsound, broken } = soundnessOf(parsed.state, checkpoint.atMs);
  const why = whyUnsound ?? (hashOf(parsed.state) === stateHash ? null : WRITTEN_ANEW);
  const checks: readonly Check[] = [
    { name: "checkpoint", ok: true, detail: `after event ${checkpoint.seq}` },
    { name: "state", ok: why === null, detail: why ?? "" },
    ...invariantChecks(new Map(broken.map(({ invariant, detail }) => [invariant, detail]))),
  ];
  return { ok: checks.every(({ ok }) => ok), events: 0, stateHash, checks };
};

/** Blanks, a field twice or in another order: the next snapshot of the same world would differ. */
const WRITTEN_ANEW =
  "its text is not the one in which such a state is written; it was changed: use another";
