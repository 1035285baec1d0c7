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
import type { Dice } from "../../../src/mind/policy/dice.ts";

const FILES = ["journal.db", "journal.db-wal"];

/** The files of a journal as they lie on the disk at this moment. */
export const copyJournal = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const name of FILES) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
};

/** Puts a copy back in the place of what has become of the journal since. */
export const putBack = (copy: string, folder: string): void => {
  for (const name of [...FILES, "journal.db-shm"]) rmSync(join(folder, name), { force: true });
  copyJournal(copy, folder);
};

/** Takes away the end of the log, or writes over it, as a power cut may leave it. */
export const tearTail = (folder: string, dice: Dice): void => {
  const path = join(folder, "journal.db-wal");
  const sizeBytes = existsSync(path) ? statSync(path).size : 0;
  if (sizeBytes === 0) return;
  const most = dice.chance(0.5) ? 5_000 : sizeBytes;
  const tornBytes = Math.min(sizeBytes, 1 + dice.pick(most));
  truncateSync(path, sizeBytes - tornBytes);
  if (dice.chance(0.5)) {
    const rubbish = Buffer.from(Array.from({ length: Math.min(tornBytes, 9_000) }, () => 0xa5));
    writeFileSync(path, rubbish, { flag: "a" });
  }
};

/** Makes of the index of memories something that is none. */
export const spoilMemory = (folder: string, dice: Dice): void => {
  const path = join(folder, "memory.db");
  rmSync(path, { recursive: true, force: true });
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  if (dice.chance(0.3)) mkdirSync(path);
  else if (dice.chance(0.7)) writeFileSync(path, "this is not an index".repeat(500));
};

/** The newest state that is kept in a file below this folder, of events up to `seq`. */
export const newestCheckpoint = (folder: string, seq: number): string | null => {
  if (!existsSync(folder)) return null;
  const seqs = readdirSync(folder)
    .filter((name) => name.endsWith(".ckpt"))
    .map((name) => Number(name.slice(0, -5)))
    .filter((each) => each <= seq);
  return seqs.length === 0 ? null : join(folder, `${Math.max(...seqs)}.ckpt`);
};

/** Files of a time that has not been, as far as the journal can tell. */
export const dropLaterCheckpoints = (folder: string, seq: number): void => {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (Number(name.slice(0, -5)) > seq) rmSync(join(folder, name));
  }
};
