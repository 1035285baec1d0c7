import type { AnswerFields } from "./answer-form.ts";
import { BUILT_INS } from "./built-in/built-ins.ts";
import { type Read, readExpression } from "./expression.ts";
import { VARIABLES } from "./variables.ts";
import { builtInOf, outputOf, type Step, type Workflow } from "./workflow-schema.ts";

/** What can be told of a variable before anything runs. */
type Known = {
  readonly name: string;
  /** True where others' words may stand in it. */
  readonly foreign: boolean;
  /** The fields that it has; null where anything may be in it. */
  readonly fields: readonly string[] | null;
  /** The texts that it can be, and those of its fields; null where it can be anything. */
  readonly choices: readonly string[] | null;
  readonly fieldChoices: { readonly [field: string]: readonly string[] };
  /** The index of the first step that sets it; null for what is there from the start. */
  readonly setBy: number | null;
  /** Whether it stays for later iterations. */
  readonly persists: boolean;
};

export type Scope = ReadonlyMap<string, Known>;

const ACTION_FIELDS = ["reasoning", "assessment", "action"];

/** All variables of a workflow: those of every workflow, and those that its steps set. */
export const scopeOf = ({ steps }: Workflow): Scope => {
  const scope = new Map<string, Known>();
  const counters = steps.flatMap((step) => {
    const counter = builtInOf(step) === "count" ? step.with?.counter : undefined;
    return typeof counter === "string" ? [counter] : [];
  });
  for (const { name, foreign, fields } of VARIABLES) {
    const known = { ...PLAIN, name, foreign, setBy: null, persists: false };
    scope.set(name, { ...known, fields: name === "counters" ? counters : fields });
  }
  // What an expression reads may be set behind it, where it is kept from iteration to iteration:
  // each round carries the mark of foreign words one such step further.
  for (let round = 0; round <= steps.length; round++) {
    const before = foreignIn(scope);
    for (const [index, step] of steps.entries()) addOutputs(scope, step, index);
    if (foreignIn(scope) === before) break;
  }
  return scope;
};

const PLAIN = { fields: null, choices: null, fieldChoices: {} } as const;

const foreignIn = (scope: Scope): number =>
  [...scope.values()].filter(({ foreign }) => foreign).length;

const addOutputs = (scope: Map<string, Known>, step: Step, setBy: number): void => {
  for (const output of outputsOf(step, scope)) {
    const given: Known = { ...output, setBy, persists: step.persist === true };
    const known = scope.get(given.name);
    if (known === undefined) scope.set(given.name, given);
    else if (known.setBy !== null) scope.set(given.name, either(known, given));
  }
};

type Output = Omit<Known, "setBy" | "persists">;

/** What a step sets: its output, and for a built-in each of the values that it gives. */
const outputsOf = (step: Step, scope: Scope): readonly Output[] => {
  const name = outputOf(step);
  switch (step.type) {
    case "transition":
      return [];
    case "llm":
      return [{ name, foreign: false, ...answerOf(step.schema ?? "action") }];
    case "code": {
      const builtIn = builtInOf(step);
      if (builtIn === undefined) {
        return [{ ...PLAIN, name, foreign: readsForeign(step.expression ?? "", scope) }];
      }
      const { gives } = BUILT_INS[builtIn];
      const foreign = builtIn === "update_goals" || gives.some((each) => each.foreign);
      const fields = gives.length > 0 ? gives.map((each) => each.name) : null;
      return [
        { ...PLAIN, name, foreign, fields },
        ...gives.map((each) => ({ ...PLAIN, name: each.name, foreign: each.foreign })),
      ];
    }
  }
};

const isWords = (given: unknown): given is readonly string[] => Array.isArray(given);

const answerOf = (
  schema: NonNullable<Step["schema"]>,
): Pick<Known, "fields" | "choices" | "fieldChoices"> => {
  if (schema === "action") return { ...PLAIN, fields: ACTION_FIELDS };
  if (schema === "text") return PLAIN;
  if (isWords(schema)) return { ...PLAIN, choices: schema };
  const fields: AnswerFields = schema;
  const fieldChoices = Object.fromEntries(
    Object.entries(fields).flatMap(([field, type]) => (isWords(type) ? [[field, type]] : [])),
  );
  return { fields: Object.keys(fields), choices: null, fieldChoices };
};

const readsForeign = (expression: string, scope: Scope): boolean => {
  const read = readExpression(expression);
  return read.ok && read.reads.some(({ name }: Read) => scope.get(name)?.foreign === true);
};

/** What can be said of a variable that two steps set. */
const either = (a: Known, b: Known): Known => {
  const fields = a.fields === null || b.fields === null ? null : [...a.fields, ...b.fields];
  const choices = a.choices === null || b.choices === null ? null : [...a.choices, ...b.choices];
  return {
    name: a.name,
    foreign: a.foreign || b.foreign,
    fields: fields === null ? null : [...new Set(fields)],
    choices: choices === null ? null : [...new Set(choices)],
    fieldChoices: a.setBy === b.setBy ? b.fieldChoices : {},
    setBy: Math.min(a.setBy ?? 0, b.setBy ?? 0),
    persists: a.persists || b.persists,
  };
};
