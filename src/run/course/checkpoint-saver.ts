import { costIn } from "../../model/index.ts";
import {
  appendRunEvent,
  type CheckpointSource,
  type Clock,
  checkpointFile,
  checkpointOf,
  type Journal,
  type OpenThought,
  saveSnapshot,
  type World,
  writeCheckpoint,
} from "../../world/index.ts";
import { type Config, msOf, renderConfig } from "../config/index.ts";
import { runEvery } from "../core/interval.ts";
import type { CheckpointSaved } from "./operator.ts";

type CheckpointSaverParts = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly config: Config;
  readonly dir: string | null;
  readonly about: Pick<CheckpointSource, "madeBy" | "run">;
  readonly journal: Journal;
  readonly world: World;
  /** Returns the thoughts in progress. */
  readonly thoughts: () => readonly OpenThought[];
  readonly warn: (text: string) => void;
};

type Taken = NonNullable<CheckpointSource["taken"]>;

/**
 * Saves the state of a run at intervals and at the end of the run. A snapshot in the journal serves
 * to resume the run. A checkpoint file serves to start other runs. If the file cannot be written,
 * the run does not fail, because the journal contains the same state.
 */
export class CheckpointSaver {
  readonly #parts: CheckpointSaverParts;
  #saving: Promise<CheckpointSaved> | null = null;

  constructor(parts: CheckpointSaverParts) {
    this.#parts = parts;
  }

  start(): void {
    const { config, clock, signal } = this.#parts;
    const { every_s } = config.checkpoint;
    if (every_s === null) return;
    runEvery(msOf(every_s), clock, signal, async (atMs) => {
      const taken = await this.#take();
      await this.#writeOrWarn(taken, atMs);
      if (!signal.aborted) this.#note(taken);
    });
  }

  save(): Promise<CheckpointSaved> {
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /**
   * Saves the last state of a run that ended at `atMs`. Returns its hash, and the path of the
   * checkpoint file or null. The note has this time too, so that no note is later than the end.
   */
  async saveFinal(
    atMs: number,
  ): Promise<{ readonly stateHash: string; readonly file: string | null }> {
    const { config } = this.#parts;
    await this.#saving;
    const taken = await this.#take();
    const stateHash = taken.state.sha256;
    if (!config.checkpoint.on_end) return { stateHash, file: null };
    const file = await this.#writeOrWarn(taken, atMs);
    this.#note(taken, atMs);
    return { stateHash, file };
  }

  async #save(): Promise<CheckpointSaved> {
    const atMs = this.#parts.clock.now();
    const taken = await this.#take();
    const written = await this.#write(taken, atMs);
    this.#note(taken);
    return written;
  }

  async #take(): Promise<Taken> {
    const { journal, world, thoughts } = this.#parts;
    const inProgress = thoughts();
    return { ...(await saveSnapshot(journal, world.state)), thoughts: inProgress };
  }

  async #writeOrWarn(taken: Taken, atMs: number): Promise<string | null> {
    const written = await this.#write(taken, atMs);
    if (written.ok) return written.file;
    this.#parts.warn(`no checkpoint was written: ${written.problem}`);
    return null;
  }

  async #write(taken: Taken, atMs: number): Promise<CheckpointSaved> {
    const { dir, journal, about, config } = this.#parts;
    const { seq } = taken;
    if (dir === null) return { ok: true, seq, file: null };
    const file = checkpointFile(dir, { id: about.run.id, seq, atMs });
    const made = await checkpointOf(journal, {
      ...about,
      config: renderConfig(config),
      costMicrosOf: costIn,
      taken,
      atMs,
    });
    const written = made.ok ? await writeCheckpoint(file, made.checkpoint) : made;
    return written.ok ? { ok: true, seq, file } : written;
  }

  #note({ seq, state }: Taken, atMs = this.#parts.clock.now()): void {
    const body = { last_seq: seq, state_hash: state.sha256 };
    appendRunEvent(this.#parts.journal, { atMs, kind: "checkpoint_saved", body });
  }
}
