import { BUILT_IN } from "../access/access.ts";
import { type Action, describeAction, parseAction } from "../action/action.ts";
import {
  type Agent,
  type AgentStateChange,
  type AgentTables,
  type Decider,
  findAgent,
  type Proposal,
  type ReviewDecision,
  reviewTermsOf,
} from "../agent/agent.ts";
import { acceptedProposal, reviewSet, stateChange } from "../agent/events.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { accept, type Refused, refuse } from "../core/decision.ts";
import { must } from "../core/errors.ts";
import type { Id } from "../core/ids.ts";
import { jsonProblem, textProblem } from "../core/json.ts";
import type { ActionPattern } from "../core/physics.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { isNative, nativeSpending, nativeWrites } from "../genesis/natives.ts";
import { publicBalance } from "../ledger/account.ts";
import { priceOf } from "../ledger/payment.ts";
import { principalSubject } from "../ledger/subject.ts";
import type { SearchTables } from "../search/query.ts";
import type { LoopCommands } from "./commands.ts";
import type { LoopDecision, LoopEvent } from "./events.ts";

const FEEDBACK_CHARS_MAX = 4_000;
/** The levels of an action around its arguments: the action, its fields and the list. */
const ACTION_LEVELS = 3;
/** The most characters of an edited action as JSON text. */
const EDIT_CHARS_MAX = 200_000;

/** What an agent learns about its action besides the result, if a reviewer has edited it. */
export const editNote = (state: AgentTables, agent: Agent | undefined): string =>
  agent !== undefined && state.proposals.get(agent.id)?.stage === "edited"
    ? "; a reviewer edited the action before it was done"
    : "";

/** The agent's pending action if it must wait for a reviewer, else null. */
const actionToReview = (state: SearchTables, { id, pending }: Agent): Action | null => {
  const accepted = acceptedProposal(state, id);
  const { review } = reviewTermsOf(state, id);
  if (review === "off") return null;
  const parsed = parseAction(pending, physicsOf(state).artifacts.json_depth_max);
  // The world refuses an action that cannot be read, so there is nothing to review.
  if (parsed.kind !== "accepted") return null;
  const action = parsed.answer;
  // The price can have risen since the reviewer decided.
  if (accepted !== null) return mostSpent(state, id, action) > accepted.cost ? action : null;
  if (action.kind === "noop") return null;
  if (review === "actions") return isPureRead(state, id, action) ? null : action;
  if ("spending_above" in review) {
    return mostSpent(state, id, action) > review.spending_above ? action : null;
  }
  const names = describeAction(pending);
  return review.match.some((pattern) => fits(pattern, names)) ? action : null;
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
export const needsReview = (state: SearchTables, id: Id): boolean => {
  const agent = state.agents.get(id);
  return agent !== undefined && actionToReview(state, agent) !== null;
};

/** The proposals that wait for a reviewer, oldest first. */
export const waitingProposals = (state: SearchTables): readonly Proposal[] =>
  [...state.proposals.rows()]
    .filter(({ stage }) => stage === "waits")
    .sort((a, b) => a.number - b.number);

/** The most scrip that the action of a proposal can cost now. */
export const proposalCost = (state: SearchTables, { agent, action }: Proposal): number => {
  const parsed = parseAction(action, physicsOf(state).artifacts.json_depth_max);
  return parsed.kind === "accepted" ? mostSpent(state, agent, parsed.answer) : 0;
};

/** Checks, in this order: the agent, its action is due, the action needs a review. */
export const decidePropose = (
  state: SearchTables,
  command: LoopCommands["propose_action"],
): LoopDecision => {
  const { at_ms, agent: id, answer_after_ms } = command;
  const found = findAgent(state, id);
  if (found.kind !== "accepted") return found;
  const agent = found.answer;
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
 * action or the text, the cost that the reviewer accepts. An accepted action that can cost more when
 * it is due is proposed again. After feedback, the agent thinks again at once.
 */
export const decideProposal = (
  state: SearchTables,
  command: LoopCommands["decide_proposal"],
): LoopDecision => {
  const { at_ms, proposal: number, decided_by, decision } = command;
  const found = waitingProposal(state, number);
  if ("refusal" in found) return found;
  const cost = proposalCost(
    state,
    decision.kind === "edit" ? { ...found, action: decision.action } : found,
  );
  const refused = answerRefusal(state, decision, cost);
  if (refused !== null) return refused;
  const { agent: id } = found;
  const agent = must(state.agents.get(id), `a proposal must have an agent: ${id}`);
  const when = { at_ms, principal: null };
  const decided: LoopEvent = {
    ...when,
    kind: "proposal_decided",
    proposal: number,
    agent: id,
    decided_by,
    decision,
    cost,
  };
  // Without a pause, an agent whose actions are refused by default could think without end.
  const isPaced = decision.kind === "feedback" && decided_by === "default";
  const due_at_ms = isPaced ? at_ms + physicsOf(state).agents.min_delay_ms : at_ms;
  const change = { to: "running", reason: reasonOf(decision, decided_by), due_at_ms } as const;
  return accept([decided, stateChange(when, agent, change)], null);
};

const waitingProposal = (state: SearchTables, number: number): Proposal | Refused => {
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

const answerRefusal = (
  state: SearchTables,
  decision: ReviewDecision,
  cost: number,
): Refused | null => {
  switch (decision.kind) {
    case "accept": {
      const { most } = decision;
      if (most === undefined || cost <= most) return null;
      const message = `the action can now cost ${cost} scrip, more than ${most}; look at it again`;
      return refuse("price_exceeded", message);
    }
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
export const unansweredDecision = (state: SearchTables, agent: Id): ReviewDecision | null => {
  switch (reviewTermsOf(state, agent).review_default) {
    case "wait":
      return null;
    case "accept":
      return { kind: "accept" };
    case "refuse":
      return { kind: "feedback", text: "no reviewer has accepted this action" };
  }
};

export const decideReview = (
  state: SearchTables,
  command: LoopCommands["set_review"],
): LoopDecision => {
  const { at_ms, agent, review, review_default } = command;
  const found = findAgent(state, agent);
  if (found.kind !== "accepted") return found;
  return accept([reviewSet({ at_ms, principal: null }, agent, { review, review_default })], null);
};

/**
 * The most scrip that an action can cost an agent. The sum of:
 *
 * - what it pays for the access: `max_price`, or without it the present price. A custom access
 *   contract can ask for any price, so without `max_price` this is all scrip of the agent
 * - the fee of a genesis method
 * - the attached scrip
 * - what a genesis method moves or lets others take: a transfer, a bid or an order for model
 *   budget, a grant (its `max_per_window`)
 *
 * Does not count what a program charges under an earlier grant. Returns a whole number.
 */
const mostSpent = (state: SearchTables, agent: Id, action: Action): number => {
  const all = publicBalance(state, agent);
  const sum = spendingOf(state, agent, action);
  return Math.min(sum === Number.POSITIVE_INFINITY ? all : sum, Number.MAX_SAFE_INTEGER);
};

/** True if an action only looks: it changes nothing, and it cannot cost scrip. */
const isPureRead = (state: SearchTables, agent: Id, action: Action): boolean => {
  switch (action.kind) {
    case "noop":
      return true;
    case "write_artifact":
      return false;
    case "read_artifact":
      return spendingOf(state, agent, { ...action, max_price: null }) === 0;
    case "invoke_artifact":
      return (
        isNative(action.artifact_id) &&
        !nativeWrites(action) &&
        spendingOf(state, agent, action) === 0
      );
  }
};

/** The cost of an action, or infinity if it has no limit. */
const spendingOf = (state: SearchTables, agent: Id, action: Action): number => {
  switch (action.kind) {
    case "noop":
      return 0;
    case "read_artifact": {
      const { artifact_id, max_price } = action;
      return accessCost(state, agent, artifact_id, "read_price", max_price);
    }
    case "write_artifact": {
      const { artifact_id, max_price = null } = action.request;
      return accessCost(state, agent, artifact_id, null, max_price);
    }
    case "invoke_artifact": {
      const { artifact_id, attach, max_price } = action;
      if (isNative(artifact_id)) return nativeSpending(state, action) + attach.scrip;
      return accessCost(state, agent, artifact_id, "price", max_price) + attach.scrip;
    }
  }
};

/** `reason` is null for a write, which has no price. */
const accessCost = (
  state: SearchTables,
  agent: Id,
  id: Id,
  reason: "price" | "read_price" | null,
  max_price: number | null,
): number => {
  const artifact = liveArtifact(state, id);
  if (artifact === undefined) return 0;
  if (max_price !== null) return max_price;
  if (!BUILT_IN.has(artifact.access)) return Number.POSITIVE_INFINITY;
  if (reason === null) return 0;
  const by = principalSubject(agent, worldRow(state).now);
  return priceOf(state, by, artifact, reason).amount;
};
