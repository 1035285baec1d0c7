import { isObject } from "../../kernel/index.ts";
import type { CommandRow, JournalRow } from "./rows.ts";
import { FORMAT_VERSION } from "./schema.ts";

/** How rows of one format version read as rows of the next. Hashes are checked before this. */
export type Upcast = {
  readonly event: (row: JournalRow) => JournalRow;
  readonly command: (row: CommandRow) => CommandRow;
};

/** The key is the version that the function reads; what it returns is a row of version key + 1. */
export type UpcastTable = ReadonlyMap<number, Upcast>;

/**
 * In version 1 a thought had all that its mind keeps, and not only what changes of it. One that
 * failed, and alone has a `reason`, kept with null what there was.
 */
const withMindAsChange = (body: string): string => {
  if (!body.includes('"mind":')) return body;
  const record: unknown = JSON.parse(body);
  if (!isObject(record) || record.mind === undefined) return body;
  const { mind, ...rest } = record;
  const keeps = mind === null && "reason" in rest;
  return JSON.stringify(keeps ? rest : { ...record, mind: { to: mind } });
};

const AS_IT_IS: Upcast = { event: (row) => row, command: (row) => row };

const UPCASTS: UpcastTable = new Map([
  [
    1,
    {
      event: (row) =>
        row.kind === "thought_completed" || row.kind === "thought_failed"
          ? { ...row, body: withMindAsChange(row.body) }
          : row,
      command: (row) => ({ ...row, command: withMindAsChange(row.command) }),
    },
  ],
  // Its rows lie in other tables (see EVENTS_WITH_COMMANDS) and are the same.
  [2, AS_IT_IS],
]);

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
