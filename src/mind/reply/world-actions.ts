import { z } from "zod";
import { ACTIONS, type JsonObject, parseAction, type Result } from "../../kernel/index.ts";
import { sendAction } from "../prompt/message-sections.ts";
import { withKnownFields } from "./known-fields.ts";
import { actionSchema } from "./reply-form.ts";

/** What the tools that act in the world take. Agents with tools and seats over MCP share them. */
export const WORLD_INPUTS = {
  search: z.strictObject({ words: z.string() }),
  read: actionSchema("read_artifact"),
  write: actionSchema("write_artifact"),
  invoke: actionSchema("invoke_artifact"),
  send: z.strictObject({
    to: z.string(),
    text: z.string(),
    reply_to: z.int().min(1).optional().describe("the number of the message that this answers"),
    attach: z.int().min(1).optional().describe("scrip for the addressee"),
    forward: z
      .int()
      .min(1)
      .optional()
      .describe("the number of the message that you hand on; its answer comes to you"),
  }),
} as const;

/** What these tools do. */
export const WORLD_ABOUT: { readonly [Tool in keyof typeof WORLD_INPUTS]: string } = {
  search: "Finds artifacts by words of their id, type or description.",
  read: `${ACTIONS.read_artifact.about}: text, code and interface.`,
  write: `${ACTIONS.write_artifact.about}.`,
  invoke: `${ACTIONS.invoke_artifact.about}.`,
  send:
    "Sends a private message to a principal, or to operator for the person who runs the world. " +
    "It costs scrip.",
};

/** The action, without comments, if the world can read it. Otherwise says what is wrong. */
export const readableAction = (
  action: JsonObject,
  jsonDepthMax: number,
): Result<{ action: JsonObject }> => {
  const known = withKnownFields(action);
  if (!known.ok) return known;
  const parsed = parseAction(known.value, jsonDepthMax);
  if (parsed.kind === "accepted") return { ok: true, action: known.value };
  const problem = parsed.kind === "refused" ? parsed.refusal.message : "the action needs evidence";
  return { ok: false, problem };
};

export const searchAction = (words: string): JsonObject => ({
  invoke_artifact: { artifact_id: "genesis_store", method: "search", args: [words] },
});

/** The action that sends a message. */
export const messageAction = (given: z.infer<typeof WORLD_INPUTS.send>): JsonObject => {
  const { to, text, reply_to, attach, forward } = given;
  return sendAction(to, text, {
    ...(reply_to === undefined ? {} : { reply_to }),
    ...(attach === undefined ? {} : { attach }),
    ...(forward === undefined ? {} : { forward }),
  });
};
