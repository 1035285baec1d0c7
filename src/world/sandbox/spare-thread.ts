import { EngineThread } from "./engine-thread.ts";
import type { SandboxLimits } from "./limits.ts";

/**
 * The thread of a sandbox that was closed, kept for the next one in this process: most of what a
 * start takes is to load the modules of the thread. The engine in it is made anew, so that nothing
 * of the old one is left, nor what that had prepared.
 */
let spare: EngineThread | null = null;

/** A thread with a new engine of these limits in it. */
export const threadFor = (module: WebAssembly.Module, limits: SandboxLimits): EngineThread => {
  const left = spare;
  spare = null;
  if (left?.renew(limits)) return left;
  void left?.close();
  return new EngineThread(module, limits);
};

/** For a thread that nobody uses any more. One is kept, all others are stopped. */
export const giveBack = async (thread: EngineThread): Promise<void> => {
  if (spare === null && thread.isIdle) spare = thread;
  else await thread.close();
};
