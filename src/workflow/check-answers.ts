import { BUILT_INS, type BuiltIn } from "./built-ins.ts";
import { STEPS } from "./earlier-steps.ts";
import { type Read, readExpression } from "./expression.ts";
import { issueAt, readOf, type WorkflowIssue } from "./scope.ts";
import { readSlot, readTemplate } from "./template.ts";
import {
  builtInOf,
  haveCommonState,
  outputOf,
  type Step,
  statesOf,
  transitionsOf,
  type Workflow,
  yieldsAction,
} from "./workflow-schema.ts";

/**
 * Returns a warning for each llm step whose answer, or whose action, has no effect although the
 * agent pays for it. `workflow` must be valid.
 */
export const checkAnswers = (workflow: Workflow): readonly WorkflowIssue[] =>
  workflow.steps.flatMap((step, index) => {
    if (step.type !== "llm") return [];
    const key = step.schema === undefined ? "name" : "schema";
    const path = ["steps", index, key];
    const rest = workflow.steps.slice(index + 1);
    const reaches = isPassedOn(step, rest) || isRead(workflow, step);
    if (!yieldsAction(step)) return reaches ? [] : [issueAt(path, unread(step), UNREAD_HINT)];
    const later = followerOf(step, rest);
    if (later === null) return [];
    return [
      issueAt(path, superseded(workflow, { step, later, reaches }), superseding(step, later)),
    ];
  });

const unread = ({ name }: Step): string =>
  `the answer of \`${name}\` is thrown away: no step reads it, and no llm step comes later`;

const UNREAD_HINT = "move the step before the llm step that needs it, read it, or remove the step";

type Superseded = { readonly step: Step; readonly later: Step; readonly reaches: boolean };

const superseded = (workflow: Workflow, { step, later, reaches }: Superseded): string => {
  const aborts = workflow.error_handling?.on_step_failure === "abort";
  const isFallback = later.type === "llm" && !aborts;
  const unless = isFallback ? `, unless \`${later.name}\` fails` : "";
  const rest = reaches ? "later steps only read the answer" : "the answer has no other use";
  return `\`${later.name}\` replaces the action of \`${step.name}\`${unless}; ${rest}`;
};

const superseding = ({ name }: Step, later: Step): string =>
  later.type === "llm"
    ? `if \`${name}\` must not act, give it another \`schema\`, such as \`text\``
    : `remove \`${name}\` or \`${later.name}\``;

/** Returns whether an answer appears in the prompt of an llm step among the `rest`. */
const isPassedOn = (step: Step, rest: readonly Step[]): boolean =>
  rest.some((later) => later.type === "llm" && haveCommonState(statesOf(step), statesOf(later)));

/** Returns the later step that decides in every iteration in which this step decides, or null. */
const followerOf = (step: Step, rest: readonly Step[]): Step | null => {
  const states = statesOf(step);
  const covers = (later: Step): boolean => {
    const theirs = statesOf(later);
    return theirs === null || (states?.every((each) => theirs.includes(each)) ?? false);
  };
  if (rest.some((later) => executes(later, step))) return null;
  const replaces = (later: Step): boolean =>
    yieldsAction(later) && later.if === undefined && covers(later);
  return rest.find(replaces) ?? null;
};

/** Returns whether a step executes the decision of another step by its name. */
const executes = (step: Step, decided: Step): boolean => {
  if (builtInOf(step) !== "execute_decision" || step.with?.decision === undefined) return false;
  const slot = readSlot(String(step.with.decision));
  return slot !== null && isResult(decided, readOf(slot));
};

/** The variables that built-ins and decisions read without naming them in a text. */
const READ_ANYWAY = ["should_pivot", "should_review"];

const isRead = (workflow: Workflow, step: Step): boolean => {
  const conditions = transitionsOf(workflow).map(({ condition }) => condition ?? "true");
  const reads = [
    ...conditions.flatMap(readsOfExpression),
    ...workflow.steps.filter((other) => other !== step).flatMap(readsOf),
  ];
  return READ_ANYWAY.includes(outputOf(step)) || reads.some((read) => isResult(step, read));
};

const isResult = (step: Step, { name, field }: Read): boolean =>
  name === outputOf(step) || (name === STEPS && (field === null || field === step.name));

const readsOf = (step: Step): readonly Read[] => {
  const builtIn = step.type === "code" ? builtInOf(step) : undefined;
  const takes: BuiltIn["takes"] = builtIn === undefined ? {} : BUILT_INS[builtIn].takes;
  const given = Object.entries(step.with ?? {}).map(([name, value]) => {
    const text = String(value);
    return takes[name]?.kind === "output" ? `{${text}}` : text;
  });
  return [
    ...[step.if, step.expression].flatMap((text) => readsOfExpression(text ?? "true")),
    ...[step.prompt ?? "", ...given, step.on === undefined ? "" : `{${step.on}}`].flatMap(
      readsOfTemplate,
    ),
  ];
};

const readsOfExpression = (text: string): readonly Read[] => {
  const read = readExpression(text);
  return read.ok ? read.reads : [];
};

const readsOfTemplate = (text: string): readonly Read[] => {
  const read = readTemplate(text);
  if (!read.ok) return [];
  return read.parts.flatMap((part) => (typeof part === "string" ? [] : [readOf(part)]));
};
