import {
  checkExpression,
  issueAt,
  type Path,
  type Scope,
  unknownAt,
  type WorkflowIssue,
} from "../scope.ts";
import {
  canRunIn,
  haveCommonState,
  initialStateOf,
  leavesFrom,
  type Step,
  statesOf,
  type Transition,
  transitionsOf,
  type Workflow,
  yieldsAction,
} from "../workflow-schema.ts";

export const checkStates = (workflow: Workflow, scope: Scope): readonly WorkflowIssue[] => {
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
export const checkTargets = (
  workflow: Workflow,
  step: Step,
  place: Path,
): readonly WorkflowIssue[] => {
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
