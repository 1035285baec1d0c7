import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Dice } from "../../../src/kernel/core/dice.ts";

const FILES = ["journal.db", "journal.db-wal"];

/** Copies the files of a journal as they are on the disk now. */
export const copyJournal = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const name of FILES) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
};

export const restoreJournal = (copy: string, folder: string): void => {
  for (const name of [...FILES, "journal.db-shm"]) rmSync(join(folder, name), { force: true });
  copyJournal(copy, folder);
};

/** Cuts off or overwrites the end of the write-ahead log, as a power cut can. */
export const damageLogEnd = (folder: string, dice: Dice): void => {
  const path = join(folder, "journal.db-wal");
  const sizeBytes = existsSync(path) ? statSync(path).size : 0;
  if (sizeBytes === 0) return;
  const tornBytes = Math.min(sizeBytes, 1 + dice.pick(dice.chance(0.5) ? 5_000 : sizeBytes));
  truncateSync(path, sizeBytes - tornBytes);
  if (dice.chance(0.5)) {
    const garbage = Buffer.from(Array.from({ length: Math.min(tornBytes, 9_000) }, () => 0xa5));
    writeFileSync(path, garbage, { flag: "a" });
  }
};

/** Deletes the memory index, or replaces it with a folder or with other text. */
export const damageMemoryIndex = (folder: string, dice: Dice): void => {
  const path = join(folder, "memory.db");
  rmSync(path, { recursive: true, force: true });
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  if (dice.chance(0.3)) mkdirSync(path);
  else if (dice.chance(0.7)) writeFileSync(path, "this is not an index".repeat(500));
};

/** The newest checkpoint file in this folder of an event up to `seq`; null if there is none. */
export const newestCheckpoint = (folder: string, seq: number): string | null => {
  if (!existsSync(folder)) return null;
  const seqs = readdirSync(folder)
    .filter((name) => name.endsWith(".ckpt"))
    .map((name) => Number(name.slice(0, -5)))
    .filter((each) => each <= seq);
  return seqs.length === 0 ? null : join(folder, `${Math.max(...seqs)}.ckpt`);
};

/** Deletes checkpoints of events that the journal no longer has. */
export const dropLaterCheckpoints = (folder: string, seq: number): void => {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (Number(name.slice(0, -5)) > seq) rmSync(join(folder, name));
  }
};
