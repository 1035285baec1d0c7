import { readState, STATE_INVARIANTS, violations } from "../../kernel/index.ts";
import type { Check, Verdict } from "../verify.ts";
import { readCheckpoint } from "./checkpoint-file.ts";

/**
 * Does this file hold what it says? That it is whole and of this format, that its state has its
 * hash, and every invariant of a state. What led to the state, only a journal can tell.
 */
export const verifyCheckpoint = (path: string): Verdict => {
  const read = readCheckpoint(path);
  const file: Check = { name: "checkpoint", ok: read.ok, detail: read.ok ? "" : read.problem };
  if (!read.ok) return { ok: false, events: 0, stateHash: "", checks: [file] };
  const { state, stateHash, seq } = read.checkpoint;
  const parsed = readState(state);
  const broken = new Map(
    (parsed.ok ? violations(parsed.state) : []).map(({ invariant, detail }) => [invariant, detail]),
  );
  const invariants = STATE_INVARIANTS.map((number): Check => {
    const detail = broken.get(number);
    return { name: `invariant-${number}`, ok: detail === undefined, detail: detail ?? "" };
  });
  const checks = [{ ...file, detail: `after event ${seq}` }, ...invariants];
  return { ok: checks.every(({ ok }) => ok), events: 0, stateHash, checks };
};
