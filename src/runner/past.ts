import { join } from "node:path";
import { beginningOf, type Checkpoint, Journal, JournalFailure, restore } from "../world/index.ts";
import type { Config } from "./config/index.ts";
import { journalSettings } from "./run-plan.ts";
import type { Past } from "./simulation-runner.ts";
import { spentIn } from "./spending.ts";

export type PastRead =
  | ({ readonly ok: true } & Past)
  | { readonly ok: false; readonly problem: string };

const JOURNAL = "journal.db";

/** Makes in a new run's folder a journal that begins where the checkpoint was taken. */
export const pastFrom = (folder: string, config: Config, from: Checkpoint): PastRead => {
  const settings = { ...journalSettings(config), base: beginningOf(from) };
  const created = Journal.create(join(folder, JOURNAL), settings);
  return created.ok ? pastOf(created.journal) : created;
};

/** Opens the journal of a run that was stopped or that has crashed, to go on writing it. */
export const pastIn = (folder: string, config: Config): PastRead => {
  const opened = Journal.open(join(folder, JOURNAL), journalSettings(config));
  return opened.ok ? pastOf(opened.journal) : opened;
};

const pastOf = (journal: Journal): PastRead => {
  try {
    const { state, atMs } = restore(journal);
    const spentMicros = spentIn(journal);
    if (state.whole.has("world")) return { ok: true, journal, state, atMs, spentMicros };
    journal.close();
    return { ok: false, problem: `${journal.path} holds no world yet: nothing had begun` };
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    journal.close();
    return { ok: false, problem: error.message };
  }
};
