import type { ActionEnd, Event, EventKind, EventOf, Stamp } from "../event.ts";
import { quotaOf } from "../ledger/account.ts";
import { consume, timeUntilAvailable } from "../ledger/rolling-window.ts";
import { mailboxOf } from "../messages/mailbox.ts";
import type { Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { publicFacts } from "../search/public-log.ts";
import type { Quotas, Resource } from "../setup/physics.ts";
import { physicsOf, type State } from "../state.ts";
import type { Agent } from "./agent.ts";
import { type Lack, type Sleep, type Sleeper, WAKES_MAX, type Wake } from "./agent.ts";
import type { Concern, Happened } from "./concern.ts";
import { stateChange } from "./state-change.ts";

/** Returns the events that unfreeze an agent, if a gift covers the lack that froze the agent. */
export const unfrozen = (
  state: State,
  when: Stamp,
  { to, what, amount }: { readonly to: Id; readonly what: Lack | "disk"; readonly amount: number },
): readonly Event[] => {
  const account = state.accounts.get(to);
  const agent = state.agents.get(to);
  const needs = agent?.needs ?? null;
  if (agent?.state !== "frozen" || account === undefined || needs?.lacks !== what) return [];
  const has = what === "llm_budget" ? account.llmBudgetMicros : quotaOf(account, what);
  if (has + amount < needs.amount) return [];
  const { at_ms } = when;
  const reason = when.principal === null ? "it got model budget" : `funded by ${when.principal}`;
  const continues = { to: "running", reason, due_at_ms: at_ms } as const;
  return [{ ...when, kind: "agent_unfrozen", agent: to }, stateChange(when, agent, continues)];
};

/** Makes a requested sleep safe to store. `fallAsleep` later limits `for_ms` to the maximum. */
export const boundedSleep = ({ for_ms, until }: Sleep): Sleep => ({
  for_ms: Math.max(0, for_ms),
  until: until.slice(0, WAKES_MAX),
});

/**
 * Returns the event that starts the requested sleep, if the agent continues after its action. An
 * agent with unread messages does not sleep, because a message wakes it. A `resource` condition
 * becomes a due time; `wakeEvents` checks the other conditions.
 */
export const fallAsleep = (
  state: State,
  end: ActionEnd,
): readonly EventOf<"agent_state_changed">[] => {
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

export const shortenedSleepNote = (state: State, agent: Agent | undefined): string => {
  const most = physicsOf(state).agents.sleep_max_ms;
  const asked = agent?.sleep?.for_ms ?? 0;
  if (asked <= most) return "";
  return `; the sleep is limited to ${most / 1_000} s, less than the ${asked / 1_000} s requested`;
};

type WindowWake = Extract<Wake, { readonly resource: Resource }>;

/** Returns the run time when `amount` of `resource` is free after action `end`. Null if never. */
const whenFree = (
  state: State,
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

/**
 * Returns one event for each sleeper that events wake, with the first reason only.
 * `state` is the state after the events. The computing time does not grow with the number of
 * sleepers, except for events that concern every agent.
 */
export const wakeEvents = (
  state: State,
  happened: readonly Happened[],
): readonly EventOf<"agent_state_changed">[] => {
  if (state.sleepers.size === 0) return [];
  const justSlept = new Set(happened.map(({ event }) => fellAsleep(event)));
  const woken = new Map<Id, EventOf<"agent_state_changed">>();
  for (const { event, concern } of happened) {
    for (const id of candidates(state, event, concern)) {
      const sleeper = woken.has(id) ? undefined : state.sleepers.get(id);
      if (sleeper === undefined) continue;
      // An event condition ignores events of the transaction in which the agent fell asleep.
      const reason = reasonFor(state, sleeper, justSlept.has(id) ? null : event);
      if (reason === null) continue;
      const due_at_ms = Math.max(event.at_ms, sleeper.earliestMs);
      const agent = must(state.agents.get(id), "a sleeper must be an agent");
      woken.set(id, stateChange(event, agent, { to: "running", reason, due_at_ms }));
    }
  }
  return [...woken.values()];
};

const fellAsleep = (event: Event): Id | null =>
  event.kind === "agent_state_changed" && event.to === "sleeping" ? event.agent : null;

/** The agents that an event can wake. A balance can wake an agent that has just fallen asleep. */
const candidates = (state: State, event: Event, concern: Concern): Iterable<Id> => {
  const slept = fellAsleep(event);
  if (slept !== null) return [slept];
  return concern.isForAll ? [...state.sleepers.keys()].sort() : concern.agents;
};

const reasonFor = (
  state: State,
  { agent, until }: Sleeper,
  happened: Event | null,
): string | null => {
  const { scrip = 0, llmBudgetMicros = 0 } = state.accounts.get(agent) ?? {};
  const isPublic = happened !== null && publicFacts(happened) !== null;
  for (const wake of until) {
    if ("event" in wake) {
      const kind: EventKind = wake.event;
      if (isPublic && happened.kind === kind) return `${kind} happened`;
    }
    if ("scrip_at_least" in wake && scrip >= wake.scrip_at_least) return `it has ${scrip} scrip`;
    if ("llm_budget_at_least" in wake && llmBudgetMicros >= wake.llm_budget_at_least) {
      return `it has ${llmBudgetMicros} micro-dollars`;
    }
  }
  return null;
};
