import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk in memory, as Linux has one: nothing here is to outlive a power cut. */
const IN_MEMORY = "/dev/shm";
const FREE_BYTES_MIN = 1e9;

const isRoomy = (folder: string): boolean => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > FREE_BYTES_MIN;
};

/** A new folder for one world, where no disk is waited for if there is such a place. */
export const newRoom = (): string =>
  mkdtempSync(join(isRoomy(IN_MEMORY) ? IN_MEMORY : tmpdir(), "catallaxy-world-"));
