import type { ActionEnd, Event, EventKind, EventOf } from "../event.ts";
import { type Subject, stamp } from "../invocation/subject.ts";
import { quotaOf } from "../ledger/account.ts";
import { consume, timeUntilAvailable } from "../ledger/rolling-window.ts";
import { type Id, parseId } from "../primitives/ids.ts";
import { publicFacts } from "../search/public-log.ts";
import type { Quotas, Resource } from "../setup/physics.ts";
import { physicsOf, type State } from "../state.ts";
import type { Agent } from "./agent.ts";
import { type Lack, type Sleep, type Sleeper, WAKES_MAX, type Wake } from "./agent.ts";

/** Returns the event that unfreezes an agent, if a gift covers the lack that froze the agent. */
export const unfrozen = (
  state: State,
  by: Subject,
  { to, what, amount }: { readonly to: Id; readonly what: Lack | "disk"; readonly amount: number },
): readonly EventOf<"agent_unfrozen">[] => {
  const account = state.accounts.get(to);
  const { state: now, needs = null } = state.agents.get(to) ?? {};
  if (now !== "frozen" || account === undefined || needs?.lacks !== what) return [];
  const has = what === "llm_budget" ? account.llmBudgetMicros : quotaOf(account, what);
  if (has + amount < needs.amount) return [];
  return [{ ...stamp(by), kind: "agent_unfrozen", agent: to, due_at_ms: by.atMs }];
};

/** Makes a requested sleep safe to store. `fallAsleep` later limits `for_ms` to the maximum. */
export const boundedSleep = ({ for_ms, until }: Sleep): Sleep => ({
  for_ms: Math.max(0, for_ms),
  until: until.slice(0, WAKES_MAX),
});

/**
 * Returns the event that starts the requested sleep, if the agent continues after its action. A
 * `resource` condition becomes a due time; `wakeEvents` checks the other conditions.
 */
export const fallAsleep = (state: State, end: ActionEnd): readonly EventOf<"agent_slept">[] => {
  const { principal, at_ms, next_at_ms } = end;
  const agent = principal === null ? undefined : state.agents.get(principal);
  const pauses = end.kind === "action_refused" && end.paused;
  if (agent === undefined || agent.sleep === null || next_at_ms === null || pauses) return [];
  const for_ms = Math.min(agent.sleep.for_ms, physicsOf(state).agents.sleep_max_ms);
  const sleep = { ...agent.sleep, for_ms };
  const times = sleep.until.map((wake) => ("resource" in wake ? whenFree(state, end, wake) : null));
  const wakes = Math.min(at_ms + sleep.for_ms, ...times.filter((time) => time !== null));
  const due_at_ms = Math.max(next_at_ms, wakes);
  return [{ at_ms, principal, kind: "agent_slept", sleep, due_at_ms }];
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
 * Returns one `agent_woken` event for each sleeper that `events` wake, with the first reason only.
 * `state` is the state after `events`. The computing time does not grow with the number of
 * sleepers, except for events that concern every agent.
 */
export const wakeEvents = (
  state: State,
  events: readonly Event[],
): readonly EventOf<"agent_woken">[] => {
  if (state.sleepers.size === 0) return [];
  const justSlept = new Set(
    events.map((event) => (event.kind === "agent_slept" ? event.principal : null)),
  );
  const woken = new Map<Id, EventOf<"agent_woken">>();
  for (const event of events) {
    for (const id of concernedBy(state, event)) {
      const sleeper = woken.has(id) ? undefined : state.sleepers.get(id);
      if (sleeper === undefined) continue;
      // An event condition ignores events of the transaction in which the agent fell asleep.
      const reason = reasonFor(state, sleeper, justSlept.has(id) ? null : event);
      if (reason === null) continue;
      const { at_ms, principal } = event;
      const due_at_ms = Math.max(at_ms, sleeper.earliestMs);
      woken.set(id, { at_ms, principal, kind: "agent_woken", agent: id, reason, due_at_ms });
    }
  }
  return [...woken.values()];
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

const CONCERN_ALL: ReadonlySet<EventKind> = new Set(["auction_resolved", "task_posted"]);
/** Kinds of events that concern their principal and the owner of the principal. */
const LIFECYCLE: ReadonlySet<EventKind> = new Set(["agent_frozen", "agent_state_changed"]);

const concernedBy = (state: State, event: Event): readonly Id[] => {
  // A released hold is no longer in the state. Its owner is unknown and could be any sleeper.
  if (CONCERN_ALL.has(event.kind) || (event.kind === "hold_released" && event.into === null)) {
    return [...state.sleepers.keys()].sort();
  }
  const facts = publicFacts(event);
  const target = LIFECYCLE.has(event.kind) ? event.principal : parseId(facts?.target);
  const owner = target === null ? undefined : state.artifacts.get(target)?.owner;
  const named = [parseId(facts?.other), target, owner ?? null, partyTo(event)];
  return named.filter((id) => id !== null);
};

/** A party that the public facts of an event omit, or null. */
const partyTo = (event: Event): Id | null => {
  switch (event.kind) {
    case "hold_spent":
      return event.to;
    case "ownership_transferred":
      return event.from;
    case "agent_slept":
      return event.principal;
    default:
      return null;
  }
};
