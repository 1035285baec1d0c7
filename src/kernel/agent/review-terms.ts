import { accept, type CommandOf, type Decision, refuse } from "../command.ts";
import type { EventOf, Stamp } from "../event.ts";
import { type Subject, stamp } from "../invocation/subject.ts";
import type { Id } from "../primitives/ids.ts";
import { physicsOf, type State } from "../state.ts";
import type { OwnReviewTerms, ReviewTerms } from "./review.ts";

/**
 * The terms of an agent. They are not part of the configuration that agents write, so no agent can
 * change them.
 */
export const reviewTermsOf = (state: State, id: Id): ReviewTerms => {
  const { review, review_default } = physicsOf(state).agents;
  const own = state.reviewed.get(id);
  return { review: own?.review ?? review, review_default: own?.review_default ?? review_default };
};

/** Returns the event that gives an agent terms. */
export const reviewSet = (
  when: Stamp,
  agent: Id,
  { review, review_default }: OwnReviewTerms,
): EventOf<"review_set"> => ({ ...when, kind: "review_set", agent, review, review_default });

export const decideReview = (state: State, command: CommandOf<"set_review">): Decision => {
  const { at_ms, agent, review, review_default } = command;
  if (!state.agents.has(agent)) return refuse("not_found", `"${agent}" is not an agent`);
  return accept([reviewSet({ at_ms, principal: null }, agent, { review, review_default })], null);
};

/**
 * The principals whose limits a spawned agent gets, the nearest first: its parent, the agent that
 * called a program that spawns, and the first of the family.
 */
export const limitedBy = (state: State, by: Subject): readonly Id[] => [
  by.actor,
  by.origin,
  state.families.get(by.actor) ?? by.actor,
];

/** Returns the terms that a spawned agent gets. */
export const inheritedReview = (
  state: State,
  by: Subject,
  child: Id,
): readonly EventOf<"review_set">[] => {
  const own = limitedBy(state, by).map((id) => state.reviewed.get(id));
  const terms = own.find((each) => each !== undefined);
  return terms === undefined ? [] : [reviewSet(stamp(by), child, terms)];
};
