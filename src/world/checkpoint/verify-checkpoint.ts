import { soundnessOf } from "../../kernel/index.ts";
import { type Check, invariantChecks, type Verdict } from "../verify/index.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import { stateIn } from "./sound-state.ts";

/**
 * Does this file hold what it says? That it is whole and of this format, that its state has its
 * hash, every invariant of a state, and that a world can go on from it. What led to the state, only
 * a journal can tell.
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
  const { why, broken } = soundnessOf(parsed.state, checkpoint.atMs);
  const checks: readonly Check[] = [
    { name: "checkpoint", ok: true, detail: `after event ${checkpoint.seq}` },
    { name: "state", ok: why === null, detail: why ?? "" },
    ...invariantChecks(new Map(broken.map(({ invariant, detail }) => [invariant, detail]))),
  ];
  const stateHash = checkpoint.state.sha256;
  return { ok: checks.every(({ ok }) => ok), events: 0, stateHash, checks };
};
