import type { Action } from "../action/action.ts";
import { describeAction, parseAction } from "../action/action-codec.ts";
import { accept, type CommandOf, type Decision, type Refused, refuse } from "../command.ts";
import type { AgentStateChange, Event, EventKind } from "../event.ts";
import type { Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { cutText, type Json, jsonProblem, textProblem } from "../primitives/json.ts";
import { type Changes, physicsOf, type State, worldRow } from "../state.ts";
import type { Agent, LastResult, Proposal } from "./agent.ts";
import type { ActionPattern, Decider, ReviewDecision, ReviewRule } from "./review.ts";
import { reviewTermsOf } from "./review-terms.ts";
import { isPureRead, mostSpent } from "./spending.ts";
import { stateChange } from "./state-change.ts";

const FEEDBACK_CHARS_MAX = 4_000;
/** The levels of an action around its arguments: the action, its fields and the list. */
const ACTION_LEVELS = 3;
/** The most characters of an edited action as JSON text. */
const EDIT_CHARS_MAX = 200_000;

/** The accepted proposal of an agent, whose action is due. */
export const acceptedProposal = (state: State, id: Id): Proposal | null => {
  const proposal = state.proposals.get(id);
  return proposal === undefined || proposal.stage === "waits" ? null : proposal;
};

/** What an agent learns about its action besides the result, if a reviewer has edited it. */
export const editNote = (state: State, agent: Agent | undefined): string =>
  agent !== undefined && state.proposals.get(agent.id)?.stage === "edited"
    ? "; a reviewer edited the action before it was done"
    : "";

/** The agent's pending action if it must wait for a reviewer, else null. */
const actionToReview = (state: State, { id, pending }: Agent): Action | null => {
  if (acceptedProposal(state, id) !== null) return null;
  const { review } = reviewTermsOf(state, id);
  if (review === "off") return null;
  const parsed = parseAction(pending, physicsOf(state).artifacts.json_depth_max);
  // The world refuses an action that cannot be read, so there is nothing to review.
  if (parsed.kind !== "accepted") return null;
  const action = parsed.answer;
  if (action.kind === "noop") return null;
  return applies(review, { state, agent: id, action, raw: pending }) ? action : null;
};

type Reviewed = {
  readonly state: State;
  readonly agent: Id;
  readonly action: Action;
  readonly raw: Json;
};

const applies = (
  rule: Exclude<ReviewRule, "off">,
  { state, agent, action, raw }: Reviewed,
): boolean => {
  if (rule === "actions") return !isPureRead(state, agent, action);
  if ("spending_above" in rule) return mostSpent(state, agent, action) > rule.spending_above;
  const names = describeAction(raw);
  return rule.match.some((pattern) => fits(pattern, names));
};

const fits = (
  pattern: ActionPattern,
  { action, target, method }: ReturnType<typeof describeAction>,
): boolean => {
  const isNamed = (wanted: string | undefined, name: string | null): boolean =>
    wanted === undefined || wanted === "*" || wanted === name;
  return (
    isNamed(pattern.action, action) &&
    isNamed(pattern.artifact, target) &&
    isNamed(pattern.method, method)
  );
};

/** True if the pending action of an agent must wait for a reviewer. */
export const needsReview = (state: State, id: Id): boolean => {
  const agent = state.agents.get(id);
  return agent !== undefined && actionToReview(state, agent) !== null;
};

/** The proposals that wait for a reviewer, oldest first. */
export const waitingProposals = (state: State): readonly Proposal[] =>
  [...state.proposals.rows()]
    .filter(({ stage }) => stage === "waits")
    .sort((a, b) => a.number - b.number);

/** Checks, in this order: the agent, its action is due, the action needs a review. */
export const decidePropose = (state: State, command: CommandOf<"propose_action">): Decision => {
  const { at_ms, agent: id, answer_after_ms } = command;
  const agent = state.agents.get(id);
  if (agent === undefined) return refuse("not_found", `"${id}" is not an agent`);
  if (agent.state !== "running" || agent.due?.step !== "act") {
    return refuse("invalid_argument", `${id} has no action to propose`);
  }
  const action = actionToReview(state, agent);
  if (action === null) return refuse("invalid_argument", `the action of ${id} needs no review`);
  const proposal = worldRow(state).proposalsMade + 1;
  const { pending, reasoning } = agent;
  const cost = mostSpent(state, id, action);
  const by = { at_ms, principal: id };
  const waits = reviewTermsOf(state, id).review_default === "wait";
  const change: AgentStateChange = {
    to: "in_review",
    reason: `proposal ${proposal} waits for a reviewer`,
    due_at_ms: waits ? null : at_ms + answer_after_ms,
  };
  const proposed = { kind: "action_proposed", proposal, action: pending, reasoning, cost } as const;
  return accept([{ ...by, ...proposed }, stateChange(by, agent, change)], null);
};

/**
 * Answers a proposal. Checks, in this order: the number, the proposal still waits, the edited
 * action or the text. After feedback, the agent thinks again at once.
 */
export const decideProposal = (state: State, command: CommandOf<"decide_proposal">): Decision => {
  const { at_ms, proposal: number, decided_by, decision } = command;
  const found = waitingProposal(state, number);
  if ("refusal" in found) return found;
  const refused = answerRefusal(state, decision);
  if (refused !== null) return refused;
  const { agent: id } = found;
  const agent = must(state.agents.get(id), `a proposal must have an agent: ${id}`);
  const when = { at_ms, principal: null };
  const decided: Event = {
    ...when,
    kind: "proposal_decided",
    proposal: number,
    agent: id,
    decided_by,
    decision,
  };
  // Without a pause, an agent whose actions are refused by default could think without end.
  const isPaced = decision.kind === "feedback" && decided_by === "default";
  const due_at_ms = isPaced ? at_ms + physicsOf(state).agents.min_delay_ms : at_ms;
  const change = { to: "running", reason: reasonOf(decision, decided_by), due_at_ms } as const;
  return accept([decided, stateChange(when, agent, change)], null);
};

const waitingProposal = (state: State, number: number): Proposal | Refused => {
  const found = waitingProposals(state).find((each) => each.number === number);
  if (found !== undefined) return found;
  const { proposalsMade } = worldRow(state);
  if (number >= 1 && number <= proposalsMade) {
    const message = `proposal ${number} is no longer open: it was decided, or its agent was`;
    return refuse("invalid_argument", `${message} paused, stopped or handed over`);
  }
  const last = proposalsMade === 0 ? "there are none yet" : `the last one is ${proposalsMade}`;
  return refuse("not_found", `there is no proposal ${number}; ${last}`);
};

const answerRefusal = (state: State, decision: ReviewDecision): Refused | null => {
  switch (decision.kind) {
    case "accept":
      return null;
    case "edit": {
      const depthMax = physicsOf(state).artifacts.json_depth_max;
      const wrong = jsonProblem(decision.action, depthMax + ACTION_LEVELS);
      if (wrong !== null) return refuse("invalid_argument", `the edited action: ${wrong}`);
      const { length } = JSON.stringify(decision.action);
      if (length > EDIT_CHARS_MAX) return tooLong("an edited action", EDIT_CHARS_MAX, length);
      const parsed = parseAction(decision.action, depthMax);
      if (parsed.kind !== "refused") return null;
      const { code, message } = parsed.refusal;
      return refuse(code, `the edited action is not valid: ${message}`);
    }
    case "feedback": {
      const { text } = decision;
      if (text.trim() === "") return refuse("missing_argument", "feedback needs a text");
      const problem = textProblem(text);
      if (problem !== null) return refuse("invalid_argument", problem);
      if (text.length <= FEEDBACK_CHARS_MAX) return null;
      return tooLong("feedback", FEEDBACK_CHARS_MAX, text.length);
    }
  }
};

const tooLong = (what: string, most: number, length: number): Refused =>
  refuse("invalid_argument", `${what} has at most ${most} characters, not ${length}`);

const DONE = { accept: "accepted", edit: "edited", feedback: "refused" } as const;

const reasonOf = ({ kind }: ReviewDecision, by: Decider): string =>
  by === "reviewer"
    ? `a reviewer ${DONE[kind]} its action`
    : `its action was ${DONE[kind]} without a reviewer`;

/** The decision about a proposal that no reviewer has answered. Null if it waits on. */
export const unansweredDecision = (state: State, agent: Id): ReviewDecision | null => {
  switch (reviewTermsOf(state, agent).review_default) {
    case "wait":
      return null;
    case "accept":
      return { kind: "accept" };
    case "refuse":
      return { kind: "feedback", text: "no reviewer has accepted this action" };
  }
};

/** The result of an action that was not done. */
const feedbackResult = (
  atMs: number,
  action: Json,
  { by, text }: { readonly by: Decider; readonly text: string },
): LastResult => ({
  atMs,
  ...describeAction(action),
  ok: false,
  code: null,
  message: `not done: ${by === "reviewer" ? "a reviewer answered: " : ""}${text}`,
  result: null,
  cut: false,
  isFeedback: true,
});

/** Forgets the proposal of an agent. */
export const endProposal = (state: State, id: Id): void => {
  if (state.proposals.has(id)) state.proposals.remove(id);
};

export const PROPOSAL_CHANGES = {
  review_set: (state, { agent, review, review_default }) => {
    const isOwn = review !== null || review_default !== null;
    if (isOwn) state.reviewed.put(agent, { agent, review, review_default });
    else if (state.reviewed.has(agent)) state.reviewed.remove(agent);
  },

  action_proposed: (state, event) => {
    const agent = must(event.principal, "an agent must propose an action");
    const { proposal: number, at_ms: atMs, action, reasoning, cost } = event;
    const { sleep } = must(state.agents.get(agent), `an agent must propose an action: ${agent}`);
    state.world.put("world", { ...worldRow(state), proposalsMade: number });
    const row = { agent, number, atMs, action, reasoning, cost, sleep };
    state.proposals.put(agent, { ...row, stage: "waits" });
  },

  /** The next change of state makes an accepted action the pending action of the agent. */
  proposal_decided: (state, event) => {
    const { agent: id, at_ms, decided_by: by, decision } = event;
    const proposal = must(state.proposals.get(id), `a proposal must wait: ${event.proposal}`);
    if (decision.kind === "feedback") {
      const agent = must(state.agents.get(id), `a proposal must have an agent: ${id}`);
      const last = feedbackResult(at_ms, proposal.action, { by, text: decision.text });
      state.agents.put(id, { ...agent, last });
      return endProposal(state, id);
    }
    const change =
      decision.kind === "edit"
        ? ({ action: decision.action, stage: "edited" } as const)
        : ({ stage: "accepted" } as const);
    state.proposals.put(id, { ...proposal, ...change });
  },
} satisfies Partial<Changes<EventKind>>;

/** The most characters of the reasoning that a proposal shows. */
const REASONING_CHARS_MAX = 4_000;

/** The reasoning to keep for a proposal. Empty if the agent's actions are not reviewed. */
export const keptReasoning = (state: State, id: Id, reasoning: string): string =>
  reviewTermsOf(state, id).review === "off" ? "" : cutText(reasoning, REASONING_CHARS_MAX);
