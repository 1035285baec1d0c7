import type { ActionTables } from "../action/events.ts";
import { type Agent, type Sleep, WAKES_MAX, type Wake } from "../agent/agent.ts";
import { stateChange } from "../agent/change-state.ts";
import type { Quotas, Resource } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { consume, timeUntilAvailable } from "../ledger/rolling-window.ts";
import { mailboxOf } from "../messages/mailbox.ts";
import type { ActionEnd, LoopEvent } from "./events.ts";

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
export const fallAsleep = (state: ActionTables, end: ActionEnd): readonly LoopEvent[] => {
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

export const shortenedSleepNote = (state: ActionTables, agent: Agent | undefined): string => {
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
