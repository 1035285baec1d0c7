import { checkInvariants, worldRow } from "../../../src/kernel/index.ts";

import type { SimulationRunner } from "../../../src/runner/index.ts";
import { unlessFailed } from "../../../src/runner/run/journal-failure.ts";
import { JournalFailure } from "../../../src/world/index.ts";
import { Auditor, type Row } from "../../support/auditor.ts";
import { Finding } from "./finding.ts";

/** A write to the disk at which a life ends. */
export type Death = {
  /** The first write of this kind after event `seq` … */
  readonly seq: number;
  readonly write: "append" | "model_call" | "snapshot";
  /** … that appends such an event; null: any … */
  readonly kind: string | null;
  /** … and whether it is done, and on the disk. */
  readonly done: boolean;
};

export type WatchParts = {
  readonly runner: SimulationRunner;
  /** The events before those of the journal, from the first one. */
  readonly history: readonly Row[];
  readonly death: Death | null;
  /** Called at the moment of death, with the disk as it is then. */
  readonly died: () => void;
  /** How many transactions pass between two looks of the auditor. */
  readonly auditedEvery: number;
};

/**
 * Stands between a world and its journal: lays an auditor's books next to the ledger after each
 * transaction, or each so many, knows what has been acknowledged, and ends the life when its time
 * has come. From then on every write fails, as those of a process that has ended.
 */
export class Watch {
  readonly rows: Row[];
  readonly hashes: string[] = [];
  readonly #parts: WatchParts;
  readonly #auditor = new Auditor();
  #transactions = 0;
  #flush: () => void = () => {};
  #end: JournalFailure | null = null;
  /** The last event that was acknowledged. */
  acknowledged = 0;
  audits = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    const { runner, history } = parts;
    const { journal } = runner;
    // A disk that is full already ends the run when it next writes.
    unlessFailed(() => journal.flush());
    const own = [...journal.events()];
    this.rows = [...history, ...own];
    this.#auditor.note(this.rows);
    this.acknowledged = journal.head().seq;
    journal.onCommitted((rows) => {
      // What is still committed after the death is not in the copy that the next life has.
      if (this.#end !== null) return;
      this.acknowledged = Math.max(this.acknowledged, rows.at(-1)?.seq ?? 0);
    });
    this.#standBetween();
  }

  get dead(): boolean {
    return this.#end !== null;
  }

  #standBetween(): void {
    const { journal, world } = this.#parts.runner;
    const { append, noteModelCall, saveSnapshot, flush, failure } = journal;
    journal.append = (transaction) =>
      this.#write("append", transaction.events, () => {
        const placed = append.call(journal, transaction);
        this.rows.push(...transaction.events);
        this.#auditor.note(transaction.events);
        this.#transactions += 1;
        if (this.#transactions % this.#parts.auditedEvery === 0) this.#audit(placed.lastSeq);
        return placed;
      });
    journal.noteModelCall = (write) =>
      this.#write("model_call", [], () => noteModelCall.call(journal, write));
    journal.saveSnapshot = (given) =>
      this.#write("snapshot", [], () => saveSnapshot.call(journal, given));
    journal.flush = () => {
      if (this.#end !== null) throw this.#end;
      flush.call(journal);
    };
    this.#flush = () => flush.call(journal);
    journal.failure = () => this.#end ?? failure.call(journal);
    checkInvariants(world.state);
    this.#audit(journal.head().seq);
  }

  #write<T>(write: Death["write"], events: readonly { readonly kind: string }[], work: () => T): T {
    if (this.#end !== null) throw this.#end;
    const { death, died } = this.#parts;
    if (death === null || !this.#isTime(death, write, events)) return work();
    if (death.done) {
      work();
      this.#flush();
    }
    died();
    this.#end = new JournalFailure("the process has ended");
    throw this.#end;
  }

  #isTime(death: Death, write: Death["write"], events: readonly { readonly kind: string }[]) {
    if (write !== death.write || this.#parts.runner.journal.head().seq < death.seq) return false;
    return death.kind === null || events.some(({ kind }) => kind === death.kind);
  }

  #audit(seq: number): void {
    const { state } = this.#parts.runner.world;
    this.audits += 1;
    const [first] = this.#auditor.differences(state, worldRow(state).now);
    if (first !== undefined) throw new Finding(`event ${seq}: the auditor finds: ${first}`);
  }
}
