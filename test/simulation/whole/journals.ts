import { basename, join } from "node:path";
import { costIn } from "../../../src/model/index.ts";
import { type Checkpoint, checkpointOf, Journal } from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";

/** A fault that the simulation found in the program under test. */
export class Finding extends Error {
  override readonly name = "Finding";
}

/** The number of the last event of the transaction that opens a world. */
export const lastOpeningEvent = (rows: readonly Row[]): number =>
  rows.findLastIndex(({ kind, atMs }) => kind === "agent_created" && atMs === 0) + 1;

const openJournal = (folder: string): Journal => {
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Finding(opened.problem);
  return opened.journal;
};

/** The state of a run after the transaction that holds event `upTo`. */
export const checkpointAt = async (folder: string, upTo: number): Promise<Checkpoint> => {
  const journal = openJournal(folder);
  const made = await checkpointOf(journal, {
    madeBy: { version: "0.0.0", engine: "" },
    run: { id: basename(folder), seed: 1, clock: "virtual" },
    config: "",
    costMicrosOf: costIn,
    upTo,
  });
  journal.close();
  if (!made.ok) throw new Finding(made.problem);
  return made.checkpoint;
};

/** Opens the journal of a run and closes it after `use` has returned. */
export const withJournal = <T>(folder: string, use: (journal: Journal) => T): T => {
  const journal = openJournal(folder);
  try {
    return use(journal);
  } finally {
    journal.close();
  }
};

/** Notes on the process, which differ between equal worlds. */
const NOTES = /^(run_|checkpoint_|alarm_|warning_)/;

/** Describes the first event that differs between two runs of a world; null if they are equal. */
export const divergenceOf = (one: readonly Row[], other: readonly Row[]): string | null => {
  const text = (row: Row | undefined): string => {
    if (row === undefined) return "nothing";
    const { atMs, kind, principal, body } = row;
    return `${atMs} ms ${kind} of ${principal}: ${body}`;
  };
  const [left = [], right = []] = [one, other].map((rows) =>
    rows.filter(({ kind }) => !NOTES.test(kind)).map(text),
  );
  for (let n = 0; n < Math.max(left.length, right.length); n += 1) {
    if (left[n] === right[n]) continue;
    const [without, with_] = [left[n], right[n]].map((each = "nothing") => each.slice(0, 1_500));
    return `event ${n + 1} of the world\n  without: ${without}\n  with:    ${with_}`;
  }
  return null;
};
