import { basename, join } from "node:path";
import { costIn } from "../../../src/mind/index.ts";
import { type Checkpoint, checkpointOf, Journal } from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";
import { Finding } from "./finding.ts";

/** The last event of the world's making, which is in one commit. */
export const openingOf = (rows: readonly Row[]): number =>
  rows.findLastIndex(({ kind, atMs }) => kind === "agent_created" && atMs === 0) + 1;

/** The state of a run after the transaction that holds event `upTo`. */
export const cutAt = async (folder: string, upTo: number): Promise<Checkpoint> => {
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Finding(opened.problem);
  const { journal } = opened;
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

/** Opens the journal of a run for as long as it is used. */
export const withJournal = <T>(folder: string, use: (journal: Journal) => T): T => {
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Finding(opened.problem);
  try {
    return use(opened.journal);
  } finally {
    opened.journal.close();
  }
};

const NOTES = /^(run_|checkpoint_|alarm_|warning_)/;

/** The first event of the world in which two courses of it differ; null where none does. */
export const partingOf = (one: readonly Row[], other: readonly Row[]): string | null => {
  const tell = (row: Row | undefined): string => {
    if (row === undefined) return "nothing";
    const { atMs, kind, principal, body } = row;
    return `${atMs} ms ${kind} of ${principal}: ${body}`;
  };
  const [left, right] = [one, other].map((rows) => rows.filter(({ kind }) => !NOTES.test(kind)));
  for (let place = 0; ; place += 1) {
    const [whole, mishaps] = [left?.[place], right?.[place]];
    if (whole === undefined && mishaps === undefined) return null;
    const told = [whole, mishaps].map((row) => tell(row).slice(0, 1_500));
    if (tell(whole) === tell(mishaps)) continue;
    return `event ${place + 1} of the world\n  without: ${told[0]}\n  with:    ${told[1]}`;
  }
};
