import { commit, STATE_INVARIANTS, type State, violations } from "../../kernel/index.ts";
import { isBookkeeping } from "../bookkeeping.ts";
import type { Journal, JournalRow, SnapshotMark } from "../journal/index.ts";
import { firstPlace, playEvent } from "../replay.ts";
import { stateHash } from "../snapshot.ts";

/** `detail` names the event at which a check failed. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

/** `broken` has the details of the broken invariants. */
export const invariantChecks = (broken: ReadonlyMap<number, string>): readonly Check[] =>
  STATE_INVARIANTS.map((number): Check => {
    const detail = broken.get(number);
    return { name: `invariant-${number}`, ok: detail === undefined, detail: detail ?? "" };
  });

/** Applies all events; compares the state with each snapshot and checks its invariants there. */
export class ReplayCheck {
  readonly #journal: Journal;
  readonly #state: State;
  readonly #firstSeq: number;
  readonly #broken = new Map<number, string>();
  #mismatch: string | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
    const { state, seq } = firstPlace(journal);
    this.#state = state;
    this.#firstSeq = seq;
  }

  run(): { readonly checks: readonly Check[]; readonly events: number; readonly hash: string } {
    const marks = Map.groupBy(this.#journal.snapshots(), ({ seq }) => seq);
    let events = 0;
    if (this.#firstSeq > 0) this.#checkState(this.#firstSeq, marks.get(this.#firstSeq) ?? []);
    for (const row of this.#journal.events()) {
      const problem = this.#apply(row);
      if (problem !== null) {
        return { checks: [this.#verdict(`event ${row.seq}: ${problem}`)], events, hash: "" };
      }
      events += 1;
      const kept = marks.get(row.seq);
      if (kept !== undefined) this.#checkState(row.seq, kept);
    }
    const last = this.#firstSeq + events;
    this.#checkState(last, []);
    const checks = [this.#verdict(this.#mismatch), ...invariantChecks(this.#broken)];
    const hash = last === 0 ? "" : stateHash(this.#state);
    return { checks, events, hash };
  }

  #verdict(detail: string | null): Check {
    return { name: "replay", ok: detail === null, detail: detail ?? "" };
  }

  #apply(row: JournalRow): string | null {
    if (isBookkeeping(row.kind)) return null;
    const problem = playEvent(this.#state, row);
    if (problem === null) commit(this.#state);
    return problem;
  }

  #checkState(seq: number, kept: readonly SnapshotMark[]): void {
    if (seq === 0) return;
    for (const { invariant, detail } of violations(this.#state)) {
      if (!this.#broken.has(invariant)) this.#broken.set(invariant, `event ${seq}: ${detail}`);
    }
    if (kept.length === 0 || this.#mismatch !== null) return;
    const hash = stateHash(this.#state);
    if (kept.every((mark) => mark.stateHash === hash)) return;
    this.#mismatch = `event ${seq}: the snapshot differs from the state that the events lead to`;
  }
}
