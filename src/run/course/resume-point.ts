import { emptyState, type Result, type State, stateProblem } from "../../kernel/index.ts";
import { type RecordedCall, readCalls } from "../../model/index.ts";
import {
  type Checkpoint,
  damageIn,
  Journal,
  type OpenThought,
  openThoughts,
  restore,
  type StateRead,
  startStateOf,
  validatedState,
} from "../../world/index.ts";
import { storedProblem } from "../agents/agent-minds.ts";
import type { Config } from "../config/index.ts";
import { unlessFailed } from "../core/journal-failure.ts";
import { type ModelUsage, modelUsageIn } from "../core/model-usage.ts";
import { runPaths } from "../files/run-files.ts";
import { agentContents } from "../minds/agent-contents.ts";

export type ResumePoint = {
  readonly journal: Journal;
  readonly state: State;
  readonly atMs: number;
  readonly usage: ModelUsage;
  /** The thoughts in progress, and the recorded model calls of these thoughts. */
  readonly thoughts: readonly OpenThought[];
  readonly calls: readonly RecordedCall[];
};

type ResumePointRead = Result<ResumePoint>;

const NO_MODEL_USAGE: ModelUsage = { spentMicros: 0, attempts: [] };

/** The start of a new run, in an empty world. */
export const startOf = (journal: Journal): ResumePoint => {
  const nothing = { usage: NO_MODEL_USAGE, thoughts: [], calls: [] };
  return { journal, state: emptyState(), atMs: 0, ...nothing };
};

export const journalSettings = ({ journal }: Config) =>
  ({ sync: journal.sync, groupMs: journal.group_ms }) as const;

export const stateFrom = (from: Checkpoint): StateRead => {
  const read = validatedState(from);
  const problem = read.ok ? unreadableAgent(read.state) : read.problem;
  if (problem === null) return read;
  const where = `${from.run.id} after event ${from.seq}`;
  return { ok: false, problem: `cannot start from ${where}: ${problem}` };
};

/** Creates a journal in `folder` from the checkpoint `from`. `state` is the checkpoint's state. */
export const resumePointFrom = (
  folder: string,
  config: Config,
  { from, state }: { readonly from: Checkpoint; readonly state: State },
): ResumePointRead => {
  const settings = { ...journalSettings(config), base: startStateOf(from) };
  const created = Journal.create(runPaths(folder).journal, settings);
  if (!created.ok) return created;
  const usage = { ...NO_MODEL_USAGE, spentMicros: from.spentMicros };
  const { atMs, thoughts } = from;
  return { ok: true, journal: created.journal, state, atMs, usage, thoughts, calls: [] };
};

export const resumePointIn = (folder: string, config: Config): ResumePointRead => {
  const opened = Journal.open(runPaths(folder).journal, journalSettings(config));
  if (!opened.ok) return opened;
  const { journal } = opened;
  const point = unlessFailed(() => resumePointOf(journal));
  if (typeof point !== "string" && point.ok) return point;
  journal.close();
  return typeof point === "string" ? { ok: false, problem: point } : point;
};

/** @throws JournalFailure if reading the journal fails. */
const resumePointOf = (journal: Journal): ResumePointRead => {
  const { path } = journal;
  const damage = damageIn(journal);
  if (damage !== null) return { ok: false, problem: damage };
  const { state, seq, atMs } = restore(journal);
  // An empty journal is a separate case, because it has no earlier event at which to fork the run.
  if (!state.world.has("world")) {
    return { ok: false, problem: `${path} is empty because the run never started` };
  }
  const invalid = stateProblem(state, atMs) ?? unreadableAgent(state);
  if (invalid !== null) {
    const fix = "check it with `sim verify`, then fork it at an earlier event";
    return { ok: false, problem: `${path} cannot be resumed: ${invalid}; ${fix}` };
  }
  const thoughts = openThoughts(journal, { state, seq });
  const calls = callsOf(journal, thoughts);
  const usage = modelUsageIn(journal, Date.now());
  return { ok: true, journal, state, atMs, usage, thoughts, calls };
};

/** Returns the recorded calls of thoughts in progress. */
const callsOf = (journal: Journal, thoughts: readonly OpenThought[]): readonly RecordedCall[] => {
  if (thoughts.length === 0) return [];
  const sinceMs = new Map(thoughts.map(({ agent, view }) => [agent, view.now]));
  return [...readCalls(journal.modelCalls())].flatMap((read) => {
    if (!read.ok || read.call.request.agent === null) return [];
    return sinceMs.get(read.call.request.agent) === read.call.atMs ? [read.call] : [];
  });
};

/** Returns a problem if this version cannot read the configuration of an agent, or null. */
const unreadableAgent = (state: State): string | null => {
  for (const { id, content } of agentContents(state)) {
    const problem = storedProblem(content);
    if (problem !== null) return `the configuration of agent ${id} is invalid: ${problem}`;
  }
  return null;
};
