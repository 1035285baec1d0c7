import type { ActionTables } from "../action/events.ts";
import {
  type Agent,
  type AgentState,
  type AgentStateChange,
  findAgent,
  type Shortage,
  type Sleep,
  WAKES_MAX,
  type Wake,
  whyFrozen,
} from "../agent/agent.ts";
import { stateChange } from "../agent/events.ts";
import { offerFrom } from "../compute/orders.ts";
import { nextSaleAt, offersCompute, presentPrice } from "../compute/supply.ts";
import { accept, type Refused, refuse } from "../core/decision.ts";
import type { Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import { cutText } from "../core/json.ts";
import type { Quotas, Resource } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { publicBalance } from "../ledger/account.ts";
import { canConsume, consume, timeUntilAvailable } from "../ledger/rolling-window.ts";
import { stamp } from "../ledger/subject.ts";
import { mailboxOf } from "../messages/mailbox.ts";
import type { LoopCommands } from "./commands.ts";
import type { ActionEnd, LoopDecision, LoopEvent } from "./events.ts";
import { editNote } from "./review.ts";

const withAgent = (
  state: ActionTables,
  id: Id,
  decideFor: (agent: Agent) => LoopDecision,
): LoopDecision => {
  const found = findAgent(state, id);
  return found.kind === "accepted" ? decideFor(found.answer) : found;
};

/** The time of the next thought, or the pause that starts instead. */
type Next = { readonly next_at_ms: number | null; readonly pause: AgentStateChange | null };

/** The states in which the end of an action does not schedule the next thought. */
const INACTIVE: ReadonlySet<AgentState> = new Set(["sleeping", "frozen", "in_review", "stopped"]);

/**
 * After a failure, doubles the delay, and after too many failures in a row, pauses the agent, unless
 * its kind of mind does not back off.
 */
const nextAfter = (
  state: ActionTables,
  agent: Agent | undefined,
  end: { readonly at: number; readonly ok: boolean; readonly backsOff: boolean },
): Next => {
  if (agent === undefined || INACTIVE.has(agent.state)) return { next_at_ms: null, pause: null };
  const bounds = physicsOf(state).agents;
  const { min_delay_ms, max_delay_ms, max_consecutive_errors, resume_after_ms } = bounds;
  if (end.ok || !end.backsOff) return { next_at_ms: end.at + min_delay_ms, pause: null };
  if (agent.counters.errors + 1 >= max_consecutive_errors) {
    const due_at_ms = resume_after_ms === null ? null : end.at + resume_after_ms;
    const reason = "too many failures in a row";
    return { next_at_ms: null, pause: { to: "paused", reason, cause: "failures", due_at_ms } };
  }
  const delay = Math.min(Math.max(agent.delayMs, min_delay_ms) * 2, max_delay_ms);
  return { next_at_ms: end.at + delay, pause: null };
};

/** Returns the pause as a list of events, which is empty without a pause. */
const pauseEvents = (
  { at_ms, principal }: Stamp,
  agent: Agent | undefined,
  { pause }: Next,
): readonly LoopEvent[] =>
  pause === null || agent === undefined ? [] : [stateChange({ at_ms, principal }, agent, pause)];

export const decideThoughtStart = (
  state: ActionTables,
  command: LoopCommands["start_thought"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const { at_ms, think_ms } = command;
    const idle = notRunningRefusal(agent);
    if (idle !== null) return idle;
    if (agent.thinking !== null) {
      return refuse("invalid_argument", `${agent.id} is thinking already`);
    }
    const started = { kind: "thought_started", ends_at_ms: at_ms + think_ms } as const;
    return accept([{ at_ms, principal: agent.id, ...started }], null);
  });

/** Drops an outdated thought, but charges its cost. Returns null if the thought is current. */
const droppedThought = (
  agent: Agent,
  thought: Pick<LoopCommands["complete_thought"], "at_ms" | "usage" | "epoch">,
): LoopDecision | null => {
  const { at_ms, usage, epoch } = thought;
  const changed = agent.epoch !== epoch;
  const isThinking = agent.due?.step === "think" || agent.due?.step === "decide";
  if (!changed && agent.state === "running" && isThinking) return null;
  const reason = changed
    ? `the agent changed while it thought: ${agent.reason}`
    : "the agent was not waiting for a thought";
  const event = { kind: "thought_dropped", reason, usage } as const;
  return accept([{ at_ms, principal: agent.id, ...event }], null);
};

export const decideThought = (
  state: ActionTables,
  command: LoopCommands["complete_thought"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const dropped = droppedThought(agent, command);
    if (dropped !== null) return dropped;
    const { at_ms, action, reasoning, mind, usage, think_ms, sleep, inbox, read_through } = command;
    const thought: LoopEvent = {
      at_ms,
      principal: agent.id,
      kind: "thought_completed",
      action,
      reasoning,
      mind,
      usage,
      act_at_ms: at_ms + think_ms,
      sleep: sleep === null ? null : boundedSleep(sleep),
      ...(inbox === undefined ? {} : { inbox }),
      ...(read_through === undefined ? {} : { read_through }),
    };
    return accept([thought], null);
  });

export const decideFailedThought = (
  state: ActionTables,
  command: LoopCommands["fail_thought"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const dropped = droppedThought(agent, command);
    if (dropped !== null) return dropped;
    const { at_ms, reason, fault, message, mind, usage, backs_off } = command;
    const next = nextAfter(state, agent, { at: at_ms, ok: false, backsOff: backs_off !== false });
    const failed: LoopEvent = {
      at_ms,
      principal: agent.id,
      kind: "thought_failed",
      reason,
      ...(fault === undefined ? {} : { fault }),
      message,
      ...(mind === undefined ? {} : { mind }),
      usage,
      next_at_ms: next.next_at_ms,
    };
    return accept([failed, ...pauseEvents(failed, agent, next)], null);
  });

const notRunningRefusal = ({ id, state }: Agent): Refused | null =>
  state === "running"
    ? null
    : refuse("invalid_argument", `${id} is ${state}; only a running agent thinks`);

type Terms = Pick<LoopCommands["freeze_agent"], "terms">;

const termsOf = ({ terms }: Terms): Terms => (terms === undefined ? {} : { terms });

export const decideFreeze = (
  state: ActionTables,
  command: LoopCommands["freeze_agent"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const has_micros = state.accounts.get(agent.id)?.llmBudgetMicros ?? 0;
    const { at_ms, needs_micros } = command;
    const idle = notRunningRefusal(agent);
    if (idle !== null) return idle;
    if (has_micros >= needs_micros) {
      return refuse(
        "invalid_argument",
        `${agent.id} can afford its next thought, so it cannot be frozen`,
      );
    }
    const lack = { lacks: "llm_budget", needs: needs_micros, has: has_micros } as const;
    return accept(freezeEvents(state, agent, { at_ms, ...lack, ...termsOf(command) }), null);
  });

/**
 * Stops a frozen agent that received no model budget in time and cannot buy any: what it can and
 * will pay for a lot is less than the last price. The agent keeps its possessions. An agent that
 * can buy stays frozen and is judged again after the next sale.
 */
export const decideBankruptcy = (
  state: ActionTables,
  command: LoopCommands["declare_bankrupt"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const { id, state: now, due, needs } = agent;
    const { at_ms } = command;
    const { bankrupt_after_ms } = physicsOf(state).agents;
    if (now !== "frozen" || due === null || needs === null || bankrupt_after_ms === null) {
      return refuse("invalid_argument", `${id} is ${now}; only a frozen agent can go bankrupt`);
    }
    if (at_ms < due.atMs) {
      return refuse("invalid_argument", `${id} can be funded until ${due.atMs / 1_000} s`);
    }
    const by = { at_ms, principal: id };
    const scrip = publicBalance(state, id);
    const price = offersCompute(state) ? presentPrice(state) : null;
    const offer = offerFrom(state, id);
    if (price !== null && offer >= price) {
      const due_at_ms = Math.max(at_ms + 1, nextSaleAt(state));
      return accept([{ ...by, kind: "bankruptcy_deferred", due_at_ms }], null);
    }
    const frozen_ms = at_ms - needs.sinceMs;
    const cannotBuy =
      price === null ? "" : `; it offers ${offer} of its ${scrip} scrip for a lot at ${price}`;
    const reason = `it was frozen for ${frozen_ms / 1_000} s: ${agent.reason}${cannotBuy}`;
    const stopped = { to: "stopped", reason, cause: "bankrupt", due_at_ms: null } as const;
    const bankrupt = { ...by, kind: "agent_bankrupt", frozen_ms, scrip, offer, price } as const;
    return accept([bankrupt, stateChange(by, agent, stopped)], null);
  });

/** Makes the agent wait for the amount. If the amount exceeds its quota, freezes the agent. */
export const decideLimit = (
  state: ActionTables,
  command: LoopCommands["limit_agent"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const { at_ms, resource, amount } = command;
    const idle = notRunningRefusal(agent);
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
    if (wait === null) {
      const lack = { lacks: resource, needs: amount, has: rate.quota, ...termsOf(command) };
      return accept(freezeEvents(state, agent, { at_ms, ...lack }), null);
    }
    const skips = resources.on_exhausted === "skip";
    const until = at_ms + (skips ? agents.max_delay_ms : Math.max(1, wait));
    const limited = { kind: "agent_rate_limited", resource, until_ms: until } as const;
    return accept([{ at_ms, principal: agent.id, ...limited }], null);
  });

export const decideAgentState = (
  state: ActionTables,
  command: LoopCommands["change_agent_state"],
): LoopDecision =>
  withAgent(state, command.agent, (agent) => {
    const { at_ms, to, reason, cause, due_at_ms } = command;
    const change = { to, reason, ...(cause === undefined ? {} : { cause }), due_at_ms };
    return accept([stateChange({ at_ms, principal: agent.id }, agent, change)], null);
  });

/** Ends an action: records its result and cost, and schedules the next thought or a sleep. */
export const decideEnd = (
  state: ActionTables,
  { by, ended, backs_off }: LoopCommands["end_action"],
): LoopDecision => {
  const { refusal, action, target, method, result } = ended;
  const agent = state.agents.get(by.origin);
  const message = `${ended.message}${editNote(state, agent)}${shortenedSleepNote(state, agent)}`;
  const next = nextAfter(state, agent, {
    at: by.atMs,
    ok: refusal === null,
    backsOff: backs_off !== false,
  });
  const charged = { scrip: ended.scrip, gas: ended.gas, bytes: ended.bytes };
  const max = physicsOf(state).agents.result_kept_chars;
  const kept = result === null ? null : cutText(result, max);
  const about = {
    action,
    target,
    method,
    message,
    charged,
    result: kept,
    cut: kept !== result,
    next_at_ms: next.next_at_ms,
  };
  const end: ActionEnd =
    refusal === null
      ? { ...stamp(by), kind: "action_completed", ...about }
      : {
          ...stamp(by),
          kind: "action_refused",
          code: refusal.code,
          retriable: refusal.retriable,
          ...about,
        };
  return accept([end, ...pauseEvents(end, agent, next), ...fallAsleep(state, end)], null);
};

/** Returns the events that freeze an agent. Only a lack of model budget ends in bankruptcy. */
const freezeEvents = (
  state: ActionTables,
  agent: Agent,
  { at_ms, ...lack }: Shortage & { readonly at_ms: number },
): readonly LoopEvent[] => {
  const by = { at_ms, principal: agent.id };
  const { bankrupt_after_ms } = physicsOf(state).agents;
  const isFinal = lack.lacks === "llm_budget" && bankrupt_after_ms !== null;
  const due_at_ms = isFinal ? at_ms + bankrupt_after_ms : null;
  const frozen = { to: "frozen", reason: whyFrozen(lack), due_at_ms } as const;
  return [{ ...by, kind: "agent_frozen", ...lack }, stateChange(by, agent, frozen)];
};

/** Makes a requested sleep safe to store. `fallAsleep` later limits `for_ms` to the maximum. */
const boundedSleep = ({ for_ms, until }: Sleep): Sleep => ({
  for_ms: Math.max(0, for_ms),
  until: until.slice(0, WAKES_MAX),
});

/**
 * Returns the event that starts the requested sleep, if the agent continues after its action. An
 * agent with unread messages does not sleep, because a message wakes it. A `resource` condition
 * becomes a due time; `wakeEvents` checks the other conditions.
 */
const fallAsleep = (state: ActionTables, end: ActionEnd): readonly LoopEvent[] => {
  const { principal, at_ms, next_at_ms } = end;
  const agent = principal === null ? undefined : state.agents.get(principal);
  if (agent === undefined || agent.sleep === null || next_at_ms === null) return [];
  if (mailboxOf(state, agent.id).unread.length > 0) return [];
  const for_ms = Math.min(agent.sleep.for_ms, physicsOf(state).agents.sleep_max_ms);
  const sleep = { ...agent.sleep, for_ms };
  const times = sleep.until.map((wake) => ("resource" in wake ? whenFree(state, end, wake) : null));
  const wakes = Math.min(at_ms + sleep.for_ms, ...times.filter((time) => time !== null));
  const due_at_ms = Math.max(next_at_ms, wakes);
  const orWoken = sleep.until.length > 0 ? " or until it is woken" : "";
  const reason = `it sleeps for ${sleep.for_ms / 1_000} s${orWoken}`;
  return [stateChange(end, agent, { to: "sleeping", reason, due_at_ms, sleep })];
};

const shortenedSleepNote = (state: ActionTables, agent: Agent | undefined): string => {
  const most = physicsOf(state).agents.sleep_max_ms;
  const asked = agent?.sleep?.for_ms ?? 0;
  if (asked <= most) return "";
  return `; the sleep is limited to ${most / 1_000} s, less than the ${asked / 1_000} s requested`;
};

type WindowWake = Extract<Wake, { readonly resource: Resource }>;

/** Returns the run time when `amount` of `resource` is free after action `end`. Null if never. */
const whenFree = (
  state: ActionTables,
  end: ActionEnd,
  { resource, available: amount }: WindowWake,
): number | null => {
  const { principal, at_ms: now, charged } = end;
  const account = principal === null ? undefined : state.accounts.get(principal);
  const usage = principal === null ? undefined : state.usages.get(principal);
  if (account === undefined || usage === undefined) return null;
  const windowMs = physicsOf(state).resources.window_ms;
  const rate = { now, windowMs, quota: account.quotas[resource] };
  const used: Partial<Quotas> = { actions: 1, cpu_gas: charged.gas, bytes_written: charged.bytes };
  const after = consume(usage[resource], used[resource] ?? 0, rate);
  const wait = timeUntilAvailable(after, amount, rate);
  return wait === null ? null : now + wait;
};
