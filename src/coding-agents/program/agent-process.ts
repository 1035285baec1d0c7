import { cutText } from "../../kernel/index.ts";
import { systemMessage } from "../../text/index.ts";
import { errorCode } from "../../world/index.ts";
import { killMarked, markVariable } from "./marked-processes.ts";

/** How much of what a failed program wrote to stderr is kept. */
const STDERR_CHARS_MAX = 500;
/** How long a program may take to end after SIGTERM, before it gets SIGKILL. */
const GRACE_MS = 3_000;
/** How long the pipes of a program that has ended may still have content. */
const DRAIN_MS = 500;
/** The longest time that a timer of Node can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

type ProcessPlan = {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** In the environment of all processes of the turn. */
  readonly mark: string;
  readonly onOutput: (chunk: Uint8Array) => void;
};

export type ProcessEnd = {
  /** Null if the program did not start, or was ended by a signal. */
  readonly exitCode: number | null;
  /** The beginning of stderr; empty after the exit code 0. */
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** `missing`: there is no such program. `failed`: it cannot be started for another reason. */
  readonly start: "started" | "missing" | "failed";
  /** Why there is no exit code 0, as a sentence. */
  readonly problem: string | null;
};

/**
 * Runs a program to its end. After the time-out or an abort, its process group gets SIGTERM, and
 * then SIGKILL. No process of the group, and on Linux none with the mark, is left. Never rejects.
 */
export const runProcess = async (plan: ProcessPlan): Promise<ProcessEnd> => {
  const { signal, timeoutMs } = plan;
  // Commands that start no agent do not load the library.
  const { execa } = await import("execa");
  if (signal.aborted) return { ...notStarted(STOPPED), aborted: true };
  const args = plan.args.map((each) => each.replaceAll("\0", "\ufffd"));
  const running = execa(plan.file, args, {
    cwd: plan.folder,
    env: { ...plan.env, ...markVariable(plan.mark) },
    extendEnv: false,
    stdin: plan.stdin === "" ? "ignore" : "pipe",
    ...(plan.stdin === "" ? {} : { input: plan.stdin }),
    encoding: "buffer",
    buffer: false,
    reject: false,
    timeout: Math.min(TIMER_MS_MAX, Math.max(1, Math.ceil(timeoutMs))),
    cancelSignal: signal,
    killDescendants: true,
    forceKillAfterDelay: GRACE_MS,
  });
  let stderr = "";
  const decoder = new TextDecoder();
  running.stdout?.on("data", plan.onOutput);
  running.stderr?.on("data", (chunk: Uint8Array) => {
    if (stderr.length < STDERR_CHARS_MAX) stderr += decoder.decode(chunk, { stream: true });
  });
  running.nodeChildProcess.once("exit", () => {
    // Children can outlive their parent, and keep its pipes open.
    running.kill("SIGKILL");
    killMarked(plan.mark);
    const { stdout, stderr } = running;
    setTimeout(() => [stdout, stderr].map((each) => each?.destroy()), DRAIN_MS).unref();
  });
  const { exitCode = null, timedOut, isCanceled, signal: ending, cause } = await running;
  killMarked(plan.mark);
  const problem = timedOut
    ? `it timed out after ${timeoutMs / 1_000} s`
    : isCanceled
      ? STOPPED
      : endProblem(plan.file, exitCode, ending, cause);
  return {
    exitCode,
    stderr: exitCode === 0 ? "" : cutText(stderr.trim(), STDERR_CHARS_MAX),
    timedOut,
    aborted: isCanceled,
    start:
      running.pid !== undefined ? "started" : errorCode(cause) === "ENOENT" ? "missing" : "failed",
    problem,
  };
};

const STOPPED = "it was stopped";

export const notStarted = (problem: string): ProcessEnd => ({
  exitCode: null,
  stderr: "",
  timedOut: false,
  aborted: false,
  start: "failed",
  problem,
});

const endProblem = (
  file: string,
  exitCode: number | null,
  ending: string | undefined,
  cause: unknown,
): string | null => {
  if (exitCode === 0) return null;
  if (exitCode !== null) return `it ended with exit code ${exitCode}`;
  if (ending !== undefined) return `it was ended by ${ending}`;
  const said = systemMessage(cause, null) ?? (cause instanceof Error ? cause.message : "");
  return `${file} cannot be started: ${said}`;
};
