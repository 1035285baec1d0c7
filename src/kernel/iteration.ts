import type { ActionEnd } from "./action-end.ts";
import type { Agent, AgentState } from "./agent.ts";
import type { ActCommand, AgentCommand } from "./command.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import type { Id } from "./ids.ts";
import { cutText } from "./json.ts";
import { canConsume, timeUntilAvailable } from "./rate-tracker.ts";
import { physicsOf, type State } from "./state.ts";
import { stamp } from "./subject.ts";
import { cutSleep, fallAsleep, keptSleep } from "./waking.ts";

/** What moves an agent's loop from one iteration to the next. */
type Of<K extends AgentCommand["kind"]> = Extract<AgentCommand, { readonly kind: K }>;

const withAgent = (state: State, id: Id, decideFor: (agent: Agent) => Decision): Decision => {
  const agent = state.agents.get(id);
  return agent === undefined ? refuse("not_found", `"${id}" is no agent`) : decideFor(agent);
};

type Pause = { readonly next_at_ms: number | null; readonly paused: boolean };

/** What somebody else does in their name does not set their loop going again. */
const AT_REST: ReadonlySet<AgentState> = new Set(["sleeping", "frozen", "stopping", "stopped"]);

/** The usual delay after success; after failures it doubles up to a bound, then the loop rests. */
const pauseAfter = (
  state: State,
  agent: Agent | undefined,
  end: { readonly at: number; readonly ok: boolean; readonly backoff: boolean },
): Pause => {
  if (agent === undefined || AT_REST.has(agent.state)) return { next_at_ms: null, paused: false };
  const bounds = physicsOf(state).agents;
  const { min_delay_ms, max_delay_ms, max_consecutive_errors, resume_after_ms } = bounds;
  if (end.ok || !end.backoff) return { next_at_ms: end.at + min_delay_ms, paused: false };
  if (agent.counters.errors + 1 >= max_consecutive_errors) {
    const next = resume_after_ms === null ? null : end.at + resume_after_ms;
    return { next_at_ms: next, paused: true };
  }
  const delay = Math.min(Math.max(agent.delayMs, min_delay_ms) * 2, max_delay_ms);
  return { next_at_ms: end.at + delay, paused: false };
};

/**
 * A thought that nobody waits for any more has been paid all the same. That is recorded, and
 * nothing else comes of it. Null for one that is awaited.
 */
const droppedThought = (
  agent: Agent,
  thought: Pick<Of<"complete_thought">, "at_ms" | "usage" | "epoch">,
): Decision | null => {
  const { at_ms, usage, epoch } = thought;
  const changed = agent.epoch !== epoch;
  if (!changed && agent.state === "running" && agent.due?.step === "think") return null;
  const reason = changed
    ? `its agent has changed since: ${agent.reason}`
    : "its agent awaits no thought";
  const event = { kind: "thought_dropped", reason, usage } as const;
  return accept([{ at_ms, principal: agent.id, ...event }], null);
};

export const decideThought = (state: State, command: Of<"complete_thought">): Decision =>
  withAgent(state, command.agent, (agent) => {
    const dropped = droppedThought(agent, command);
    if (dropped !== null) return dropped;
    const { at_ms, action, reasoning, mind, usage, think_ms, sleep } = command;
    const thought: Event = {
      at_ms,
      principal: agent.id,
      kind: "thought_completed",
      action,
      reasoning,
      mind,
      usage,
      act_at_ms: at_ms + think_ms,
      sleep: sleep === null ? null : keptSleep(sleep),
    };
    return accept([thought], null);
  });

export const decideFailedThought = (state: State, command: Of<"fail_thought">): Decision =>
  withAgent(state, command.agent, (agent) => {
    const dropped = droppedThought(agent, command);
    if (dropped !== null) return dropped;
    const { at_ms, reason, message, mind, usage, backoff } = command;
    const pause = pauseAfter(state, agent, { at: at_ms, ok: false, backoff });
    const failed: Event = {
      at_ms,
      principal: agent.id,
      kind: "thought_failed",
      reason,
      message,
      ...(mind === undefined ? {} : { mind }),
      usage,
      ...pause,
    };
    return accept([failed], null);
  });

/** Only one that would think now can lack what a thought takes. */
const thinksNot = ({ id, state }: Agent): Refused | null =>
  state === "running" ? null : refuse("invalid_argument", `${id} is ${state} and is not to think`);

/** Only an agent that really cannot pay is frozen. */
export const decideFreeze = (state: State, command: Of<"freeze_agent">): Decision =>
  withAgent(state, command.agent, (agent) => {
    const has_micros = state.accounts.get(agent.id)?.llmBudgetMicros ?? 0;
    const { at_ms, needs_micros } = command;
    const idle = thinksNot(agent);
    if (idle !== null) return idle;
    if (has_micros >= needs_micros) {
      return refuse("invalid_argument", `${agent.id} can afford its next thought`);
    }
    const frozen = { kind: "agent_frozen", needs_micros, has_micros } as const;
    return accept([{ at_ms, principal: agent.id, ...frozen }], null);
  });

/** Nobody has helped a frozen agent in time: it stops, and keeps what it has. */
export const decideBankruptcy = (state: State, command: Of<"declare_bankrupt">): Decision =>
  withAgent(state, command.agent, ({ id, state: now, due }) => {
    const { at_ms } = command;
    const patience = physicsOf(state).agents.bankrupt_after_ms;
    if (now !== "frozen" || due === null || patience === null) {
      return refuse("invalid_argument", `${id} is ${now} and cannot go bankrupt`);
    }
    if (at_ms < due.atMs) {
      return refuse("invalid_argument", `${id} can be rescued until ${due.atMs} ms`);
    }
    const frozen_ms = at_ms - (due.atMs - patience);
    return accept([{ at_ms, principal: id, kind: "agent_bankrupt", frozen_ms }], null);
  });

/** The loop waits until its window frees what it needs; what no wait can give pauses it. */
export const decideLimit = (state: State, command: Of<"limit_agent">): Decision =>
  withAgent(state, command.agent, (agent) => {
    const { at_ms, resource, amount } = command;
    const idle = thinksNot(agent);
    if (idle !== null) return idle;
    const usage = state.usages.get(agent.id);
    const account = state.accounts.get(agent.id);
    if (usage === undefined || account === undefined) {
      return refuse("not_found", `"${agent.id}" has no account`);
    }
    const { resources, agents } = physicsOf(state);
    const windowMs = resources.window_ms;
    const rate = { now: at_ms, windowMs, quota: account.quotas[resource] };
    if (canConsume(usage[resource], amount, rate)) {
      return refuse("invalid_argument", `${agent.id} has ${resource} left`);
    }
    const wait = timeUntilAvailable(usage[resource], amount, rate);
    const block = wait === null ? windowMs : Math.max(1, wait);
    const until = at_ms + (resources.on_exhausted === "skip" ? agents.max_delay_ms : block);
    const limited = { kind: "agent_rate_limited", resource, until_ms: until } as const;
    return accept([{ at_ms, principal: agent.id, ...limited }], null);
  });

export const decideAgentState = (state: State, command: Of<"change_agent_state">): Decision =>
  withAgent(state, command.agent, (agent) => {
    const { at_ms, to, reason, due_at_ms } = command;
    const changed = {
      kind: "agent_state_changed",
      from: agent.state,
      to,
      reason,
      due_at_ms,
    } as const;
    return accept([{ at_ms, principal: agent.id, ...changed }], null);
  });

type EndAction = Extract<ActCommand, { readonly kind: "end_action" }>;

/** Closes an action: what it came to, what it cost, and when its agent thinks again or wakes. */
export const decideEnd = (state: State, { by, ended }: EndAction): Decision => {
  const { refusal, backoff, action, target, method, result } = ended;
  const agent = state.agents.get(by.origin);
  const message = `${ended.message}${cutSleep(state, agent)}`;
  const pause = pauseAfter(state, agent, { at: by.atMs, ok: refusal === null, backoff });
  const charged = { scrip: ended.scrip, gas: ended.gas, bytes: ended.bytes };
  const max = physicsOf(state).agents.result_kept_chars;
  const kept = result === null ? null : cutText(result, max);
  const { next_at_ms, paused } = pause;
  const about = {
    action,
    target,
    method,
    message,
    charged,
    result: kept,
    cut: kept !== result,
    next_at_ms,
  };
  const end: ActionEnd =
    refusal === null
      ? { ...stamp(by), kind: "action_completed", ...about }
      : {
          ...stamp(by),
          kind: "action_refused",
          code: refusal.code,
          retriable: refusal.retriable,
          paused,
          ...about,
        };
  return accept([end, ...fallAsleep(state, end)], null);
};
