import { errorLine, moduleUrl, WorkerClient } from "../../channel/index.ts";
import type { Ended, Script } from "./interpreter.ts";
import type { ShellCalls } from "./shell-worker.ts";

export type ScriptOutcome =
  | ({ readonly ok: true } & Ended)
  | { readonly ok: false; readonly problem: string };

/** Runs a script over the files of a workspace. Never rejects. */
export type RunScript = (script: Script) => Promise<ScriptOutcome>;

/** How long the commands of one thought may take together, and a script in Python. */
export const THOUGHT_MS_MAX = 30_000;

const HEAP_MB_MAX = 256;
/**
 * Enough for the deepest nesting that a script can have. At the end of a stack, the outcome would
 * depend on what the compiler of the engine has optimized so far.
 */
const STACK_MB = 256;

/**
 * The shell of a run. It runs one script at a time, in a worker thread that starts with the first
 * script. A script sees its files and nothing else of the world or the host. The limits of a script
 * count what it does. `thoughtMsMax`, which all scripts of a thought share, and the heap are a last
 * defence, because they are not the same on all machines.
 */
export class AgentShell {
  readonly #thoughtMsMax: number;
  readonly #client = new WorkerClient<ShellCalls>({
    url: moduleUrl(import.meta.url, "./shell-worker"),
    name: "shell",
    workerData: null,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, stackSizeMb: STACK_MB },
  });
  #last: Promise<unknown> = Promise.resolve();

  constructor(thoughtMsMax = THOUGHT_MS_MAX) {
    this.#thoughtMsMax = thoughtMsMax;
  }

  /** Returns a function that runs the scripts of one thought, until one has to be stopped. */
  readonly forThought = (): RunScript => {
    let isStopped = false;
    const left = { ms: this.#thoughtMsMax };
    return async (script) => {
      if (isStopped) return AFTER_A_STOP;
      const outcome = await this.#inTurn(script, left);
      isStopped = !outcome.ok;
      return outcome;
    };
  };

  close(): Promise<void> {
    return this.#client.close();
  }

  #inTurn(script: Script, left: TimeLeft): Promise<ScriptOutcome> {
    const outcome = this.#last.then(() => this.#outcomeOf(script, left));
    this.#last = outcome;
    return outcome;
  }

  async #outcomeOf(script: Script, left: TimeLeft): Promise<ScriptOutcome> {
    try {
      await this.#client.ask("load");
    } catch (error) {
      return failure(error);
    }
    const since = performance.now();
    const timer = setTimeout(() => this.#client.kill(TOO_MUCH), Math.max(0, left.ms));
    try {
      return { ok: true, ...(await this.#client.ask("run", script)) };
    } catch (error) {
      return failure(error);
    } finally {
      clearTimeout(timer);
      left.ms -= performance.now() - since;
    }
  }
}

/** The time that the scripts of a thought may still take. */
type TimeLeft = { ms: number };

const TOO_MUCH = "the command took too long or needed too much memory";

const AFTER_A_STOP: ScriptOutcome = {
  ok: false,
  problem: "not run, because an earlier command of this step was stopped",
};

const isOutOfMemory = (reason: unknown): boolean =>
  reason instanceof Error && "code" in reason && reason.code === "ERR_WORKER_OUT_OF_MEMORY";

const failure = (reason: unknown): ScriptOutcome => ({
  ok: false,
  problem: isOutOfMemory(reason) ? TOO_MUCH : errorLine(reason),
});
