import { z } from "zod";
import type { Json, JsonObject, Result, Sleep, View } from "../../kernel/index.ts";
import type { ToolOffer } from "../model/index.ts";
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

/** What a tool may look at. `bytesMax` is the size that the workspace can grow to. */
export type ToolMoment = {
  readonly view: View;
  readonly files: Files;
  readonly bytesMax: number;
  readonly tryProgram: TryProgram;
  readonly runScript: RunScript;
  readonly jsonDepthMax: number;
  readonly sleepMaxS: number;
  /** The situation of the agent in words. */
  readonly situation: () => string;
};

/** `acts`: the call is the agent's action in the world. `ends`: the call ends the turn. */
export type ToolOutcome =
  | { readonly kind: "answered"; readonly text: string; readonly files?: Files }
  | { readonly kind: "failed"; readonly text: string; readonly files?: Files }
  | { readonly kind: "acts"; readonly action: JsonObject }
  | { readonly kind: "ends"; readonly text: string; readonly sleep: Sleep | null };

type Answer = ToolOutcome | Promise<ToolOutcome>;

export type Tool = {
  readonly offer: ToolOffer;
  readonly call: (args: Json, moment: ToolMoment) => Answer;
};

type Given<Input extends z.ZodType> = {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (args: z.output<Input>, moment: ToolMoment) => Answer;
};

export const failed = (text: string): ToolOutcome => ({ kind: "failed", text });

export const answered = (text: string): ToolOutcome => ({ kind: "answered", text });

/** A tool whose arguments are checked. A wrong call is answered with what would be right. */
export const tool = <Input extends z.ZodType>(given: Given<Input>): Tool => {
  const { name, description, input, run } = given;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const json: ToolOffer["input"] = JSON.parse(JSON.stringify(schema));
  const offer = { name, description, input: json };
  return {
    offer,
    call: (args, moment) => {
      const read = input.safeParse(args);
      return read.success ? run(read.data, moment) : failed(wrongArgs(offer, read.error));
    },
  };
};

/** What is wrong with the arguments of a call, and what would be right. */
export const wrongArgs = ({ name, input }: ToolOffer, { issues }: z.ZodError): string => {
  const [issue] = issues;
  const where = issue === undefined ? "" : [name, ...issue.path].join(".");
  return `${where}: ${issue?.message ?? "wrong"}; it takes ${JSON.stringify(input)}`;
};
