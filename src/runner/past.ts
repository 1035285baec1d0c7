import { liveArtifact, type State, type StateRead, whyUnsound } from "../kernel/index.ts";
import {
  beginningOf,
  type Checkpoint,
  damageIn,
  Journal,
  JournalFailure,
  restore,
  soundState,
} from "../world/index.ts";
import { agentProblem } from "./agent-problem.ts";
import type { Config } from "./config/index.ts";
import { runPaths } from "./run-paths.ts";
import { journalSettings } from "./run-plan.ts";
import { type Asked, askedIn, NOTHING_ASKED } from "./spending.ts";

/** A journal that holds a past, and the state in which it ends. */
export type Past = {
  readonly journal: Journal;
  readonly state: State;
  /** Run time of its last event. */
  readonly atMs: number;
  readonly asked: Asked;
};

export type PastRead =
  | ({ readonly ok: true } & Past)
  | { readonly ok: false; readonly problem: string };

/** The state of a checkpoint, if a run can go on from it. */
export const stateFrom = (from: Checkpoint): StateRead => {
  const read = soundState(from);
  const problem = read.ok ? unreadableAgent(read.state) : read.problem;
  if (problem === null) return read;
  const where = `${from.run.id} after event ${from.seq}`;
  return { ok: false, problem: `cannot go on from ${where}: ${problem}` };
};

/**
 * Makes in a new run's folder a journal that begins where the checkpoint was taken. `state` is that
 * of the checkpoint, and from then on the run's.
 */
export const pastFrom = (
  folder: string,
  config: Config,
  { from, state }: { readonly from: Checkpoint; readonly state: State },
): PastRead => {
  const settings = { ...journalSettings(config), base: beginningOf(from) };
  const created = Journal.create(runPaths(folder).journal, settings);
  if (!created.ok) return created;
  const { journal } = created;
  const { spentMicros } = from;
  return { ok: true, journal, state, atMs: from.atMs, asked: { ...NOTHING_ASKED, spentMicros } };
};

/** Opens the journal of a run that was stopped or that has crashed, to go on writing it. */
export const pastIn = (folder: string, config: Config): PastRead => {
  const opened = Journal.open(runPaths(folder).journal, journalSettings(config));
  if (!opened.ok) return opened;
  const { journal } = opened;
  try {
    const past = pastOf(journal);
    if (!past.ok) journal.close();
    return past;
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    journal.close();
    return { ok: false, problem: error.message };
  }
};

/** @throws JournalFailure when the journal is damaged. */
const pastOf = (journal: Journal): PastRead => {
  const { path } = journal;
  const damage = damageIn(journal);
  if (damage !== null) return { ok: false, problem: damage };
  const { state, atMs } = restore(journal);
  // Told apart from what else is unsound: there is no earlier moment of it to fork.
  if (!state.whole.has("world")) {
    return { ok: false, problem: `${path} holds no world yet: nothing had begun` };
  }
  const unsound = whyUnsound(state, atMs) ?? unreadableAgent(state);
  if (unsound !== null) {
    const cure = "look with `sim verify`, then fork an earlier moment of it";
    return { ok: false, problem: `${path} cannot be gone on with: ${unsound}; ${cure}` };
  }
  return { ok: true, journal, state, atMs, asked: askedIn(journal, Date.now()) };
};

/** An agent that goes on thinks as its artifact says, which this program must understand. */
const unreadableAgent = (state: State): string | null => {
  for (const { id, state: now } of state.agents.rows()) {
    const content = now === "stopped" ? undefined : liveArtifact(state, id)?.content;
    const problem = content === undefined ? null : agentProblem(content);
    if (problem !== null) return `the agent ${id} cannot think: ${problem}`;
  }
  return null;
};
