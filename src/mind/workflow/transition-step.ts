import type { Progress } from "./progress.ts";
import { isTrue } from "./step-condition.ts";
import { failed, ran, type StepEnd, skipped } from "./step-end.ts";
import { readSlot } from "./template.ts";
import { type Step, type Transition, transitionsOf, type Workflow } from "./workflow-schema.ts";

/** What every value without an entry of its own chooses. */
const ANY_VALUE = "*";

/**
 * A step that moves to another state, in which the next iteration begins: an iteration lies in one
 * state, so that nobody pays for the thoughts of two. The first move counts. Where transitions are
 * listed, only those are possible.
 */
export const transitionStep = (step: Step, workflow: Workflow, progress: Progress): StepEnd => {
  const { state, nextState } = progress;
  if (nextState !== null) return skipped(`moves to ${nextState} already`);
  const listed = transitionsOf(workflow);
  const target = targetOf(step, progress);
  if (target.kind === "none") return ran(target.why);
  if (target.kind === "state" && target.state === state) return ran(`stays in ${state}`);
  if (target.kind === "state" && listed.length === 0) return move(target.state, progress);
  const possible = listed.filter(
    ({ from, to }) =>
      (from === "*" || (state !== null && from.includes(state))) &&
      (target.kind === "any" ? to !== state : to === target.state),
  );
  return takeFirst(possible, progress);
};

type Target =
  | { readonly kind: "any" }
  | { readonly kind: "state"; readonly state: string }
  | { readonly kind: "none"; readonly why: string };

/** Where the step would go: to a state, where the listed transitions lead, or nowhere. */
const targetOf = ({ to, on, map = {} }: Step, progress: Progress): Target => {
  if (to !== undefined) return { kind: "state", state: to };
  if (on === undefined) return { kind: "any" };
  const slot = readSlot(on);
  const value = slot === null ? null : progress.slotValue(slot);
  const word =
    value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  const chosen = Object.hasOwn(map, word) ? map[word] : map[ANY_VALUE];
  return chosen === undefined || value === null
    ? { kind: "none", why: `stays in ${progress.state}: ${on} is ${word}` }
    : { kind: "state", state: chosen };
};

const takeFirst = (possible: readonly Transition[], progress: Progress): StepEnd => {
  for (const { to, condition } of possible) {
    if (condition === null) return move(to, progress);
    const holds = progress.evaluate(condition);
    if (!holds.ok) return failed("intent_rejected", `the way to ${to}: ${holds.problem}`);
    if (isTrue(holds.value)) return move(to, progress);
  }
  return ran(`stays in ${progress.state}: no way out is open`);
};

const move = (to: string, progress: Progress): StepEnd => {
  const from = progress.state;
  progress.moveTo(to);
  return ran(`${from} -> ${to}`);
};
