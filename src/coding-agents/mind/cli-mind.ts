import { z } from "zod";
import {
  cutText,
  type Json,
  type Patch,
  type ThoughtUsage,
  type View,
} from "../../kernel/index.ts";
import {
  type FailedThought,
  FREE,
  type Mind,
  readMemory,
  type SeatMove,
  type Thought,
} from "../../mind/index.ts";
import type { KnownSession } from "../program/run-turn.ts";

import type { CliSettings } from "./cli-settings.ts";
import { turnPrompt } from "./turn-prompt.ts";

/** What an agent with `mind: cli` keeps between two thoughts. */
const keptSchema = z.object({
  /** The session of the program, which its next turn resumes, and what its stream has counted. */
  session: z
    .object({
      session_id: z.string(),
      reported: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
    })
    .nullable(),
  /** The number of turns that have ended. */
  turns: z.number(),
  /** True from the first action of a turn to its end. */
  isInTurn: z.boolean(),
  /** Why the last turn failed, or null. */
  problem: z.string().nullable(),
});

type CliMemory = z.infer<typeof keptSchema>;

const NOTHING_KEPT: CliMemory = { session: null, turns: 0, isInTurn: false, problem: null };

/** A turn that has ended. */
export type EndedTurn = {
  readonly kind: "ended";
  /** Why it failed, or null. */
  readonly problem: string | null;
  /** The answer of the program. Empty if it failed before it said anything. */
  readonly output: string;
  readonly usage: ThoughtUsage;
  /** The change of the workspace, or null. */
  readonly workspace: Patch | null;
  /** The number of the last message that the turn has seen. */
  readonly read_through: number;
  /** Why its files are not kept, or null. */
  readonly filesProblem: string | null;
  /** True if the model budget of the run had nothing left for a turn. */
  readonly isOverBudget: boolean;
  /** Messages for the people who run the simulation. */
  readonly warnings: readonly string[];
};

type GivenMove = Extract<SeatMove, { readonly kind: "move" }>;

/** What a turn does next: an action, or its end. */
export type CliStep = (GivenMove | EndedTurn) & {
  /** What the program has said, thought and used since the step before. */
  readonly said: string;
  /** The session that the next turn resumes. Null: the next turn has a new one. */
  readonly session: KnownSession | null;
};

/** An agent whose turn continues or starts. */
export type TurnAgent = {
  readonly id: string;
  readonly settings: CliSettings;
  readonly systemPrompt: string;
  readonly view: View;
  /** The session that a new turn resumes, or null. */
  readonly session: KnownSession | null;
  /** The task of a new turn. */
  readonly prompt: string;
};

/** Runs the turns of coding agents. A turn lasts for several thoughts, but not for two runs. */
export type TurnSource = {
  /** Resolves with the next step of the agent's turn. Starts one if none is in progress. */
  next(agent: TurnAgent, signal: AbortSignal): Promise<CliStep>;
};

type CliAgent = {
  readonly id: string;
  readonly settings: CliSettings;
  readonly systemPrompt: string;
};

const REASONING_CHARS_MAX = 8_000;

/**
 * A mind that is a command-line coding agent of the host. The program makes a turn in a folder with
 * the files of the agent's workspace. It acts in the world through the MCP server of the agent's
 * seat, so each of its actions is a thought of its own, under the same rules as all others.
 * The last thought of a turn does nothing: it pays for the turn, keeps its files, and rests. Works
 * on the wall clock only. A replay needs no program, because the actions are in the journal.
 */
export const cliMind = ({ id, settings, systemPrompt }: CliAgent, source: TurnSource): Mind => ({
  // A turn costs what its program reports. An agent without model budget cannot start one.
  price: { micros: 1, calls: 1, tokens: 1 },
  exactPrice: null,
  thinkMs: [0, 0],
  parallel: null,
  recollect: null,
  hasLazyView: false,
  decide: async (view, signal) => {
    const kept = readMemory(view.agent.mind, NOTHING_KEPT, keptSchema);
    const { session } = kept;
    const prompt = turnPrompt(view, kept);
    const turn = { id, settings, systemPrompt, view, session, prompt };
    const step = await source.next(turn, signal);
    return step.kind === "move" ? moved(step, kept) : ended(step, { kept, settings });
  },
});

const moved = (step: GivenMove & CliStep, kept: CliMemory): Thought => {
  const { action, reasoning, sleep, read_through, said, session } = step;
  return {
    kind: "decided",
    action,
    reasoning: reasoningOf(reasoning, said),
    memory: memoryOf({ ...kept, session, isInTurn: true }),
    usage: FREE,
    waitMs: 0,
    sleep,
    read_through,
  };
};

type Ending = { readonly kept: CliMemory; readonly settings: CliSettings };

const ended = (step: EndedTurn & CliStep, { kept, settings }: Ending): Thought => {
  const { problem, filesProblem, usage, session, said, output, workspace, warnings } = step;
  const { read_through, isOverBudget } = step;
  const told = [problem, filesProblem].filter((each) => each !== null).join("; ");
  const after = { session, turns: kept.turns + 1, isInTurn: false };
  const memory = memoryOf({ ...after, problem: told === "" ? null : told });
  // What only says why it failed, such as a program without a login, is a failed thought.
  const hasDone = kept.isInTurn || workspace !== null;
  if (problem !== null && !hasDone) {
    return { ...failed(problem, { memory, usage, warnings }), isOverBudget };
  }
  const why = problem === null ? output : `the turn failed: ${problem}`;
  return {
    kind: "decided",
    action: { noop: {} },
    reasoning: reasoningOf(why, said),
    memory,
    usage,
    waitMs: 0,
    sleep: { for_ms: Math.round(settings.rest_s * 1000), until: [] },
    read_through,
    isOverBudget,
    keeps: { notes: [], workingMemory: null, workspace },
    ...(warnings.length === 0 ? {} : { warnings }),
  };
};

const failed = (
  message: string,
  {
    memory,
    usage,
    warnings,
  }: Pick<FailedThought, "memory" | "usage"> & Pick<EndedTurn, "warnings">,
): Thought => {
  const about = { message, memory, usage, ...(warnings.length === 0 ? {} : { warnings }) };
  return { kind: "failed", reason: "llm_error", ...about };
};

const memoryOf = (kept: CliMemory): Json => ({ ...kept });

const reasoningOf = (first: string, said: string): string =>
  cutText([first, said].filter((part) => part !== "").join("\n"), REASONING_CHARS_MAX);
