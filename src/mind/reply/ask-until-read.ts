import { cutText } from "../../kernel/index.ts";
import type { Failed } from "../mind.ts";
import type { ReplyForm } from "../model/index.ts";

export type Failure = { readonly ok: false } & Pick<Failed, "reason" | "message">;

/** The form of an answer, and how the text of a model is read as one. */
export type Wanted<T> = {
  readonly form: ReplyForm | null;
  readonly read: (
    text: string,
  ) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
};

/** One question to a model, as it is put. */
export type PutQuestion = {
  readonly purpose: string;
  readonly prompt: string;
  readonly form: ReplyForm | null;
};

/**
 * Puts a question to a model and pays for it.
 *
 * Contract: never throws or rejects. Fails with `insufficient_llm_tokens` where the agent could not
 * pay, and then asks nobody.
 */
export type Ask = (
  question: PutQuestion,
) => Promise<{ readonly ok: true; readonly text: string } | Failure>;

export type Inquiry<T> = {
  readonly purpose: string;
  readonly prompt: string;
  readonly wanted: Wanted<T>;
  /** How often a reply that cannot be read is sent back with what is wrong with it. */
  readonly repairs: number;
  /** How often besides it is asked again, be it that no reply comes or none that can be read. */
  readonly retries: number;
};

const REPLY_SHOWN_CHARS = 1_500;
const REPAIR = "repair";

/** Asks until the answer can be read, as often as is allowed; then it has failed. */
export const askUntilRead = async <T>(
  ask: Ask,
  inquiry: Inquiry<T>,
): Promise<{ readonly ok: true; readonly value: T } | Failure> => {
  const { form, read } = inquiry.wanted;
  let { purpose, prompt, repairs, retries } = inquiry;
  let problem: string | null = null;
  for (;;) {
    const asked = await ask({ purpose, prompt, form });
    if (asked.ok) {
      const answer = read(asked.text);
      if (answer.ok) return answer;
      problem = answer.problem;
      purpose = REPAIR;
      prompt = `${inquiry.prompt}${correctionOf(asked.text, problem)}`;
      if (repairs > 0) repairs -= 1;
      else if (retries > 0) retries -= 1;
      else return failure("llm_error", `the reply could not be read: ${problem}`);
    } else if (asked.reason !== "llm_error" || retries === 0) {
      return problem === null ? asked : failure(asked.reason, `${problem}; ${asked.message}`);
    } else retries -= 1;
  }
};

const failure = (reason: Failure["reason"], message: string): Failure => ({
  ok: false,
  reason,
  message,
});

const correctionOf = (text: string, problem: string): string => `

Your reply to this was:
${cutText(text, REPLY_SHOWN_CHARS)}

It cannot be used: ${problem}
Answer again, whole and in the form that you were told.`;
