import { describeAction } from "../action/action.ts";
import type { ActionEvent, ActionTables } from "../action/events.ts";
import {
  type ActionRecord,
  type Agent,
  type Decider,
  type LastResult,
  type MemoryKind,
  type ReviewDecision,
  reviewTermsOf,
  type Sleep,
  whyLimited,
} from "../agent/agent.ts";
import { acceptedProposal, agentNamed, changeAgent, endProposal } from "../agent/events.ts";
import { type InboxSeen, withSeen } from "../agent/inbox.ts";
import { partiesOf } from "../artifact/owners.ts";
import type { Decision } from "../core/decision.ts";
import { must } from "../core/errors.ts";
import { type EventIn, rowsOf, type Stamp } from "../core/event.ts";
import { asId, type Id, parseId } from "../core/ids.ts";
import { cutText, type Json } from "../core/json.ts";
import { type Patch, patched } from "../core/patch.ts";
import type { Resource } from "../core/physics.ts";
import type { RefusalCode } from "../core/refusal.ts";
import { changeWorld, physicsOf } from "../core/world.ts";
import { useUp } from "../ledger/books.ts";
import { windowLeft } from "../ledger/quota.ts";
import { markRead } from "../messages/events.ts";

/** What an action cost its principal. `scrip`: the loss of free plus held scrip, 0 after a gain. */
export type Charge = { readonly scrip: number; readonly gas: number; readonly bytes: number };

/** What a thought cost. Tokens and money are 0 for offline minds that think for free. */
export type ThoughtUsage = {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  /** The part of the cost that is owed to a model provider. */
  readonly api_cost_micros: number;
};

/** What a mind decided. `mind` is the change to the mind's stored state. */
export type CompletedThought = {
  readonly action: Json;
  readonly reasoning: string;
  readonly mind: Patch;
  readonly usage: ThoughtUsage;
  readonly sleep: Sleep | null;
  /** What the mind saw of its inbox. Absent if the mind did not see its inbox. */
  readonly inbox?: InboxSeen;
  /** The number of the last message that the mind has read. Absent: none. */
  readonly read_through?: number;
};

export type ThoughtFailure = {
  readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
  /** Why an `llm_error` happened, such as `connection`; absent for other failures. */
  readonly fault?: string;
  readonly message: string;
  /** Change to the mind's stored state. Absent if the state did not change. */
  readonly mind?: Patch;
  readonly usage: ThoughtUsage;
};

type EndedAction = {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly message: string;
  readonly charged: Charge;
  /** JSON text of the answer or refusal data. Null for a read: the artifact has the text. */
  readonly result: string | null;
  /** True if `result` was truncated. */
  readonly cut: boolean;
  readonly next_at_ms: number | null;
};

const thinkAt = (atMs: number): Agent["due"] => ({ step: "think", atMs });

const payForThought = (
  state: ActionTables,
  agent: Agent,
  event: Stamp & { readonly usage: ThoughtUsage },
): Agent["counters"] => {
  const { usage } = event;
  useUp(state, event, {
    llm_calls: usage.calls,
    llm_tokens: usage.input_tokens + usage.output_tokens,
    micros: usage.cost_micros,
  });
  const { counters } = agent;
  return { ...counters, spentMicros: counters.spentMicros + usage.cost_micros };
};

/** Sets the time of the next thought. If it is null, the agent is not running or pauses next. */
const waitingUntil = (next_at_ms: number | null, at_ms: number): Partial<Agent> =>
  next_at_ms === null
    ? {}
    : { due: thinkAt(next_at_ms), pending: null, reasoning: "", delayMs: next_at_ms - at_ms };

/** An agent that thinks no longer waits for a window. */
const withRoom = ({ waitsFor }: Agent): Partial<Agent> =>
  waitsFor === null ? {} : { waitsFor: null, reason: `its window of ${waitsFor} had room again` };

/** Adds the result of an action or of a failed thought to the agent's histories. */
const recorded = (
  state: ActionTables,
  agent: Agent,
  record: ActionRecord,
  result: string | null,
  cut: boolean,
): Partial<Agent> => {
  const { action_history_max, failure_history_max } = physicsOf(state).agents;
  const newest = (records: readonly ActionRecord[], max: number) =>
    records.slice(Math.max(0, records.length - max));
  return {
    last: { ...record, result, cut, isFeedback: false },
    actions: newest([...agent.actions, record], action_history_max),
    failures: record.ok ? agent.failures : newest([...agent.failures, record], failure_history_max),
  };
};

/** Charges an action to its principal. If this is an agent, records the result in its row. */
const endAction = (
  state: ActionTables,
  event: Stamp & EndedAction & { readonly code?: RefusalCode },
): void => {
  const { principal, charged, at_ms: atMs, code = null } = event;
  const { action, target, method, message } = event;
  const counted = code === "rate_limited" && hadNoActionLeft(state, event) ? 0 : 1;
  useUp(state, event, { actions: counted, cpu_gas: charged.gas, bytes_written: charged.bytes });
  const agent = principal === null ? undefined : state.agents.get(principal);
  if (agent === undefined) return;
  if (acceptedProposal(state, agent.id) !== null) endProposal(state, agent.id);
  const { counters } = agent;
  const ok = code === null;
  const { result, cut } = ok && event.result === null ? readResult(state, event) : event;
  const record = { atMs, action, target, method, message, ok, code };
  changeAgent(state, agent, {
    ...waitingUntil(event.next_at_ms, atMs),
    counters: {
      ...counters,
      actions: counters.actions + 1,
      succeeded: counters.succeeded + (ok ? 1 : 0),
      errors: ok ? 0 : counters.errors + 1,
    },
    ...recorded(state, agent, record, result, cut),
  });
};

/** True if an action was refused because no actions were left. Such an action is not charged. */
const hadNoActionLeft = (state: ActionTables, { principal, at_ms: now }: Stamp): boolean => {
  const id = must(principal, "an action must have a principal");
  return windowLeft(state, id, "actions", now).available < 1;
};

/** The result of a read action. Takes the text from the artifact, because the event has none. */
const readResult = (
  state: ActionTables,
  { action, target }: EndedAction,
): { readonly result: string | null; readonly cut: boolean } => {
  const artifact = state.artifacts.get(asId(target ?? ""));
  if (action !== "read_artifact" || artifact === undefined) return { result: null, cut: false };
  const text = artifact.code ?? artifact.content;
  const max = physicsOf(state).agents.result_kept_chars;
  return { result: cutText(text, max), cut: text.length > max };
};

const isMethodName = (name: string | null): boolean => name !== null && /^[\w$]{1,64}$/.test(name);

const row = rowsOf<ActionTables>();

/** Events of an agent's loop. `principal` is the agent, unless a field `agent` names it. */
export const LOOP_EVENTS = {
  thought_started: row<{ ends_at_ms: number }>({
    about: "a language model looked at the world and thinks until a set time",
    evolve: (state, { principal, at_ms, ends_at_ms }) => {
      const agent = agentNamed(state, principal);
      changeAgent(state, agent, {
        ...withRoom(agent),
        due: { step: "decide", atMs: ends_at_ms },
        thinking: { sinceMs: at_ms, epoch: agent.epoch },
      });
    },
  }),

  thought_completed: row<CompletedThought & { act_at_ms: number }>({
    about:
      "a mind decided on an action; the event has the reason, memories and the time of the action",
    evolve: (state, event) => {
      const agent = agentNamed(state, event.principal);
      const counters = payForThought(state, agent, event);
      const isReviewed = reviewTermsOf(state, agent.id).review !== "off";
      changeAgent(state, agent, {
        ...withRoom(agent),
        thinking: null,
        due: { step: "act", atMs: event.act_at_ms },
        pending: event.action,
        // A proposal shows at most 4,000 characters of the reasoning.
        reasoning: isReviewed ? cutText(event.reasoning, 4_000) : "",
        sleep: event.sleep,
        mind: patched(agent.mind, event.mind),
        // The mind has seen the feedback, and no later action has this result.
        last: agent.last?.isFeedback === true ? null : agent.last,
        counters: { ...counters, thoughts: counters.thoughts + 1 },
      });
      if (event.inbox !== undefined) {
        const inbox = must(state.inboxes.get(agent.id), `an agent must have an inbox: ${agent.id}`);
        state.inboxes.put(agent.id, withSeen(inbox, event.inbox));
      }
      if (event.read_through !== undefined) markRead(state, agent.id, event.read_through);
    },
  }),

  thought_dropped: row<{ reason: string; usage: ThoughtUsage }>({
    about: "a thought arrived too late and was dropped, but its cost counts",
    evolve: (state, event) => {
      const agent = agentNamed(state, event.principal);
      const counters = payForThought(state, agent, event);
      changeAgent(state, agent, { thinking: null, counters });
    },
  }),

  thought_failed: row<ThoughtFailure & { next_at_ms: number | null }>({
    about: "a mind failed to decide",
    evolve: (state, event) => {
      const agent = agentNamed(state, event.principal);
      const { at_ms: atMs, reason, message, mind } = event;
      const counters = payForThought(state, agent, event);
      const record: ActionRecord = {
        atMs,
        action: "think",
        target: null,
        method: null,
        ok: false,
        code: null,
        message: `${reason}: ${message}`,
      };
      changeAgent(state, agent, {
        ...withRoom(agent),
        ...waitingUntil(event.next_at_ms, atMs),
        thinking: null,
        mind: mind === undefined ? agent.mind : patched(agent.mind, mind),
        counters: {
          ...counters,
          thoughtsFailed: counters.thoughtsFailed + 1,
          errors: counters.errors + 1,
        },
        ...recorded(state, agent, record, null, false),
      });
    },
  }),

  action_completed: row<EndedAction>({
    about:
      "an action succeeded; the event has its cost, its result and the time of the next thought",
    evolve: endAction,
  }),

  action_refused: row<EndedAction & { code: RefusalCode; retriable: boolean }>({
    about:
      "an action was refused or failed; the event has the reason and the time of the next thought",
    evolve: endAction,
    concerns: ({ target }, state) => partiesOf(state, parseId(target)),
    facts: ({ target, method, code }) => {
      // A refused action can name any text as its target or method. Only names are public.
      const id = parseId(target);
      return { target: id, method: id !== null && isMethodName(method) ? method : null, code };
    },
  }),

  agent_rate_limited: row<{ resource: Resource; until_ms: number }>({
    about: "an agent waits because it has used up a quota for the current window",
    evolve: (state, { principal, resource, until_ms }) =>
      changeAgent(state, agentNamed(state, principal), {
        reason: whyLimited(resource, until_ms),
        waitsFor: resource,
        due: thinkAt(until_ms),
      }),
    facts: ({ resource }) => ({ target: resource }),
  }),

  /**
   * `scrip` is what the agent has, `offer` the most that its order pays for a lot of model budget,
   * and `price` what a lot costs, or null if none are sold.
   */
  agent_bankrupt: row<{ frozen_ms: number; scrip: number; offer: number; price: number | null }>({
    about:
      "an agent stopped because it was frozen for too long and what it offers buys no model budget",
    concerns: ({ principal }, state) => partiesOf(state, principal),
    facts: ({ principal }) => ({ target: principal }),
  }),

  bankruptcy_deferred: row<{ due_at_ms: number }>({
    about: "a frozen agent can buy model budget, so it waits for the next sale",
    evolve: (state, { principal, due_at_ms }) =>
      changeAgent(state, agentNamed(state, principal), { due: thinkAt(due_at_ms) }),
  }),

  memory_recorded: row<{
    /** The memory artifact that holds this memory. The memory belongs to the artifact's owner. */
    artifact_id: Id;
    /** Number of this memory, counted from 1 for each memory artifact. */
    number: number;
    memory: MemoryKind;
    text: string;
    /** After this transaction, no memory of the agent's first `through` actions is missing. */
    through: number;
  }>({
    about:
      "an agent recorded a memory in a memory artifact; the memory index is built from these events",
    evolve: (state, { principal, artifact_id, number, through }) => {
      state.memories.put(artifact_id, number);
      changeAgent(state, agentNamed(state, principal), { remembered: through });
    },
  }),

  memory_written: row<{ artifact_id: Id; bytes: number }>({
    about:
      "an agent's memory artifact was written without an action; the event has the bytes written",
    evolve: (state, event) => {
      agentNamed(state, event.principal);
      useUp(state, event, { bytes_written: event.bytes });
    },
  }),

  memory_refused: row<{ artifact_id: Id; code: RefusalCode; message: string; through: number }>({
    about: "an agent's memory artifact could not be written; the event has the reason",
    evolve: (state, { principal, through }) =>
      changeAgent(state, agentNamed(state, principal), { remembered: through }),
  }),

  /** `cost` is the most scrip that the action can cost. `proposal` counts from 1 in the world. */
  action_proposed: row<{ proposal: number; action: Json; reasoning: string; cost: number }>({
    about:
      "an action of an agent waits for a reviewer; the event has the most scrip that it can cost",
    evolve: (state, event) => {
      const { id: agent, sleep } = agentNamed(state, event.principal);
      const { proposal: number, at_ms: atMs, action, reasoning, cost } = event;
      changeWorld(state, { proposalsMade: number });
      const about = { agent, number, atMs, action, reasoning, cost, sleep };
      state.proposals.put(agent, { ...about, stage: "waits" });
    },
  }),

  proposal_decided: row<{
    proposal: number;
    agent: Id;
    decided_by: Decider;
    decision: ReviewDecision;
    /** The most scrip that the action could cost at this moment. */
    cost: number;
  }>({
    about: "a reviewer accepted or edited an action, or refused it with a text; or the default did",
    // The next change of state makes an accepted action the pending action of the agent.
    evolve: (state, { proposal: number, agent: id, at_ms, decided_by, decision, cost }) => {
      const proposal = must(state.proposals.get(id), `a proposal must wait: ${number}`);
      switch (decision.kind) {
        case "accept":
          return state.proposals.put(id, { ...proposal, stage: "accepted", cost });
        case "edit": {
          const { action } = decision;
          return state.proposals.put(id, { ...proposal, stage: "edited", action, cost });
        }
        case "feedback": {
          const by = decided_by === "reviewer" ? "a reviewer answered: " : "";
          const last: LastResult = {
            atMs: at_ms,
            ...describeAction(proposal.action),
            ok: false,
            code: null,
            message: `not done: ${by}${decision.text}`,
            result: null,
            cut: false,
            isFeedback: true,
          };
          changeAgent(state, agentNamed(state, id), { last });
          return endProposal(state, id);
        }
      }
    },
  }),
};

type LoopEvents = typeof LOOP_EVENTS;
export type ActionEnd = EventIn<LoopEvents, "action_completed" | "action_refused">;
/** The events that the rooms up to this one can cause. */
export type LoopEvent = ActionEvent | EventIn<LoopEvents>;
export type LoopDecision<Answer = Json> = Decision<Answer, LoopEvent>;
