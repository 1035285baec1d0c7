import { callsProviders, modelUsersIn } from "../agents/model-users.ts";
import { isModelMind } from "../minds/agent-config.ts";
import type { Launch } from "./launch.ts";
import { discard, failed, type LaunchFailure, usersMistake } from "./run-directory.ts";

/**
 * Connects to the server of the limits that a run shares with others (`llm.limits.shared`), if the
 * run calls providers. Call it before `launch.run`. If no server answers, the run is closed,
 * and nothing is left of a new run. Without this call, the run connects later, and its model calls
 * wait for the server.
 */
export const openSharedLimits = async (launch: Launch): Promise<LaunchFailure | null> => {
  const { runner, config } = launch;
  if (!callsProviders(config, modelUsersIn(runner.world.state))) return null;
  const unreachable = await runner.openLimits();
  if (unreachable === null) return null;
  const { problem, isUsersMistake } = unreachable;
  return abandoned(launch, isUsersMistake ? usersMistake(problem) : failed(problem));
};

/**
 * Asks the server of the memories, if the run has agents that remember and a server. If the run can
 * never use the server, such as with a collection of another embedder, the run is closed, and
 * nothing is left of a new run. If the server is down, the run begins: it uses the server as soon
 * as the server answers. Call this before `launch.run`.
 */
export const checkMemories = async (launch: Launch): Promise<LaunchFailure | null> => {
  const { runner } = launch;
  const users = modelUsersIn(runner.world.state);
  if (!users.some(({ mind }) => isModelMind(mind))) return null;
  const problem = await runner.memoryProblem();
  return problem === null ? null : abandoned(launch, usersMistake(problem));
};

/** Closes a run that does not begin, and leaves nothing of a new run. Returns the failure. */
const abandoned = (launch: Launch, failure: LaunchFailure): LaunchFailure => {
  const { runner, directory } = launch;
  runner.abandon();
  directory.lock.release();
  if (launch.isNew) discard(directory.folder);
  return failure;
};
