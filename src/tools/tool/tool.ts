import { z } from "zod";
import type { Json, JsonObject, Result, Sleep, View } from "../../kernel/index.ts";
import { firstIssue } from "../../mind/index.ts";
import type { ToolOffer } from "../../model/index.ts";
import type { Conversation, Focus, TurnState } from "../conversation/conversation.ts";
import type { RunScript } from "../shell/agent-shell.ts";
import type { Files } from "../workspace/files.ts";

/**
 * Runs a draft of a program in the sandbox, alone: it has no account, its syscalls are refused, and
 * its state is not kept. `log` is what it wrote with `kernel.log`.
 */
export type TryProgram = (draft: {
  readonly code: string;
  readonly method: string;
  readonly args: readonly Json[];
}) => Result<{ value: Json }> & { readonly gas: number; readonly log: string };

/** What a tool answers to a script. `value` is null if the answer comes later, or never. */
export type ToolAnswer = Result<{ value: string | null }>;

/** A script that can call `functions`. They are global, and answer through `call`. */
export type CodeScript = {
  readonly code: string;
  readonly functions: readonly string[];
  readonly call: (name: string, args: Json) => ToolAnswer;
};

/** `log` is what the script wrote with `print`. The value is what it returned. */
export type CodeOutcome = Result<{ value: Json }> & { readonly log: string };

/**
 * Runs a script in the sandbox, with the limits of a draft. Its only syscalls are calls of its
 * functions, which take one object.
 */
export type RunCode = (script: CodeScript) => CodeOutcome;

/** Runs a script in Python on this machine, if the run allows it. Never rejects. */
export type RunPython = (script: CodeScript) => Promise<CodeOutcome>;

/** What a tool may look at. `bytesMax` is the size that the workspace can grow to. */
export type ToolMoment = {
  readonly view: View;
  /** The side that takes the step. Null: the main conversation. */
  readonly focus: Focus;
  /** The memory of the mind, in which the main conversation is. */
  readonly main: Conversation;
  /** The message that the turn must answer. Null if no one waits for an answer. */
  readonly owes: TurnState["owes"];
  readonly files: Files;
  readonly bytesMax: number;
  readonly tryProgram: TryProgram;
  readonly runScript: RunScript;
  readonly runCode: RunCode;
  readonly runPython: RunPython;
  readonly jsonDepthMax: number;
  readonly sleepMaxS: number;
  /** The situation of the agent in words. */
  readonly situation: () => string;
};

/**
 * `acts`: the call is the agent's action in the world. `output` is what it has already answered.
 * `ends`: the call ends the turn. `data`: what a script gets in place of the text for a model.
 */
export type ToolOutcome =
  | {
      readonly kind: "answered" | "failed";
      readonly text: string;
      readonly data?: string;
      readonly files?: Files;
      /** The memory with the changes of a tool that starts helpers or waits for them. */
      readonly main?: Conversation;
    }
  | {
      readonly kind: "acts";
      readonly action: JsonObject;
      readonly output?: { readonly text: string; readonly isError: boolean };
      readonly files?: Files;
    }
  | {
      readonly kind: "ends";
      readonly text: string;
      readonly sleep: Sleep | null;
      readonly files?: Files;
    };

/** `Answer` is `ToolOutcome` for the tools that answer at once. */
export type Tool<Answer = ToolOutcome | Promise<ToolOutcome>> = {
  readonly offer: ToolOffer;
  readonly call: (args: Json, moment: ToolMoment) => Answer;
  /** True if no model is told of the tool, because a protocol calls it. */
  readonly isInternal?: boolean;
};

export type ToolSet = ReadonlyMap<string, Tool>;

type Given<Input extends z.ZodType, Answer> = {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (args: z.output<Input>, moment: ToolMoment) => Answer;
};

export const failed = (text: string, data: string = text): ToolOutcome => ({
  kind: "failed",
  text,
  data,
});

export const answered = (text: string, data: string = text): ToolOutcome => ({
  kind: "answered",
  text,
  data,
});

/** A tool whose arguments are checked. A wrong call is answered with what would be right. */
export const tool = <Input extends z.ZodType, Answer extends ToolOutcome | Promise<ToolOutcome>>(
  given: Given<Input, Answer>,
): Tool<Answer | ToolOutcome> => {
  const { name, description, input, run } = given;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const offer = { name, description, input: schema as ToolOffer["input"] };
  return {
    offer,
    call: (args, moment) => {
      const read = input.safeParse(args);
      if (read.success) return run(read.data, moment);
      return failed(`${firstIssue(name, read.error)}; ${takes(offer)}`);
    },
  };
};

/** What would be right in a call of a tool. */
export const takes = ({ input }: ToolOffer): string => `it takes ${JSON.stringify(input)}`;
