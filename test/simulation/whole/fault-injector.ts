import { checkInvariants, worldRow } from "../../../src/kernel/index.ts";
import { unlessFailed } from "../../../src/run/core/journal-failure.ts";
import type { SimulationRunner } from "../../../src/run/index.ts";
import { JournalFailure } from "../../../src/world/index.ts";
import { Auditor, type Row } from "../../support/auditor.ts";
import { Finding } from "./journals.ts";

/** The write to the journal at which the simulated process crashes. */
export type Crash = {
  /** It is the first write of this type after event `seq`. */
  readonly seq: number;
  readonly write: "append" | "model_call" | "snapshot";
  /** The write must append an event of this kind; null: any write will do. */
  readonly kind: string | null;
  /** Whether the write reaches the disk. */
  readonly done: boolean;
};

export type FaultInjectorParts = {
  readonly runner: SimulationRunner;
  /** The events before the first event of the journal. */
  readonly history: readonly Row[];
  readonly crash: Crash | null;
  /** Called at the moment of the crash, to copy the files. */
  readonly crashed: () => void;
  /** Number of transactions between two audits. */
  readonly auditedEvery: number;
};

/**
 * Wraps the journal of a run. Audits the ledger after every `auditedEvery` transactions, records
 * which events were acknowledged, and simulates a crash: from the crash on, every write fails.
 */
export class FaultInjector {
  readonly rows: Row[];
  readonly #parts: FaultInjectorParts;
  readonly #auditor = new Auditor();
  #transactions = 0;
  #flush: () => void = () => {};
  #failure: JournalFailure | null = null;
  /** The number of the last event that was acknowledged. */
  acknowledged = 0;
  audits = 0;

  constructor(parts: FaultInjectorParts) {
    this.#parts = parts;
    const { runner, history } = parts;
    const { journal } = runner;
    // If the disk is already full, the next write ends the run.
    unlessFailed(() => journal.flush());
    this.rows = [...history, ...journal.events()];
    this.#auditor.note(this.rows);
    this.acknowledged = journal.head().seq;
    journal.onCommitted((rows) => {
      // The next session starts from the files at the crash, without later commits.
      if (this.#failure !== null) return;
      this.acknowledged = Math.max(this.acknowledged, rows.at(-1)?.seq ?? 0);
    });
    this.#wrapJournal();
  }

  get hasCrashed(): boolean {
    return this.#failure !== null;
  }

  #wrapJournal(): void {
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
      if (this.#failure !== null) throw this.#failure;
      flush.call(journal);
    };
    this.#flush = () => flush.call(journal);
    journal.failure = () => this.#failure ?? failure.call(journal);
    checkInvariants(world.state);
    this.#audit(journal.head().seq);
  }

  #write<T>(write: Crash["write"], events: readonly { readonly kind: string }[], work: () => T): T {
    if (this.#failure !== null) throw this.#failure;
    const { crash, crashed } = this.#parts;
    if (crash === null || !this.#isDue(crash, write, events)) return work();
    if (crash.done) {
      work();
      this.#flush();
    }
    crashed();
    this.#failure = new JournalFailure("the process has ended");
    throw this.#failure;
  }

  #isDue(crash: Crash, write: Crash["write"], events: readonly { readonly kind: string }[]) {
    if (write !== crash.write || this.#parts.runner.journal.head().seq < crash.seq) return false;
    return crash.kind === null || events.some(({ kind }) => kind === crash.kind);
  }

  #audit(seq: number): void {
    const { state } = this.#parts.runner.world;
    this.audits += 1;
    const [first] = this.#auditor.differences(state, worldRow(state).now);
    if (first !== undefined) throw new Finding(`event ${seq}: the auditor finds: ${first}`);
  }
}
