import {
  EXAMPLES_AT_MS,
  type Json,
  type JsonObject,
  must,
  type RefusalCode,
} from "../../kernel/index.ts";
import { shortened } from "../../text/index.ts";
import { type Described, partsOf, type Setting } from "./page.ts";

/** A call of a method of the page's artifact, with the declared example at index `example`. */
type MethodStep = {
  readonly by: string;
  readonly method: string;
  readonly example?: number;
  readonly attach?: JsonObject;
};

/** A call of a method of the page's artifact that its interface does not show. */
type CallStep = {
  readonly by: string;
  readonly calls: string;
  readonly args?: readonly Json[];
  readonly attach?: JsonObject;
  readonly gives?: Json;
  readonly refused?: RefusalCode;
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

/** Examples in order, and run times at which the next examples happen. */
export type Story = readonly (MethodStep | CallStep | ExampleAction | { readonly at_ms: number })[];

/** A longer result is cut. */
const RESULT_CHARS_MAX = 150;

export const seconds = (ms: number): string => `${ms / 1_000} s`;

/** States the preconditions of examples. A test creates this world and checks every example. */
export const castAt = (atMs: number): string =>
  `Examples, in order, in a new world with these settings, ${seconds(atMs)} after its start.
alice, bob and carol are agents with 100 scrip each.`;

export const CAST = castAt(EXAMPLES_AT_MS);

/** The examples of a story as lines of a page: who acts, the action as JSON, and the result. */
export const linesOf = (story: Story, part?: Described): string =>
  story.map((step) => `${lineOf(step, part)}\n`).join("");

/** The lines of a story, or nothing if the world lacks a genesis artifact that the story calls. */
export const possibleLines = (setting: Setting, story: Story): string => {
  const lines = linesOf(story);
  const known = new Set(partsOf(setting).map(({ id }) => id));
  const named = [...lines.matchAll(/"artifact_id":"(genesis_\w+)"/g)].map(([, id = ""]) => id);
  return named.every((id) => known.has(id)) ? lines : "";
};

/** A story of calls of one artifact, with its preconditions. */
export const transcript = (story: Story, part: Described, cast: string): string => `${cast}
{"method": ...} is the body of {"invoke_artifact": {"artifact_id": "${part.id}", ...}}.
${linesOf(story, part)}`;

const lineOf = (step: Story[number], part: Described | undefined): string => {
  if ("at_ms" in step) return `at ${seconds(step.at_ms)}:`;
  if ("method" in step) {
    const { args, result } = declaredExample(must(part, "a method needs an artifact"), step);
    return `${callOf(step.method, { ...step, args })} → ${shown(result)}`;
  }
  if ("calls" in step) return `${callOf(step.calls, step)}${endOf(step)}`;
  const { by, action, times } = step;
  const often = times === undefined ? "" : `, ${times} times`;
  return `${by}${often}: ${JSON.stringify(action)}${endOf(step)}`;
};

const callOf = (
  method: string,
  { by, args = [], attach }: Pick<CallStep, "by" | "args" | "attach">,
): string => {
  const given = args.length === 0 ? {} : { args };
  const body = { method, ...given, ...(attach === undefined ? {} : { attach }) };
  return `${by}: ${JSON.stringify(body)}`;
};

const endOf = ({ gives, refused }: Pick<ExampleAction, "gives" | "refused">): string => {
  const result = gives === undefined ? "" : ` → ${shown(gives)}`;
  return refused === undefined ? result : ` → refused: ${refused}`;
};

const declaredExample = ({ id, methods }: Described, { method, example = 0 }: MethodStep) =>
  must(
    methods.find(({ name }) => name === method)?.examples?.[example],
    `${id}.${method} must declare an example with index ${example}`,
  );

const shown = (result: Json): string => shortened(JSON.stringify(result), RESULT_CHARS_MAX);
