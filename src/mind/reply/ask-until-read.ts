import { cutText, type Result } from "../../kernel/index.ts";
import type { FailedThought } from "../mind.ts";
import type { ReplyForm } from "../model/index.ts";

/** What was read, or one line that says what is wrong with the text. */
export type ReadResult<T> = Result<{ value: T }>;

export type Failure = { readonly ok: false } & Pick<FailedThought, "reason" | "fault" | "message">;

/** The form of an answer, and how it is read from the text of a model. */
export type AnswerReader<T> = {
  readonly form: ReplyForm | null;
  readonly read: (text: string) => ReadResult<T>;
};

export type ModelQuestion = {
  readonly purpose: string;
  readonly prompt: string;
  readonly form: ReplyForm | null;
};

/**
 * Asks a model and pays for it.
 *
 * Contract: never throws or rejects. If the agent cannot pay, it fails with
 * `insufficient_llm_tokens` and does not ask.
 */
export type Ask = (
  question: ModelQuestion,
) => Promise<{ readonly ok: true; readonly text: string } | Failure>;

export type ReadableQuestion<T> = {
  readonly purpose: string;
  readonly prompt: string;
  readonly wanted: AnswerReader<T>;
  /** How often an unreadable reply is sent back with its problem. */
  readonly repairs: number;
  /** How often the question is asked again after failed repairs, or when no reply comes. */
  readonly retries: number;
};

const REPLY_SHOWN_CHARS = 1_500;
const REPAIR = "repair";

/** Asks until it can read the answer, within the allowed number of times. */
export const askUntilRead = async <T>(
  ask: Ask,
  question: ReadableQuestion<T>,
): Promise<{ readonly ok: true; readonly value: T } | Failure> => {
  const { form, read } = question.wanted;
  let { purpose, prompt, repairs, retries } = question;
  let problem: string | null = null;
  for (;;) {
    const asked = await ask({ purpose, prompt, form });
    if (asked.ok) {
      const answer = read(asked.text);
      if (answer.ok) return answer;
      problem = answer.problem;
      purpose = REPAIR;
      prompt = `${question.prompt}${correctionOf(asked.text, problem)}`;
      if (repairs > 0) repairs -= 1;
      else if (retries > 0) retries -= 1;
      else {
        const message = `the reply could not be read: ${problem}`;
        return { ok: false, reason: "llm_error", message };
      }
    } else if (asked.reason !== "llm_error" || retries === 0) {
      return problem === null ? asked : { ...asked, message: `${problem}; ${asked.message}` };
    } else retries -= 1;
  }
};

const correctionOf = (text: string, problem: string): string => `

Your reply to this was:
${cutText(text, REPLY_SHOWN_CHARS)}

It cannot be used: ${problem}
Answer again, completely and in the required form.`;
