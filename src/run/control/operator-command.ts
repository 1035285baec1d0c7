import { z } from "zod";
import { type Json, jsonProblem } from "../../kernel/index.ts";

/** How deep the values of a request may be nested. More than in any action of an agent. */
export const JSON_DEPTH_MAX = 200;

const kind = <const Kind extends string>(...kinds: readonly [Kind, ...Kind[]]) => z.literal(kinds);
const agent = z.string().min(1).max(128);
/** The number of the message that a message answers. */
const reply_to = z.int().min(1).optional();
/** The number of the proposal. */
const proposal = z.int().min(1);
const action = z.custom<Json>((given) => jsonProblem(given, JSON_DEPTH_MAX) === null, {
  error: `must be JSON that is nested at most ${JSON_DEPTH_MAX} deep`,
});

/** A command of an operator, as other processes and the dashboard send it. */
export const operatorCommand = z.discriminatedUnion("kind", [
  /** `step` continues the run until any agent has ended one action. */
  z.strictObject({ kind: kind("pause", "resume", "step", "stop", "checkpoint") }),
  z.strictObject({ kind: kind("pause_agent", "resume_agent"), agent }),
  z.strictObject({ kind: kind("send_message"), agent, text: z.string(), reply_to }),
  /** Starts a new conversation of an agent with tools, and with `files` an empty workspace. */
  z.strictObject({ kind: kind("reset_agent"), agent, files: z.boolean() }),
  /** Decide about an action that waits for a reviewer. */
  /** `most`: the most scrip that the action may cost (default: what it can cost now). */
  z.strictObject({ kind: kind("accept_proposal"), proposal, most: z.int().min(0).optional() }),
  z.strictObject({ kind: kind("edit_proposal"), proposal, action }),
  z.strictObject({ kind: kind("give_feedback"), proposal, text: z.string() }),
]);
export type OperatorCommand = Readonly<z.infer<typeof operatorCommand>>;

/** Each kind of command with the names of its fields, such as `reset_agent { agent, files }`. */
export const COMMAND_FORMS: readonly string[] = operatorCommand.options.flatMap(({ shape }) => {
  const { kind: kinds, ...fields } = shape;
  const names = Object.keys(fields);
  const form = names.length === 0 ? "" : ` { ${names.join(", ")} }`;
  return [...kinds.values].map((each) => `${each}${form}`);
});
