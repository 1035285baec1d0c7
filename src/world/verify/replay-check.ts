import { commit, STATE_INVARIANTS, violations } from "../../kernel/index.ts";
import { isRunEvent, type Journal } from "../journal/index.ts";
import { firstPlace, playEvent } from "../replay/replay.ts";
import { stateHash } from "../replay/snapshot.ts";

/** The result of a check. If the check failed, `detail` says why and at which event. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export const checkOf = (name: string, problem: string | null): Check => ({
  name,
  ok: problem === null,
  detail: problem ?? "",
});

export const invariantChecks = (broken: ReadonlyMap<number, string>): readonly Check[] =>
  STATE_INVARIANTS.map((number) => checkOf(`invariant-${number}`, broken.get(number) ?? null));

/** Applies all events. At each snapshot, compares the state and checks the invariants. */
export const checkReplay = (journal: Journal) => {
  const { state, seq: firstSeq } = firstPlace(journal);
  const marks = Map.groupBy(journal.snapshots(), ({ seq }) => seq);
  const broken = new Map<number, string>();
  let mismatch: string | null = null;
  let last = firstSeq;
  const checkState = (seq: number): void => {
    for (const { invariant, detail } of violations(state)) {
      if (!broken.has(invariant)) broken.set(invariant, `event ${seq}: ${detail}`);
    }
    const hash = marks.has(seq) ? stateHash(state) : "";
    if (marks.get(seq)?.every((mark) => mark.stateHash === hash) ?? true) return;
    mismatch ??= `event ${seq}: the snapshot differs from the state that the events lead to`;
  };
  if (firstSeq > 0) checkState(firstSeq);
  for (const row of journal.events()) {
    const problem = isRunEvent(row.kind) ? null : playEvent(state, row);
    if (problem !== null) {
      const checks = [checkOf("replay", `event ${row.seq}: ${problem}`)];
      return { checks, events: last - firstSeq, hash: "" };
    }
    commit(state);
    last = row.seq;
    if (marks.has(last)) checkState(last);
  }
  if (last > 0 && !marks.has(last)) checkState(last);
  const checks = [checkOf("replay", mismatch), ...invariantChecks(broken)];
  return { checks, events: last - firstSeq, hash: last === 0 ? "" : stateHash(state) };
};
