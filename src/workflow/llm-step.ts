import { cutText, type Json, type JsonObject } from "../kernel/index.ts";
import {
  type AnswerReader,
  askUntilRead,
  type Failure,
  type ReadResult,
  type Reply,
} from "../mind/index.ts";

import { type AnswerFields, answerForm, isWords, plainText, readAnswer } from "./answer-form.ts";
import { repeatedFailure } from "./metrics.ts";
import type { Progress } from "./progress.ts";
import { ran, rejected, type StepEnd, stepFailure, type WorkflowPorts } from "./workflow-ports.ts";
import { outputOf, type Step, yieldsAction } from "./workflow-schema.ts";

const TEXT_CHARS_MAX = 6_000;
/** The default number of retries. Decisions need no retries, because they have repairs. */
const DATA_RETRIES = 1;
const DECISION_RETRIES = 0;

/** Returns what an llm step adds to the agent's prompt. For data steps this is the whole prompt. */
export const stepPrompt = (step: Step, progress: Progress): ReadResult<string> => {
  const read = progress.prompt(step.prompt ?? "");
  if (!read.ok) return read;
  const { earlier, question } = read.value;
  if (earlier === "" && !yieldsAction(step)) return { ok: true, value: question };
  const sections = [earlier, `## This step\n${question}`].filter((text) => text !== "");
  return { ok: true, value: sections.join("\n\n") };
};

export const llmStep = async (
  step: Step,
  progress: Progress,
  ports: WorkflowPorts,
): Promise<StepEnd> => {
  const prompt = stepPrompt(step, progress);
  if (!prompt.ok) return rejected(`the prompt: ${prompt.problem}`);
  const { schema = "action" } = step;
  if (schema === "action") return decide(step, prompt.value, { progress, ports });
  const answer = await askUntilRead(ports.ask, {
    purpose: step.name,
    prompt: prompt.value,
    wanted: readerOf(step.name, schema),
    repairs: 0,
    retries: step.max_retries ?? DATA_RETRIES,
  });
  if (!answer.ok) return unanswered(answer);
  const problem = progress.set(outputOf(step), answer.value);
  return problem === null ? ran("answered") : stepFailure("llm_error", problem);
};

const unanswered = ({ ok: _, message: note, ...why }: Failure): StepEnd => ({
  outcome: "failed",
  note,
  ...why,
});

/** Asks for an action. If `should_pivot` is true, the action must not repeat the last failure. */
const decide = async (
  step: Step,
  question: string,
  { progress, ports }: { readonly progress: Progress; readonly ports: WorkflowPorts },
): Promise<StepEnd> => {
  const { ask, promptOf, repairs, ...wanted } = ports.decision;
  const decided = (words: string) =>
    askUntilRead(ask, {
      purpose: step.name,
      prompt: promptOf(words),
      wanted,
      repairs,
      retries: step.max_retries ?? DECISION_RETRIES,
    });
  const repeatedBy = ({ action }: Reply) => repeatedFailure(action, progress.variables());
  let decision = await decided(question);
  const repeated = decision.ok ? repeatedBy(decision.value) : null;
  if (repeated !== null) decision = await decided(`${question}${reminderOf(repeated)}`);
  if (!decision.ok) return unanswered(decision);
  const again = repeatedBy(decision.value);
  if (again !== null) {
    return rejected(`the model chose twice to repeat the action that failed: ${again}`);
  }
  progress.decide(outputOf(step), decision.value);
  return ran("decided");
};

const reminderOf = (repeated: string): string => `

You chose ${repeated}, but that is the action that just failed. Change your approach: choose another
action, another method, or another target.`;

const CHOICE = "choice";

const readerOf = (
  name: string,
  schema: Exclude<NonNullable<Step["schema"]>, "action">,
): AnswerReader<Json> => {
  if (schema === "text") return { form: null, read: readText };
  if (isWords(schema)) {
    const fields = { [CHOICE]: schema };
    return { form: answerForm(name, fields), read: (text) => choiceIn(readAnswer(text, fields)) };
  }
  const fields: AnswerFields = schema;
  return { form: answerForm(name, fields), read: (text) => readAnswer(text, fields) };
};

const choiceIn = (answer: ReadResult<JsonObject>): ReadResult<Json> =>
  answer.ok ? { ok: true, value: answer.value[CHOICE] ?? null } : answer;

const readText = (text: string): ReadResult<Json> => {
  const value = cutText(plainText(text).trim(), TEXT_CHARS_MAX);
  return value === "" ? { ok: false, problem: "the reply is empty" } : { ok: true, value };
};
