import { cutText, type Result } from "../../kernel/index.ts";
import type { ModelRequest, ReplyForm } from "../../model/index.ts";
import type { FailedThought } from "../core/mind.ts";

/** The value that was read, or a problem. The problem is one line about the text. */
export type ReadResult<T> = Result<{ value: T }>;

export type Failure = { readonly ok: false } & Pick<FailedThought, "reason" | "fault" | "message">;

/**
 * An answer that was read, or a problem. `rejected` is true if the reply could be parsed, but the
 * action in it is not valid.
 */
export type AnswerRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string; readonly rejected?: true };

type Unread = Extract<AnswerRead<never>, { readonly ok: false }>;

/** The form of an answer, and a function that reads the answer from a model's text. */
export type AnswerReader<T> = {
  readonly form: ReplyForm | null;
  readonly read: (text: string) => AnswerRead<T>;
};

export type ModelQuestion = Pick<ModelRequest, "purpose" | "prompt" | "messages" | "form">;

/**
 * Asks a model. The agent pays.
 *
 * Contract: `Ask` never throws or rejects. If the agent cannot pay, no call is made and the failure
 * is `insufficient_llm_tokens`.
 */
export type Ask = (
  question: ModelQuestion,
) => Promise<{ readonly ok: true; readonly text: string } | Failure>;

type ReadableQuestion<T> = {
  readonly purpose: string;
  readonly prompt: string;
  readonly wanted: AnswerReader<T>;
  /** How many times the model may correct an unreadable reply. The prompt names the problem. */
  readonly repairs: number;
  /** How many more times the question is asked if all repairs failed or no reply came. */
  readonly retries: number;
};

const REPLY_SHOWN_CHARS = 1_500;
const REPAIR = "repair";

/** Asks a model until its answer can be read, or until no repairs and retries are left. */
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
      else return unreadFailure(answer);
    } else if (retries === 0 || !mayHelp(asked)) {
      return problem === null ? asked : { ...asked, message: `${problem}; ${asked.message}` };
    } else retries -= 1;
  }
};

/** Whether to ask once more. A question that is too long stays too long. */
const mayHelp = ({ reason, fault }: Failure): boolean =>
  reason === "llm_error" && fault !== "context_overflow";

const unreadFailure = ({ problem, rejected }: Unread): Failure =>
  rejected === true
    ? { ok: false, reason: "intent_rejected", message: `the action is not valid: ${problem}` }
    : {
        ok: false,
        reason: "llm_error",
        fault: "unreadable_reply",
        message: `unreadable_reply: ${problem}`,
      };

const correctionOf = (text: string, problem: string): string => `

Your reply to this was:
${cutText(text, REPLY_SHOWN_CHARS)}

It cannot be used: ${problem}
Answer again, completely and in the required form.`;
