import { cutText } from "../../kernel/index.ts";
import type { Failed } from "../mind.ts";
import type { ModelFailure } from "../model/index.ts";
import { REPLY_FORMS, type Reply, readReply } from "../reply/index.ts";
import type { CognitiveSchema } from "../settings.ts";
import type { Thinking } from "./thinking.ts";

/** What to ask, and how its answer is read. */
export type Proposal = {
  readonly purpose: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: CognitiveSchema;
  readonly jsonDepthMax: number;
  /** How often a reply that cannot be read is sent back with what is wrong with it. */
  readonly repairAttempts: number;
};

export type Proposed =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly reason: Failed["reason"]; readonly message: string };

const REPLY_SHOWN_CHARS = 1_500;

/**
 * The seeds' `propose_action`: asks for a decision and reads it. A reply that cannot be read goes
 * back to the model with the fault, as often as is allowed; then the thought has failed.
 */
export const proposeAction = async (thinking: Thinking, proposal: Proposal): Promise<Proposed> => {
  const { system, schema, jsonDepthMax } = proposal;
  const form = REPLY_FORMS[schema];
  let { purpose, prompt } = proposal;
  let problem = "";
  for (let attempt = 0; attempt <= proposal.repairAttempts; attempt++) {
    const asked = await thinking.ask({ purpose, system, prompt, form });
    if (asked.kind === "unaffordable") {
      const message = problem === "" ? asked.problem : `${problem}; ${asked.problem}`;
      return { ok: false, reason: "insufficient_llm_tokens", message };
    }
    if (!asked.reply.ok) return failureOf(asked.reply);
    const read = readReply(asked.reply.text, { schema, jsonDepthMax });
    if (read.ok) return read;
    problem = read.problem;
    purpose = "repair";
    prompt = repairPrompt(proposal.prompt, asked.reply.text, problem);
  }
  return { ok: false, reason: "llm_error", message: `the reply could not be read: ${problem}` };
};

const failureOf = ({ fault, message }: ModelFailure): Proposed => ({
  ok: false,
  reason: "llm_error",
  message: `${fault}: ${message}`,
});

const repairPrompt = (prompt: string, text: string, problem: string): string => `${prompt}

Your reply to this was:
${cutText(text, REPLY_SHOWN_CHARS)}

It cannot be used: ${problem}
Answer again, whole and in the form that you were told.`;
