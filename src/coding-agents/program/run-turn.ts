import { statSync } from "node:fs";
import type { KnownSession } from "../../mind/index.ts";
import type { Environment } from "../../model/index.ts";
import { notStarted, type ProcessEnd, runProcess } from "./agent-process.ts";
import { agentEnvironment } from "./environment.ts";
import { newMark } from "./marked-processes.ts";
import { type AgentProgram, type LaunchPlan, launchOf, type McpCommand } from "./providers.ts";
import { placeSettings } from "./settings-file.ts";
import {
  cappedSum,
  NO_TOKENS,
  NO_USAGE_YET,
  type Segment,
  type TokenCounts,
  type TurnUsage,
} from "./stream/segment.ts";
import { StreamReader, type StreamSummary } from "./stream/stream-reader.ts";
import { type AgentStatus, TurnLog } from "./turn-log.ts";

export type TurnRequest = {
  readonly program: AgentProgram;
  /** The folder that the program starts in. It must exist. */
  readonly folder: string;
  readonly prompt: string;
  readonly systemPrompt: string;
  readonly session: KnownSession | null;
  readonly mcpServer: McpCommand | null;
  /** For both tries together. */
  readonly timeoutMs: number;
  /** The environment of the host, of which the program gets only what it needs. */
  readonly env: Environment;
  /** Further variables for the program. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The mark of the processes of this turn (`killMarked`). A new one by default. */
  readonly mark?: string;
  /** Must not throw. */
  readonly onSegment?: (segment: Segment) => void;
  /** Called when the stream names its session, before the turn ends. Must not throw. */
  readonly onSession?: (id: string) => void;
  /** Must not throw. */
  readonly onStatus?: (status: AgentStatus) => void;
  readonly graceMs?: number;
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
  /** What else went wrong, such as settings that could not be restored. */
  readonly warnings: readonly string[];
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
  const { onSegment = () => {}, onStatus = () => {}, session } = request;
  const log = new TurnLog({ onSegment, onStatus });
  const startedAt = performance.now();
  const first = await attempt(request, log, { session, timeoutMs: request.timeoutMs });
  const leftMs = request.timeoutMs - (performance.now() - startedAt);
  const retries = session !== null && needsRetry(first.end) && leftMs > 0;
  const second = retries ? await attempt(request, log, { session: null, timeoutMs: leftMs }) : null;
  log.wait();
  const last = second ?? first;
  const attempts = [first.made, ...(second === null ? [] : [second.made])];
  const { resumed: _, segment_count: __, ...made } = last.made;
  return {
    ...made,
    output: last.output,
    segments: log.segments,
    warnings: attempts.flatMap(({ warnings }) => warnings),
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

type Try = { readonly session: KnownSession | null; readonly timeoutMs: number };

type Tried = Pick<TurnResult, "output" | "reported"> & {
  readonly made: TurnAttempt;
  readonly end: AttemptEnd;
};

type AttemptEnd = ProcessEnd & Pick<TurnAttempt, "warnings">;

const attempt = async (
  request: TurnRequest,
  log: TurnLog,
  { session, timeoutMs }: Try,
): Promise<Tried> => {
  const startedAt = performance.now();
  const { program, prompt, systemPrompt, mcpServer } = request;
  const sessionId = session?.session_id ?? null;
  const launch = launchOf(program, { prompt, systemPrompt, sessionId, mcpServer });
  const reader = new StreamReader(launch.stream);
  const { count } = log;
  log.begin();
  const take = (segments: readonly Segment[]): void => {
    for (const segment of segments) log.add(segment);
  };
  const onOutput = (chunk: Uint8Array): void => {
    const { session_id: before } = reader.summary;
    take(reader.push(chunk));
    const { session_id: id } = reader.summary;
    if (id !== null && id !== before) request.onSession?.(id);
  };
  const end = await ended(request, launch, { timeoutMs, onOutput });
  take(reader.end());
  const { summary } = reader;
  const error = problemOf(end, summary);
  const made: TurnAttempt = {
    resumed: session !== null,
    success: error === null,
    exit_code: end.exitCode,
    error,
    stderr: end.stderr,
    warnings: end.warnings,
    timed_out: end.timedOut,
    session_id: summary.session_id,
    usage: usageOf(summary, launch.stream === "codex" ? (session?.reported ?? null) : null),
    segment_count: log.count - count,
    duration_ms: Math.round(performance.now() - startedAt),
  };
  const reported = summary.tokens ?? session?.reported ?? NO_TOKENS;
  return { made, end, output: summary.result ?? log.answer, reported };
};

type Running = { readonly timeoutMs: number; readonly onOutput: (chunk: Uint8Array) => void };

const ended = async (
  request: TurnRequest,
  { file, args, stdin, settings, variables }: LaunchPlan,
  running: Running,
): Promise<AttemptEnd> => {
  const { folder, signal, mark = newMark(), graceMs } = request;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { ...notStarted(`${folder} is not a folder`), warnings: [] };
  }
  const placed = settings === null ? null : placeSettings(folder, settings.path, settings.value);
  if (placed?.ok === false) return { ...notStarted(placed.problem), warnings: [] };
  const env = agentEnvironment(request.env, variables, request.variables);
  const own = graceMs === undefined ? {} : { graceMs };
  const end = await runProcess({
    ...{ file, args, stdin, folder, env, signal, mark },
    ...running,
    ...own,
  });
  const warning = placed?.restore() ?? null;
  return { ...end, warnings: warning === null ? [] : [warning] };
};

/** A failure that the stream explains says more than an exit code. */
const problemOf = (end: ProcessEnd, { failure }: StreamSummary): string | null =>
  end.timedOut || end.aborted ? end.problem : (failure ?? end.problem);

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
