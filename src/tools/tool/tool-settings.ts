import { z } from "zod";
import { SCRIPT_LANGUAGES } from "../../model/index.ts";

/** The settings under `tools` in `agent.yaml`. */
export const toolSettings = z.strictObject({
  /** Without a default, so that `mind: code` can refuse it. */
  protocol: z
    .enum(["calls", "text"])
    .optional()
    .describe("calls (the default): the model has tool calls; text: it writes them into replies"),
  /** Without a default, so that `mind: tools` can refuse it. */
  language: z
    .enum(SCRIPT_LANGUAGES)
    .optional()
    .describe(
      "the language of the scripts of mind: code. javascript (the default): in the sandbox; " +
        "python: on the machine of the run, if its configuration allows it with tools.python",
    ),
  max_steps: z
    .int()
    .min(1)
    .max(200)
    .default(25)
    .describe("model calls of one turn, before a last answer without tools"),
  window_tokens: z
    .int()
    .min(2_000)
    .max(1_000_000)
    .default(24_000)
    .describe("tokens of the conversation that each call sends; older turns are dropped"),
  files_tokens: z
    .int()
    .min(0)
    .max(60_000)
    .default(16_000)
    .describe("tokens of the workspace's files in the system text; the rest is cut"),
  turns: z
    .enum(["always", "on_message"])
    .default("always")
    .describe(
      "when a turn starts. always: after the last one, or for a message; on_message: for a message",
    ),
  heartbeat: z
    .strictObject({
      every_s: z.number().min(1).max(1e6).describe("seconds between the starts of two heartbeats"),
    })
    .optional()
    .describe("starts a turn from HEARTBEAT.md again and again, without the conversation"),
  plugins_tokens: z
    .int()
    .min(100)
    .max(60_000)
    .default(4_000)
    .describe("tokens that the plugins of the persona add to a call; the rest is cut"),
});
export type ToolSettings = Readonly<z.infer<typeof toolSettings>>;
