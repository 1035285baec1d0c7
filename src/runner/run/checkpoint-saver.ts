import { costIn } from "../../mind/index.ts";
import {
  appendRunEvent,
  type CheckpointSource,
  checkpointFile,
  checkpointOf,
  type Journal,
  type PackedSnapshot,
  saveSnapshot,
  type World,
  writeCheckpoint,
} from "../../world/index.ts";
import { type Config, msOf, renderConfig } from "../config/index.ts";
import { runEvery, type Schedule } from "./interval.ts";
import type { CheckpointSaved } from "./operator.ts";

type CheckpointSaverParts = Schedule & {
  readonly config: Config;
  readonly dir: string | null;
  readonly about: Pick<CheckpointSource, "madeBy" | "run">;
  readonly journal: Journal;
  readonly world: World;
  readonly warn: (text: string) => void;
};

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
    const { config, journal, world, signal } = this.#parts;
    const { every_s } = config.checkpoint;
    if (every_s === null) return;
    runEvery(msOf(every_s), this.#parts, async (atMs) => {
      const taken = await saveSnapshot(journal, world.state);
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

  /** Saves the last state. Returns its hash, and the path of the checkpoint file or null. */
  async saveFinal(
    atMs: number,
  ): Promise<{ readonly stateHash: string; readonly file: string | null }> {
    const { journal, world, config } = this.#parts;
    await this.#saving;
    const taken = await saveSnapshot(journal, world.state);
    const stateHash = taken.state.sha256;
    if (!config.checkpoint.on_end) return { stateHash, file: null };
    const file = await this.#writeOrWarn(taken, atMs);
    this.#note(taken);
    return { stateHash, file };
  }

  async #save(): Promise<CheckpointSaved> {
    const { journal, world, clock } = this.#parts;
    const atMs = clock.now();
    const taken = await saveSnapshot(journal, world.state);
    const written = await this.#write(taken, atMs);
    this.#note(taken);
    return written;
  }

  async #writeOrWarn(taken: PackedSnapshot, atMs: number): Promise<string | null> {
    const written = await this.#write(taken, atMs);
    if (written.ok) return written.file;
    this.#parts.warn(`no checkpoint was written: ${written.problem}`);
    return null;
  }

  async #write(taken: PackedSnapshot, atMs: number): Promise<CheckpointSaved> {
    const { dir, journal, about, config } = this.#parts;
    const { seq } = taken;
    if (dir === null) return { ok: true, seq, file: null };
    const file = checkpointFile(dir, { id: about.run.id, seq });
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

  #note({ seq, state }: PackedSnapshot): void {
    const { journal, clock } = this.#parts;
    const body = { last_seq: seq, state_hash: state.sha256 };
    appendRunEvent(journal, { atMs: clock.now(), kind: "checkpoint_saved", body });
  }
}
