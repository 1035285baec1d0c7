import { z } from "zod";
import { AGENT_PROVIDERS } from "../program/providers.ts";
import { STREAM_FORMATS } from "../program/stream/stream-reader.ts";

/** The settings of `mind: cli`. */
export const cliSettings = z.strictObject({
  provider: z
    .enum([...AGENT_PROVIDERS, "command"])
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

export const cliDescription = (key: keyof typeof cliSettings.shape): string =>
  cliSettings.shape[key].description ?? "";

export type CliSettings = z.infer<typeof cliSettings>;
