import { costIn } from "../mind/index.ts";
import {
  type Clock,
  checkpointFile,
  checkpointOf,
  type Journal,
  type Making,
  noteRun,
  type Taken,
  takeSnapshotBeside,
  type World,
  writeCheckpoint,
} from "../world/index.ts";
import { nextMultiple } from "./next-multiple.ts";
import type { Kept } from "./operator.ts";

/** When and where checkpoints are kept. */
export type CheckpointPlan = {
  /** Run time between two; null: none while the run is under way. */
  readonly everyMs: number | null;
  readonly onEnd: boolean;
  /** The folder of the files of all runs; null: no files are written. */
  readonly dir: string | null;
  /** The configuration of the run, as it is kept in its directory. */
  readonly config: string;
};

export type CheckpointKeeperParts = CheckpointPlan & {
  readonly about: Pick<Making, "madeBy" | "run">;
  readonly journal: Journal;
  readonly world: World;
  readonly clock: Clock;
  /** After all others, who have then done what they do at that moment. */
  readonly order: number;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
};

/**
 * Keeps the state of a run every so often and at its end: as a snapshot in the journal, from which
 * it can be resumed, and as a file, from which another run can begin. A file that cannot be written
 * is told and stops nobody, since the journal holds all that is in it.
 */
export class CheckpointKeeper {
  readonly #parts: CheckpointKeeperParts;
  /** What was asked for and is being written down. */
  #asked: Promise<Kept> | null = null;

  constructor(parts: CheckpointKeeperParts) {
    this.#parts = parts;
  }

  begin(): void {
    const { everyMs, clock, order } = this.#parts;
    if (everyMs !== null) clock.spawn(() => this.#keepEvery(everyMs), order);
  }

  /** The state as it is now, because somebody asks for it, beside what goes on meanwhile. */
  now(): Promise<Kept> {
    this.#asked ??= this.#keepNow().finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  /** The state at the end. Returns its hash, and the file where one was written. */
  async end(atMs: number): Promise<{ readonly stateHash: string; readonly file: string | null }> {
    const { journal, world, onEnd, warn } = this.#parts;
    await this.#asked;
    const taken = await takeSnapshotBeside(journal, world.state);
    const written = onEnd ? await this.#write(taken, atMs) : null;
    if (written?.ok === false) warn(`no checkpoint was written: ${written.problem}`);
    if (onEnd) this.#note(taken);
    return { stateHash: taken.state.sha256, file: written?.ok === true ? written.file : null };
  }

  async #keepEvery(everyMs: number): Promise<void> {
    const { journal, world, clock, order, signal } = this.#parts;
    for (let atMs = nextMultiple(clock.now(), everyMs); ; atMs += everyMs) {
      if ((await clock.until(atMs, order, signal)) === "cancelled") return;
      const taken = await takeSnapshotBeside(journal, world.state);
      const written = await this.#write(taken, atMs);
      if (!written.ok) this.#parts.warn(`no checkpoint was written: ${written.problem}`);
      if (signal.aborted) return;
      this.#note(taken);
    }
  }

  async #keepNow(): Promise<Kept> {
    const { journal, world, clock } = this.#parts;
    const atMs = clock.now();
    const taken = await takeSnapshotBeside(journal, world.state);
    const written = await this.#write(taken, atMs);
    this.#note(taken);
    return written;
  }

  async #write(taken: Taken, atMs: number): Promise<Kept> {
    const { dir, journal, about, config } = this.#parts;
    const { seq } = taken;
    if (dir === null) return { ok: true, seq, file: null };
    const file = checkpointFile(dir, { id: about.run.id, seq });
    const made = await checkpointOf(journal, {
      ...about,
      config,
      costMicrosOf: costIn,
      taken,
      atMs,
    });
    const written = made.ok ? await writeCheckpoint(file, made.checkpoint) : made;
    return written.ok ? { ok: true, seq, file } : written;
  }

  #note({ seq, state }: Taken): void {
    const { journal, clock } = this.#parts;
    const body = { last_seq: seq, state_hash: state.sha256 };
    noteRun(journal, { atMs: clock.now(), kind: "checkpoint_saved", body });
  }
}
