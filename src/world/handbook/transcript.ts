import { type Json, type JsonObject, must, type RefusalCode } from "../../kernel/index.ts";
import type { Described } from "./page.ts";

/** A call of a method of the page's artifact, with the declared example at index `example`. */
type MethodStep = {
  readonly by: string;
  readonly method: string;
  readonly example?: number;
  readonly attach?: JsonObject;
};

/**
 * Any action. `gives` is its result. `refused` is the code of its refusal. An action with neither
 * is accepted, and its result is not shown.
 */
export type ExampleAction = {
  readonly by: string;
  readonly action: JsonObject;
  readonly times?: number;
  readonly gives?: Json;
  readonly refused?: RefusalCode;
};

/** Examples in order, and run times in seconds at which the next examples happen. */
export type Story = readonly (MethodStep | ExampleAction | { readonly at_s: number })[];

/** A longer result is cut. */
const RESULT_CHARS_MAX = 150;

/** States the preconditions of examples. A test creates this world and checks every example. */
export const CAST = `Examples, in order, 100 s after the start of a world with the default settings.
alice, bob and carol are agents with 100 scrip each.`;

/** The examples of a story as lines of a page: who acts, the action as JSON, and the result. */
export const linesOf = (story: Story, part?: Described): string =>
  story.map((step) => `${lineOf(step, part)}\n`).join("");

/** A story of calls of one artifact, with its preconditions. */
export const transcript = (story: Story, part: Described): string => `${CAST}
{"method": ...} is the body of {"invoke_artifact": {"artifact_id": "${part.id}", ...}}.
${linesOf(story, part)}`;

const lineOf = (step: Story[number], part: Described | undefined): string => {
  if ("at_s" in step) return `at ${step.at_s} s:`;
  if ("method" in step) {
    const { by, method, attach } = step;
    const { args, result } = declaredExample(must(part, "a method needs an artifact"), step);
    const given = args.length === 0 ? {} : { args };
    const body = { method, ...given, ...(attach === undefined ? {} : { attach }) };
    return `${by}: ${JSON.stringify(body)} → ${shown(result)}`;
  }
  const { by, action, times, gives, refused } = step;
  const often = times === undefined ? "" : `, ${times} times`;
  const result = gives === undefined ? "" : ` → ${shown(gives)}`;
  const refusal = refused === undefined ? "" : ` → refused: ${refused}`;
  return `${by}${often}: ${JSON.stringify(action)}${result}${refusal}`;
};

const declaredExample = ({ id, methods }: Described, { method, example = 0 }: MethodStep) =>
  must(
    methods.find(({ name }) => name === method)?.examples?.[example],
    `${id}.${method} must declare an example with index ${example}`,
  );

const shown = (result: Json): string => {
  const text = JSON.stringify(result);
  return text.length <= RESULT_CHARS_MAX ? text : `${text.slice(0, RESULT_CHARS_MAX)}…`;
};
