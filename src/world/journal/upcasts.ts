import type { CommandRow, JournalRow } from "./rows.ts";
import { FORMAT_VERSION } from "./schema.ts";

/** How rows of one format version read as rows of the next. Hashes are checked before this. */
export type Upcast = {
  readonly event: (row: JournalRow) => JournalRow;
  readonly command: (row: CommandRow) => CommandRow;
};

/** The key is the version that the function reads; what it returns is a row of version key + 1. */
export type UpcastTable = ReadonlyMap<number, Upcast>;

const UPCASTS: UpcastTable = new Map();

const AS_IT_IS: Upcast = { event: (row) => row, command: (row) => row };

/**
 * One upcast from `version` to `target` (by default the present one), made of all the steps
 * between. Null when a step is missing: the version is older than this program can read.
 */
export function upcastFrom(
  version: number,
  table: UpcastTable = UPCASTS,
  target: number = FORMAT_VERSION,
): Upcast | null {
  if (version === target) return AS_IT_IS;
  const steps: Upcast[] = [];
  for (let step = version; step < target; step += 1) {
    const upcast = table.get(step);
    if (upcast === undefined) return null;
    steps.push(upcast);
  }
  return {
    event: (row) => steps.reduce((later, step) => step.event(later), row),
    command: (row) => steps.reduce((later, step) => step.command(later), row),
  };
}
