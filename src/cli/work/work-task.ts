import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type AgentProgram,
  agentName,
  conversationTurns,
  detectCdCommands,
  newMark,
  providerNamed,
  runTurn,
  type TurnResult,
  WorkMoments,
  workingFolder,
} from "../../coding-agents/index.ts";
import type { KnownSession } from "../../mind/index.ts";
import { readText, showProblem } from "../../run/index.ts";
import { CliError, EXIT } from "../exit.ts";
import { listenForStop } from "../run/execute-run.ts";
import type { Shell } from "../shell.ts";
import { endLine, showSegment } from "./work-display.ts";
import { WorkFolder } from "./work-folder.ts";

const PROMPT_FILES = ["CLAUDE.md", "AGENTS.md", "GEMINI.md"];

type WorkTask = {
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
  readonly json: boolean;
};

/** Runs one task of an agent. @throws CliError if the agent cannot work. */
export const work = async (task: WorkTask, shell: Shell): Promise<void> => {
  const { output } = shell;
  if (statSync(task.folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CliError(`${task.folder} is not a folder`);
  }
  const systemPrompt = systemPromptOf(task);
  const variables = passedVariables(task.passed, shell.env);
  const kept = new WorkFolder(task.folder, task.agent);
  const note = kept.clear();
  if (note !== null) output.note(`note: ${note}`);
  const { moments: sequence, last_moment: previous } = kept.state;
  const { agent: actorId, folder } = task;
  const now = (): Date => new Date();
  const moments = new WorkMoments({ actorId, folder, sequence, previous, now });
  const session = sessionOf(kept, task);
  const mark = newMark();
  kept.begin(shell.pid, { mark });
  let change: Parameters<WorkFolder["end"]>[0] = {};
  try {
    kept.record(moments.assigned(task.prompt));
    const result = await turn(task, { systemPrompt, variables, session, mark, kept }, shell);
    kept.record(moments.ended(result));
    const cwd = cwdAfter(result, folder) ?? kept.state.cwd;
    const { session_id, reported } = result;
    const { provider } = task.program;
    change = { cwd, ...(session_id === null ? {} : { session_id, provider, reported }) };
    report(task, { result, cwd, completion_moment_id: moments.place.previous }, shell);
  } finally {
    const { sequence: count, previous: last } = moments.place;
    kept.end({ ...change, moments: count, last_moment: last });
  }
};

type TurnParts = {
  readonly systemPrompt: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly session: KnownSession | null;
  readonly mark: string;
  readonly kept: WorkFolder;
};

const turn = async (
  task: WorkTask,
  { systemPrompt, variables, session, mark, kept }: TurnParts,
  shell: Shell,
): Promise<TurnResult> => {
  const { program, folder, prompt, timeoutS, json } = task;
  const { output, env } = shell;
  const stopping = listenForStop(shell);
  const ending = new AbortController();
  stopping.onStop(() => ending.abort());
  const shows = !json && !output.isQuiet();
  const result = await runTurn({
    ...{ program, folder, prompt, systemPrompt, session, mcpServer: null, env, mark },
    timeoutMs: timeoutS * 1_000,
    variables,
    signal: ending.signal,
    onSegment: (segment) => {
      if (shows) showSegment(output, segment);
    },
    onSession: (session_id) => kept.update({ session_id, provider: program.provider }),
    onStatus: (status) =>
      kept.update({ activity: status.kind === "tool" ? status.tool : status.kind }),
  });
  stopping.end();
  return result;
};

type Ended = {
  readonly result: TurnResult;
  readonly cwd: string | null;
  readonly completion_moment_id: string | null;
};

const report = (
  task: WorkTask,
  { result, cwd, completion_moment_id }: Ended,
  shell: Shell,
): void => {
  const { output } = shell;
  if (task.json) output.json({ actor_id: task.agent, ...result, cwd, completion_moment_id });
  else if (output.isQuiet() && result.output !== "") output.block(result.output);
  for (const warning of task.json ? [] : result.warnings) output.note(`note: ${warning}`);
  if (result.not_found) throw new CliError(notFoundText(task.program), EXIT.couldNotRun);
  if (result.success) {
    if (!task.json) output.note(endLine(task.agent, result));
    return;
  }
  output.problem(endLine(task.agent, result));
  // A signal has set its own exit code.
  if (!result.aborted) shell.endWith(EXIT.failed);
};

const notFoundText = (program: AgentProgram): string => {
  if (program.provider === "command") {
    const [file] = program.argv;
    return /[/\\]/.test(file)
      ? `${file} does not exist; check the path of the command`
      : `${file} is not on the PATH; install it, or write its full path`;
  }
  const { executable, installPage } = providerNamed(program.provider);
  const name = program.executable ?? executable;
  return `${name} is not on the PATH; ${installPage} says how to install it`;
};

/** @throws CliError if there is no such file. */
const systemPromptOf = ({ agent, folder, systemPromptFile }: WorkTask): string => {
  if (systemPromptFile !== null) {
    const read = readText(systemPromptFile);
    if (!read.ok) throw new CliError(read.problems.map(showProblem));
    return read.text;
  }
  const name = actorName(agent);
  const home = join(folder, ".mind", "actors", name);
  const [found] = PROMPT_FILES.flatMap((file) => textOf(join(home, file)) ?? []);
  const cure = `write ${join(home, "CLAUDE.md")}, or use --system-prompt FILE`;
  if (found !== undefined) return found;
  throw new CliError(`${agent} has no system prompt; ${cure}`);
};

/** `AGENT_Witness` has the folder `witness`. An id without the prefix is a name as it is. */
const actorName = (agent: string): string => {
  const name = agentName(agent);
  return name === agent ? agent : name.toLowerCase();
};

const textOf = (file: string): string | null => {
  const read = readText(file);
  return read.ok ? read.text : null;
};

/** Only the same program knows the session of the last task. */
const sessionOf = ({ state }: WorkFolder, task: WorkTask): KnownSession | null => {
  const { session_id, provider, reported } = state;
  const isKnown = session_id !== null && provider === task.program.provider && !task.isFresh;
  return isKnown && task.program.provider !== "command" ? { session_id, reported } : null;
};

const cwdAfter = ({ segments }: TurnResult, folder: string): string | null =>
  workingFolder(detectCdCommands(conversationTurns(segments)), { folder, home: homedir() });

/** @throws CliError for a variable that is not set. */
const passedVariables = (names: readonly string[], env: Shell["env"]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const value = env[name];
      if (value === undefined) throw new CliError(`--env ${name}: the variable is not set`);
      return [name, value];
    }),
  );
