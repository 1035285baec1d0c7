import { callsProviders, modelUsersIn } from "../agents/model-users.ts";
import type { Launch } from "../run/launch.ts";
import { discard, failed, type LaunchFailure, usersMistake } from "../run/run-directory.ts";

/**
 * Connects to the server of the limits that a run shares with others (`llm.limits.shared`), if the
 * run calls providers. Call it before `launch.run`. If there is no such server, the run is closed,
 * and nothing is left of a new run. Without this call, the run connects later, and its model calls
 * wait for the server.
 */
export const openSharedLimits = async (launch: Launch): Promise<LaunchFailure | null> => {
  const { runner, directory, config } = launch;
  if (!callsProviders(config, modelUsersIn(runner.world.state))) return null;
  const unreachable = await runner.openLimits();
  if (unreachable === null) return null;
  runner.abandon();
  directory.lock.release();
  if (launch.isNew) discard(directory.folder);
  const { problem, isUsersMistake } = unreachable;
  return isUsersMistake ? usersMistake(problem) : failed(problem);
};
