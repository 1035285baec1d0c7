import { FORM_HINTS } from "../mind/index.ts";
import { BUILT_INS, type BuiltIn, type Parameter } from "./built-ins.ts";
import { isVariableName, type Read, readExpression, readSlot, readTemplate } from "./expression.ts";
import {
  checkExpression,
  checkSlot,
  checkTemplate,
  issueAt,
  type Path,
  type Reader,
  readOf,
  type Scope,
  scopeOf,
  unknownAt,
  type WorkflowIssue,
} from "./scope.ts";
import { VARIABLES } from "./variables.ts";
import {
  builtInOf,
  canRunIn,
  haveCommonState,
  initialStateOf,
  leavesFrom,
  outputOf,
  STEPS,
  type Step,
  statesOf,
  sureCalls,
  type Transition,
  transitionsOf,
  type Workflow,
  workflowShape,
  yieldsAction,
} from "./workflow-schema.ts";

/** The schema of `workflow` in an agent's configuration. Includes all checks before a run. */
export const workflowSchema = workflowShape.superRefine((workflow, context) => {
  for (const { path, message, hint } of checkWorkflow(workflow)) {
    // zod adds the outer path to the array that it gets, so this array is a copy.
    context.addIssue({ code: "custom", path: [...path], message, params: { hint } });
  }
});

workflowSchema.register(FORM_HINTS, { list: "write `steps:` above the list, and indent the list" });

/** The key `workflow` of `agent.yaml`. */
export const workflowKey = workflowSchema
  .optional()
  .describe("the steps of a decision (docs/agents.md); default: one question to the model");

/** Returns every problem that can be found before a run. `workflow` must have the right shape. */
const checkWorkflow = (workflow: Workflow): readonly WorkflowIssue[] => {
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

const checkStates = (workflow: Workflow, scope: Scope): readonly WorkflowIssue[] => {
  const named = namedStates(workflow);
  const { states } = workflow;
  if (states === undefined) {
    const hint = "add `states: [...]` with all of them";
    return named.map(({ path, state }) =>
      issueAt(path, `uses the state \`${state}\`, but the workflow has no \`states\``, hint),
    );
  }
  const repeated = states.flatMap((state, index) =>
    states.indexOf(state) < index
      ? [issueAt(["states", index], `the state \`${state}\` is listed twice`, "keep one")]
      : [],
  );
  const unknown = named
    .filter(({ state }) => !states.includes(state))
    .map(({ path, state }) =>
      unknownAt(path, `unknown state \`${state}\``, { word: state, known: states }),
    );
  if (repeated.length > 0 || unknown.length > 0) return [...repeated, ...unknown];
  return [...checkTransitions(workflow, scope), ...checkReach(workflow, states)];
};

type NamedState = { readonly path: Path; readonly state: string };

/** Returns the states that a setting names. `*` names no state. */
const namedAt = (
  path: Path,
  given: string | readonly string[] | undefined,
): readonly NamedState[] => {
  if (given === undefined || given === "*") return [];
  if (typeof given === "string") return [{ path, state: given }];
  return given.map((state, index) => ({ path: [...path, index], state }));
};

const namedStates = (workflow: Workflow): readonly NamedState[] => {
  const { initial_state, transitions = [], steps } = workflow;
  const moves = transitionsOf(workflow);
  return [
    ...namedAt(["initial_state"], initial_state),
    ...transitions.flatMap((given, index) => {
      const path: Path = ["transitions", index];
      if (typeof given !== "string") {
        return [...namedAt([...path, "from"], given.from), ...namedAt([...path, "to"], given.to)];
      }
      const { from = [], to } = moves[index] ?? {};
      return [...(from === "*" ? [] : from), to].flatMap((state) => namedAt(path, state));
    }),
    ...steps.flatMap(({ in_state, to, map = {} }, index) => {
      const path: Path = ["steps", index];
      return [
        ...namedAt([...path, "in_state"], in_state),
        ...namedAt([...path, "to"], to),
        ...Object.entries(map).flatMap(([value, state]) => namedAt([...path, "map", value], state)),
      ];
    }),
  ];
};

/** The states in the step's `to` or `map`. Null if both are absent: `transitions` then decide. */
const targetsOf = ({ to, map }: Step): readonly string[] | null =>
  to !== undefined ? [to] : map !== undefined ? Object.values(map) : null;

/** The states that a transition leaves, or null for all. */
const startsOf = ({ from }: Transition): readonly string[] | null => (from === "*" ? null : from);

/** Returns whether `step` can take `transition` in at least one state that `step` runs in. */
const canTake = (step: Step, transition: Transition): boolean => {
  if (step.type !== "transition") return false;
  const meets = haveCommonState(statesOf(step), startsOf(transition));
  return meets && (targetsOf(step)?.includes(transition.to) ?? true);
};

/** Checks that each listed transition has a step that can take it and evaluate its condition. */
const checkTransitions = (workflow: Workflow, scope: Scope): readonly WorkflowIssue[] =>
  transitionsOf(workflow).flatMap((transition, i) => {
    const index = workflow.steps.findIndex((step) => canTake(step, transition));
    if (index === -1) {
      const hint = "add a step `{ name: move, type: transition }` that runs in that state";
      return [issueAt(["transitions", i], "no step of type transition can make this move", hint)];
    }
    const { condition } = transition;
    if (condition === null) return [];
    const reader = { workflow, scope, index, states: startsOf(transition) };
    return checkExpression(condition, ["transitions", i, "condition"], reader);
  });

const followersOf = (workflow: Workflow, state: string): ReadonlySet<string> => {
  const listed = transitionsOf(workflow);
  const movers = workflow.steps.filter(
    (step) => step.type === "transition" && canRunIn(step, state),
  );
  const leaving = listed.filter((each) => leavesFrom(each, state));
  const reached = movers.flatMap((step) =>
    listed.length === 0
      ? (targetsOf(step) ?? [])
      : leaving.filter((each) => canTake(step, each)).map(({ to }) => to),
  );
  return new Set(reached.filter((each) => each !== state));
};

/** Checks that every state can be reached, and that every state has an action or a way out. */
const checkReach = (workflow: Workflow, states: readonly string[]): readonly WorkflowIssue[] => {
  const reached = reachedFrom(workflow, initialStateOf(workflow) ?? "");
  const idle = workflow.steps.flatMap((step, index) => {
    const runs = statesOf(step)?.some((state) => reached.has(state)) ?? true;
    const message = "this step never runs: its state cannot be reached";
    return runs ? [] : [issueAt(["steps", index, "in_state"], message, null)];
  });
  const stuck = states.flatMap((state, index): readonly WorkflowIssue[] => {
    const path = ["states", index];
    if (!reached.has(state)) {
      const hint = "add a transition to it from a state that can be reached, or remove it";
      return [issueAt(path, `the state \`${state}\` can never be reached`, hint)];
    }
    const acts = workflow.steps.some((step) => yieldsAction(step) && canRunIn(step, state));
    if (acts || followersOf(workflow, state).size > 0) return [];
    const message = `the state \`${state}\` cannot be left, and no step decides on an action in it`;
    return [issueAt(path, message, "add a transition out of it, or a step that acts in it")];
  });
  return [...idle, ...stuck];
};

const reachedFrom = (workflow: Workflow, start: string): ReadonlySet<string> => {
  const reached = new Set([start]);
  // The loop also visits states that are added during the loop.
  for (const state of reached) {
    for (const next of followersOf(workflow, state)) reached.add(next);
  }
  return reached;
};

/** Checks that the listed transitions allow a step to move to all its targets. */
const checkTargets = (workflow: Workflow, step: Step, place: Path): readonly WorkflowIssue[] => {
  const listed = transitionsOf(workflow);
  const targets = targetsOf(step);
  if (targets === null) {
    if (listed.length > 0) return [];
    const hint = "list `transitions`, or write `to: STATE`, or `on: VARIABLE` with a `map`";
    return [issueAt(place, "has no target, and the workflow lists no transitions", hint)];
  }
  if (listed.length === 0) return [];
  return [...new Set(targets)]
    .filter((target) => !listed.some((each) => each.to === target && canTake(step, each)))
    .filter((target) => !(statesOf(step)?.length === 1 && statesOf(step)?.[0] === target))
    .map((target) => {
      const key = step.to === undefined ? "map" : "to";
      const message = `no listed transition leads to \`${target}\` from where this step runs`;
      const from = statesOf(step) ?? ["*"];
      const missing =
        from.length === 1
          ? `${from[0]} -> ${target}`
          : `{ from: [${from.join(", ")}], to: ${target} }`;
      return issueAt([...place, key], message, `add \`${missing}\` to \`transitions\``);
    });
};

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
    return [issueAt(path, superseded(workflow, step, later, reaches), superseding(step, later))];
  });

const unread = ({ name }: Step): string =>
  `the answer of \`${name}\` is thrown away: no step reads it, and no llm step comes later`;

const UNREAD_HINT = "move the step before the llm step that needs it, read it, or remove the step";

const superseded = (workflow: Workflow, step: Step, later: Step, reaches: boolean): string => {
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
