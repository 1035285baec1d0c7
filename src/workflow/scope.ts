import { didYouMean } from "../text/index.ts";
import { type AnswerFields, isWords } from "./answer-form.ts";
import { BUILT_INS } from "./built-ins.ts";
import {
  meantBy,
  type Read,
  readExpression,
  readSlot,
  readTemplate,
  type Slot,
} from "./expression.ts";
import { VARIABLES } from "./variables.ts";
import {
  builtInOf,
  haveCommonState,
  outputOf,
  STEPS,
  type Step,
  statesOf,
  type Workflow,
} from "./workflow-schema.ts";

type Known = {
  readonly name: string;
  /** True if the variable may hold text of other agents. */
  readonly foreign: boolean;
  readonly fields: readonly string[] | null;
  /** True for a number, a text or true or false: such a value has no parts. */
  readonly isSingle: boolean;
  /** The fields of each item if the value is a list, otherwise null. */
  readonly items: readonly string[] | null;
  /** The possible values of the variable, or null if any value is possible. */
  readonly choices: readonly string[] | null;
  readonly fieldChoices: { readonly [field: string]: readonly string[] };
  /** The index of the first step that sets the variable, or null if it is set from the start. */
  readonly setBy: number | null;
  /** True if later iterations can read the value. */
  readonly persists: boolean;
};

export type Scope = ReadonlyMap<string, Known>;

const ACTION_FIELDS = ["reasoning", "assessment", "action"];

/** Returns the variables that every workflow has, and the variables that `steps` set. */
export const scopeOf = ({ steps }: Workflow): Scope => {
  const scope = new Map<string, Known>();
  const counters = steps.flatMap((step) => {
    const counter = builtInOf(step) === "count" ? step.with?.counter : undefined;
    return typeof counter === "string" ? [counter] : [];
  });
  for (const { says: _says, of: _of, ...variable } of VARIABLES) {
    const known = { ...PLAIN, ...variable, setBy: null, persists: false };
    scope.set(known.name, known.name === "counters" ? { ...known, fields: counters } : known);
  }
  const results = { ...PLAIN, name: STEPS, setBy: null, persists: false };
  // An expression may read an output of a later step, from the last iteration. Each round can
  // therefore make more variables foreign. Stops when a round adds none.
  for (let round = 0; round <= steps.length; round++) {
    const before = foreignIn(scope);
    for (const [index, step] of steps.entries()) addOutputs(scope, step, index);
    const outputs = steps.map((step) => scope.get(outputOf(step)));
    const foreign = outputs.some((known) => known?.foreign === true);
    scope.set(STEPS, { ...results, foreign });
    if (foreignIn(scope) === before) break;
  }
  return scope;
};

const PLAIN = {
  fields: null,
  isSingle: false,
  items: null,
  choices: null,
  fieldChoices: {},
} as const;

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

const answerOf = (schema: NonNullable<Step["schema"]>): Omit<Output, "name" | "foreign"> => {
  if (schema === "action") return { ...PLAIN, fields: ACTION_FIELDS };
  if (schema === "text") return { ...PLAIN, isSingle: true };
  if (isWords(schema)) return { ...PLAIN, isSingle: true, choices: schema };
  const fields: AnswerFields = schema;
  const fieldChoices = Object.fromEntries(
    Object.entries(fields).flatMap(([field, type]) => (isWords(type) ? [[field, type]] : [])),
  );
  return { ...PLAIN, fields: Object.keys(fields), fieldChoices };
};

const readsForeign = (expression: string, scope: Scope): boolean => {
  const read = readExpression(expression);
  return read.ok && read.reads.some(({ name }: Read) => scope.get(name)?.foreign === true);
};

/** Merges the descriptions `a` and `b` of one variable that two steps set. */
const either = (a: Known, b: Known): Known => {
  const fields = a.fields === null || b.fields === null ? null : [...a.fields, ...b.fields];
  const choices = a.choices === null || b.choices === null ? null : [...a.choices, ...b.choices];
  return {
    name: a.name,
    foreign: a.foreign || b.foreign,
    fields: fields === null ? null : [...new Set(fields)],
    isSingle: a.isSingle && b.isSingle,
    items: null,
    choices: choices === null ? null : [...new Set(choices)],
    fieldChoices: a.setBy === b.setBy ? b.fieldChoices : {},
    setBy: Math.min(a.setBy ?? 0, b.setBy ?? 0),
    persists: a.persists || b.persists,
  };
};

export type WorkflowIssue = {
  /** The path of the wrong value in the workflow, such as `["steps", 2, "prompt"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string | null;
};

export type Path = WorkflowIssue["path"];

export const issueAt = (path: Path, message: string, hint: string | null): WorkflowIssue => ({
  path,
  message,
  hint,
});

/** Returns an issue about an unknown name. The hint is a similar name or the known names. */
export const unknownAt = (
  path: Path,
  message: string,
  { word, known }: { readonly word: string; readonly known: readonly string[] },
): WorkflowIssue => {
  const all = known.length === 0 ? null : `known: ${known.slice(0, 12).join(", ")}`;
  return issueAt(path, message, didYouMean(word, known) ?? all);
};

/** The step whose text is checked. The text may read the variables that earlier steps set. */
export type Reader = {
  readonly workflow: Workflow;
  readonly scope: Scope;
  readonly index: number;
  /** The states in which the text is read, or null for all. */
  readonly states: readonly string[] | null;
};

export const checkExpression = (text: string, path: Path, reader: Reader) => {
  const read = readExpression(text);
  if (!read.ok) return [issueAt(path, read.problem, read.hint)];
  return read.reads.flatMap((each) => checkRead(each, path, reader));
};

/** Returns what a slot reads. */
export const readOf = ({ name, path: [field, inner] }: Slot): Read => {
  return { name, field: field ?? null, inner: inner ?? null };
};

export const checkTemplate = (text: string, path: Path, reader: Reader) => {
  const read = readTemplate(text);
  if (!read.ok) return [issueAt(path, read.problem, read.hint)];
  return read.parts.flatMap((part) => {
    return typeof part === "string" ? [] : checkPart(part, path, reader);
  });
};

/** Checks a slot. Unlike an expression, a slot cannot read methods, such as a list's length. */
const checkPart = (slot: Slot, path: Path, reader: Reader): readonly WorkflowIssue[] => {
  const issues = checkRead(readOf(slot), path, reader);
  if (issues.length > 0) return issues;
  const [first] = slot.path;
  const step = slot.name === STEPS ? stepNamed(reader.workflow, first) : undefined;
  const known = reader.scope.get(step === undefined ? slot.name : outputOf(step));
  const parts = step === undefined ? slot.path : slot.path.slice(1);
  const name = step === undefined ? slot.name : `${STEPS}.${first}`;
  const [field, inner] = parts;
  if (known === undefined || field === undefined) return [];
  if (known.isSingle) {
    const message = `\`${name}\` has no field \`${field}\`: it is a single value`;
    return [issueAt(path, message, `write \`{${name}}\``)];
  }
  if (known.items === null) return [];
  if (/^\d+$/.test(field)) {
    return inner === undefined ? [] : checkField(`${name}.${field}`, inner, known.items, path);
  }
  const [example] = known.items;
  const item = example === undefined ? `{${name}.0}` : `{${name}.0.${example}}`;
  const message = `\`${name}\` is a list and has no field \`${field}\``;
  return [issueAt(path, message, `name an item by its number, as in \`${item}\``)];
};

/** Checks a text that must be one variable, such as `review.decision`. */
export const checkSlot = (text: string, path: Path, reader: Reader) => {
  const slot = readSlot(text);
  if (slot !== null) return checkPart(slot, path, reader);
  const hint = "write the variable alone, as in `on: review.decision`";
  return [issueAt(path, `"${text}" is not the name of a variable`, hint)];
};

/** Returns the step whose result a text reads as `steps.NAME`. */
export const stepNamed = ({ steps }: Workflow, name: string | null | undefined) =>
  steps.find((step) => step.name === name && step.type !== "transition");

/** Checks a read of `steps.NAME`. */
const checkResultRead = ({ field, inner }: Read, path: Path, reader: Reader) => {
  const { workflow, scope, index } = reader;
  const name = field ?? "";
  const step = stepNamed(workflow, name);
  if (step === undefined) {
    const known = workflow.steps.filter(({ type }) => type !== "transition");
    const message = `\`steps\` has no step \`${name}\``;
    return [unknownAt(path, message, { word: name, known: known.map((each) => each.name) })];
  }
  const at = workflow.steps.indexOf(step);
  if (at < index || step.persist === true) {
    const { fields = null } = scope.get(outputOf(step)) ?? {};
    const apart = step.persist === true ? null : apartIssue(`steps.${name}`, [step], path, reader);
    if (apart !== null) return [apart];
    return inner === null ? [] : checkField(`steps.${name}`, inner, fields, path);
  }
  const which = at === index ? "this step itself" : "a step that comes later";
  const hint = "give it `persist: true` to read its value from the last iteration";
  return [issueAt(path, `\`steps.${name}\` is the result of ${which}`, hint)];
};

/** Checks the name of a variable. If the variable has known fields, checks the field name too. */
const checkRead = (read: Read, path: Path, reader: Reader): readonly WorkflowIssue[] => {
  const { name, field } = read;
  const { workflow, scope, index } = reader;
  if (name === STEPS && field !== null) return checkResultRead(read, path, reader);
  const known = scope.get(name);
  if (known === undefined) {
    const visible = [...scope.values()].filter((each) => isSetBefore(each, index));
    const names = visible.map((each) => each.name);
    const issue = unknownAt(path, `unknown variable \`${name}\``, { word: name, known: names });
    return [{ ...issue, hint: meantBy(name) ?? issue.hint }];
  }
  if (!isSetBefore(known, index)) {
    const setter = workflow.steps[known.setBy ?? 0]?.name ?? "";
    const message =
      known.setBy === index
        ? `this step itself sets \`${name}\``
        : `\`${name}\` is set by the step \`${setter}\`, which comes later`;
    const kept = `give \`${setter}\` \`persist: true\` to read its value from the last iteration`;
    const hint = `${kept}, or change the order`;
    return [issueAt(path, message, hint)];
  }
  const setters = workflow.steps.filter((step) =>
    outputsOf(step, scope).some((output) => output.name === name),
  );
  const apart = known.persists ? null : apartIssue(name, setters, path, reader);
  if (apart !== null) return [apart];
  return field === null ? [] : checkField(name, field, known.fields, path);
};

/** Reports a value that no step sets in the states in which it is read. */
const apartIssue = (
  name: string,
  setters: readonly Step[],
  path: Path,
  reader: Reader,
): WorkflowIssue | null => {
  const [setter] = setters;
  if (setter === undefined) return null;
  if (setters.some((step) => haveCommonState(statesOf(step), reader.states))) return null;
  const states = [...new Set(setters.flatMap((step) => statesOf(step) ?? []))].join(", ");
  const message = `\`${name}\` is always null here: it is set only in the state ${states}`;
  const hint = `give \`${setter.name}\` \`persist: true\` to keep its value for later iterations`;
  return issueAt(path, message, hint);
};

const checkField = (name: string, field: string, fields: readonly string[] | null, path: Path) => {
  if (fields === null || fields.includes(field)) return [];
  const message = `\`${name}\` has no field \`${field}\``;
  return [unknownAt(path, message, { word: field, known: fields })];
};

const isSetBefore = ({ setBy, persists }: Known, index: number): boolean =>
  setBy === null || setBy < index || persists;
