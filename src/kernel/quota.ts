import type { QuotaName } from "./account.ts";
import type { Id } from "./ids.ts";
import { must } from "./invariant.ts";
import type { Resource } from "./physics.ts";
import { available } from "./rate-tracker.ts";
import { physicsOf, type State } from "./state.ts";

/** A quota, and how much of it can be used now. */
export type Left = { readonly quota: number; readonly available: number };
export type WindowsLeft = { readonly [R in Resource]: Left };

/** What a principal may use in each rolling window, and what is left of that. */
export const windowsLeft = (state: State, id: Id, now: number): WindowsLeft => {
  const left = (resource: Resource): Left => windowLeft(state, id, { resource, now });
  return {
    actions: left("actions"),
    llm_calls: left("llm_calls"),
    llm_tokens: left("llm_tokens"),
    cpu_gas: left("cpu_gas"),
    bytes_written: left("bytes_written"),
  };
};

/** The same of one resource. */
export const windowLeft = (
  state: State,
  id: Id,
  { resource, now }: { readonly resource: Resource; readonly now: number },
): Left => {
  const account = must(state.accounts.get(id), "a principal has an account");
  const usage = must(state.usages.get(id), "a principal has windows");
  const quota = account.quotas[resource];
  const windowMs = physicsOf(state).resources.window_ms;
  return { quota, available: available(usage[resource], { now, windowMs, quota }) };
};

/**
 * What of a quota is not in use: free disk, and window quota not yet spent. Only that can be given
 * away.
 */
export const unusedQuota = (
  state: State,
  id: Id,
  { name, now }: { readonly name: QuotaName; readonly now: number },
): number => {
  const account = state.accounts.get(id);
  if (account === undefined) return 0;
  if (name === "disk") return account.diskQuota - account.diskUsed;
  return windowLeft(state, id, { resource: name, now }).available;
};
