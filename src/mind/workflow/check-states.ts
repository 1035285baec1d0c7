import type { Scope } from "./scope.ts";
import { checkExpression, issueAt, type Path, unknownAt, type WorkflowIssue } from "./scope.ts";
import {
  canRunIn,
  initialStateOf,
  type Step,
  statesOf,
  type Transition,
  transitionsOf,
  type Workflow,
  yieldsAction,
} from "./workflow-schema.ts";

/** The problems with the states of a workflow and the moves between them. */
export const checkStates = (workflow: Workflow, scope: Scope): readonly WorkflowIssue[] => {
  const named = namedStates(workflow);
  const { states } = workflow;
  if (states === undefined) {
    const hint = "add `states: [...]` with all of them";
    return named.map(({ path, state }) =>
      issueAt(path, `names the state \`${state}\`, and the workflow has no \`states\``, hint),
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
  return [...checkTransitions(workflow, scope), ...checkWays(workflow, states)];
};

type NamedState = { readonly path: Path; readonly state: string };

/** Every place that names a state. */
const namedStates = (workflow: Workflow): readonly NamedState[] => {
  const { initial_state, transitions = [], steps } = workflow;
  const inTransitions = transitionsOf(workflow).flatMap(({ from, to }, index): NamedState[] => {
    const place: Path = ["transitions", index];
    const given = transitions[index];
    if (typeof given === "string") {
      return [...(from === "*" ? [] : from), to].map((state) => ({ path: place, state }));
    }
    const starts = from === "*" ? [] : from;
    const at = (i: number): Path =>
      Array.isArray(given?.from) ? [...place, "from", i] : [...place, "from"];
    return [
      ...starts.map((state, i) => ({ path: at(i), state })),
      { path: [...place, "to"], state: to },
    ];
  });
  return [
    ...(initial_state === undefined ? [] : [{ path: ["initial_state"], state: initial_state }]),
    ...inTransitions,
    ...steps.flatMap(namedInStep),
  ];
};

const namedInStep = (step: Step, index: number): readonly NamedState[] => {
  const place: Path = ["steps", index];
  const inList = Array.isArray(step.in_state);
  return [
    ...(statesOf(step) ?? []).map((state, i) => ({
      path: inList ? [...place, "in_state", i] : [...place, "in_state"],
      state,
    })),
    ...(step.to === undefined ? [] : [{ path: [...place, "to"], state: step.to }]),
    ...Object.entries(step.map ?? {}).map(([value, state]) => ({
      path: [...place, "map", value],
      state,
    })),
  ];
};

/** The states that a transition step moves to; null if the listed transitions decide. */
const targetsOf = ({ to, map }: Step): readonly string[] | null =>
  to !== undefined ? [to] : map !== undefined ? Object.values(map) : null;

const leadsFrom = ({ from }: Transition, state: string): boolean =>
  from === "*" || from.includes(state);

/** Whether a step can take a listed transition from at least one of its states. */
const canTake = (step: Step, transition: Transition): boolean => {
  if (step.type !== "transition") return false;
  const states = statesOf(step);
  const meets =
    states === null ||
    transition.from === "*" ||
    transition.from.some((state) => states.includes(state));
  return meets && (targetsOf(step)?.includes(transition.to) ?? true);
};

/** Some step takes each listed transition, and its condition can be evaluated there. */
const checkTransitions = (workflow: Workflow, scope: Scope): readonly WorkflowIssue[] =>
  transitionsOf(workflow).flatMap((transition, i) => {
    const index = workflow.steps.findIndex((step) => canTake(step, transition));
    if (index === -1) {
      const hint = "add a step `{ name: move, type: transition }` that runs in that state";
      return [issueAt(["transitions", i], "no step of type transition can take this", hint)];
    }
    const { condition } = transition;
    if (condition === null) return [];
    return checkExpression(condition, ["transitions", i, "condition"], { workflow, scope, index });
  });

/** The states that one move can reach from `state`. */
const followersOf = (workflow: Workflow, state: string): ReadonlySet<string> => {
  const listed = transitionsOf(workflow);
  const movers = workflow.steps.filter(
    (step) => step.type === "transition" && canRunIn(step, state),
  );
  const leaving = listed.filter((each) => leadsFrom(each, state));
  const reached = movers.flatMap((step) =>
    listed.length === 0
      ? (targetsOf(step) ?? [])
      : leaving.filter((each) => canTake(step, each)).map(({ to }) => to),
  );
  return new Set(reached.filter((each) => each !== state));
};

/** Every state can be reached, and in every state a step acts or a move leads on. */
const checkWays = (workflow: Workflow, states: readonly string[]): readonly WorkflowIssue[] => {
  const reached = reachedFrom(workflow, initialStateOf(workflow) ?? "");
  const idle = workflow.steps.flatMap((step, index) =>
    statesOf(step)?.every((state) => !reached.has(state)) === true
      ? [
          issueAt(
            ["steps", index, "in_state"],
            "this step never runs: its state cannot be reached",
            null,
          ),
        ]
      : [],
  );
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
  // Iterating a set also visits what is added meanwhile.
  for (const state of reached) {
    for (const next of followersOf(workflow, state)) reached.add(next);
  }
  return reached;
};

/** Whether the listed transitions let a transition step move. */
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
    return [issueAt(place, "has no target: the workflow lists no transitions", hint)];
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
