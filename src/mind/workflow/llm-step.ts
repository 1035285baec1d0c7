import type { Json } from "../../kernel/index.ts";
import { cutText } from "../../kernel/index.ts";
import type { ReplyForm } from "../model/index.ts";
import { type AnswerFields, type AnswerRead, answerForm, readAnswer } from "./answer-form.ts";
import { repeatedFailure } from "./pivot.ts";
import { plainText } from "./plain-text.ts";
import type { Progress } from "./progress.ts";
import { failed, ran, type StepEnd } from "./step-end.ts";
import type { WorkflowPorts } from "./workflow-ports.ts";
import { outputOf, type Step } from "./workflow-schema.ts";

const TEXT_CHARS_MAX = 6_000;
const REPLY_SHOWN_CHARS = 1_000;
/** Data that cannot be read is asked for again; a decision is repaired by whoever proposes it. */
const DATA_RETRIES = 1;
const DECISION_RETRIES = 0;

/** A step that asks a model: for a decision, for data of its schema, or for text. */
export const llmStep = async (
  step: Step,
  progress: Progress,
  ports: WorkflowPorts,
): Promise<StepEnd> => {
  const prompt = progress.prompt(step.prompt ?? "");
  if (!prompt.ok) return failed("intent_rejected", `the prompt: ${prompt.problem}`);
  const { schema = "action" } = step;
  return schema === "action"
    ? propose(step, prompt.text, { progress, ports })
    : ask(step, { prompt: prompt.text, wanted: wantedBy(step.name, schema) }, { progress, ports });
};

type Around = { readonly progress: Progress; readonly ports: WorkflowPorts };

const NO_CALLS_LEFT = failed(
  "intent_rejected",
  "the iteration has made all the model calls that `max_model_calls` allows",
);

/**
 * Asks for an action. Where the agent should pivot, one that repeats the last failure is sent back
 * once.
 */
const propose = async (step: Step, prompt: string, around: Around): Promise<StepEnd> => {
  const { progress, ports } = around;
  let retries = step.max_retries ?? DECISION_RETRIES;
  let reminder = "";
  for (;;) {
    if (!progress.takeCall()) return NO_CALLS_LEFT;
    const proposed = await ports.propose({ purpose: step.name, prompt: `${prompt}${reminder}` });
    if (!proposed.ok) {
      if (proposed.reason !== "llm_error" || retries === 0) {
        return failed(proposed.reason, proposed.message);
      }
      retries -= 1;
      continue;
    }
    const { reply } = proposed;
    const repeated = repeatedFailure(reply.action, progress.variables());
    if (repeated === null) {
      progress.decide(outputOf(step), reply);
      return ran("decided");
    }
    if (reminder !== "") {
      return failed("intent_rejected", `it should pivot, and twice chose what failed: ${repeated}`);
    }
    reminder = reminderOf(repeated);
  }
};

const reminderOf = (repeated: string): string => `

You chose ${repeated}. That is what failed last, and you are to change your ways: choose another
action, another method, or another target.`;

/** What a step wants to be told: the form to ask for, and how the reply is read. */
type Wanted = { readonly form: ReplyForm | null; readonly read: (text: string) => ReadResult };
type ReadResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

const CHOICE = "choice";
const isWords = (given: unknown): given is readonly string[] => Array.isArray(given);

const wantedBy = (name: string, schema: Exclude<NonNullable<Step["schema"]>, "action">): Wanted => {
  if (schema === "text") return { form: null, read: readText };
  if (isWords(schema)) {
    const fields = { [CHOICE]: schema };
    return { form: answerForm(name, fields), read: (text) => choiceIn(readAnswer(text, fields)) };
  }
  const fields: AnswerFields = schema;
  return { form: answerForm(name, fields), read: (text) => readAnswer(text, fields) };
};

const choiceIn = (answer: AnswerRead): ReadResult =>
  answer.ok ? { ok: true, value: answer.value[CHOICE] ?? null } : answer;

const readText = (text: string): ReadResult => {
  const value = cutText(plainText(text).trim(), TEXT_CHARS_MAX);
  return value === "" ? { ok: false, problem: "the reply is empty" } : { ok: true, value };
};

const ask = async (
  step: Step,
  { prompt, wanted }: { readonly prompt: string; readonly wanted: Wanted },
  { progress, ports }: Around,
): Promise<StepEnd> => {
  const { form, read } = wanted;
  let retries = step.max_retries ?? DATA_RETRIES;
  let correction = "";
  for (;;) {
    if (!progress.takeCall()) return NO_CALLS_LEFT;
    const question = { purpose: step.name, prompt: `${prompt}${correction}`, form };
    const asked = await ports.ask(question);
    if (!asked.ok && asked.reason !== "llm_error") return failed(asked.reason, asked.message);
    const answer = asked.ok ? read(asked.text) : null;
    if (answer?.ok === true) {
      const problem = progress.set(outputOf(step), answer.value);
      return problem === null ? ran("answered") : failed("llm_error", problem);
    }
    const problem = answer?.problem ?? (asked.ok ? "" : asked.message);
    if (retries === 0) return failed("llm_error", problem);
    retries -= 1;
    correction = asked.ok ? correctionOf(asked.text, problem) : "";
  }
};

const correctionOf = (text: string, problem: string): string => `

Your reply to this was:
${cutText(text, REPLY_SHOWN_CHARS)}

It cannot be used: ${problem}. Answer again, in the form that you were told.`;
