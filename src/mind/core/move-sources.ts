import { z } from "zod";
import type { Json, Patch, Sleep, ThoughtUsage, View } from "../../kernel/index.ts";

/**
 * What a seat does next. `read_through` is the number of the last message that its client has seen.
 * `absent`: no client is connected. `unreachable`: no client can connect to this run. `off`: the code
 * that would decide is not trusted.
 */
export type SeatMove =
  | {
      readonly kind: "move";
      readonly action: Json;
      readonly reasoning: string;
      readonly sleep: Sleep | null;
      readonly read_through: number;
      /** True for a move that only sleeps. It takes no time before the sleep. */
      readonly isWait: boolean;
    }
  | { readonly kind: "absent" | "unreachable" | "off" };

/** Where the moves of seats come from. */
export type SeatSource = {
  readonly clock: "wall" | "virtual";
  /**
   * Resolves with the next move of a seat. Without a client, it is `absent` after `absentAfterMs`
   * of real time, or never if this is null. If `signal` aborts, it never resolves during the run.
   */
  nextMove(
    seat: { readonly id: string; readonly absentAfterMs: number | null },
    signal: AbortSignal,
  ): Promise<SeatMove>;
};

/** The coding agents whose command lines are known. */
export const CODING_AGENTS = ["claude", "codex", "gemini"] as const;

/** The forms in which programs print what they do. */
export const STREAM_FORMATS = [...CODING_AGENTS, "text"] as const;

/** The settings of `mind: cli`. */
export const cliSettings = z.strictObject({
  provider: z
    .enum([...CODING_AGENTS, "command"])
    .describe("the program that makes the turns: claude, codex, gemini, or a command of yours"),
  llm_model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("the model that the program uses; default: that of the program"),
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("with provider: command, the program and its arguments; it gets the task as input"),
  stream: z
    .enum(STREAM_FORMATS)
    .optional()
    .describe("with provider: command, the form of its output; default: text"),
  executable: z
    .string()
    .min(1)
    .optional()
    .describe("the path of the program; default: the name of the provider, found in PATH"),
  args: z.array(z.string()).max(50).optional().describe("more arguments for the program"),
  timeout_s: z
    .number()
    .min(1)
    .max(86_400)
    .default(300)
    .describe("real seconds after which a turn is ended, with all its processes"),
  rest_s: z
    .number()
    .min(0)
    .max(1e6)
    .default(60)
    .describe("seconds between two turns; a message ends the rest"),
  unsafe: z
    .boolean()
    .default(false)
    .describe(
      "true lets the program work without its own checks of permissions: it can then read, " +
        "change and run everything that you can",
    ),
});

export type CliSettings = z.infer<typeof cliSettings>;

/** The id of a session. No such id can be a flag in the command line of a program. */
export const SESSION_ID = /^[A-Za-z0-9][\w.:-]{0,127}$/;

/** A session of a program to continue, as the end of its last turn gave it. */
export const knownSession = z.object({
  session_id: z.string().regex(SESSION_ID),
  /** What its stream has counted. */
  reported: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
});
export type KnownSession = z.infer<typeof knownSession>;

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

export type GivenMove = Extract<SeatMove, { readonly kind: "move" }>;

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
