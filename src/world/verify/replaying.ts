import { commit, type State, violations } from "../../kernel/index.ts";
import { isBookkeeping } from "../bookkeeping.ts";
import type { Journal, JournalRow, SnapshotMark } from "../journal/index.ts";
import { firstPlace, playEvent } from "../replay.ts";
import { sha256 } from "../sha256.ts";
import { stateHash } from "../snapshot.ts";
import { type Check, invariantChecks } from "./verdict.ts";

/** Applies the events and looks at the world where a snapshot was taken and at the end. */
export class Replaying {
  readonly #journal: Journal;
  readonly #state: State;
  readonly #firstSeq: number;
  readonly #broken = new Map<number, string>();
  #mismatch: string | null = null;

  /** @throws JournalFailure when what the journal goes on from cannot be used. */
  constructor(journal: Journal) {
    this.#journal = journal;
    const { state, seq } = firstPlace(journal);
    this.#state = state;
    this.#firstSeq = seq;
  }

  run(): { readonly checks: readonly Check[]; readonly events: number; readonly hash: string } {
    const marks = Map.groupBy(this.#journal.snapshots(), ({ seq }) => seq);
    let events = 0;
    if (this.#firstSeq > 0) this.#look(this.#firstSeq, marks.get(this.#firstSeq) ?? []);
    for (const row of this.#journal.events()) {
      const trouble = this.#apply(row);
      if (trouble !== null) {
        return { checks: [this.#verdict(`event ${row.seq}: ${trouble}`)], events, hash: "" };
      }
      events += 1;
      const kept = marks.get(row.seq);
      if (kept !== undefined) this.#look(row.seq, kept);
    }
    const last = this.#firstSeq + events;
    this.#look(last, []);
    const checks = [this.#verdict(this.#mismatch), ...invariantChecks(this.#broken)];
    const hash = last === 0 ? "" : stateHash(this.#state);
    return { checks, events, hash };
  }

  #verdict(detail: string | null): Check {
    return { name: "replay", ok: detail === null, detail: detail ?? "" };
  }

  #apply(row: JournalRow): string | null {
    if (isBookkeeping(row.kind)) return null;
    const trouble = playEvent(this.#state, row);
    if (trouble === null) commit(this.#state);
    return trouble;
  }

  #look(seq: number, kept: readonly SnapshotMark[]): void {
    if (seq === 0) return;
    for (const { invariant, detail } of violations(this.#state)) {
      if (!this.#broken.has(invariant)) this.#broken.set(invariant, `event ${seq}: ${detail}`);
    }
    if (kept.length === 0 || this.#mismatch !== null) return;
    const hash = stateHash(this.#state);
    const snapshot = this.#journal.latestSnapshot(seq);
    const honest =
      kept.every((mark) => mark.stateHash === hash) &&
      (snapshot?.seq !== seq || sha256(snapshot.body) === hash);
    if (honest) return;
    this.#mismatch = `event ${seq}: the snapshot differs from what the events lead to`;
  }
}
