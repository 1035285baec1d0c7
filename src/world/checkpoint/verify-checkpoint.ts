import { readState, STATE_INVARIANTS, violations, whyUnsound } from "../../kernel/index.ts";
import type { Check, Verdict } from "../verify.ts";
import { readCheckpoint } from "./checkpoint-file.ts";

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
  const { state, stateHash, seq, atMs } = read.checkpoint;
  const parsed = readState(state);
  if (!parsed.ok) return refuse(parsed.problem);
  const unsound = whyUnsound(parsed.state, atMs);
  const hasWorld = parsed.state.whole.has("world");
  const broken = new Map(
    (hasWorld ? violations(parsed.state) : []).map(({ invariant, detail }) => [invariant, detail]),
  );
  const invariants = STATE_INVARIANTS.map((number): Check => {
    const detail = broken.get(number);
    return { name: `invariant-${number}`, ok: detail === undefined, detail: detail ?? "" };
  });
  const checks: readonly Check[] = [
    { name: "checkpoint", ok: true, detail: `after event ${seq}` },
    { name: "state", ok: unsound === null, detail: unsound ?? "" },
    ...invariants,
  ];
  return { ok: checks.every(({ ok }) => ok), events: 0, stateHash, checks };
};
