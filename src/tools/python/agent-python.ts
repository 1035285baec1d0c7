import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorLine } from "../../channel/index.ts";
import type { Environment } from "../../model/index.ts";
import { THOUGHT_MS_MAX } from "../shell/agent-shell.ts";
import type { CodeOutcome, CodeScript, RunPython } from "../tool/tool.ts";
import { pathIn } from "./find-python.ts";
import { type Limits, ScriptProcess } from "./script-process.ts";

const MIB = 1024 * 1024;

const LIMITS: Omit<Limits, "jsonDepthMax"> = {
  timeMs: THOUGHT_MS_MAX,
  memoryBytes: 512 * MIB,
  fileBytes: 16 * MIB,
  calls: 100,
  outputBytes: MIB,
  resultChars: 20_000,
};

type Given = {
  /** Whether the configuration of the run allows Python. */
  readonly isAllowed: boolean;
  readonly env: Environment;
  readonly warn: (text: string) => void;
  readonly limits: Partial<Limits> & Pick<Limits, "jsonDepthMax">;
};

/**
 * Runs scripts of agents in Python on this machine, outside the sandbox, if the operator of the run
 * allows it. It runs one script at a time. A script has its own process group and an empty folder,
 * which is removed afterwards. It reaches the workspace of its agent only through its functions.
 */
export class AgentPython {
  readonly #given: Given;
  readonly #limits: Limits;
  #running: ScriptProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(given: Given) {
    this.#given = given;
    this.#limits = { ...LIMITS, ...given.limits };
  }

  /** Returns a function that runs the script of one thought. It never rejects. */
  readonly forThought =
    (signal: AbortSignal): RunPython =>
    (script) => {
      const { isAllowed, env } = this.#given;
      if (!isAllowed) return Promise.resolve(refused(NOT_ALLOWED));
      const found = pathIn(env);
      if (!found.ok) return Promise.resolve(refused(found.problem));
      const outcome = this.#last.then(() => this.#outcomeOf(script, found.path, signal));
      this.#last = outcome;
      return outcome;
    };

  /** Stops the script that runs, and waits until it has ended. */
  async close(): Promise<void> {
    this.#running?.stop(CANCELLED);
    await this.#last;
  }

  async #outcomeOf(script: CodeScript, path: string, signal: AbortSignal): Promise<CodeOutcome> {
    if (signal.aborted) return refused(CANCELLED);
    let folder: string;
    try {
      folder = await mkdtemp(join(tmpdir(), "catallaxy-python-"));
    } catch (error) {
      return refused(errorLine(error));
    }
    const running = new ScriptProcess(script, folder, path, this.#limits);
    this.#running = running;
    const cancel = (): void => running.stop(CANCELLED);
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    const outcome = await running.outcome;
    signal.removeEventListener("abort", cancel);
    this.#running = null;
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      this.#given.warn(`the folder of a script is not removed: ${errorLine(error)}`);
    }
    return outcome;
  }
}

const refused = (problem: string): CodeOutcome => ({ ok: false, problem, log: "" });

const CANCELLED = "the thought was cancelled";
const NOT_ALLOWED =
  "this run does not allow Python (tools.python), so you cannot call a tool; only the operator " +
  "of the run, or an agent that may write your configuration, can change this";
