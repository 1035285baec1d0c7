import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, jsonIn } from "../../kernel/index.ts";
import type { KnownSession } from "../../mind/index.ts";
import type { Environment } from "../../model/index.ts";
import { systemMessage } from "../../text/index.ts";
import { notStarted, type ProcessEnd, runProcess } from "./agent-process.ts";
import { agentEnvironment } from "./environment.ts";
import { type AgentProgram, launchOf, type McpCommand } from "./providers.ts";
import {
  cappedSum,
  NO_TOKENS,
  NO_USAGE_YET,
  type Segment,
  type TokenCounts,
  type TurnUsage,
} from "./stream/segment.ts";
import { StreamReader, type StreamSummary } from "./stream/stream-reader.ts";
import { type TurnListener, TurnLog } from "./turn-log.ts";
import { isLink } from "./working-folder.ts";

/** One turn of a coding agent. The functions of the listener must not throw. */
export type TurnRequest = TurnListener & {
  readonly program: AgentProgram;
  /** The folder that the program starts in. It must exist. */
  readonly folder: string;
  readonly prompt: string;
  readonly systemPrompt: string;
  readonly session: KnownSession | null;
  /** With a server, the folder must be one that is made for the turn: it can get settings. */
  readonly mcpServer: McpCommand | null;
  /** For both tries together. */
  readonly timeoutMs: number;
  /** The environment of the host, of which the program gets only what it needs. */
  readonly env: Environment;
  /** Further variables for the program. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The mark of the processes of this turn (`killMarked`). */
  readonly mark: string;
  /** Called when the stream names its session, before the turn ends. */
  readonly onSession: (id: string) => void;
};

type TurnAttempt = {
  /** Whether it continued a session. */
  readonly resumed: boolean;
  /** The exit code is 0, and the stream reports no failure. */
  readonly success: boolean;
  readonly exit_code: number | null;
  /** Why it failed, as a sentence; null after a success. */
  readonly error: string | null;
  /** The beginning of what a failed program wrote to stderr. */
  readonly stderr: string;
  readonly timed_out: boolean;
  readonly session_id: string | null;
  readonly usage: TurnUsage;
  /** How many segments it said. */
  readonly segment_count: number;
  readonly duration_ms: number;
};

export type TurnResult = Omit<TurnAttempt, "resumed" | "segment_count"> & {
  /** The final text of the last attempt. */
  readonly output: string;
  /** What all attempts said, in order, within limits. */
  readonly segments: readonly Segment[];
  /** What the stream has reported for the session. It belongs to `session_id`. */
  readonly reported: TokenCounts;
  readonly aborted: boolean;
  /** The program is not installed. */
  readonly not_found: boolean;
  readonly attempts: readonly TurnAttempt[];
};

/**
 * Runs one turn of a coding agent. With a session it first continues it; if the program fails, a
 * second try starts without it. What was said before a time-out or an abort is kept.
 * Never rejects.
 */
export const runTurn = async (request: TurnRequest): Promise<TurnResult> => {
  const log = new TurnLog(request);
  const startedAt = performance.now();
  const { session } = request;
  let last = await attempt(request, log, session, request.timeoutMs);
  const attempts = [last.made];
  const leftMs = request.timeoutMs - (performance.now() - startedAt);
  if (session !== null && needsRetry(last.end) && leftMs > 0) {
    last = await attempt(request, log, null, leftMs);
    attempts.push(last.made);
  }
  log.wait();
  const { resumed: _, segment_count: __, ...made } = last.made;
  return {
    ...made,
    output: last.output,
    segments: log.segments,
    reported: last.reported,
    usage: attempts.map(({ usage }) => usage).reduce(sumOfUsage),
    duration_ms: Math.round(performance.now() - startedAt),
    aborted: last.end.aborted,
    not_found: last.end.start === "missing",
    attempts,
  };
};

/** A program that cannot be started would fail again. */
const needsRetry = ({ exitCode, timedOut, aborted, start }: ProcessEnd): boolean =>
  start === "started" && exitCode !== 0 && !timedOut && !aborted;

const attempt = async (
  request: TurnRequest,
  log: TurnLog,
  session: KnownSession | null,
  timeoutMs: number,
) => {
  const startedAt = performance.now();
  const { program, prompt, systemPrompt, mcpServer, folder, signal, mark } = request;
  const sessionId = session?.session_id ?? null;
  const { file, args, stdin, settings, stream, variables } = launchOf(program, {
    prompt,
    systemPrompt,
    sessionId,
    mcpServer,
  });
  const reader = new StreamReader(stream);
  const before = log.count;
  log.begin();
  const onOutput = (chunk: Uint8Array): void => {
    const { session_id: known } = reader.summary;
    for (const segment of reader.push(chunk)) log.add(segment);
    const { session_id: id } = reader.summary;
    if (id !== null && id !== known) request.onSession(id);
  };
  const problem = unusable(folder) ?? placed(settings, folder);
  const env = agentEnvironment(request.env, variables, request.variables);
  const plan = { file, args, folder, env, stdin, timeoutMs, signal, mark, onOutput };
  const end = problem === null ? await runProcess(plan) : notStarted(problem);
  for (const segment of reader.end()) log.add(segment);
  const { summary } = reader;
  // A failure that the stream explains says more than an exit code.
  const error = end.timedOut || end.aborted ? end.problem : (summary.failure ?? end.problem);
  const made: TurnAttempt = {
    resumed: session !== null,
    success: error === null,
    exit_code: end.exitCode,
    error,
    stderr: end.stderr,
    timed_out: end.timedOut,
    session_id: summary.session_id,
    usage: usageOf(summary, stream === "codex" ? (session?.reported ?? null) : null),
    segment_count: log.count - before,
    duration_ms: Math.round(performance.now() - startedAt),
  };
  const reported = summary.tokens ?? session?.reported ?? NO_TOKENS;
  return { made, end, output: summary.result ?? log.answer, reported };
};

const unusable = (folder: string): string | null =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? null
    : `${folder} is not a folder`;

/** Adds settings to a file of the folder. Returns why it cannot, or null. */
const placed = (settings: ReturnType<typeof launchOf>["settings"], folder: string) => {
  if (settings === null) return null;
  const file = join(folder, settings.path);
  try {
    // The first try of the turn can have put a link there.
    const link = [dirname(file), file].find(isLink);
    if (link !== undefined) return `${link} is a link`;
    const own = existsSync(file) ? jsonIn(readFileSync(file, "utf8")) : {};
    if (!isObject(own)) return `${file} is not an object of JSON`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...own, ...settings.value }));
    return null;
  } catch (error) {
    return systemMessage(error, file) ?? String(error);
  }
};

/** A stream that counts from the start of its session is relative to what it counted `before`. */
const usageOf = (summary: StreamSummary, before: TokenCounts | null): TurnUsage => {
  const { tokens, cost_micros } = summary;
  const calls = Math.max(summary.calls, tokens === null ? 0 : 1);
  if (tokens === null) return { ...NO_USAGE_YET, calls };
  const isCumulative =
    before !== null &&
    tokens.input_tokens >= before.input_tokens &&
    tokens.output_tokens >= before.output_tokens;
  const { input_tokens, output_tokens } = isCumulative ? before : NO_TOKENS;
  return {
    input_tokens: tokens.input_tokens - input_tokens,
    output_tokens: tokens.output_tokens - output_tokens,
    calls,
    cost_micros,
  };
};

const sumOfUsage = (a: TurnUsage, b: TurnUsage): TurnUsage => ({
  input_tokens: cappedSum(a.input_tokens, b.input_tokens),
  output_tokens: cappedSum(a.output_tokens, b.output_tokens),
  calls: a.calls + b.calls,
  cost_micros:
    a.cost_micros === null && b.cost_micros === null
      ? null
      : cappedSum(a.cost_micros ?? 0, b.cost_micros ?? 0),
});
