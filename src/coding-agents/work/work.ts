import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { KnownSession } from "../../mind/index.ts";
import type { Environment } from "../../model/index.ts";
import { RunFailure, readText, readTextIn, showProblem } from "../../run/index.ts";
import { conversationTurns } from "../program/conversation-batch.ts";
import { newMark } from "../program/marked-processes.ts";
import type { AgentProgram } from "../program/providers.ts";
import { runTurn, type TurnResult } from "../program/run-turn.ts";
import type { Segment } from "../program/stream/segment.ts";
import { detectCdCommands, workingFolder } from "../program/working-folder.ts";
import { WorkFolder } from "./work-folder.ts";
import { agentName, WorkMoments } from "./work-moments.ts";

/** One task of an agent in a folder. */
export type WorkTask = {
  readonly agent: string;
  readonly prompt: string;
  readonly folder: string;
  readonly program: AgentProgram;
  readonly timeoutS: number;
  /** The file of the system prompt. Null: that of the agent in the folder. */
  readonly systemPromptFile: string | null;
  /** Whether the session of the last task is not continued. */
  readonly isFresh: boolean;
  /** Variables of the environment that the program gets in addition. */
  readonly passed: readonly string[];
};

type WorkHost = {
  readonly pid: number;
  readonly env: Environment;
  readonly note: (text: string) => void;
  /** Must not throw. */
  readonly onSegment: (segment: Segment) => void;
  /** Ends the task. */
  readonly signal: AbortSignal;
};

type WorkDone = {
  readonly result: TurnResult;
  /** The folder where the last `cd` of the agent has led, or null. */
  readonly cwd: string | null;
  readonly completion_moment_id: string | null;
};

/** Runs one task of an agent. @throws RunFailure if the agent cannot work. */
export const work = async (task: WorkTask, host: WorkHost): Promise<WorkDone> => {
  const { agent: actorId, folder, program, prompt } = task;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new RunFailure(`${folder} is not a folder`);
  }
  const systemPrompt = systemPromptOf(task);
  const variables = passedVariables(task.passed, host.env);
  const kept = new WorkFolder(folder, actorId);
  const note = kept.clear();
  if (note !== null) host.note(note);
  const { moments: sequence, last_moment: previous } = kept.state;
  const moments = new WorkMoments({ actorId, folder, sequence, previous, now: () => new Date() });
  const session = sessionOf(kept, task);
  const mark = newMark();
  kept.begin(host.pid, { mark });
  let change: Parameters<WorkFolder["end"]>[0] = {};
  try {
    kept.record(moments.assigned(prompt));
    const result = await runTurn({
      program,
      folder,
      prompt,
      systemPrompt,
      session,
      mcpServer: null,
      timeoutMs: task.timeoutS * 1_000,
      env: host.env,
      variables,
      signal: host.signal,
      mark,
      onSegment: host.onSegment,
      onSession: (session_id) => kept.update({ session_id, provider: program.provider }),
      onStatus: (status) =>
        kept.update({ activity: status.kind === "tool" ? status.tool : status.kind }),
    });
    kept.record(moments.ended(result));
    const paths = detectCdCommands(conversationTurns(result.segments));
    const cwd = workingFolder(paths, { folder, home: homedir() }) ?? kept.state.cwd;
    const { session_id, reported } = result;
    const { provider } = program;
    change = { cwd, ...(session_id === null ? {} : { session_id, provider, reported }) };
    return { result, cwd, completion_moment_id: moments.place.previous };
  } finally {
    const { sequence: count, previous: last } = moments.place;
    kept.end({ ...change, moments: count, last_moment: last });
  }
};

/** @throws RunFailure if there is no such file. */
const systemPromptOf = ({ agent, folder, systemPromptFile }: WorkTask): string => {
  if (systemPromptFile !== null) {
    const read = readText(systemPromptFile);
    if (!read.ok) throw new RunFailure(read.problems.map(showProblem));
    return read.text;
  }
  // `AGENT_Witness` has the folder `witness`. An id without the prefix is a name as it is.
  const name = agentName(agent) === agent ? agent : agentName(agent).toLowerCase();
  const home = join(".mind", "actors", name);
  for (const file of ["CLAUDE.md", "AGENTS.md", "GEMINI.md"]) {
    const path = join(home, file);
    const read = existsSync(join(folder, path)) ? readTextIn(folder, path) : null;
    if (read?.ok === true) return read.text;
    if (read !== null) throw new RunFailure(read.problems.map(showProblem));
  }
  const cure = `write ${join(folder, home, "CLAUDE.md")}, or use --system-prompt FILE`;
  throw new RunFailure(`${agent} has no system prompt; ${cure}`);
};

/** Only the same program knows the session of the last task. */
const sessionOf = ({ state }: WorkFolder, task: WorkTask): KnownSession | null => {
  const { session_id, provider, reported } = state;
  const isKnown = session_id !== null && provider === task.program.provider && !task.isFresh;
  return isKnown && task.program.provider !== "command" ? { session_id, reported } : null;
};

/** @throws RunFailure for a variable that is not set. */
const passedVariables = (names: readonly string[], env: Environment): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const value = env[name];
      if (value === undefined) throw new RunFailure(`--env ${name}: the variable is not set`);
      return [name, value];
    }),
  );
