import { BUILT_INS, type BuiltIn, type Parameter } from "../built-ins.ts";
import { isVariableName } from "../expression.ts";
import {
  checkExpression,
  checkSlot,
  checkTemplate,
  issueAt,
  type Path,
  type Reader,
  type Scope,
  scopeOf,
  unknownAt,
  type WorkflowIssue,
} from "../scope.ts";
import { readSlot } from "../template.ts";
import { VARIABLES } from "../variables.ts";
import {
  builtInOf,
  outputOf,
  type Step,
  statesOf,
  sureCalls,
  type Workflow,
  workflowShape,
  yieldsAction,
} from "../workflow-schema.ts";
import { checkStates, checkTargets } from "./check-states.ts";

/** The schema of `workflow` in an agent's configuration. Includes all checks before a run. */
export const workflowSchema = workflowShape.superRefine((workflow, context) => {
  for (const { path, message, hint } of checkWorkflow(workflow)) {
    // zod adds the outer path to the array that it gets, so this array is a copy.
    context.addIssue({ code: "custom", path: [...path], message, params: { hint } });
  }
});

/** Returns every problem that can be found before a run. `workflow` must have the right shape. */
export const checkWorkflow = (workflow: Workflow): readonly WorkflowIssue[] => {
  const scope = scopeOf(workflow);
  const { steps } = workflow;
  const inSteps = steps.flatMap((step, index) => [
    ...checkNames(steps, step, index),
    ...checkKeys(step, ["steps", index]),
    ...checkStep(step, { workflow, scope, index, states: statesOf(step) }),
  ]);
  const states = checkStates(workflow, scope);
  const acts = steps.some(yieldsAction);
  const silent = issueAt(
    ["steps"],
    "no step decides on an action, so the agent would never act",
    "add an llm step without `schema` (`execute_decision` only repeats a decision)",
  );
  return [...inSteps, ...states, ...(acts ? [] : [silent]), ...checkCalls(workflow)];
};

/** Reports a limit that is too low even if each llm step is answered at once. */
const checkCalls = (workflow: Workflow): readonly WorkflowIssue[] => {
  const { max_model_calls: most, states } = workflow;
  if (most === undefined) return [];
  const counts = (states ?? [null]).map((state) => ({ state, calls: sureCalls(workflow, state) }));
  const [highest] = counts.toSorted((a, b) => b.calls - a.calls);
  if (highest === undefined || highest.calls <= most) return [];
  const { state, calls } = highest;
  const inState = state === null ? "" : ` in the state \`${state}\``;
  const message = `an iteration${inState} makes at least ${calls} model calls, not ${most}`;
  const hint = `set it to ${calls} or more, or give a step an \`if\``;
  return [issueAt(["max_model_calls"], message, hint)];
};

const checkNames = (steps: readonly Step[], step: Step, index: number) => {
  const issues: WorkflowIssue[] = [];
  const first = steps.findIndex(({ name }) => name === step.name);
  if (first < index) {
    const message = `the name \`${step.name}\` is already used by step ${first + 1}`;
    issues.push(issueAt(["steps", index, "name"], message, "names of steps are unique"));
  }
  if (step.type === "transition") return issues;
  const output = outputOf(step);
  const path: Path = ["steps", index, step.output === undefined ? "name" : "output"];
  const giver = steps.find((other) => givenBy(other).includes(output));
  const owners = [
    ...(VARIABLES.some(({ name }) => name === output) ? ["every workflow has"] : []),
    ...(giver === undefined ? [] : [`the step \`${giver.name}\` sets`]),
  ];
  for (const owner of owners) {
    const message = `\`${output}\` is a variable that ${owner}`;
    issues.push(issueAt(path, message, "choose another name for the result of this step"));
  }
  const rival = steps.slice(0, index).find((other) => isRival(other, step));
  if (rival !== undefined) {
    const shared = `shares the output \`${output}\` with \`${rival.name}\``;
    const message = `${shared}, and only one persists it`;
    issues.push(issueAt(path, message, "give both `persist: true`, or neither"));
  }
  return issues;
};

const givenBy = (step: Step): readonly string[] => {
  const builtIn = step.type === "code" ? builtInOf(step) : undefined;
  return builtIn === undefined ? [] : BUILT_INS[builtIn].gives.map(({ name }) => name);
};

const isRival = (a: Step, b: Step): boolean =>
  a.type !== "transition" &&
  outputOf(a) === outputOf(b) &&
  (a.persist === true) !== (b.persist === true);

const KEYS: { readonly [type in Step["type"]]: readonly (keyof Step)[] } = {
  llm: ["prompt", "schema", "max_retries", "output", "persist"],
  code: ["run", "action", "with", "expression", "output", "persist"],
  transition: ["to", "on", "map"],
};
const EVERY_STEP: readonly string[] = ["name", "type", "if", "in_state"];

/** Reports keys that belong to steps of another type. */
const checkKeys = (step: Step, place: Path): readonly WorkflowIssue[] => {
  const own: readonly string[] = [...EVERY_STEP, ...KEYS[step.type]];
  return Object.keys(step)
    .filter((key) => !own.includes(key))
    .map((key) => {
      const message = `\`${key}\` is not a key of a step of type ${step.type}`;
      return issueAt([...place, key], message, `such a step has ${KEYS[step.type].join(", ")}`);
    });
};

const checkStep = (step: Step, reader: Reader): readonly WorkflowIssue[] => {
  const place: Path = ["steps", reader.index];
  const condition = step.if === undefined ? [] : checkExpression(step.if, [...place, "if"], reader);
  switch (step.type) {
    case "llm":
      return [...condition, ...checkPrompt(step, place, reader)];
    case "code":
      return [...condition, ...checkCode(step, place, reader)];
    case "transition":
      return [...condition, ...checkMove(step, place, reader)];
  }
};

const checkPrompt = ({ prompt }: Step, place: Path, reader: Reader): readonly WorkflowIssue[] =>
  prompt === undefined
    ? [issueAt(place, "a step of type llm needs a `prompt`", "write the question for the model")]
    : checkTemplate(prompt, [...place, "prompt"], reader);

const checkCode = (step: Step, place: Path, reader: Reader): readonly WorkflowIssue[] => {
  const given = (["run", "action", "expression"] as const).filter((key) => step[key] !== undefined);
  const [only, second] = given;
  if (only === undefined) {
    const hint = `\`run\` is one of ${Object.keys(BUILT_INS).join(", ")}`;
    return [issueAt(place, "a step of type code needs `run` or `expression`", hint)];
  }
  if (second !== undefined) {
    const path = [...place, second];
    return [issueAt(path, `has both \`${only}\` and \`${second}\``, "split it into two steps")];
  }
  if (step.expression !== undefined) {
    const issues = checkExpression(step.expression, [...place, "expression"], reader);
    if (step.with === undefined) return issues;
    const hint = "an expression reads variables by their names";
    return [...issues, issueAt([...place, "with"], "`with` is only allowed with `run`", hint)];
  }
  return checkParameters(step, [...place, "with"], reader);
};

const checkParameters = (step: Step, path: Path, reader: Reader): readonly WorkflowIssue[] => {
  const builtIn = builtInOf(step);
  if (builtIn === undefined) return [];
  const takes: BuiltIn["takes"] = BUILT_INS[builtIn].takes;
  const given = step.with ?? {};
  const known = Object.keys(takes);
  const missing = Object.entries(takes)
    .filter(([name, { required }]) => required && !Object.hasOwn(given, name))
    .map(([name, { says }]) => {
      const at = step.with === undefined ? path.slice(0, -1) : path;
      return issueAt(at, `\`${builtIn}\` needs \`with: { ${name}: … }\``, `it is ${says}`);
    });
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(takes, name) ? takes[name] : undefined;
    const at = [...path, name];
    return parameter === undefined
      ? [unknownAt(at, `\`${builtIn}\` takes no \`${name}\``, { word: name, known })]
      : checkParameter(parameter, value, { at, reader });
  });
  return [...missing, ...wrong];
};

const checkParameter = (
  { kind, says }: Parameter,
  value: string | number | boolean,
  { at, reader }: { readonly at: Path; readonly reader: Reader },
): readonly WorkflowIssue[] => {
  switch (kind) {
    case "number":
      return typeof value === "number" ? [] : [issueAt(at, "must be a number", `it is ${says}`)];
    case "name":
      return typeof value === "string" && isVariableName(value)
        ? []
        : [issueAt(at, "must be a name: letters, digits and `_`", `it is ${says}`)];
    case "output":
      return checkSlot(String(value), at, reader);
    case "text":
    case "value":
      return checkTemplate(String(value), at, reader);
  }
};

const checkMove = (step: Step, place: Path, reader: Reader): readonly WorkflowIssue[] => {
  const { to, on, map } = step;
  const { workflow } = reader;
  if (to !== undefined && (on !== undefined || map !== undefined)) {
    return [issueAt([...place, "to"], "has both `to` and `on` with a `map`", "keep one")];
  }
  if ((on === undefined) !== (map === undefined)) {
    const hint = "as in `on: review.decision` and `map: { pivot: observing }`";
    return [issueAt(place, "`on` and `map` must be used together", hint)];
  }
  if (workflow.states === undefined) {
    const hint = "add `states: [...]`";
    return [issueAt(place, "moves between states, but the workflow has no `states`", hint)];
  }
  const chosen = on === undefined ? [] : checkSlot(on, [...place, "on"], reader);
  return [
    ...chosen,
    ...(chosen.length > 0 ? [] : checkChoices(step, place, reader.scope)),
    ...checkTargets(workflow, step, place),
  ];
};

/** Reports keys of `map` that are not possible values of the variable `on`. */
const checkChoices = ({ on = "", map = {} }: Step, place: Path, scope: Scope) => {
  const slot = readSlot(on);
  const known = slot === null ? undefined : scope.get(slot.name);
  const field = slot?.path[0];
  if (known === undefined) return [];
  const { choices: whole, fieldChoices } = known;
  const inside = new Map(Object.entries(fieldChoices));
  const choices = (field === undefined ? whole : inside.get(field)) ?? null;
  if (choices === null) return [];
  return Object.keys(map)
    .filter((value) => value !== "*" && !choices.includes(value))
    .map((value) =>
      unknownAt([...place, "map", value], `\`${on}\` is never "${value}"`, {
        word: value,
        known: choices,
      }),
    );
};
